"""When a schedule, a freeze or a pause closed a queue, and when someone pushed to the base branch directly.

A stay reports how long it waited for a schedule or a freeze, not when. There are two interpretations: merges
are held, and the wait ends when the stay leaves; or starts are held, and it ends with its first run. The
interpretation with fewer contradictions in the record is used.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from mergecast.forecasting.history.ahead import LAG
from mergecast.forecasting.history.seconds import DAY, HOUR, MINUTE, WEEK
from mergecast.forecasting.history.structure import Stay
from mergecast.forecasting.history.train import Tally, Train

_SLOT: Final = 5 * MINUTE
_SHORT: Final = MINUTE
_LONG: Final = 10 * MINUTE
_GAP: Final = 4 * HOUR
_REPEATED: Final = 3

Span = tuple[float, float]


class ClosedTime(NamedTuple):
    """Spans in seconds from the start of the window; `pushes` are instants."""

    schedules: tuple[Span, ...]
    freezes: tuple[Span, ...]
    pauses: tuple[Span, ...]
    pushes: tuple[float, ...]
    outages: tuple[Span, ...] = ()


def starts_are_held(train: Train) -> Tally:
    """Whether closed time stops starts: no run begins within it, while merges continue."""
    held_starts = held_merges = 0
    starts = [run.started for run in train.fresh_starts]
    merges = _merges(train)
    for stay in train.history.stays:
        for wait in (stay.schedule_wait, stay.freeze_wait):
            if wait > _SHORT:
                before_start = _before_start(train, stay, wait)
                before_exit = _before_exit(stay, wait, merges)
                start_is_clean = before_start is not None and not _any_within(starts, before_start)
                exit_is_clean = before_exit is not None and not _any_within(merges, before_exit)
                held_starts += start_is_clean and not exit_is_clean
                held_merges += exit_is_clean and not start_is_clean
    return Tally(against=held_starts, agreeing=held_merges)


def closed_time(train: Train, *, starts_held: bool) -> ClosedTime:
    """The closed spans, with gaps filled in schedules and freezes that recur every day or week."""
    return ClosedTime(
        _spans_of(train, lambda stay: stay.schedule_wait, starts_held=starts_held),
        _spans_of(train, lambda stay: stay.freeze_wait, starts_held=starts_held),
        _pauses(train),
        _pushes(train),
    )


def _spans_of(train: Train, wait_of: Callable[[Stay], float], *, starts_held: bool) -> tuple[Span, ...]:
    waiting = [stay for stay in train.history.stays if wait_of(stay) > _SHORT]
    if not waiting:
        return ()
    if starts_held:
        busy = [run.started for run in train.fresh_starts]
        found = [_before_start(train, stay, wait_of(stay)) for stay in waiting]
    else:
        busy = _merges(train)
        found = [_before_exit(stay, wait_of(stay), busy) for stay in waiting]
    known = [span for span in found if span is not None and not _any_within(busy, span)]
    union = _union(known) if starts_held else _with_held(known, [*_passed_and_held(train)], busy)
    return _union([*union, *_repeated(union, busy, train.history.length)])


def _before_start(train: Train, stay: Stay, wait: float) -> Span | None:
    """The closed span if starts were held: it ended with the first start, of any batch, after the wait."""
    runs = train.runs_of.get(stay.number)
    if not runs or runs[0].started - stay.entered < wait - LAG:
        return None
    # Slots may have been busy after the reopening: the queue was closed from the entry on at the earliest.
    reopened = _first_start_after(train, stay.entered + wait - LAG)
    return (reopened - wait, reopened) if reopened is not None and reopened <= runs[0].started else None


def _first_start_after(train: Train, at: float) -> float | None:
    starts = train.starts
    place = bisect_left(starts, at)
    return starts[place] if place < len(starts) else None


def _before_exit(stay: Stay, wait: float, merges: list[float]) -> Span | None:
    """The closed span if merges were held: it ended when the first of those that waited was merged."""
    if stay.left is None or not stay.is_merged:
        return None
    place = bisect_left(merges, stay.left)
    while place and merges[place] - merges[place - 1] <= LAG:
        place -= 1
    return stay.left - wait, merges[place]


def _passed_and_held(train: Train) -> Iterator[Span]:
    """Spans in which a batch and everything ahead of it had passed and did not merge."""
    for run in train.history.runs:
        if run.outcome != "SUCCESS" or run.ended is None or train.undecided_ahead(run, run.ended):
            continue
        later = [
            other.started for m in run.members for other in train.runs_of[m] if other.number > run.number
        ]
        ends = [stay.left for stay in train.members_of(run) if stay.left is not None] + later
        until = min((end for end in ends if end > run.ended), default=run.ended)
        if until - run.ended > _LONG:
            yield run.ended, until


def _with_held(known: list[Span], held: list[Span], merges: list[float]) -> tuple[Span, ...]:
    """Closed spans, extended by the time around them in which batches had passed and nothing merged.

    While a train is held, members leave and batches start over: between two spans nothing has passed for a
    while. A span without any stay that reports waiting is not closed time.
    """
    joined: list[Span] = []
    for span in sorted([*known, *(span for span in held if not _any_within(merges, span))]):
        if (
            joined
            and not _any_within(merges, (joined[-1][1] - LAG, span[0] + LAG))
            and (span[0] - joined[-1][1] < _GAP)
        ):
            joined[-1] = (joined[-1][0], max(joined[-1][1], span[1]))
        else:
            joined.append(span)
    return tuple(span for span in joined if any(start < span[1] and end > span[0] for start, end in known))


def _merges(train: Train) -> list[float]:
    return sorted(stay.left for stay in train.history.stays if stay.is_merged and stay.left is not None)


def _any_within(instants: list[float], span: Span) -> bool:
    place = bisect_right(instants, span[0] + LAG)
    return place < len(instants) and instants[place] < span[1] - LAG


def _union(spans: list[Span]) -> tuple[Span, ...]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1] + _SHORT:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return tuple(merged)


def _repeated(spans: tuple[Span, ...], busy: list[float], length: float) -> list[Span]:
    """The times of the week or day that were closed several times, with no activity since."""
    return [
        *_every(WEEK, _closed_weeks, spans, busy, length),
        *_every(DAY, _closed_days, spans, busy, length),
    ]


def _every(
    period: float,
    is_closed: Callable[[set[int]], bool],
    spans: tuple[Span, ...],
    busy: list[float],
    length: float,
) -> Iterator[Span]:
    closed: dict[int, set[int]] = defaultdict(set)
    slots = int(period / _SLOT)
    for start, end in spans:
        for slot in range(int(start // _SLOT) + 1, int(end // _SLOT)):
            closed[slot % slots].add(slot // slots)
    last_active: dict[int, int] = {}
    for at in busy:
        last_active[int(at // _SLOT) % slots] = int(at // period)
    turns = int((length + WEEK) / period) + 1  # the queue drains after the window
    for slot, seen in closed.items():
        active_until = last_active.get(slot, min(0, *seen) - 1)
        if is_closed(seen) and active_until < min(seen):
            for turn in range(active_until + 1, turns):
                yield (turn * slots + slot) * _SLOT, (turn * slots + slot + 1) * _SLOT


def _closed_weeks(weeks: set[int]) -> bool:
    return len(weeks) >= _REPEATED - 1


def _closed_days(days: set[int]) -> bool:
    # A freeze over a long weekend touches three days of the week: that does not make it daily.
    return len({day % 7 for day in days}) > _REPEATED


def _pauses(train: Train) -> tuple[Span, ...]:
    spans = []
    for stop in train.stops("PR_CHECKS_STOPPED_BECAUSE_MERGE_QUEUE_PAUSE"):
        resumed = _first_start_after(train, stop + LAG)
        spans.append((stop, train.history.length if resumed is None else resumed))
    return _union(spans)


def _pushes(train: Train) -> tuple[float, ...]:
    kept: list[float] = []
    for stop in train.stops("MERGE_QUEUE_RESET"):
        if not kept or stop - kept[-1] > LAG:
            kept.append(stop)
    return tuple(kept)
