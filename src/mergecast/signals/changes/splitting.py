"""Where a series of days divides into two that differ most, and whether chance alone would show as much.

Energy distance (E-divisive: Matteson and James, 2014). In one dimension it is 2∫(F - G)², here a sum over
thresholds. Whole weeks are shuffled, because neighbouring days resemble each other.
"""

from collections.abc import Iterator
from itertools import chain, repeat
from typing import Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
_Float = TypeVar("_Float", np.float32, np.float64)
FEWEST_DAYS: Final = 5  # on each side
SHUFFLES: Final = 999
_WEEK: Final = 7
_THRESHOLDS: Final = 32
_AT_FIRST: Final = (8, 24)  # shuffles
_AT_ONCE: Final = 96
_AS_GREAT: Final = 1 - 1e-5  # sums in another order differ in their last digits
_DATED: Final = 1.0  # how much smaller than on the best day the distance may be, relative to the spread


class Split(NamedTuple):
    """Days are places in the series; the new level begins at `at`, or between `earliest` and `latest`."""

    at: int
    earliest: int
    latest: int
    chance: float


def find_split(values: Array, first_weekday: int, level: float, seed: int) -> Split | None:
    """The best division, if chance shows as much with at most this probability. Missing days are NaN."""
    weeks = _Weeks.of(values, first_weekday)
    if weeks is None:
        return None
    found = weeks.distances(np.arange(len(weeks.days))[None])[0][first_weekday : first_weekday + len(values)]
    last = int(found.argmax())  # of the old level
    if found[last] <= 0:
        return None
    draw = np.random.default_rng(seed)
    chance = _chance(weeks, float(found[last]), level, draw)
    if chance is None:
        return None
    near = np.flatnonzero(found >= found[last] - _DATED * _spread(values, last + 1, first_weekday, draw))
    known = np.flatnonzero(~np.isnan(values))
    at, earliest, latest = (int(known[known > place][0]) for place in (last, near[0], near[-1]))
    return Split(at, earliest, latest, chance)


def _chance(weeks: "_Weeks", best: float, level: float, draw: np.random.Generator) -> float | None:
    """How often shuffled weeks show as great a distance; None as soon as that is too often."""
    most = int(level * (1 + SHUFFLES)) - 1
    done = as_great = 0
    for number in _numbers():
        as_great += int((_shuffled(weeks, number, draw) >= best * _AS_GREAT).sum())
        done += number
        if as_great > most:
            return None
    return (1 + as_great) / (1 + done)


def _numbers() -> Iterator[int]:
    """How many shuffles are made at once: few at first, as nearly all series show nothing."""
    left = SHUFFLES
    for number in chain(_AT_FIRST, repeat(_AT_ONCE)):
        yield min(number, left)
        left -= number
        if left <= 0:
            return


def _spread(values: Array, at: int, first_weekday: int, draw: np.random.Generator) -> float:
    """The distance that the days alone give, without the step between the two levels."""
    levels = np.where(np.arange(len(values)) < at, np.nanmedian(values[:at]), np.nanmedian(values[at:]))
    weeks = _Weeks.of(values - levels, first_weekday)
    return 0.0 if weeks is None else float(_shuffled(weeks, _AT_ONCE, draw).mean())


def _shuffled(weeks: "_Weeks", number: int, draw: np.random.Generator) -> Array:
    """The greatest distance in each of some orders of the weeks."""
    orders = draw.permuted(np.tile(np.arange(len(weeks.days)), (number, 1)), axis=1)
    greatest: Array = weeks.distances(orders).max(axis=1)
    return greatest


class _Weeks(NamedTuple):
    """A series in weeks from Monday to Sunday: sums within each week, up to and including each day."""

    days: Array  # how many days are known; week by day
    above: NDArray[np.float32]  # how far each threshold is from its share of them; week by day by threshold

    @classmethod
    def of(cls, values: Array, first_weekday: int) -> "_Weeks | None":
        known = ~np.isnan(values)
        number = int(known.sum())
        if number < 2 * FEWEST_DAYS:
            return None
        thresholds = np.unique(np.quantile(values[known], (np.arange(_THRESHOLDS) + 0.5) / _THRESHOLDS))
        if len(thresholds) < 2:  # noqa: PLR2004 - all days are alike
            return None
        is_below = (values[:, None] <= thresholds) & known[:, None]
        centred = is_below - known[:, None] * is_below.sum(axis=0) / number
        centred *= np.sqrt(np.gradient(thresholds))
        weeks = -(-(first_weekday + len(values)) // _WEEK)
        padding = (first_weekday, weeks * _WEEK - first_weekday - len(values))
        days = np.pad(known.astype(float), padding).reshape(weeks, _WEEK)
        above = np.pad(centred, (padding, (0, 0))).reshape(weeks, _WEEK, -1)
        return cls(days.cumsum(axis=1), above.cumsum(axis=1).astype(np.float32))

    def distances(self, orders: NDArray[np.int_]) -> Array:
        """Of a division after each day, for each order of the weeks; 0 if a side has too few days."""
        days = self.days[orders]
        before = (days + _sums_before(days[:, :, -1])[:, :, None]).reshape(len(orders), -1)
        above = self.above[orders]
        above += _sums_before(above[:, :, -1])[:, :, None]
        squares = np.einsum("owdt,owdt->owd", above, above).reshape(len(orders), -1)
        after = self.days[:, -1].sum() - before
        is_enough = (before >= FEWEST_DAYS) & (after >= FEWEST_DAYS)
        return np.where(is_enough, squares / np.where(is_enough, before * after, 1), 0.0)


def _sums_before(totals: NDArray[_Float]) -> NDArray[_Float]:
    """Of the weeks before each."""
    sums: NDArray[_Float] = totals.cumsum(axis=1) - totals
    return sums
