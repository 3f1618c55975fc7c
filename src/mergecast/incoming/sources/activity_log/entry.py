"""One entry of the activity log: the few fields that translation reads."""

from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from typing import Annotated, Any, TypeVar

from msgspec import DecodeError, Meta, Struct, ValidationError, convert, json, structs

from mergecast.incoming.sources.ci_check_parts import link
from mergecast.incoming.sources.commits import commit_of
from mergecast.incoming.sources.unreadable import LONGEST_BRANCH, TOO_LONG, json_value
from mergecast.queues.model.instant import NotAnInstant, from_datetime

ENTER = "action.queue.enter"
LEAVE = "action.queue.leave"
MERGED = "action.queue.merged"
CHECKS_START = "action.queue.checks_start"
CHECKS_END = "action.queue.checks_end"
BISECTION_START = "action.queue.batch_bisection_start"
BISECTION_END = "action.queue.batch_bisection_end"
CHECKS_NOT_STARTED = "action.queue.checks_not_started"
CONFLICT_DEFERRED = "action.queue.conflict_deferred"
# The types that describe a stay; an import requests only these. The last two only repeat when
# the stay began.
TYPES = (
    *(ENTER, LEAVE, MERGED, CHECKS_START, CHECKS_END, BISECTION_START, BISECTION_END),
    *(CHECKS_NOT_STARTED, CONFLICT_DEFERRED),
)
_KNOWN_TYPES = frozenset(TYPES)

_LONGEST_SESSION = 64
_LONGEST_CODE = 200
# In bytes, of the checks of an entry: together with a thousand members, it still fits into a delivery.
_LONGEST_CHECKS = 6 << 10
_LONGEST_NAME, _LONGEST_STATE = 300, 60
_LONGEST_WAIT_SECONDS = 1e12  # more than an event may have, and few enough for 64 bits of microseconds


_T = TypeVar("_T", bound=Struct)
_DateTime = Annotated[datetime, Meta(tz=True)]


class NotAnEntry(ValueError):
    """An entry cannot be read; the message says why."""


class LogCheck(Struct, frozen=True, array_like=True, gc=False):
    """A CI check of a run, and its state when the run ended, or when the pull request left."""

    name: str
    state: str
    url: str | None = None  # empty if the given one cannot be used


class LogEntry(Struct, frozen=True, omit_defaults=True, gc=False):
    """Instants are microseconds since the epoch; what a type does not carry is None."""

    id: int
    type: str
    received_at: int
    session: str  # the id of the stay; empty if the service gives none
    pull_request: int
    base_ref: str
    queue_name: str
    priority_rule_name: str | None = None
    queued_at: int | None = None
    batch_id: str | None = None
    members: tuple[int, ...] = ()
    checked_number: int | None = None  # the pull request that CI ran on; another one for each retry
    checks_started_at: int | None = None
    checks_ended_at: int | None = None
    code: str | None = None  # abort code or dequeue code
    is_merged: bool = False
    is_aborted: bool = False
    schedule_wait: int = 0  # microseconds
    freeze_wait: int = 0  # microseconds
    depth: int | None = None
    culprit_found: bool = False
    max_failures_reached: bool = False
    checks: tuple[LogCheck, ...] = ()
    checks_left_out: int = 0  # there were too many to store them all
    head_sha: str | None = None  # empty if the given one cannot be used


class _WireCheck(Struct, frozen=True):
    name: str | None = None
    state: str | None = None
    url: str | None = None
    details_url: str | None = None


class _Checked(Struct, frozen=True):
    number: int | None = None
    pull_request_numbers: list[Any] | None = None
    checks_started_at: _DateTime | None = None
    checks_ended_at: _DateTime | None = None
    unsuccessful_checks: list[_WireCheck] | None = None


class _Metadata(Struct, frozen=True):
    branch: str | None = None
    queue_name: str | None = None
    priority_rule_name: str | None = None
    queued_at: _DateTime | None = None
    session_id: str | None = None
    batch_id: str | None = None
    train_car_id: str | None = None
    original_batch_pr_numbers: list[Any] | None = None
    speculative_check_pull_request: _Checked | None = None
    abort_code: str | None = None
    dequeue_code: str | None = None
    merged: bool | None = None
    aborted: bool | None = None
    seconds_waiting_for_schedule: int | float | None = None
    seconds_waiting_for_freeze: int | float | None = None
    bisection_depth: int | None = None
    culprit_found: bool | None = None
    max_failure_resolution_reached: bool | None = None
    checks: list[_WireCheck] | None = None
    unsuccessful_checks: list[_WireCheck] | None = None
    pull_request_head_sha: str | None = None


class _Wire(Struct, frozen=True):
    """The fields of an entry that matter, as the service sends them."""

    id: int | None = None
    type: str | None = None
    received_at: _DateTime | None = None
    pull_request: int | None = None
    base_ref: str | None = None
    metadata: _Metadata | None = None


_NOTHING = _Checked()
_PASSED = "success"
_wire = json.Decoder(_Wire)


def read_entry(body: bytes) -> LogEntry | None:
    """The entry in a JSON text, or None if its type does not describe a stay."""
    try:
        item = _wire.decode(body)
    except (DecodeError, UnicodeDecodeError, RecursionError):
        item = _without_wrong_types(json_value(body))
    if item.type is None or item.type not in _KNOWN_TYPES:
        return None
    metadata = item.metadata
    if metadata is None:
        raise NotAnEntry("the entry has no metadata")
    number = item.pull_request
    if number is None:  # a bisection concerns several
        number = next(iter(_numbers(metadata.original_batch_pr_numbers)), None)
    if number is None:
        raise NotAnEntry("the entry has no pull request")
    if item.id is None:
        raise NotAnEntry("the entry has no id")
    base_ref, queue_name = metadata.branch or item.base_ref, metadata.queue_name
    if not base_ref or not queue_name:
        raise NotAnEntry("the entry has no queue")
    batch_id, rule = metadata.batch_id or metadata.train_car_id or None, metadata.priority_rule_name or None
    if max(len(base_ref), len(queue_name), len(batch_id or ""), len(rule or "")) > LONGEST_BRANCH:
        raise NotAnEntry(TOO_LONG)
    code = metadata.abort_code or metadata.dequeue_code or None
    received_at = _instant(item.received_at)
    if received_at is None:
        raise NotAnEntry("the entry has no `received_at`")
    checked = metadata.speculative_check_pull_request or _NOTHING
    given = checked.unsuccessful_checks or metadata.checks or metadata.unsuccessful_checks
    checks, left_out = _checks(metadata, checked) if given else ((), 0)
    # Naming the fields here would take ten times as long.
    return LogEntry(
        item.id,
        item.type,
        received_at,
        _session(metadata.session_id or ""),
        number,
        base_ref,
        queue_name,
        rule,
        _instant(metadata.queued_at),
        batch_id,
        _numbers(checked.pull_request_numbers or metadata.original_batch_pr_numbers),
        checked.number,
        _instant(checked.checks_started_at),
        _instant(checked.checks_ended_at),
        code and code[:_LONGEST_CODE],
        bool(metadata.merged),
        bool(metadata.aborted),
        _seconds(metadata.seconds_waiting_for_schedule),
        _seconds(metadata.seconds_waiting_for_freeze),
        metadata.bisection_depth,
        bool(metadata.culprit_found),
        bool(metadata.max_failure_resolution_reached),
        checks,
        left_out,
        commit_of(metadata.pull_request_head_sha),
    )


def _checks(metadata: _Metadata, checked: _Checked) -> tuple[tuple[LogCheck, ...], int]:
    """The checks of an entry that may be stored, and how many others there are.

    Those that failed come first, and only they have links: these are longer than the rest.
    """
    lists = (checked.unsuccessful_checks, metadata.unsuccessful_checks, metadata.checks)
    given = {check.name or "": check for some in reversed(lists) for check in some or ()}
    ordered = sorted(given.values(), key=lambda check: check.state == _PASSED)
    found: list[LogCheck] = []
    room = _LONGEST_CHECKS
    for check in ordered:
        name, state = (check.name or "")[:_LONGEST_NAME], (check.state or "")[:_LONGEST_STATE]
        kept = LogCheck(name, state, None if state == _PASSED else link(check.details_url or check.url))
        room -= len(json.encode(kept))
        if room >= 0:
            found.append(kept)
    return tuple(found), len(ordered) - len(found)


def _without_wrong_types(item: object) -> _Wire:
    """The item without fields of the wrong type."""
    if not isinstance(item, dict):
        raise NotAnEntry("the item is not a JSON object")
    metadata = _fitting(item.get("metadata"), _Metadata)
    if metadata is not None:
        checked = _fitting(item["metadata"].get("speculative_check_pull_request"), _Checked)
        metadata = structs.replace(metadata, speculative_check_pull_request=checked)
    return structs.replace(_fitting(item, _Wire) or _Wire(), metadata=metadata)


def _fitting(given: object, type: type[_T]) -> _T | None:
    """The fields of an object that have the right type."""
    if not isinstance(given, dict):
        return None
    fields: dict[str, object] = {}
    for field in structs.fields(type):
        with suppress(ValidationError):
            fields[field.name] = convert(given.get(field.name), field.type)
    return type(**fields)


def _session(id: str) -> str:
    return id if len(id) <= _LONGEST_SESSION else sha256(id.encode()).hexdigest()


def _numbers(given: list[Any] | None) -> tuple[int, ...]:
    return tuple(dict.fromkeys([number for number in given if type(number) is int])) if given else ()


def _seconds(given: float | None) -> int:
    return max(0, round(min(given, _LONGEST_WAIT_SECONDS) * 1_000_000)) if given else 0


def _instant(moment: datetime | None) -> int | None:
    try:
        return None if moment is None else from_datetime(moment)
    except NotAnInstant:
        return None
