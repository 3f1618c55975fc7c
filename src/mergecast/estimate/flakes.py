"""Flakes come in waves: how much more, or less, often than usual runs flaked around each time."""

from typing import Final

import numpy as np

from mergecast.estimate.breakage import Breakage
from mergecast.estimate.run_table import Ending, RunTable
from mergecast.estimate.survival import Numbers

_WEEK: Final = 604_800.0
_LEAST_DUE: Final = 0.5  # flakes; weeks with hardly any run tell nothing
_NEAR: Final = 120  # runs around a time that tell about it
_PRIOR: Final = 1.5  # how many expected flakes the average weighs against theirs
_CLEAR: Final = 4.0  # standard deviations from which waves count


def flake_waves(runs: RunTable, draws: list[Breakage]) -> tuple[Numbers, Numbers]:
    """Times, and the factor of the usual flake rate that holds from each on; 1 where there are no waves."""
    rows = np.flatnonzero((runs.attempts == 1) & np.isin(runs.endings, (Ending.PASSED, Ending.FAILED)))
    tainted = np.mean([[not d.broken.isdisjoint(runs.trees[row]) for row in rows] for d in draws], axis=0)
    good = 1 - tainted if len(rows) else np.zeros(0)
    flaked = good * (runs.endings[rows] == Ending.FAILED)
    rate = float(flaked.sum()) / max(float(good.sum()), 1.0)
    if not rate or not _come_in_waves(runs.starts[rows], good * rate, flaked):
        return np.zeros(1), np.ones(1)
    near = np.ones(min(_NEAR, len(rows)))
    expected = np.convolve(good * rate, near, mode="same")
    seen = np.convolve(flaked, near, mode="same")
    return runs.starts[rows], (seen + _PRIOR) / (expected + _PRIOR)


def _come_in_waves(starts: Numbers, expected: Numbers, flaked: Numbers) -> bool:
    """Whether the numbers of flakes differ more between weeks than by chance."""
    weeks = ((starts - starts[0]) // _WEEK).astype(np.int64)
    due, seen = np.bincount(weeks, expected), np.bincount(weeks, flaked)
    due, seen = due[due > _LEAST_DUE], seen[due > _LEAST_DUE]
    surplus = float(np.sum((seen - due) ** 2 / due)) - len(due)
    return surplus > _CLEAR * float(np.sqrt(2 * len(due) + np.sum(1 / due)))
