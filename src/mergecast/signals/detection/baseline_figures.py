"""The three figures of a queue, from hours that count with different weights."""

from collections.abc import Sequence
from operator import mul
from typing import NamedTuple

from mergecast.queues.model.baseline import Figures, QueueHour

_SHARE = 0.95


class PlacedHour(NamedTuple):
    """An hour of a queue, how much it counts, and the block of hours that it belongs to."""

    hour: QueueHour
    weight: float
    block: int


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
    """The hours that are compared: all recent ones, or those of a baseline at the same hours of the week."""

    def __init__(self, hours: Sequence[PlacedHour], blocks: int) -> None:
        self._blocks = [[0.0] * len(Totals._fields) for _ in range(blocks)]
        for (_, *counts, _), weight, block in hours:
            totals = self._blocks[block]
            for place, count in enumerate(counts):
                totals[place] += weight * count
        times = [(seconds, weight, block) for hour, weight, block in hours for seconds in hour.seconds]
        self._times = sorted(times, reverse=True)
        self._time_weights = [0.0] * blocks
        for _, weight, block in times:
            self._time_weights[block] += weight

    @property
    def times(self) -> int:
        """How many merged pull requests have a known time in queue."""
        return len(self._times)

    def totals(self, chosen: Sequence[int] | None = None) -> Totals:
        """The counts of all blocks, or with each block as often as it was chosen."""
        times = chosen or [1] * len(self._blocks)
        return Totals(*(sum(map(mul, column, times)) for column in zip(*self._blocks, strict=True)))

    def slow(self, chosen: Sequence[int]) -> float | None:
        """The time that 5 % of the merged pull requests exceed, with each block as often as it was chosen."""
        total = sum(weight * times for weight, times in zip(self._time_weights, chosen, strict=True))
        if not total:
            return None
        left = (1 - _SHARE) * total
        for seconds, weight, block in self._times:
            left -= weight * chosen[block]
            if left < 0:
                return float(seconds)
        return float(self._times[-1][0])

    def figures(self) -> Figures:
        totals = self.totals()
        rising = [(seconds, weight) for seconds, weight, _ in reversed(self._times)]
        return Figures(quantile(rising, _SHARE), totals.failure_rate, totals.ci_runs_per_merge)


def figures_of(hours: Sequence[QueueHour]) -> Figures:
    """The figures of hours that all count alike; they are those of the statistics."""
    return Sample([PlacedHour(hour, 1.0, 0) for hour in hours], 1).figures()


def quantile(rising: Sequence[tuple[float, float]], share: float) -> float | None:
    """The quantile of values with weights; with equal weights, it interpolates as `percentile_cont` does.

    >>> quantile([(10, 1), (20, 1), (40, 1)], 0.75)
    30.0
    """
    if not rising:
        return None
    places, below = [], 0.0
    for number, (_, weight) in enumerate(rising):
        places.append(number * weight + (len(rising) - 1) * below)
        below += weight
    wanted = share * places[-1]
    for number in range(1, len(rising)):
        if places[number] >= wanted:
            low, high = rising[number - 1][0], rising[number][0]
            span = places[number] - places[number - 1]
            return low + (high - low) * (wanted - places[number - 1]) / span if span else float(high)
    return float(rising[-1][0])
