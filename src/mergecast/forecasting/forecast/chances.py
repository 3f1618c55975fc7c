"""Whether past pull requests merged as often as their chances said, and what corrects the chances."""

from collections.abc import Iterable, Iterator, Sequence
from math import exp, log
from statistics import fmean, variance
from typing import Final, NamedTuple

import numpy as np

from mergecast.forecasting.forecast.answer import ChanceBin

_BINS: Final = 10
_STEPS: Final = 200
# How sure it is of the usual `Odds` before any case is seen: their precisions.
_PRECISIONS: Final = (4.0, 20.0, 2.0, 2.0)


class ChanceCase(NamedTuple):
    """One pull request: the chance that it had at an instant, and whether it merged."""

    chance: float
    is_merged: bool
    has_failed: bool  # a run of its stay had failed by then
    has_returned: bool = False  # only runs of the same commit in an earlier stay had


def evened(chances: Sequence[float], replays: int) -> list[float]:
    """Chances of pull requests of one kind, each the share of so many replays in which it merged.

    Few replays give different shares to pull requests with the same chance. The larger that part of their
    variance is, the nearer to their mean they are moved (empirical Bayes).
    """
    if len(chances) < 2:  # noqa: PLR2004 - nothing to compare with
        return list(chances)
    middle, spread = fmean(chances), variance(chances)
    by_chance = fmean(chance * (1 - chance) for chance in chances) / replays
    kept = max(0.0, 1 - by_chance / spread) if spread else 0.0
    return [middle + kept * (chance - middle) for chance in chances]


class Odds(NamedTuple):
    """A correction of the logarithm of the odds.

    Those that have failed have shifts of their own: they are few, and corrected like the others they would be
    wrong.
    """

    shift: float = 0.0
    slope: float = 1.0
    if_failed: float = 0.0
    if_returned: float = 1.0  # people seldom queue again what they know to be broken

    def corrected(self, chance: float, *, has_failed: bool = False, has_returned: bool = False) -> float:
        terms = (1.0, _log_odds(chance), has_failed, has_returned)
        return 1 / (1 + exp(-sum(factor * term for factor, term in zip(self, terms, strict=True))))


def _log_odds(chance: float) -> float:
    return log(chance / (1 - chance))


def odds_of(instants: Iterable[Sequence[ChanceCase]]) -> Odds:
    """What makes the cases most probable; less, if they are few.

    Pull requests that are in a queue at the same time share their luck, so those of one instant count less.
    """
    cases = [(case, len(instant) ** -0.5) for instant in instants for case in instant]
    columns = np.array(
        [(1.0, _log_odds(case.chance), case.has_failed, case.has_returned) for case, _ in cases]
    ).reshape(-1, len(_PRECISIONS))
    merged = np.array([case.is_merged for case, _ in cases], dtype=np.float64)
    weights = np.array([weight for _, weight in cases])
    prior, precisions = np.array(Odds()), np.array(_PRECISIONS)
    # Newton's method would overshoot: the curvature is at most this, and with it each step is an improvement.
    curvature = (columns.T * (weights / 4)) @ columns + np.diag(precisions)
    found = prior
    for _ in range(_STEPS):
        expected = 1 / (1 + np.exp(-columns @ found))
        slope = columns.T @ (weights * (merged - expected)) - precisions * (found - prior)
        found = found + np.linalg.solve(curvature, slope)
    return Odds(*found.tolist())


def bins_of(cases: Iterable[ChanceCase]) -> Iterator[ChanceBin]:
    """Cases with about the same chance together, the lowest first."""
    groups: list[list[ChanceCase]] = [[] for _ in range(_BINS)]
    for case in cases:
        groups[min(int(case.chance * _BINS), _BINS - 1)].append(case)
    for group in filter(None, groups):
        predicted, merged = sum(case.chance for case in group), sum(case.is_merged for case in group)
        yield ChanceBin(predicted / len(group), merged / len(group), len(group))
