"""How long CI takes: lengths of passing and failing runs, where stopped runs are lower bounds.

Lengths drift: incidents, time of day, growing test suites. They also depend on the batch: it may take as
long as its slowest member. So a passing run is as long as a recorded one of about its size that started near
it, its donor, and a failing run is a sampled fraction of what passing runs take then.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mergecast.forecasting.estimate.covariates import Flight, fit_flight, less_group_means
from mergecast.forecasting.estimate.run_table import Ending, RunTable
from mergecast.forecasting.estimate.size_classes import SizeClass, size_classes
from mergecast.forecasting.estimate.survival import Flags, Numbers, Survival, survival
from mergecast.forecasting.history.seconds import MINUTE

_LEVEL_WINDOW: Final = 41
_ENOUGH_FAILED: Final = 30


@dataclass(frozen=True)
class ClassLengths:
    """Runs of about one batch size. Log lengths in seconds, without the level of their time."""

    sizes: SizeClass
    starts: Numbers  # of every run of the passing class, complete or cut short
    rests: Numbers
    is_complete: Flags
    is_timeout: Flags
    passing: Survival
    failing: Survival  # less the typical length of passing runs; of this size, and of others if these are few
    typical: float


@dataclass(frozen=True)
class Lengths:
    """Lengths by size; the effect of concurrent runs and the level of each time are kept apart."""

    starts: Numbers  # of all runs
    levels: Numbers  # by how much passing runs around each of `starts` are longer than usual, as a logarithm
    rests: Numbers  # of all runs: log lengths without level, size and concurrent runs
    classes: tuple[ClassLengths, ...]  # by size
    passing: Survival  # of rests
    failing: Survival
    flight: Flight


def fit_lengths(table: RunTable, broken_share: Numbers, rows: NDArray[np.int64]) -> Lengths:
    """The lengths of these runs; `broken_share` is the chance that the tree of each run was broken."""
    starts, sizes, endings = table.starts[rows], table.sizes[rows], table.endings[rows]
    passed = endings == Ending.PASSED
    classes = size_classes(sizes[passed])
    class_of = np.searchsorted([one.largest for one in classes[:-1]], sizes)
    logs = np.log(table.lengths[rows])
    flight = fit_flight(table, rows, class_of, passed)
    logs = logs - flight.of(table.in_flight[rows])
    levels = _levels(starts, less_group_means(logs, class_of, passed), passed)
    rests = logs - levels
    likely_broken = broken_share[rows] > 0.5  # noqa: PLR2004 - more likely than not
    failed = endings == Ending.FAILED
    cut = (endings == Ending.STOPPED) | (endings == Ending.CANCELLED)
    of_failing = failed | (cut & likely_broken)
    of_passing = passed | (endings == Ending.TIMED_OUT) | (cut & ~likely_broken)
    typical = [_typical(rests[passed & (class_of == number)]) for number in range(len(classes))]
    relative = rests - np.array(typical)[class_of]
    found = []
    for number, one in enumerate(classes):
        mine = of_passing & (class_of == number)
        near = of_failing & _near_in_size(class_of, number, failed)
        found.append(
            ClassLengths(
                sizes=one,
                starts=starts[mine],
                rests=rests[mine],
                is_complete=passed[mine],
                is_timeout=(endings == Ending.TIMED_OUT)[mine],
                passing=survival(rests[mine], passed[mine]),
                failing=survival(relative[near], failed[near]),
                typical=typical[number],
            )
        )
    return Lengths(
        starts=starts,
        levels=levels,
        rests=relative,
        classes=tuple(found),
        passing=survival(relative[of_passing], passed[of_passing]),
        failing=survival(relative[of_failing], failed[of_failing]),
        flight=flight,
    )


def _near_in_size(class_of: NDArray[np.int64], number: int, failed: Flags) -> Flags:
    """The runs of this class, and of so many classes next to it that enough of them failed."""
    distance = np.abs(class_of - number)
    for reach in range(int(distance.max(initial=0))):
        if np.sum(failed & (distance <= reach)) >= _ENOUGH_FAILED:
            return distance <= reach
    return np.ones(len(class_of), dtype=np.bool_)


def _typical(rests: Numbers) -> float:
    return float(np.median(rests)) if len(rests) else float(np.log(10 * MINUTE))


def _levels(starts: Numbers, rests: Numbers, passed: Flags) -> Numbers:
    """The mean of the passing runs around each run, as far as it differs from the others by more than chance.

    The median would jump where lengths have two peaks.
    """
    known = rests[passed]
    if len(known) < 2 * _LEVEL_WINDOW:
        return np.zeros(len(starts))
    added_up = np.concatenate(([0.0], np.cumsum(known)))
    middle = (added_up[_LEVEL_WINDOW:] - added_up[:-_LEVEL_WINDOW]) / _LEVEL_WINDOW
    places = np.searchsorted(starts[passed], starts) - _LEVEL_WINDOW // 2
    moving = middle[np.clip(places, 0, len(middle) - 1)]
    by_chance = float(np.var(known)) / _LEVEL_WINDOW
    spread = float(np.var(middle))
    return moving * (max(0.0, spread - by_chance) / spread if spread else 0.0)
