"""Where a series of days divides into parts whose means differ by more than its noise explains."""

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
FEWEST_DAYS: Final = 5  # on each side
_SURE: Final = 4.5  # times the noise
_CLIPPED: Final = (
    3 * 1.4826
)  # times the median of the distances from the median: about three standard deviations
_MOST_ALIKE: Final = 0.7  # of the correlation of a day with the next
_DOUBT: Final = 0.1  # a short series shows too little of it


def find_splits(levels: Array, is_large: Callable[[int, int, int], bool]) -> list[int]:
    """The places at which a new part begins, in order; `is_large` knows whether two parts differ enough."""
    if len(levels) < 2 * FEWEST_DAYS:
        return []
    middle = np.median(levels)
    reach = _CLIPPED * np.median(np.abs(levels - middle))
    return _splits(np.clip(levels, middle - reach, middle + reach), 0, is_large)


def _splits(levels: Array, start: int, is_large: Callable[[int, int, int], bool]) -> list[int]:
    """Of a part that begins at `start`."""
    count = len(levels)
    if count < 2 * FEWEST_DAYS:
        return []
    first = np.arange(FEWEST_DAYS, count - FEWEST_DAYS + 1)
    sums = levels.cumsum()
    before, after = sums[first - 1] / first, (sums[-1] - sums[first - 1]) / (count - first)
    steps = np.abs(after - before) * np.sqrt(first * (count - first) / count)
    best = int(steps.argmax())
    at = int(first[best])
    rest = np.concatenate((levels[:at] - before[best], levels[at:] - after[best]))
    if steps[best] <= _SURE * _noise(rest) or not is_large(start, start + at, start + count):
        return []
    return [*_splits(levels[:at], start, is_large), start + at, *_splits(levels[at:], start + at, is_large)]


def _noise(rest: Array) -> float:
    """The standard deviation of what two means leave, more if a day resembles the one before."""
    spread = float(rest @ rest)
    if not spread:
        return 0.0
    alike = min(max(float(rest[1:] @ rest[:-1]) / spread + _DOUBT, 0.0), _MOST_ALIKE)
    return float(np.sqrt(spread / (len(rest) - 2) * (1 + alike) / (1 - alike)))
