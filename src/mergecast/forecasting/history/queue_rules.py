"""The rules of each queue that decide what a waiting pull request waits for, where the history shows them."""

from collections.abc import Iterator, Sequence
from statistics import quantiles
from typing import Final

from mergecast.forecasting.history.ahead import LAG
from mergecast.forecasting.history.closed_time import Span
from mergecast.forecasting.history.inference import TrainRules
from mergecast.forecasting.history.occupancy import Spell, spells
from mergecast.forecasting.history.seconds import DAY, MICROSECONDS, WEEK
from mergecast.forecasting.history.starting import fill_wait, largest_batches, starting_at_once
from mergecast.queues.model.instant import Window
from mergecast.queues.model.queue_rules import ClosedTime, Closing, QueueRules

_ENOUGH: Final = 5  # times that pull requests waited while all slots were busy
_ENOUGH_RUNS: Final = 20
_ENOUGH_BATCHES: Final = 10
_LOOKED_AT: Final = 500  # of the latest spells with all slots busy
_AHEAD: Final = 4 * DAY  # longer than a weekend
_MOST_SPANS: Final = 50


def queue_rules(trains: Sequence[TrainRules], window: Window) -> tuple[QueueRules, ...]:
    """The rules of every queue of these trains; `window` is what their history covers."""
    return tuple(rules for train in trains for rules in _of_train(train, window))


def _of_train(train: TrainRules, window: Window) -> Iterator[QueueRules]:
    slots = train.policy.max_parallel_checks
    is_limited = _is_limited(train, spells(train.recorded), slots)
    closed = tuple(sorted(_closed(train, window), key=lambda span: span.since))[:_MOST_SPANS]
    largest, variants = largest_batches(train.recorded), train.policy.variants
    at_once = starting_at_once(train.recorded, largest)
    with_runs = {run.queue_name for run in train.recorded.history.runs}
    for name in train.queue_names:
        wait, cases = fill_wait(train.recorded, largest, name)
        is_shown = cases >= _ENOUGH_BATCHES and wait > 2 * LAG
        yield QueueRules(
            name,
            train.queue_names,
            slots if is_limited else None,
            variants.slot_until_merged,
            largest[name] if train.kind == "mergify" else None,
            wait if is_shown else None,
            variants.one_priority,
            tuple(at_once),
            _usual_lengths(train, name),
            closed,
            name in with_runs,
        )


def _is_limited(train: TrainRules, occupied: Sequence[Spell], slots: int) -> bool:
    """Whether pull requests waited while so many runs were in progress, so that it is a limit."""
    full = [spell for spell in occupied if spell.running >= slots and spell.end - spell.start > 2 * LAG]
    held = 0
    for spell in full[-_LOOKED_AT:]:
        held += bool(train.recorded.waiting_at(spell.start + LAG))
        if held == _ENOUGH:
            return True
    return False


def _usual_lengths(train: TrainRules, queue_name: str) -> tuple[float, float] | None:
    lengths = [
        run.ended - run.started
        for run in train.recorded.history.runs
        if run.queue_name == queue_name and run.has_verdict and run.ended is not None
    ]
    if len(lengths) < _ENOUGH_RUNS:
        return None
    tenths = quantiles(lengths, n=10)
    return max(tenths[0], 0.0), max(tenths[-1], 0.0)


def _closed(train: TrainRules, window: Window) -> Iterator[ClosedTime]:
    """Closed time from the end of the window on, unless what happens contradicts it."""
    now, history = train.recorded.history.length, train.recorded.history
    stops_starts = train.policy.variants.closed_stops_starts
    merges = (stay.left for stay in history.stays if stay.is_merged and stay.left is not None)
    newest = max((run.started for run in history.runs) if stops_starts else merges, default=0.0)
    known: list[tuple[Closing, Span]] = [("schedule", span) for span in train.closed.schedules]
    known += [("freeze", span) for span in train.closed.freezes]
    spans = [span for _, span in known]
    for closing, (start, end) in known:
        if end > now and start < now + _AHEAD and not _is_contradicted((start, end), spans, newest):
            yield ClosedTime(closing, _instant(start, window), _instant(end, window), stops_starts)
    for start, end in train.closed.pauses:
        if end >= now:  # nothing has started since
            yield ClosedTime("pause", _instant(start, window), None, stops_starts=True)


def _is_contradicted(span: Span, spans: Sequence[Span], newest: float) -> bool:
    """Whether something happened within this closed time, or within what belonged to it a week before."""
    week_before = [(start + WEEK, end + WEEK) for start, end in spans if start + WEEK < span[1]]
    whole = [span, *(one for one in week_before if one[1] > span[0])]
    return any(start + LAG < newest < end - LAG for start, end in whole)


def _instant(seconds: float, window: Window) -> int:
    return window.start + round(seconds * MICROSECONDS)
