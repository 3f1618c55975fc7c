"""The rules of every field of an event; all errors of an event are reported at once."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from mergecast.errors import FieldError
from mergecast.inputs.field import Field, Fields, InvalidValue, read_fields
from mergecast.inputs.kinds import BOOLEAN, instant, integer, line, name, one_of, text, web_address
from mergecast.queues.model.ci_check import CI_CHECK_REPORTED, CONCLUSIONS, AnyEvent, CiCheckReport
from mergecast.queues.model.commit import COMMIT_PATTERN, read_commit
from mergecast.queues.model.event import (
    BISECTION_ENDED,
    BISECTION_STARTED,
    CHECK_OUTCOMES,
    CHECKS_ENDED,
    CHECKS_STARTED,
    EVENT_TYPES,
    EXIT_REASONS,
    QUEUE_ENTERED,
    QUEUE_LEFT,
    WIRE_NAMES,
    Event,
)
from mergecast.queues.model.instant import DAY, MINUTE, SECOND, format_instant

LONGEST_URL = 2000
MOST_ATTEMPTS = 1000
LONGEST_CHECK = 35 * DAY  # GitHub ends every workflow after that
INSTANTS = ("queued_at", "started_at", "ended_at")  # in this order

CI_CHECK_FIELDS: Fields = {
    "batch_id": text(200),
    "attempt": integer(1, MOST_ATTEMPTS).by_default(1),
    "check_id": line(200).described("One execution; reports with the same id in a CI run are about the same"),
    "name": name(255).described("`workflow / job` where two checks have the same name"),
    "conclusion": one_of(*CONCLUSIONS).required_or_null().described("null while it runs"),
    **{step: instant().or_null() for step in INSTANTS},
    "url": web_address(LONGEST_URL).or_null(),
    "runner": name(100).or_null().described("The label of the machine, such as `linux-x64-16`"),
    "is_required": BOOLEAN.or_null().described("null if not known; it is then counted as required"),
}


def order_errors(content: Mapping[str, Any], pointer: str) -> list[FieldError]:
    """An error for each instant that is before an earlier step of the same execution, or long after it."""
    given = [step for step in INSTANTS if content.get(step) is not None]
    errors = [
        FieldError("body", f"{pointer}/{step}", f"must not be before {earlier}")
        for earlier, step in pairwise(given)
        if content[step] < content[earlier]
    ]
    has_both = "started_at" in given and "ended_at" in given
    if has_both and content["ended_at"] - content["started_at"] > LONGEST_CHECK:
        message = f"must not be more than {LONGEST_CHECK // DAY} days after started_at"
        errors.append(FieldError("body", f"{pointer}/ended_at", message))
    return errors


AHEAD_OF_NOW = 10 * MINUTE
LARGEST_NUMBER = 2**63 - 1
MOST_PULL_REQUESTS = 1000
_LONGEST_PLAIN_TEXT, _MOST_PLAIN_MEMBERS, _MOST_PLAIN_DIGITS = 200, 100, 10
_LARGEST_PLAIN_NUMBER = 10**15
LONGEST_WAIT = 9_000_000_000  # seconds: 285 years; its microseconds are still exact as a JSON number


_TEXTS = ("id", "base_ref", "queue_name", "priority_rule_name", "session_id", "batch_id")
_NUMBERS = ("pull_request", "schedule_wait", "freeze_wait")


def _seconds(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= LONGEST_WAIT:
        raise InvalidValue(f"must be a number of seconds from 0 to {LONGEST_WAIT}")
    return round(value * SECOND)


def _pull_requests(value: Any) -> str:
    if type(value) is not list or not 1 <= len(value) <= MOST_PULL_REQUESTS:
        raise InvalidValue(f"must be a list of 1 to {MOST_PULL_REQUESTS} pull request numbers")
    if not all(type(number) is int and 0 <= number <= LARGEST_NUMBER for number in value):
        raise InvalidValue(f"must contain integers from 0 to {LARGEST_NUMBER}")
    if len(set(value)) != len(value):
        raise InvalidValue("must not name a pull request twice")
    return ",".join(map(str, value))


def _commit(value: Any) -> str:
    commit = read_commit(value) if isinstance(value, str) else None
    if commit is None:
        raise InvalidValue("must be the id of a commit: 40 or 64 hexadecimal digits, not all zeros")
    return commit


_REF = text(255)  # a branch keeps its name, whatever that is
_NAME = name(255)
_IDENTITY = text(200)
_PULL_REQUEST = integer(0, LARGEST_NUMBER)
_ATTEMPT = integer(1, MOST_ATTEMPTS).by_default(1)
_BATCH = Field(
    _pull_requests,
    {
        "type": "array",
        "items": _PULL_REQUEST.schema,
        "minItems": 1,
        "maxItems": MOST_PULL_REQUESTS,
        "uniqueItems": True,
    },
)
_WAIT = Field(_seconds, {"type": "number", "minimum": 0, "maximum": LONGEST_WAIT}).by_default(0)
_COMMIT = Field(_commit, {"type": "string", "pattern": f"^{COMMIT_PATTERN}$"}).or_null()
_COMMON_FIELDS: Fields = {
    "id": _IDENTITY,
    "type": one_of(*EVENT_TYPES, CI_CHECK_REPORTED),
    "at": instant(),
    "base_ref": _REF,
    "queue_name": _NAME,
    "priority_rule_name": name(255, is_nullable=True).by_default(None),
    "source": name(40).by_default("api"),
}
_STAY_FIELDS: Fields = {"session_id": _IDENTITY, "pull_request": _PULL_REQUEST}

_FIELDS_OF: dict[str, Fields] = {
    QUEUE_ENTERED: {**_STAY_FIELDS, "head_sha": _COMMIT},
    QUEUE_LEFT: {
        **_STAY_FIELDS,
        "reason": one_of(*EXIT_REASONS),
        "batch_id": text(200, is_nullable=True).by_default(None),
        "seconds_waiting_for_schedule": _WAIT,
        "seconds_waiting_for_freeze": _WAIT,
        "head_sha": _COMMIT,
    },
    CHECKS_STARTED: {
        **_STAY_FIELDS,
        "batch_id": _IDENTITY,
        "attempt": _ATTEMPT,
        "batch_pull_requests": _BATCH,
    },
    CHECKS_ENDED: {
        **_STAY_FIELDS,
        "batch_id": _IDENTITY,
        "attempt": _ATTEMPT,
        "outcome": one_of(*CHECK_OUTCOMES),
    },
    BISECTION_STARTED: {
        "batch_id": _IDENTITY,
        "depth": integer(0, 1000),
        "batch_pull_requests": _BATCH,
    },
    BISECTION_ENDED: {"batch_id": _IDENTITY, "culprit_found": BOOLEAN, "max_failures_reached": BOOLEAN},
}
EVENT_FIELDS: dict[str, Fields] = {
    **{type: {**_COMMON_FIELDS, **more} for type, more in _FIELDS_OF.items()},
    CI_CHECK_REPORTED: {
        **{key: field for key, field in _COMMON_FIELDS.items() if key != "priority_rule_name"},
        **CI_CHECK_FIELDS,
    },
}


def read_event(value: Any, pointer: str, now: int) -> AnyEvent | list[FieldError]:
    """The event in a JSON value, or all errors in it."""
    if not isinstance(value, dict):
        return [FieldError("body", pointer, "must be an object: an event")]
    type = value.get("type")
    fields = EVENT_FIELDS.get(type) if isinstance(type, str) else None
    content, errors = read_fields(fields or _COMMON_FIELDS, value, pointer)
    if fields is not None:
        errors += _unknown_fields(value, fields, pointer)
    errors += _cross_errors(value, content, pointer, now)
    if errors:
        return errors
    for stored, wire in WIRE_NAMES.items():
        if wire in content:
            content[stored] = content.pop(wire)
    if type == CI_CHECK_REPORTED:
        del content["type"]
        return CiCheckReport(**content)
    return Event(**content)


def are_plainly_valid(events: Sequence[Event], now: int) -> bool:
    """Whether events of known types, reasons and outcomes certainly keep all rules.

    Nearly all events that are translated from a source do. Reading one field by field takes a hundred times
    as long, and looking at all of them column by column a quarter of the time of looking at each.
    """
    if not events:
        return True
    columns: dict[str, tuple[Any, ...]] = dict(zip(Event._fields, zip(*events, strict=True), strict=True))
    batches = set(zip(columns["batch_pull_requests"], columns["pull_request"], strict=True))
    return (
        _are_within(columns["happened_at"], 0, now)
        and all(_are_plain_texts(columns[name]) for name in _TEXTS)
        and all(_are_within(columns[name], 0, _LARGEST_PLAIN_NUMBER) for name in _NUMBERS)
        and all(sha is None or read_commit(sha) == sha for sha in columns["head_sha"])
        and _are_within(columns["attempt"], 1, MOST_ATTEMPTS)
        and _are_within(columns["depth"], 0, MOST_ATTEMPTS)
        and all(_is_plain_batch(*batch) for batch in batches)
    )


def _are_within(numbers: Iterable[int | None], least: int, most: int) -> bool:
    given = [number for number in set(numbers) if number is not None]
    return not given or least <= min(given) <= max(given) <= most


def _are_plain_texts(texts: Iterable[str | None]) -> bool:
    """Whether they are printable ASCII, of an ordinary length, and not blank."""
    given = [text for text in set(texts) if text is not None]
    together, lengths = "".join(given), set(map(len, given))
    is_plain = together.isascii() and together.isprintable() and all(map(str.strip, given))
    return is_plain and (not lengths or 1 <= min(lengths) <= max(lengths) <= _LONGEST_PLAIN_TEXT)


def _is_plain_batch(batch: str | None, own: int | None) -> bool:
    """Its members are different, and the pull request is one of them."""
    if batch is None or batch == str(own):
        return True
    members = batch.split(",")
    return (
        len(set(members)) == len(members) <= _MOST_PLAIN_MEMBERS
        and all(member.isdigit() and len(member) <= _MOST_PLAIN_DIGITS for member in members)
        and (own is None or str(own) in members)
    )


def _unknown_fields(value: dict[str, Any], fields: Fields, pointer: str) -> list[FieldError]:
    return [
        FieldError("body", f"{pointer}/{_escaped(name)}", f"is not a field of {value['type']}")
        for name in value
        if name not in fields
    ]


def _escaped(name: str) -> str:
    """The name of a field as part of a JSON pointer, shortened: clients may send any name."""
    printable = name[:100].encode("utf-8", "replace").decode()
    return printable.replace("~", "~0").replace("/", "~1")


def _cross_errors(value: dict[str, Any], content: dict[str, Any], pointer: str, now: int) -> list[FieldError]:
    errors = _range_errors(("at",), content, pointer, now)
    if value.get("type") == CI_CHECK_REPORTED:
        errors += _range_errors(INSTANTS, content, pointer, now) + order_errors(content, pointer)
    own = content.get("pull_request")
    if own is not None and "batch_pull_requests" in content and own not in value["batch_pull_requests"]:
        message = f"must contain the event's own pull request, {own}"
        errors.append(FieldError("body", f"{pointer}/batch_pull_requests", message))
    return errors


def _range_errors(
    names: Sequence[str], content: Mapping[str, Any], pointer: str, now: int
) -> list[FieldError]:
    """An error for each of these instants that is too early or too late."""
    latest = now + AHEAD_OF_NOW
    wrong = [name for name in names if content.get(name) is not None and not 0 <= content[name] <= latest]
    return [
        FieldError(
            "body",
            f"{pointer}/{name}",
            f"must be between 1970 and 10 minutes after now ({format_instant(latest)})",
        )
        for name in wrong
    ]
