"""The entries of one stay in the activity log → its events."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any

from mergecast.model.event import (
    BISECTION_ENDED,
    BISECTION_STARTED,
    CHECKS_ENDED,
    CHECKS_STARTED,
    QUEUE_ENTERED,
    QUEUE_LEFT,
    Event,
)
from mergecast.model.outcome import CHECK_OUTCOMES, EXIT_REASONS, MERGED_REASONS
from mergecast.sources.activity_log.entry import (
    BISECTION_END,
    BISECTION_START,
    CHECKS_END,
    CHECKS_START,
    ENTER,
    LEAVE,
    MERGED,
    LogEntry,
)
from mergecast.sources.translation import Translation, Untranslated

SOURCE = "activity-log"
_MOST_MEMBERS = 1000
_DEEPEST = 1000
# Codes in old entries, and their current names.
_RENAMED = {
    "PR_AHEAD_FAILED_TO_MERGE": "BATCH_AHEAD_FAILED",
    "TARGET_BRANCH_CHANGED": "BASE_BRANCH_CHANGED",
    "TARGET_BRANCH_MISSING": "BASE_BRANCH_MISSING",
}


_id = attrgetter("id")


def translate(entries: Sequence[LogEntry]) -> Translation:
    """The events of one stay, whatever the order of its entries, and however often each arrived."""
    ordered = sorted({entry.id: entry for entry in entries}.values(), key=_id)
    by_type: defaultdict[str, list[LogEntry]] = defaultdict(list)
    for entry in ordered:
        by_type[entry.type].append(entry)
    events = [*_entered(ordered, by_type), *_checks(by_type), *_bisections(by_type), *_left(by_type)]
    return Translation(tuple(events), tuple(_unknown_codes(ordered)))


def _event(entry: LogEntry, type: str, at: int, name: str, *more: Any) -> Event:
    """`more` are the fields of an event after the pull request; naming them takes twice as long."""
    return Event(
        f"{SOURCE}:{entry.session}/{name}"[:200],
        type,
        at,
        entry.base_ref,
        entry.queue_name,
        entry.priority_rule_name,
        SOURCE,
        entry.session[:200],
        entry.pull_request,
        *more,
    )


def _entered(ordered: Sequence[LogEntry], by_type: dict[str, list[LogEntry]]) -> Iterator[Event]:
    """Every entry repeats when the stay began, so the first entry is not needed."""
    for entry in by_type[ENTER][:1]:
        at = entry.received_at if entry.queued_at is None else entry.queued_at
        yield _event(entry, QUEUE_ENTERED, at, "entered")
        return
    for entry in ordered:
        if entry.queued_at is not None:
            yield _event(entry, QUEUE_ENTERED, entry.queued_at, "entered")
            return


def _left(by_type: dict[str, list[LogEntry]]) -> Iterator[Event]:
    """Only `leave` has every field; `merged` alone still says when the pull request merged."""
    for entry in [*by_type[LEAVE], *by_type[MERGED]][:1]:
        reason = "PR_MERGED" if entry.type == MERGED else _exit_reason(entry)
        waits = (entry.schedule_wait, entry.freeze_wait)
        more = (entry.batch_id, None, None, reason, None, *waits)
        yield _event(entry, QUEUE_LEFT, entry.received_at, "left", *more)


def _exit_reason(entry: LogEntry) -> str:
    code = _RENAMED.get(entry.code or "", entry.code)
    if entry.is_merged:
        return code if code in MERGED_REASONS else "PR_MERGED"
    return code if code in EXIT_REASONS and code not in MERGED_REASONS else "UNKNOWN"


def _checks(by_type: dict[str, list[LogEntry]]) -> Iterator[Event]:
    """The attempt is the rank of a start among those of the same batch."""
    starts: defaultdict[str, list[LogEntry]] = defaultdict(list)
    ends: defaultdict[str, list[LogEntry]] = defaultdict(list)
    for entry in by_type[CHECKS_START]:
        starts[_batch(entry)].append(entry)
    for entry in by_type[CHECKS_END]:
        ends[_batch(entry)].append(entry)
    for batch in dict.fromkeys([*starts, *ends]):
        yield from _attempts(batch, starts[batch], ends[batch])


def _batch(entry: LogEntry) -> str:
    return entry.batch_id or f"checks on {entry.checked_number}"


def _attempts(batch: str, starts: list[LogEntry], ends: list[LogEntry]) -> Iterator[Event]:
    """Pairs each start with the end of the same run; an end may have no start."""
    waiting = list(ends)
    attempt = 0
    for attempt, start in enumerate(starts, 1):
        same = [end for end in waiting if end.checked_number == start.checked_number] or waiting
        end = same[0] if same and same[0].id > start.id else None
        if end is not None:
            waiting.remove(end)
        started_at = start.received_at
        if end is not None and end.checks_started_at is not None and end.checks_ended_at is not None:
            started_at = end.checks_started_at
        yield _start(batch, attempt, start, started_at)
        if end is not None:
            yield _end(batch, attempt, end)
    for number, end in enumerate(waiting, attempt + 1):
        if end.checks_started_at is not None:
            yield _start(batch, number, end, end.checks_started_at)
        yield _end(batch, number, end)


def _start(batch: str, attempt: int, entry: LogEntry, at: int) -> Event:
    numbers = dict.fromkeys((*entry.members[:_MOST_MEMBERS], entry.pull_request))
    members, name = ",".join(map(str, numbers)), f"{batch}/{attempt}/started"
    return _event(entry, CHECKS_STARTED, at, name, batch, attempt, members)


def _end(batch: str, attempt: int, entry: LogEntry) -> Event:
    has_both = entry.checks_started_at is not None and entry.checks_ended_at is not None
    at = entry.checks_ended_at if has_both and entry.checks_ended_at is not None else entry.received_at
    name, outcome = f"{batch}/{attempt}/ended", _outcome(entry)
    return _event(entry, CHECKS_ENDED, at, name, batch, attempt, None, None, outcome)


def _outcome(entry: LogEntry) -> str:
    if not entry.is_aborted:
        return "SUCCESS"
    code = _RENAMED.get(entry.code or "", entry.code)
    return code if code in CHECK_OUTCOMES else "CHECKS_INTERRUPTED"


def _bisections(by_type: dict[str, list[LogEntry]]) -> Iterator[Event]:
    for entry in by_type[BISECTION_START]:
        depth = min(max(entry.depth or 0, 0), _DEEPEST)
        event = _event(entry, BISECTION_STARTED, entry.received_at, f"bisection/{entry.id}/started")
        members = entry.members[:_MOST_MEMBERS] or (entry.pull_request,)
        yield event._replace(
            batch_id=_batch(entry),
            depth=depth,
            batch_pull_requests=",".join(map(str, members)),
            session_id=None,
            pull_request=None,
        )
    for entry in by_type[BISECTION_END]:
        event = _event(entry, BISECTION_ENDED, entry.received_at, f"bisection/{entry.id}/ended")
        yield event._replace(
            batch_id=_batch(entry),
            culprit_found=entry.culprit_found,
            max_failures_reached=entry.max_failures_reached,
            session_id=None,
            pull_request=None,
        )


def _unknown_codes(ordered: Sequence[LogEntry]) -> Iterator[Untranslated]:
    """Codes that this version does not know; their events use a general code instead."""
    for entry in ordered:
        code = _RENAMED.get(entry.code or "", entry.code)
        if code is not None and code not in EXIT_REASONS:
            yield Untranslated(f"unknown code {code[:60]}", entry.received_at)
