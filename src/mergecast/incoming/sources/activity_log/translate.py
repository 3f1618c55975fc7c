"""The entries of one pull request in the activity log → the events of its stays."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from operator import attrgetter
from typing import Any, NamedTuple

from msgspec import structs

from mergecast.incoming.sources.activity_log import NAME
from mergecast.incoming.sources.activity_log.entry import (
    BISECTION_END,
    BISECTION_START,
    CHECKS_END,
    CHECKS_START,
    ENTER,
    LEAVE,
    MERGED,
    LogCheck,
    LogEntry,
)
from mergecast.incoming.sources.ci_check_parts import (
    conclusion_of,
    digest_of,
    name_of,
    why_changed,
    why_left_out,
)
from mergecast.incoming.sources.commits import with_bad_commits
from mergecast.incoming.sources.translation import Translation, Untranslated
from mergecast.queues.model.ci_check import CiCheckReport
from mergecast.queues.model.event import (
    BISECTION_ENDED,
    BISECTION_STARTED,
    CHECK_OUTCOMES,
    CHECKS_ENDED,
    CHECKS_STARTED,
    EXIT_REASONS,
    MERGED_REASONS,
    QUEUE_ENTERED,
    QUEUE_LEFT,
    Event,
)
from mergecast.queues.model.instant import format_instant
from mergecast.queues.model.showable import has_unshowable, without_unshowable

_LEFT_OUT = "an entry lists more CI checks than can be stored; the others are left out"


class LogRun(NamedTuple):
    """A run of CI for one pull request, and the entries about its start and its end."""

    batch: str
    attempt: int
    start: LogEntry | None
    end: LogEntry | None


def ci_checks(stay: Sequence[LogEntry], runs: Iterable[LogRun]) -> Iterator[CiCheckReport | Untranslated]:
    """The reports about the runs of a stay."""
    for entry in stay:
        if entry.checks_left_out:
            yield Untranslated(_LEFT_OUT, entry.received_at)
    for run, entry, check in _listed(stay, runs).values():
        yield from _report(run, entry, check)


def _listed(
    stay: Sequence[LogEntry], runs: Iterable[LogRun]
) -> dict[tuple[str, int, str], tuple[LogRun, LogEntry, LogCheck]]:
    """The checks by batch, attempt and name, each with its run and the entry that lists it.

    The end of a run lists those that did not pass; the exit lists all of the last run.
    """
    listing: list[tuple[LogRun, LogEntry]] = []
    last: dict[str | None, LogRun] = {}
    for run in runs:
        last[run.batch] = run
        if run.end is not None:
            listing.append((run, run.end))
    for leave in [entry for entry in stay if entry.type == LEAVE][:1]:
        if (tested := last.get(leave.batch_id)) is not None:
            listing.insert(0, (tested, leave))
    return {
        (run.batch, run.attempt, check.name): (run, entry, check)
        for run, entry in listing
        for check in entry.checks
    }


def _report(run: LogRun, entry: LogEntry, check: LogCheck) -> Iterator[CiCheckReport | Untranslated]:
    at = entry.checks_ended_at or entry.received_at
    reason = why_left_out(check.name, check.state)
    if reason is not None:
        yield Untranslated(reason, at)
        return
    conclusion = conclusion_of(check.state)
    if conclusion is None:
        return  # it had not ended, and what became of it is not listed
    yield from (Untranslated(why, at) for why in why_changed(check.name, check.url))
    id = digest_of(check.name)
    yield CiCheckReport(
        id=f"{NAME}:{entry.session}/{digest_of(run.batch)}/{run.attempt}/{id}",
        happened_at=at,
        base_ref=entry.base_ref,
        queue_name=entry.queue_name,
        batch_id=run.batch,
        check_id=id,
        name=name_of(check.name),
        conclusion=conclusion,
        attempt=run.attempt,
        url=check.url or None,
        source=NAME,
    )


_MOST_MEMBERS = 1000
_CHANGED_NAME = "control, bidirectional or tag characters were removed from the name of a queue or a rule"
_DEEPEST = 1000
# Codes in old entries, and their current names.
_RENAMED = {
    "PR_AHEAD_FAILED_TO_MERGE": "BATCH_AHEAD_FAILED",
    "TARGET_BRANCH_CHANGED": "BASE_BRANCH_CHANGED",
    "TARGET_BRANCH_MISSING": "BASE_BRANCH_MISSING",
}


_id = attrgetter("id")


def translate(entries: Sequence[LogEntry]) -> Translation:
    """The events of the stays, whatever the order of their entries, and however often each arrived."""
    bad = [entry.received_at for entry in entries if entry.head_sha == ""]
    return with_bad_commits(_translate(entries), bad)


def _translate(entries: Sequence[LogEntry]) -> Translation:
    ordered = sorted({entry.id: _showable(entry) for entry in entries}.values(), key=_id)
    stays = list(_stays(ordered))
    events = [event for stay in stays for event in _events(stay)]
    untranslated = (*_unknown_codes(ordered), *_changed_names(entries))
    if not any(entry.checks or entry.checks_left_out for entry in ordered):
        return Translation(tuple(events), untranslated)
    said = [one for stay in stays for one in ci_checks(stay, _all_runs(_by_type(stay)))]
    return Translation(
        tuple(events),
        (*untranslated, *(one for one in said if isinstance(one, Untranslated))),
        tuple(one for one in said if isinstance(one, CiCheckReport)),
    )


def _has_odd_names(entry: LogEntry) -> bool:
    return has_unshowable(f"{entry.queue_name}{entry.priority_rule_name or ''}")


def _changed_names(entries: Iterable[LogEntry]) -> Iterator[Untranslated]:
    """One for the whole thread."""
    at = max((entry.received_at for entry in entries if _has_odd_names(entry)), default=None)
    if at is not None:
        yield Untranslated(_CHANGED_NAME, at)


def _showable(entry: LogEntry) -> LogEntry:
    """The entry with names that events may have."""
    rule = entry.priority_rule_name
    if not _has_odd_names(entry):
        return entry
    return structs.replace(
        entry,
        queue_name=without_unshowable(entry.queue_name),
        priority_rule_name=without_unshowable(rule) or None if rule is not None else None,
    )


def _stays(ordered: list[LogEntry]) -> Iterable[list[LogEntry]]:
    """The entries of each stay; one without a session is part of the stay that began at the same instant."""
    sessions = {entry.session for entry in ordered}
    if len(sessions) == 1 and "" not in sessions:
        return [ordered]
    named = [entry for entry in ordered if entry.session and entry.queued_at is not None]
    by_start = {_start_of(entry): entry.session for entry in reversed(named)}
    stays: defaultdict[str, list[LogEntry]] = defaultdict(list)
    for entry in ordered:
        session = entry.session or by_start.get(_start_of(entry)) or _made_up_session(entry)
        stays[session].append(entry if entry.session else structs.replace(entry, session=session))
    return stays.values()


def _start_of(entry: LogEntry) -> tuple[str, str, int | None]:
    return entry.base_ref, entry.queue_name, entry.queued_at


def _made_up_session(entry: LogEntry) -> str:
    queued = None if entry.queued_at is None else format_instant(entry.queued_at)
    key = "\n".join(("", str(entry.pull_request), entry.base_ref, entry.queue_name, str(queued)))
    return f"{entry.pull_request}-{sha256(key.encode()).hexdigest()[:24]}"


def _by_type(stay: list[LogEntry]) -> dict[str, list[LogEntry]]:
    by_type: defaultdict[str, list[LogEntry]] = defaultdict(list)
    for entry in stay:
        by_type[entry.type].append(entry)
    return by_type


def _events(stay: list[LogEntry]) -> Iterator[Event]:
    by_type = _by_type(stay)
    yield from _entered(stay, by_type)
    yield from _checks(by_type)
    yield from _bisections(by_type)
    yield from _left(by_type)


def _event(entry: LogEntry, type: str, at: int, name: str, *more: Any) -> Event:
    """`more` are the fields of an event after the pull request; naming them takes twice as long."""
    return Event(
        f"{NAME}:{entry.session}/{name}"[:200],
        type,
        at,
        entry.base_ref,
        entry.queue_name,
        entry.priority_rule_name,
        NAME,
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
        left = _event(entry, QUEUE_LEFT, entry.received_at, "left", *more)
        yield left._replace(head_sha=entry.head_sha) if entry.head_sha else left


def _exit_reason(entry: LogEntry) -> str:
    code = _RENAMED.get(entry.code or "", entry.code)
    if entry.is_merged:
        return code if code in MERGED_REASONS else "PR_MERGED"
    return code if code in EXIT_REASONS and code not in MERGED_REASONS else "UNKNOWN"


def _checks(by_type: dict[str, list[LogEntry]]) -> Iterator[Event]:
    for run in _all_runs(by_type):
        yield from _of_run(run)


def _all_runs(by_type: dict[str, list[LogEntry]]) -> Iterator[LogRun]:
    """The attempt is the rank of a start among those of the same batch."""
    starts: defaultdict[str, list[LogEntry]] = defaultdict(list)
    ends: defaultdict[str, list[LogEntry]] = defaultdict(list)
    for entry in by_type[CHECKS_START]:
        starts[_batch(entry)].append(entry)
    for entry in by_type[CHECKS_END]:
        ends[_batch(entry)].append(entry)
    for batch in dict.fromkeys([*starts, *ends]):
        for attempt, (start, end) in enumerate(_runs(starts[batch], ends[batch]), 1):
            yield LogRun(batch, attempt, start, end)


def _batch(entry: LogEntry) -> str:
    return entry.batch_id or _made_up_batch(entry)


def _made_up_batch(entry: LogEntry) -> str:
    """The service may leave out the id of a batch; its other entries give the same name here."""
    number, own = entry.checked_number, entry.pull_request
    if number is None:
        key = "\n".join((entry.base_ref, entry.queue_name, *map(str, entry.members or (own,))))
        return f"batch {sha256(key.encode()).hexdigest()[:24]}"
    # CI runs on a pull request's own branch in every stay; any other branch is created for one batch.
    return f"checks on {number} in {entry.session}" if number == own else f"checks on {number}"


def _of_run(run: LogRun) -> Iterator[Event]:
    batch, attempt, start, end = run
    span = _span(end)
    if start is not None:
        yield _start(batch, attempt, start, span[0] if span else start.received_at)
    elif end is not None and end.checks_started_at is not None:
        yield _start(batch, attempt, end, end.checks_started_at)
    if end is not None:
        yield _end(batch, attempt, end, span[1] if span else end.received_at)


def _span(end: LogEntry | None) -> tuple[int, int] | None:
    """When checks ran; the service gives both instants or neither counts."""
    if end is None or end.checks_started_at is None or end.checks_ended_at is None:
        return None
    return end.checks_started_at, end.checks_ended_at


def _runs(starts: list[LogEntry], ends: list[LogEntry]) -> list[tuple[LogEntry | None, LogEntry | None]]:
    """Pairs each start with the end of the same run, in their order; either may be missing."""
    if len(starts) == len(ends) == 1 and starts[0].id < ends[0].id:
        return [(starts[0], ends[0])]
    waiting = list(ends)
    runs: list[tuple[LogEntry | None, LogEntry | None]] = []
    for start in starts:
        end = next((end for end in _possible_ends(start, starts, waiting) if end.id > start.id), None)
        if end is not None:
            waiting.remove(end)
        runs.append((start, end))
    runs += [(None, end) for end in waiting]
    return sorted(runs, key=_first_id)


def _possible_ends(start: LogEntry, starts: list[LogEntry], ends: list[LogEntry]) -> list[LogEntry]:
    """The ends of checks on the same pull request; without any, those that no other start matches."""
    same = [end for end in ends if end.checked_number == start.checked_number]
    if same:
        return same
    started = {other.checked_number for other in starts}
    return [end for end in ends if end.checked_number not in started]


def _first_id(run: tuple[LogEntry | None, LogEntry | None]) -> int:
    return min(entry.id for entry in run if entry is not None)


def _start(batch: str, attempt: int, entry: LogEntry, at: int) -> Event:
    numbers = dict.fromkeys((*entry.members[:_MOST_MEMBERS], entry.pull_request))
    members, name = ",".join(map(str, numbers)), f"{batch}/{attempt}/started"
    return _event(entry, CHECKS_STARTED, at, name, batch, attempt, members)


def _end(batch: str, attempt: int, entry: LogEntry, at: int) -> Event:
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
