"""What changes with the runs that are in progress at the same time, apart from size and drift."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mergecast.forecasting.estimate.run_table import RunTable
from mergecast.forecasting.estimate.survival import Flags, Numbers
from mergecast.forecasting.history.seconds import WEEK

_CLEAR: Final = 3.0  # t-value from which an effect counts
_FEW: Final = 20
_VARIES: Final = 0.05
_SELDOM: Final = 0.995


@dataclass(frozen=True)
class Flight:
    """The change of log length per concurrent run, from the mean; zero unless significant.

    Beyond the most that was recorded, lengths continue on a straight line: an exponential would explode.
    """

    slope: float = 0.0
    error: float = 0.0
    mean: float = 0.0
    most: int = 1

    def of(self, in_flight: NDArray[np.int64]) -> Numbers:
        """The logarithm of the factor for each number of concurrent runs."""
        inside = np.minimum(in_flight, self.most)
        growth = max(self.slope, 0.0) * (in_flight - inside)
        logs: Numbers = self.slope * (inside - self.mean) + np.log1p(growth)
        return logs

    def drawn(self, chance: np.random.Generator) -> "Flight":
        return replace(self, slope=self.slope + self.error * float(chance.standard_normal()), error=0.0)


def fit_flight(
    table: RunTable, rows: NDArray[np.int64], class_of: NDArray[np.int64], passed: Flags
) -> Flight:
    """Regression of passing runs of one size class in one week, so that neither is mistaken for an effect."""
    in_flight = table.in_flight[rows]
    starts = table.starts[rows][passed]
    if len(starts) < _FEW:
        return Flight()
    weeks = ((starts - starts[0]) // WEEK).astype(np.int64)
    groups = weeks * (int(class_of.max(initial=0)) + 1) + class_of[passed]
    everything = np.ones(len(starts), dtype=np.bool_)
    column = less_group_means(in_flight[passed].astype(np.float64), groups, everything)
    target = less_group_means(np.log(table.lengths[rows][passed]), groups, everything)
    square = float(column @ column)
    if np.sqrt(square / len(column)) <= _VARIES:
        return Flight()
    slope = float(column @ target) / square
    error = float(np.sqrt(np.sum((target - slope * column) ** 2) / max(1, len(target) - 1) / square))
    if abs(slope) <= _CLEAR * error:
        return Flight()
    most = int(np.quantile(in_flight[passed], _SELDOM))
    return Flight(slope, error, float(in_flight[passed].mean()), most)


def less_group_means(values: Numbers, groups: NDArray[np.int64], counted: Flags) -> Numbers:
    """The values without the mean of their group, in which only some of them are counted."""
    _, numbers = np.unique(groups, return_inverse=True)
    counts = np.bincount(numbers[counted], minlength=int(numbers.max(initial=-1)) + 1)
    sums = np.bincount(numbers[counted], values[counted], minlength=len(counts))
    means: Numbers = sums / np.maximum(counts, 1)
    return values - means[numbers]
