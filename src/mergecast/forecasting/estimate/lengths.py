"""How long CI takes: lengths of passing and failing runs, where stopped runs are lower bounds.

Lengths drift: incidents, time of day, growing test suites. So a passing run is as long as a recorded one
that started near it, its donor, and a failing run is a sampled fraction of what passing runs take then.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mergecast.forecasting.estimate.run_table import Ending, RunTable
from mergecast.forecasting.estimate.survival import Flags, Numbers, Survival, survival
from mergecast.forecasting.history.seconds import HOUR, MINUTE, WEEK

DONORS: Final = 30
_LEVEL_WINDOW: Final = 41
_CLEAR: Final = 3.0  # t-value from which an effect counts
_FEW: Final = 20
_LAST_WEEKS: Final = 4
_VARIES: Final = 0.05
_INSEPARABLE: Final = 1e6
_HANG: Final = 6 * HOUR  # without a timeout, a hanging run lasts until the CI system stops it


@dataclass(frozen=True)
class Effect:
    """The change of log length per unit of a covariate, from its mean; zero unless significant."""

    slope: float = 0.0
    error: float = 0.0
    mean: float = 0.0

    def of(self, values: NDArray[np.int64]) -> Numbers:
        return self.slope * (values.astype(np.float64) - self.mean)


@dataclass(frozen=True)
class Lengths:
    """Log lengths in seconds, without the effects of batch size and of concurrent runs."""

    starts: Numbers  # of every run of the passing class, complete or cut short
    logs: Numbers
    is_complete: Flags
    is_timeout: Flags
    levels: Numbers  # the local median of passing runs, at each of `starts`
    passing: Survival  # of logs minus levels
    failing: Survival
    batch: Effect
    flight: Effect
    typical: float


def fit_lengths(table: RunTable, broken_share: Numbers, rows: NDArray[np.int64]) -> Lengths:
    """The lengths of these runs; `broken_share` is the chance that the tree of each run was broken."""
    starts, logs = table.starts[rows], np.log(table.lengths[rows])
    endings = table.endings[rows]
    passed = endings == Ending.PASSED
    batch, flight = _effects(starts, logs, table, rows, passed)
    logs = logs - batch.of(table.sizes[rows]) - flight.of(table.in_flight[rows])
    typical = float(np.median(logs[passed])) if passed.any() else float(np.log(10 * MINUTE))
    level_of = _local_levels(starts[passed], logs[passed], typical)
    levels = (
        level_of[np.searchsorted(starts[passed], starts)] if passed.any() else np.full(len(rows), typical)
    )
    likely_broken = broken_share[rows] > 0.5  # noqa: PLR2004 - more likely than not
    failed = endings == Ending.FAILED
    cut = (endings == Ending.STOPPED) | (endings == Ending.CANCELLED)
    of_failing = failed | (cut & likely_broken)
    of_passing = passed | (endings == Ending.TIMED_OUT) | (cut & ~likely_broken)
    rest = logs - levels
    return Lengths(
        starts=starts[of_passing],
        logs=logs[of_passing],
        is_complete=passed[of_passing],
        is_timeout=(endings == Ending.TIMED_OUT)[of_passing],
        levels=levels[of_passing],
        passing=survival(rest[of_passing], passed[of_passing]),
        failing=survival(rest[of_failing], failed[of_failing]),
        batch=batch,
        flight=flight,
        typical=typical,
    )


def _local_levels(starts: Numbers, logs: Numbers, typical: float) -> Numbers:
    """The median of the runs around each passing run, and one more at the end for later times."""
    if len(starts) < _LEVEL_WINDOW:
        return np.full(len(starts) + 1, typical)
    windows = np.lib.stride_tricks.sliding_window_view(logs, _LEVEL_WINDOW)
    middle = np.median(windows, axis=1)
    margin = _LEVEL_WINDOW // 2
    padded: Numbers = np.concatenate((np.full(margin, middle[0]), middle, np.full(margin + 1, middle[-1])))
    return padded


def _effects(
    starts: Numbers, logs: Numbers, table: RunTable, rows: NDArray[np.int64], passed: Flags
) -> tuple[Effect, Effect]:
    """Regression of passing runs within weeks, so that drift is not mistaken for an effect."""
    columns = np.column_stack((table.sizes[rows], table.in_flight[rows])).astype(np.float64)[passed]
    effects = [Effect(), Effect()]
    if len(columns) < _FEW:
        return effects[0], effects[1]
    _, week = np.unique((starts[passed] // WEEK).astype(np.int64), return_inverse=True)
    within = np.column_stack([_less_weekly_mean(column, week) for column in columns.T])
    varying = np.flatnonzero(within.std(axis=0) > _VARIES)
    slopes, errors = _regression(within[:, varying], _less_weekly_mean(logs[passed], week))
    for place, slope, error in zip(varying, slopes, errors, strict=False):
        if abs(slope) > _CLEAR * error:
            effects[place] = Effect(float(slope), float(error), float(columns[:, place].mean()))
    return effects[0], effects[1]


def _less_weekly_mean(values: Numbers, week: NDArray[np.int64]) -> Numbers:
    means: Numbers = np.bincount(week, values) / np.bincount(week)
    return values - means[week]


def _regression(columns: Numbers, target: Numbers) -> tuple[Numbers, Numbers]:
    """Slopes and their standard errors; no slopes if the columns are collinear."""
    square = columns.T @ columns
    if not len(square) or np.linalg.cond(square) > _INSEPARABLE:
        return np.zeros(0), np.zeros(0)
    slopes: Numbers = np.linalg.solve(square, columns.T @ target).astype(np.float64)
    spread = float(np.sum((target - columns @ slopes) ** 2)) / max(1, len(target) - len(slopes))
    return slopes, np.sqrt(np.diag(np.linalg.inv(square)) * spread)


@dataclass(frozen=True)
class DrawnLengths:
    """The lengths of one replicate, in seconds for a batch of average size."""

    starts: list[float]
    origins: list[float]  # when each donor was recorded: at its start, or weeks before it
    donors: list[float]
    levels: list[float]  # the local median at each of `starts`
    failing: list[float]  # equally likely factors of the local median
    batch: Effect
    flight: Effect


def draw_lengths(lengths: Lengths, chance: np.random.Generator) -> DrawnLengths:
    """Recorded runs sampled with replacement; stopped runs are extended to their end."""
    count = len(lengths.starts)
    picked = np.sort(chance.integers(0, count, count)) if count else np.zeros(0, dtype=np.int64)
    rest = lengths.logs[picked] - lengths.levels[picked]
    uniform = chance.random(count)
    complete = lengths.is_complete[picked]
    ends = np.where(complete, rest, lengths.passing.beyond_limits(rest, uniform))
    ends = np.where(np.isinf(ends), _beyond(lengths, rest, uniform), ends)
    failing = lengths.failing.at(chance.random(512)) if len(lengths.failing.values) >= _FEW else np.zeros(1)
    failing = np.where(np.isinf(failing), lengths.failing.values.max(initial=0.0), failing)
    return DrawnLengths(
        starts=(starts := lengths.starts[picked].tolist()),
        origins=starts,
        donors=np.exp(lengths.levels[picked] + ends).tolist(),
        levels=np.exp(lengths.levels[picked]).tolist(),
        failing=np.exp(failing).tolist(),
        batch=_drawn(lengths.batch, chance),
        flight=_drawn(lengths.flight, chance),
    )


def continued(
    drawn: DrawnLengths, known_until: float, end: float, chance: np.random.Generator
) -> DrawnLengths:
    """The same lengths up to a later end: each additional week is like one of the last known weeks."""
    starts, donors, levels = np.array(drawn.starts), np.array(drawn.donors), np.array(drawn.levels)
    weeks = int(min(_LAST_WEEKS, max(1.0, (known_until - starts[0]) // WEEK))) if len(starts) else 0
    places = [np.arange(len(starts))]
    moved = [starts]
    for ahead in range(int((end - known_until) // WEEK) + 1 if weeks else 0):
        since = known_until - WEEK * (1 + int(chance.integers(weeks)))
        found = np.flatnonzero((starts >= since) & (starts < since + WEEK))
        places.append(found)
        moved.append(starts[found] + known_until + ahead * WEEK - since)
    order = np.concatenate(places)
    return replace(
        drawn,
        starts=np.concatenate(moved).tolist(),
        origins=starts[order].tolist(),
        donors=donors[order].tolist(),
        levels=levels[order].tolist(),
    )


def _drawn(effect: Effect, chance: np.random.Generator) -> Effect:
    return Effect(effect.slope + effect.error * float(chance.standard_normal()), 0.0, effect.mean)


def _beyond(lengths: Lengths, limits: Numbers, uniform: Numbers) -> Numbers:
    """Lengths beyond every complete run: the tail of a log-normal distribution, or a run that hangs."""
    complete = (lengths.logs - lengths.levels)[lengths.is_complete]
    if not len(complete):
        return limits
    spread = max(float(np.std(complete)), 1e-3)
    # The tail of a normal distribution falls off like this beyond a limit far out.
    steep = np.maximum(limits, spread) / spread**2
    tail = limits - np.log(np.maximum(1 - uniform, 1e-12)) / steep
    hangs = uniform < _hanging_share(lengths, complete, spread)
    return np.where(hangs, np.log(_HANG) - lengths.typical, tail)


def _hanging_share(lengths: Lengths, complete: Numbers, spread: float) -> float:
    """The share of timeouts that a normal tail does not explain."""
    timeouts = (lengths.logs - lengths.levels)[lengths.is_timeout]
    if not len(timeouts):
        return 0.0
    beyond = 0.5 * float(np.exp(-((max(float(np.median(timeouts)), 0.0) / spread) ** 2) / 2))
    seen = len(timeouts) / (len(complete) + len(timeouts))
    return max(0.0, 1 - beyond / seen)
