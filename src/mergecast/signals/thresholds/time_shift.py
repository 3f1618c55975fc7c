"""By which factor merged pull requests stay longer than in a reference period, by their ranks.

Each one is ranked among those of the same hour of the week in the period, so that busy hours and quiet
weekends do not count as differences. The factor is the one that their times must be divided by for them to
rank in the middle. All of them count, so it varies less than the p95 does, which few decide.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from math import exp
from typing import Final, NamedTuple

from mergecast.queues.model.reference_period import QueueHour

HOURS_OF_WEEK: Final = 7 * 24
_ENOUGH = 10  # pinned pull requests that one is ranked among, from the hours before and after if need be
# Closer to each other where most changes are.
_LOGARITHMS: Final[tuple[float, ...]] = (
    -2.0,
    -1.5,
    -1.0,
    -0.75,
    *(step / 8 for step in range(-4, 9)),
    1.25,
    1.5,
    2.0,
    2.5,
    3.0,
)
_FACTORS = tuple(map(exp, _LOGARITHMS))
_MIDDLE = 0.5


class Ranks(NamedTuple):
    """Of some pull requests: the sum of their ranks, from 0 to 1, with times divided by each factor."""

    times: int
    sums: Sequence[float]


_NO_RANKS = Ranks(0, (0.0,) * len(_FACTORS))


class PinnedTimes:
    """The times to merge of a reference period, by the hour of the week."""

    def __init__(self, pinned: Iterable[QueueHour]) -> None:
        by_hour: list[list[int]] = [[] for _ in range(HOURS_OF_WEEK)]
        for hour in pinned:
            by_hour[hour.number % HOURS_OF_WEEK] += hour.seconds
        self._sorted = [sorted(_around(by_hour, place)) for place in range(HOURS_OF_WEEK)]
        self._ranked: dict[int, tuple[Sequence[int], Ranks]] = {}  # by the number of the hour

    def ranks(self, hours: Iterable[QueueHour]) -> Ranks:
        times, sums = 0, [0.0] * len(_FACTORS)
        for hour in hours:
            found = self._ranks(hour)
            times += found.times
            sums = [before + more for before, more in zip(sums, found.sums, strict=True)]
        return Ranks(times, sums)

    def _ranks(self, hour: QueueHour) -> Ranks:
        """Of one hour: windows that are compared one after the other have most of theirs in common."""
        seconds, ranks = self._ranked.get(hour.number, ((), _NO_RANKS))
        if seconds != hour.seconds:
            ranks = _ranks_among(hour.seconds, self._sorted[hour.number % HOURS_OF_WEEK])
            self._ranked[hour.number] = hour.seconds, ranks
        return ranks

    def shift(self, hours: Iterable[QueueHour]) -> float | None:
        """The logarithm of the factor by which the pull requests of some hours took longer to merge."""
        return shift([self.ranks(hours)])


def _ranks_among(times: Sequence[int], among: Sequence[int]) -> Ranks:
    if not among:
        return _NO_RANKS
    return Ranks(
        len(times), [sum(_rank(seconds / factor, among) for seconds in times) for factor in _FACTORS]
    )


def _rank(seconds: float, among: Sequence[int]) -> float:
    return (bisect_left(among, seconds) + bisect_right(among, seconds)) / (2 * len(among))


def shift(parts: Sequence[Ranks]) -> float | None:
    """The logarithm of the factor that makes the pull requests of all parts rank in the middle."""
    times = sum(part.times for part in parts)
    if not times:
        return None
    means: list[float] = [sum(sums) / times for sums in zip(*(part.sums for part in parts), strict=True)]
    place = next((place for place, mean in enumerate(means) if mean <= _MIDDLE), len(means))
    if place in (0, len(means)):
        return _LOGARITHMS[min(place, len(means) - 1)]
    above, below = means[place - 1], means[place]
    step = _LOGARITHMS[place] - _LOGARITHMS[place - 1]
    return _LOGARITHMS[place - 1] + step * (above - _MIDDLE) / (above - below)


def _around(by_hour: Sequence[Sequence[int]], place: int) -> list[int]:
    """The times of an hour of the week, and of as many hours around it as are needed to have enough."""
    found = list(by_hour[place])
    for distance in range(1, HOURS_OF_WEEK // 2):
        if len(found) >= _ENOUGH:
            break
        found += by_hour[place - distance]
        found += by_hour[(place + distance) % HOURS_OF_WEEK]
    return found
