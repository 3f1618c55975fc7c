"""Whether CI runs take longer than they usually do: the mean of some hours, compared with that of weeks."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil, sqrt
from statistics import fmean, median, pvariance
from typing import Final, NamedTuple

from mergecast.queues.model.instant import HOUR, WEEK
from mergecast.signals.thresholds.course import Case

WINDOWS: Final = (8 * HOUR, 4 * HOUR, 2 * HOUR)  # what became slow an hour ago shows in a short one only
FEWEST: Final = 3  # runs in a window
LEAST_FACTOR: Final = 1.5  # slower by less than that is what alerts against a pinned period are for
# The length that a quarter of the runs exceed. Many queues have short runs and long ones; the long ones
# hardly differ from each other, so they show at once that CI is slow. A few that hang are another problem.
_QUARTER: Final = 0.75
_LEAST_TIMES: Final = 50
_BUDGET: Final = 52 * WEEK  # one false alarm in this time
_TAIL: Final = 0.1
_HEAVIEST: Final = 0.5  # with a heavier tail, the variance would be infinite
_MARGIN: Final = 1.3  # a level is at least this many times the slowest usual time
# Runs of the same hours have much in common: a larger number of them says little more.
_MOST_COUNTED: Final = 16


class Slow(NamedTuple):
    """How slow the runs of some hours were."""

    since: int
    factor: float  # how many times as long as usual they took
    runs: int

    @property
    def spread(self) -> float:
        """The spread that single runs would have if this were usual."""
        return (self.factor - 1) * _root(self.runs)


@dataclass(frozen=True, slots=True)
class Speed:
    """The length that a quarter of the runs that pass exceed, in seconds, and how much that of hours may."""

    usual: float
    spread: float = 0.0  # of a single run, as a share of the usual length
    usual_count: int = FEWEST  # runs in the longest window

    def slowest(self, runs: Sequence[Case], at: int) -> Slow | None:
        """The window up to an instant in which runs were slowest, compared with how much so many vary."""
        return max(self._windows(runs, at), key=lambda slow: slow.spread, default=None)

    def _windows(self, runs: Sequence[Case], at: int) -> Iterator[Slow]:
        for window in WINDOWS:
            lengths = [run.value for run in runs if run.at > at - window]
            if len(lengths) >= FEWEST:
                yield Slow(at - window, long_length(lengths) / self.usual, len(lengths))

    def level(self, count: int) -> float:
        """The factor that is unusual for so many runs."""
        return max(LEAST_FACTOR, 1 + self.spread / _root(count))


def long_length(lengths: Sequence[float]) -> float:
    """The length that about a quarter exceeds, and one at least: a single run says nothing.

    >>> [long_length(range(1, count + 1)) for count in (3, 4, 6, 8, 100)]
    [2, 3, 5, 6, 75]
    """
    return sorted(lengths)[min(ceil(_QUARTER * len(lengths)), len(lengths) - 1) - 1]


def _root(count: int) -> float:
    return sqrt(min(count, _MOST_COUNTED))


def recent(passed: Sequence[Case], at: int) -> Sequence[Case]:
    """The runs that passed within the longest window up to an instant."""
    first = bisect_right(passed, at - WINDOWS[0], key=_at)
    return passed[first : bisect_right(passed, at, key=_at)]


def _at(case: Case) -> int:
    return case.at


def usual_speed(passed: Sequence[Case]) -> Speed | None:
    """What is usual, without how much that varies from one time to another."""
    counts = [count for case in passed if (count := len(recent(passed, case.at))) >= FEWEST]
    usual = long_length([case.value for case in passed]) if counts else 0.0
    return Speed(usual, usual_count=round(median(counts))) if usual > 0 else None


def slow_times(passed: Sequence[Case], speed: Speed) -> Iterator[Case]:
    """The slowest moment of every few hours, as a spread of single runs."""
    moments = ((case.at, speed.slowest(recent(passed, case.at), case.at)) for case in passed)
    for _, together in groupby(moments, key=lambda moment: moment[0] // WINDOWS[0]):
        found = [Case(slow.since, at, slow.spread) for at, slow in together if slow is not None]
        if found:
            yield max(found, key=lambda case: case.value)


def unusual_spread(times: Sequence[Case], span: int) -> float | None:
    """The spread that usual times exceed once in a year; None if too few are known.

    `span` is how long it took to observe them. The largest tenth is fitted by a generalized Pareto
    distribution.
    """
    if len(times) < _LEAST_TIMES or span <= 0:
        return None
    spreads = sorted(case.value for case in times)
    tenth = int(_TAIL * len(spreads))
    threshold = spreads[-tenth - 1]
    excesses = [value - threshold for value in spreads if value > threshold]
    fitted = threshold + _excess(excesses, max(tenth * _BUDGET / span, 1.0))
    return max(fitted, _MARGIN * spreads[-1], LEAST_FACTOR - 1)


def _excess(excesses: Sequence[float], times: float) -> float:
    """By how much the threshold is exceeded once in so many excesses, from their mean and variance."""
    if not excesses:
        return 0.0
    mean, variance = fmean(excesses), pvariance(excesses)
    ratio = mean * mean / variance if variance > 0 else 1.0
    shape = max((1 - ratio) / 2, 0.0)
    # One standard error more than fitted: few excesses show little of how heavy the tail is.
    shape = min(shape + (1 + shape) / sqrt(len(excesses)), _HEAVIEST)
    # The mean of the distribution is scale / (1 - shape).
    return float(mean * (1 - shape) / shape * (times**shape - 1))
