"""Counts what happens in queues, for counters that never fall.

A stay, CI run or bisection is counted once, in the transaction that first stores its end, by what is known
then. Its duration is counted once too, as soon as both its start and its end are known: events arrive in any
order. Facts change later; what was counted does not. A start or an end that is deleted is remembered, so that
it is not counted a second time if it comes back.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

from mergecast.queues.model.event import (
    BISECTION_ENDED,
    CHECKS_ENDED,
    CHECKS_STARTED,
    QUEUE_ENTERED,
    QUEUE_LEFT,
    Group,
)
from mergecast.queues.model.facts import Check, Facts, Statement, Stay
from mergecast.queues.model.queue_counts import (
    BISECTIONS,
    ENTERED,
    FAILED,
    PASSED,
    RETRIES,
    STOPPED,
    QueueCounts,
    is_current,
    left,
    left_time,
    observation,
    run_name,
    run_outcome,
)
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.rows import EventRow, QueueCountsRow, WithdrawnEndRow
from mergecast.queues.store.stored_rows import delete_rows
from mergecast.queues.store.values import Selection

# Queues beyond these have no counters: whoever may send events can invent any number of them.
MOST_QUEUES = 100

_BY_STAY = (QUEUE_ENTERED, QUEUE_LEFT)
_BY_RUN = (CHECKS_STARTED, CHECKS_ENDED, BISECTION_ENDED)
_STARTS = (QUEUE_ENTERED, CHECKS_STARTED)
_COUNTED = frozenset((*_BY_STAY, *_BY_RUN))
_FROM_BEFORE = "withdrawn"
_RANK = {FAILED: 0, PASSED: 1, STOPPED: 2}

End = tuple[str, int]  # the type of its event, and the number of the subject


class NewEvents(NamedTuple):
    """What a transaction stores, and what was known before about the same subjects."""

    rows: Sequence[EventRow]
    facts: Facts  # that follow from the new events and the earlier ones
    earlier: Sequence[Statement]
    removed: Collection[End]  # ends that the same transaction has deleted


class _Counted(NamedTuple):
    group: int
    counts: Counter[str]


def end_of(type: str, stay: int | None, run: int | None) -> End | None:
    """What an event of this type starts or ends; None if it is not counted."""
    subject = stay if type in _BY_STAY else run
    return (type, subject) if type in _COUNTED and subject is not None else None


def ends_of(said: Iterable[Statement | EventRow]) -> set[End]:
    return {end for one in said if (end := end_of(one.type, one.stay, one.run)) is not None}


def count_new_ends(held: HeldRepository, groups: Mapping[Group, int], stored: NewEvents) -> None:
    """Count the ends that were never stored before and happened within the last hour."""
    now = held.now
    recent = [row for row in stored.rows if is_current(row.happened_at, now)]
    late = _late_starts(stored, now)
    if not recent and not late:
        return  # an import ends here, however many events it has
    new = (ends_of(recent) | late) - ends_of(stored.earlier) - set(stored.removed)
    if not new:
        return
    queues = numbers_of_queues(groups)
    before, withdrawn = _stored(held, queues.values(), {subject for _, subject in new})
    attempts = {row.run: row.attempt or 1 for row in recent if row.type == CHECKS_ENDED and row.run}
    added: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for group, counts in _counted(new - withdrawn, stored.facts, attempts, now):
        if group in queues:
            added[queues[group]].update(counts)
    _save(held, before, added)


def _late_starts(stored: NewEvents, now: int) -> set[End]:
    """The starts, however long ago, of what is known to have ended within the last hour."""
    starts = ends_of(row for row in stored.rows if row.type in _STARTS)
    stays = {(QUEUE_ENTERED, stay.stay) for stay in stored.facts.stays if _is_recent(stay.left_at, now)}
    runs = {(CHECKS_STARTED, check.run) for check in stored.facts.checks if _is_recent(check.ended_at, now)}
    return starts & (stays | runs)


def numbers_of_queues(groups: Mapping[Group, int]) -> dict[int, int]:
    """The number of the queue that each group belongs to, for the queues that were reported first.

    A queue has the number of its first group, so that neither its number nor the order ever changes.
    """
    in_order = sorted(groups.items(), key=itemgetter(1))
    firsts: dict[tuple[str, str], int] = {}
    for group, id in in_order:
        firsts.setdefault((group.base_ref, group.queue_name), id)
    kept = set(sorted(firsts.values())[:MOST_QUEUES])
    found = {id: firsts[group.base_ref, group.queue_name] for group, id in in_order}
    return {id: queue for id, queue in found.items() if queue in kept}


def _stored(
    held: HeldRepository, queues: Collection[int], subjects: Collection[int]
) -> tuple[dict[int, QueueCounts], set[End]]:
    """The counts of these queues, and the ends of these subjects that were deleted."""
    rows = held.rows("counts_before", sorted(set(queues)), sorted(subjects))
    counts = {number: parse_counts(text) for kind, number, text in rows if kind != _FROM_BEFORE}
    return counts, {(type, number) for kind, number, type in rows if kind == _FROM_BEFORE}


def parse_counts(text: str) -> QueueCounts:
    counts: dict[str, int] = json.loads(text)
    return counts


def _counted(new: Collection[End], facts: Facts, attempts: Mapping[int, int], now: int) -> Iterable[_Counted]:
    """What each new end adds, and in which group; and each start of what had ended before."""
    for stay in facts.stays:
        yield from _of_stay(stay, new, now)
    for end in facts.bisection_ends:
        if _is_new(BISECTION_ENDED, end.bisection, end.ended_at, new, now):
            yield _Counted(end.group_id, Counter({BISECTIONS: 1}))
    ended: defaultdict[int, list[Check]] = defaultdict(list)
    for check in facts.checks:
        if check.ended_at is not None:
            ended[check.run].append(check)
    started = {run.run: run.started_at for run in facts.runs}
    for run, checks in ended.items():
        ended_at = max(check.ended_at or 0 for check in checks)
        if _is_new(CHECKS_ENDED, run, ended_at, new, now):
            yield _ended_run(checks, started.get(run), is_retry=attempts.get(run, 1) > 1)
        elif _is_new(CHECKS_STARTED, run, ended_at, new, now):
            yield _ended_run(checks, started.get(run), is_retry=False)


def _of_stay(stay: Stay, new: Collection[End], now: int) -> Iterable[_Counted]:
    if _is_new(QUEUE_ENTERED, stay.stay, stay.entered_at, new, now):
        yield _Counted(stay.entered_group or 0, Counter({ENTERED: 1}))
    if _is_new(QUEUE_LEFT, stay.stay, stay.left_at, new, now):
        yield _Counted(stay.left_group or 0, left(stay.reason or "UNKNOWN", stay.queue_time))
    elif _is_new(QUEUE_ENTERED, stay.stay, stay.left_at, new, now):
        yield _Counted(stay.left_group or 0, left_time(stay.reason, stay.queue_time))


def _is_new(type: str, subject: int, at: int | None, new: Collection[End], now: int) -> bool:
    return (type, subject) in new and _is_recent(at, now)


def _is_recent(at: int | None, now: int) -> bool:
    return at is not None and is_current(at, now)


def _ended_run(checks: Sequence[Check], started_at: int | None, *, is_retry: bool) -> _Counted:
    """If the checks of a run end differently, a failure decides, and a success rather than a stop."""
    decisive = min(checks, key=lambda check: (_RANK[run_outcome(check.outcome)], check.ended_at, check.stay))
    counts = Counter({RETRIES: 1}) if is_retry else Counter()
    if started_at is not None:
        ended_at = max(check.ended_at or 0 for check in checks)
        histogram = run_name(run_outcome(decisive.outcome))
        counts.update(observation(histogram, max(0, ended_at - started_at)))
    return _Counted(decisive.ended_group or 0, counts)


def _save(held: HeldRepository, stored: Mapping[int, QueueCounts], added: Mapping[int, Counter[str]]) -> None:
    changed = [queue for queue, counts in added.items() if counts]
    delete_rows(held, QueueCountsRow, queue=[queue for queue in changed if queue in stored])
    held.insert(
        QueueCountsRow(held.state.id, queue, json.dumps(added[queue] + Counter(stored.get(queue, {}))))
        for queue in changed
    )


def remember_selected_ends(held: HeldRepository, selection: Selection) -> None:
    """Remember the selected ends, which are about to be deleted."""
    remember_ends(
        held, {(type, subject) for type, subject in held.rows("selected_ends", *selection.parameters)}
    )


def remember_ends(held: HeldRepository, ends: Collection[End]) -> None:
    """Remember ends that are being deleted."""
    if not ends:
        return
    _, known = _stored(held, (), {subject for _, subject in ends})
    held.insert(WithdrawnEndRow(held.state.id, subject, type) for type, subject in sorted(set(ends) - known))
