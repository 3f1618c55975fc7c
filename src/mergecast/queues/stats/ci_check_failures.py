"""What failures of CI checks cost: removals, and time that other pull requests lost."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from mergecast.queues.model.ci_check import REMOVING
from mergecast.queues.model.event import Group
from mergecast.queues.model.histogram import bucket_of
from mergecast.queues.model.instant import DAY, MINUTE
from mergecast.queues.stats.ci_check_cells import Asked, Cell, Cells, Key
from mergecast.queues.stats.ci_check_suspects import STARTED_LATE
from mergecast.queues.store.failed_checks import CancelledCheck, cancelled_checks
from mergecast.queues.store.reader import Reader

# A stay leaves at most this long after the run that it failed in.
LEAVES_WITHIN = DAY
# Runs behind a failed one are stopped at most this long after it has ended, or a stay has left because of it.
STOPPED_WITHIN = 10 * MINUTE
LEFT_LATER = MINUTE
_IN_ORDER = itemgetter(0, 1, 2)


class _FailedStay(NamedTuple):
    """A CI run that failed, as one of its stays saw it; names are None without reports."""

    stay: int
    run: int
    started_at: int | None
    ended_at: int
    ended_group: int
    outcome: str
    left_at: int | None
    reason: str | None
    base_ref: int | None
    queue_name: int | None
    failed_name: int | None
    failed_runner: int | None
    ci_run: int | None


class _Stopped(NamedTuple):
    """A CI run that was stopped because of a failure ahead, and how long its stays had been in it."""

    cause: _FailedStay
    is_built_on: bool  # it began while the run that failed was ahead of it
    ci_run: int | None
    lost: int


class Consequences(NamedTuple):
    """What followed from failed CI runs."""

    stays: Sequence[_FailedStay]
    last: Mapping[int, _FailedStay]  # the failed run that each removed stay left because of
    stopped: Sequence[_Stopped]
    cancelled: Sequence[CancelledCheck]  # in the window, as far as they were asked for

    def built_on(self) -> dict[int, set[int]]:
        """The CI runs that tested what failed CI runs tested, and more."""
        found: defaultdict[int, set[int]] = defaultdict(set)
        for one in self.stopped:
            if one.is_built_on and one.cause.ci_run is not None and one.ci_run is not None:
                found[one.cause.ci_run].add(one.ci_run)
        return found


def read_consequences(reader: Reader, asked: Asked, groups: Mapping[int, Group]) -> Consequences:
    """Read what followed from failed CI runs; `groups` are all of the repository."""
    start, end = asked.window
    rows = reader.rows("ci_failed_stays", [asked.repository_id, start - LEAVES_WITHIN, end + LEAVES_WITHIN])
    failed = [_FailedStay(*row) for row in rows]
    nameless = {stay.run for stay in failed if stay.failed_name is None and stay.outcome in REMOVING}
    cancelled = cancelled_checks(reader, asked.repository_id, nameless)
    first = {one.number: (one.name, one.runner) for one in reversed(cancelled)}
    stays = [_named(stay, first) for stay in failed if stay.ended_at < end]
    last = _last_failures(stays)
    stopped = _stopped(reader, asked, _decisions(asked, groups, stays, last))
    return Consequences(stays, last, stopped, [one for one in cancelled if _is_asked_for(asked, one)])


def _named(stay: _FailedStay, first: Mapping[int, tuple[int, int]]) -> _FailedStay:
    """If no check failed in its run, the first one that was cancelled is why it ended."""
    if stay.run not in first:
        return stay
    name, runner = first[stay.run]
    return stay._replace(failed_name=name, failed_runner=runner)


def _is_asked_for(asked: Asked, one: CancelledCheck) -> bool:
    is_within = asked.window.start <= one.placed_at < asked.window.end
    return is_within and asked.name in (None, one.name) and asked.keeps(one.base_ref, one.queue_name)


def count_consequences(asked: Asked, consequences: Consequences, cells: Cells) -> None:
    """Add removals, the time that other pull requests lost, and cancelled checks that count as failed."""
    start, end = asked.window
    for check in consequences.cancelled:
        cell = cells.by_interval[asked.interval(check.placed_at)][Key(check.name, check.runner)]
        cell.runs, cell.failed = cell.runs + 1, cell.failed + 1
        if check.started_at is not None and check.ended_at is not None:
            cell.running[bucket_of(max(check.ended_at - check.started_at, 0))] += 1
            if check.queued_at is not None:
                cell.waiting[bucket_of(max(check.started_at - check.queued_at, 0))] += 1
    for stay in consequences.stays:
        is_removal = consequences.last.get(stay.stay) == stay
        if is_removal and stay.left_at is not None and start <= stay.left_at < end:
            _cell(asked, cells, stay, stay.left_at).removals += 1
        if not is_removal and stay.ended_at >= start and stay.started_at is not None:
            lost = max(stay.ended_at - stay.started_at, 0)
            _cell(asked, cells, stay, stay.ended_at).blocked += lost
    for one in consequences.stopped:
        _cell(asked, cells, one.cause, one.cause.ended_at).blocked += one.lost


def _last_failures(stays: Iterable[_FailedStay]) -> dict[int, _FailedStay]:
    """The failed run that each removed stay left because of."""
    last: dict[int, _FailedStay] = {}
    for stay in stays:
        if (
            stay.outcome in REMOVING
            and stay.reason in REMOVING
            and stay.left_at is not None
            and stay.ended_at <= stay.left_at + LEFT_LATER
        ):
            rival = last.setdefault(stay.stay, stay)
            if (stay.ended_at, stay.run) > (rival.ended_at, rival.run):
                last[stay.stay] = stay
    return last


class _Decision(NamedTuple):
    """A failed run may stop those behind it when it ends, or when a stay leaves because of it."""

    at: int
    is_removal: bool
    run: int
    stay: _FailedStay


def _decisions(
    asked: Asked, groups: Mapping[int, Group], stays: Iterable[_FailedStay], last: Mapping[int, _FailedStay]
) -> dict[str, list[_Decision]]:
    """What may have stopped runs, by base branch and in order."""
    found: defaultdict[str, list[_Decision]] = defaultdict(list)
    for stay in stays:
        if stay.ended_at < asked.window.start:
            continue
        own = found[groups[stay.ended_group].base_ref]
        own.append(_Decision(stay.ended_at, False, stay.run, stay))
        if stay.left_at is not None and last.get(stay.stay) == stay:
            own.append(_Decision(stay.left_at, True, stay.run, stay))
    for own in found.values():
        own.sort(key=_IN_ORDER)
    return found


def _stopped(reader: Reader, asked: Asked, decisions: Mapping[str, Sequence[_Decision]]) -> list[_Stopped]:
    """The runs behind: each was stopped by the nearest decision on its base branch."""
    given = [asked.repository_id, asked.window.start, asked.window.end + STOPPED_WITHIN]
    found = []
    for base_ref, stopped_at, started_at, ci_run, lost in reader.rows("ci_stopped", given):
        cause = _cause(decisions.get(base_ref, []), stopped_at)
        if cause is not None:
            begun = cause.stay.started_at
            is_built_on = begun is not None and begun - STARTED_LATE <= started_at < cause.at
            found.append(_Stopped(cause.stay, is_built_on, ci_run, int(lost)))
    return found


def _cause(decisions: Sequence[_Decision], stopped_at: int) -> _Decision | None:
    """The failure that stopped a run; the leaving of its pull request may be reported a little later."""
    place = bisect_right(decisions, stopped_at, key=lambda decision: decision.at)
    near = [
        decision
        for decision in decisions[max(place - 1, 0) : place + 1]
        if -STOPPED_WITHIN <= decision.at - stopped_at <= LEFT_LATER
    ]
    return min(near, key=lambda decision: abs(decision.at - stopped_at), default=None)


def _cell(asked: Asked, cells: Cells, stay: _FailedStay, at: int) -> Cell:
    """Of the check that failed first; without reports, or if it was not asked for, one that is not kept."""
    if stay.failed_name is None or stay.failed_runner is None:
        return Cell()
    if stay.base_ref is None or stay.queue_name is None or not asked.keeps(stay.base_ref, stay.queue_name):
        return Cell()
    if asked.name not in (None, stay.failed_name):
        return Cell()
    return cells.by_interval[asked.interval(at)][Key(stay.failed_name, stay.failed_runner)]


def count_critical(reader: Reader, asked: Asked, cells: Cells) -> None:
    """Add which check passed runs ended with."""
    given: list[Any] = [asked.repository_id, *asked.window, *asked.grid]
    for base_ref, queue_name, name, runner, interval, bucket, runs in reader.rows("ci_critical", given):
        if not asked.keeps(base_ref, queue_name):
            continue
        cells.passed[interval] += runs
        if name is not None and asked.name in (None, name):
            cells.by_interval[interval][Key(name, runner)].critical[bucket] += runs
