"""How much the figures of a queue vary from week to week."""

from collections.abc import Iterable, Sequence
from math import log, sqrt
from statistics import fmean
from typing import Final

from mergecast.queues.model.instant import HOUR, Window
from mergecast.queues.model.reference_period import QueueHour, Spreads
from mergecast.signals.thresholds.reference_figures import Totals, sample_of
from mergecast.signals.thresholds.time_shift import HOURS_OF_WEEK, PinnedTimes

FEWEST: Final = 20  # observations behind a figure that is compared
# What is assumed about a queue of which little is known, as if so many weeks had shown it.
_USUAL = (0.22, 0.3, 0.08)
_USUAL_WEEKS = 4


def spreads_of(period: Window, before: Sequence[QueueHour], pinned: Sequence[QueueHour]) -> Spreads:
    """What a period that is pinned and all weeks before it show."""
    first, last = -(-period.start // HOUR), period.end // HOUR
    times = PinnedTimes(pinned)
    earliest = first - weeks_before(first, before) * HOURS_OF_WEEK
    weeks = [*blocks(before, earliest, first, HOURS_OF_WEEK), *blocks(pinned, first, last, HOURS_OF_WEEK)]
    logarithms = [_logarithms(times, week) for week in weeks]
    time, failures, runs = (
        _spread([week[place] for week in logarithms], usual) for place, usual in enumerate(_USUAL)
    )
    return Spreads(time, failures, runs, len(weeks))


def weeks_before(first: int, hours: Sequence[QueueHour]) -> int:
    """How many whole weeks before an hour there are since something was recorded."""
    return max((first - hours[0].number) // HOURS_OF_WEEK, 0) if hours else 0


def blocks(hours: Iterable[QueueHour], first: int, last: int, length: int) -> list[list[QueueHour]]:
    """What happened in each block of so many whole hours between two hours."""
    found: list[list[QueueHour]] = [[] for _ in range((last - first) // length)]
    for hour in hours:
        if first <= hour.number < first + len(found) * length:
            found[(hour.number - first) // length].append(hour)
    return found


def _logarithms(times: PinnedTimes, week: Sequence[QueueHour]) -> tuple[float | None, ...]:
    """Of each figure, if the week has enough pull requests."""
    sample = sample_of(week)
    totals = sample.totals
    return (
        times.shift(week) if sample.times >= FEWEST else None,
        failures_logarithm(totals) if totals.exits >= FEWEST else None,
        log(totals.runs / totals.merges) if totals.merges >= FEWEST and totals.runs else None,
    )


def failures_logarithm(totals: Totals) -> float:
    """Half a failure more, because a week may have none."""
    return log((totals.failures + 0.5) / (totals.exits + 1))


def _spread(values: Sequence[float | None], usual: float) -> float:
    known = [value for value in values if value is not None]
    middle = fmean(known) if known else 0.0
    squares = sum((value - middle) ** 2 for value in known) + _USUAL_WEEKS * usual**2
    return sqrt(squares / (_USUAL_WEEKS + max(len(known) - 1, 0)))
