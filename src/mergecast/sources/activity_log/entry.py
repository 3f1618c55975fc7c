"""One entry of the activity log: the few fields that translation reads."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from msgspec import Struct

from mergecast.model.instant import NotAnInstant, parse_instant

ENTER = "action.queue.enter"
LEAVE = "action.queue.leave"
MERGED = "action.queue.merged"
CHECKS_START = "action.queue.checks_start"
CHECKS_END = "action.queue.checks_end"
BISECTION_START = "action.queue.batch_bisection_start"
BISECTION_END = "action.queue.batch_bisection_end"
CHECKS_NOT_STARTED = "action.queue.checks_not_started"
CONFLICT_DEFERRED = "action.queue.conflict_deferred"
# The types that tell something about a stay; an import asks for these alone. The last two only repeat when
# the stay began.
TYPES = (
    *(ENTER, LEAVE, MERGED, CHECKS_START, CHECKS_END, BISECTION_START, BISECTION_END),
    *(CHECKS_NOT_STARTED, CONFLICT_DEFERRED),
)

_LONGEST_SESSION = 64


class NotAnEntry(ValueError):
    """An entry cannot be read; the message says why."""


class LogEntry(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Instants are microseconds since the epoch; what a type does not carry is None."""

    id: int
    type: str
    received_at: int
    session: str
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


def read_entry(item: Mapping[str, Any]) -> LogEntry | None:
    """The entry, or None when its type tells nothing about a stay."""
    type = item.get("type")
    if type not in TYPES:
        return None
    metadata = item.get("metadata")
    if not isinstance(metadata, dict):
        raise NotAnEntry("the entry has no metadata")
    checked = metadata.get("speculative_check_pull_request")
    speculative = checked if isinstance(checked, dict) else {}
    base_ref = metadata.get("branch") or item.get("base_ref")
    queued_at = _instant(metadata.get("queued_at"))
    number, queue_name = item.get("pull_request"), metadata.get("queue_name")
    if not isinstance(number, int) or not isinstance(item.get("id"), int):
        raise NotAnEntry("the entry names no pull request")
    if not isinstance(base_ref, str) or not isinstance(queue_name, str) or not base_ref or not queue_name:
        raise NotAnEntry("the entry names no queue")
    received_at = _instant(item.get("received_at"))
    if received_at is None:
        raise NotAnEntry("the entry has no time of reception")
    return LogEntry(
        id=item["id"],
        type=type,
        received_at=received_at,
        session=_session(metadata, number, base_ref, queue_name),
        pull_request=number,
        base_ref=base_ref,
        queue_name=queue_name,
        priority_rule_name=_text(metadata.get("priority_rule_name")),
        queued_at=queued_at,
        batch_id=_text(metadata.get("batch_id")) or _text(metadata.get("train_car_id")),
        members=_numbers(
            speculative.get("pull_request_numbers") or metadata.get("original_batch_pr_numbers")
        ),
        checked_number=_number(speculative.get("number")),
        checks_started_at=_instant(speculative.get("checks_started_at")),
        checks_ended_at=_instant(speculative.get("checks_ended_at")),
        code=_text(metadata.get("abort_code")) or _text(metadata.get("dequeue_code")),
        is_merged=metadata.get("merged") is True,
        is_aborted=metadata.get("aborted") is True,
        schedule_wait=_seconds(metadata.get("seconds_waiting_for_schedule")),
        freeze_wait=_seconds(metadata.get("seconds_waiting_for_freeze")),
        depth=_number(metadata.get("bisection_depth")),
        culprit_found=metadata.get("culprit_found") is True,
        max_failures_reached=metadata.get("max_failure_resolution_reached") is True,
    )


def _session(metadata: Mapping[str, Any], number: int, base_ref: str, queue_name: str) -> str:
    """The stay an entry belongs to; entries without an id of the stay share the instant of queueing."""
    session = _text(metadata.get("session_id"))
    if session is not None and len(session) <= _LONGEST_SESSION:
        return session
    key = "\n".join((session or "", str(number), base_ref, queue_name, str(metadata.get("queued_at"))))
    return f"{number}-{sha256(key.encode()).hexdigest()[:24]}"


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _numbers(value: object) -> tuple[int, ...]:
    given = value if isinstance(value, list) else []
    return tuple(dict.fromkeys(number for number in given if _number(number) is not None))


def _seconds(value: object) -> int:
    given = value if isinstance(value, (int, float)) and not isinstance(value, bool) else 0
    return max(0, round(given * 1_000_000))


def _instant(value: object) -> int | None:
    try:
        return parse_instant(value) if isinstance(value, str) else None
    except NotAnInstant:
        return None
