"""Samples of lengths, one per replicate: recorded runs, with stopped ones extended to their end."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from mergecast.forecasting.estimate.covariates import Flight
from mergecast.forecasting.estimate.growth import Growth
from mergecast.forecasting.estimate.growth_fit import ChooseGrowth
from mergecast.forecasting.estimate.lengths import ClassLengths, Lengths
from mergecast.forecasting.estimate.size_classes import SizeClass
from mergecast.forecasting.estimate.survival import Numbers, Survival
from mergecast.forecasting.history.seconds import HOUR

_FEW: Final = 20
_FAILING_DRAWS: Final = 256
_HANG: Final = 6 * HOUR  # without a timeout, a hanging run lasts until the CI system stops it


@dataclass(frozen=True)
class DrawnClass:
    """The donors of one class of sizes: lengths in seconds on a usual day, by start."""

    sizes: SizeClass
    starts: Numbers
    donors: Numbers
    failing: Numbers  # equally likely factors of the typical length
    typical: float


@dataclass(frozen=True)
class DrawnLengths:
    """The lengths of one replicate."""

    starts: Numbers  # instants at which level and donors change
    levels: Numbers  # factors
    classes: tuple[DrawnClass, ...]
    growth: Growth  # of sizes that were not recorded
    flight: Flight


def draw_lengths(lengths: Lengths, chance: np.random.Generator, choose: ChooseGrowth) -> DrawnLengths:
    """Recorded runs sampled with replacement; stopped runs are extended to their end.

    `choose` says how lengths grow where sizes were not recorded.
    """
    classes = tuple(_drawn_class(one, chance) for one in lengths.classes)
    return DrawnLengths(
        starts=lengths.starts,
        levels=np.exp(lengths.levels),
        classes=classes,
        growth=choose([(one.sizes, one.donors) for one in classes]),
        flight=lengths.flight.drawn(chance),
    )


def _drawn_class(lengths: ClassLengths, chance: np.random.Generator) -> DrawnClass:
    count = len(lengths.starts)
    picked = np.sort(chance.integers(0, count, count)) if count else np.zeros(0, dtype=np.int64)
    rests, uniform = lengths.rests[picked], chance.random(count)
    ends = np.where(lengths.is_complete[picked], rests, lengths.passing.beyond_limits(rests, uniform))
    ends = np.where(np.isinf(ends), _beyond(lengths, rests, uniform), ends)
    return DrawnClass(
        sizes=lengths.sizes,
        starts=lengths.starts[picked],
        donors=np.exp(ends),
        failing=_drawn_failing(lengths.failing, chance),
        typical=float(np.exp(lengths.typical)),
    )


def _drawn_failing(failing: Survival, chance: np.random.Generator) -> Numbers:
    if len(failing.values) < _FEW:
        return np.ones(1)
    drawn = failing.at(chance.random(_FAILING_DRAWS))
    return np.exp(np.where(np.isinf(drawn), failing.values.max(), drawn))


def _beyond(lengths: ClassLengths, limits: Numbers, uniform: Numbers) -> Numbers:
    """Lengths beyond every complete run: the tail of a log-normal distribution, or a run that hangs."""
    complete = lengths.rests[lengths.is_complete] - lengths.typical
    if not len(complete):
        return limits
    spread = max(float(np.std(complete)), 1e-3)
    # The tail of a normal distribution falls off like this beyond a limit far out.
    steep = np.maximum(limits - lengths.typical, spread) / spread**2
    tail = limits - np.log(np.maximum(1 - uniform, 1e-12)) / steep
    hangs = uniform < _hanging_share(lengths, complete, spread)
    return np.where(hangs, np.log(_HANG), tail)


def _hanging_share(lengths: ClassLengths, complete: Numbers, spread: float) -> float:
    """The share of timeouts that a normal tail does not explain."""
    timeouts = (lengths.rests - lengths.typical)[lengths.is_timeout]
    if not len(timeouts):
        return 0.0
    beyond = 0.5 * float(np.exp(-((max(float(np.median(timeouts)), 0.0) / spread) ** 2) / 2))
    seen = len(timeouts) / (len(complete) + len(timeouts))
    return max(0.0, 1 - beyond / seen)
