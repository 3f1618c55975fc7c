"""The three figures of a queue, from hours that count with different weights."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

from mergecast.queues.model.reference_period import Figures, QueueHour

_SHARE = 0.95


class WeightedHour(NamedTuple):
    hour: QueueHour
    weight: float = 1.0


class Totals(NamedTuple):
    """Weighted counts."""

    exits: float
    failures: float
    merges: float
    runs: float

    @property
    def failure_rate(self) -> float | None:
        return self.failures / self.exits if self.exits else None

    @property
    def ci_runs_per_merge(self) -> float | None:
        return self.runs / self.merges if self.merges else None


class Sample:
    """The hours that are compared: all recent ones, or those of a period at the same hours of the week."""

    def __init__(self, hours: Iterable[WeightedHour]) -> None:
        totals = [0.0] * len(Totals._fields)
        times = []
        for (_, *counts, seconds), weight in hours:
            for place, count in enumerate(counts):
                totals[place] += weight * count
            times += [(one, weight) for one in seconds]
        self.totals = Totals._make(totals)
        self.times = len(times)  # how many merged pull requests have a known time in queue
        self.figures = Figures(
            quantile(sorted(times), _SHARE), self.totals.failure_rate, self.totals.ci_runs_per_merge
        )


def sample_of(hours: Iterable[QueueHour]) -> Sample:
    """Hours that all count alike."""
    return Sample(map(WeightedHour, hours))


def figures_of(hours: Iterable[QueueHour]) -> Figures:
    """The figures of hours that all count alike; they are those of the statistics."""
    return sample_of(hours).figures


def quantile(rising: Sequence[tuple[float, float]], share: float) -> float | None:
    """The quantile of values with weights; with equal weights, it interpolates as `percentile_cont` does.

    >>> quantile([(10, 1), (20, 1), (40, 1)], 0.75)
    30.0
    """
    if not rising:
        return None
    gaps = len(rising) - 1
    up_to = accumulate(weight for _, weight in rising)
    places = [
        number * weight + gaps * (total - weight)
        for number, ((_, weight), total) in enumerate(zip(rising, up_to, strict=True))
    ]
    wanted = share * places[-1]
    number = max(bisect_left(places, wanted), 1)
    if number > gaps:
        return float(rising[-1][0])
    low, high = rising[number - 1][0], rising[number][0]
    span = places[number] - places[number - 1]
    return low + (high - low) * (wanted - places[number - 1]) / span if span else float(high)
