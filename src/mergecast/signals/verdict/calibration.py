"""What became of pull requests that people queued again unchanged, and chances that agree with it."""

from collections.abc import Sequence
from math import log
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

FEWEST_RETURNS: Final = 20
MOST_RETURNS: Final = 400
_MEANS: Final = np.array([0.0, 0.8, 0.3])
_PRECISIONS: Final = np.array([1.0, 10.0, 8.0])
_STEPS: Final = 25
_MOST_FAILURES: Final = 2
_EDGE: Final = 1e-3  # nothing is more certain than this


class Chance(NamedTuple):
    """How probable it seemed that it passes, and how many runs of others failed in the hour before."""

    passes: float
    failures: int

    def features(self) -> tuple[float, float, float]:
        passes = min(max(self.passes, _EDGE), 1 - _EDGE)
        return 1.0, log(passes / (1 - passes)), float(min(self.failures, _MOST_FAILURES))


class Return(NamedTuple):
    """A pull request that came back unchanged."""

    chance: Chance
    has_merged: bool


class Calibration(NamedTuple):
    """logit p' = a + c logit p + d failures; the most probable a, c and d."""

    returns: int
    merged: int
    coefficients: tuple[float, float, float]

    def __call__(self, chance: Chance) -> float:
        logit = sum(one * other for one, other in zip(self.coefficients, chance.features(), strict=True))
        return float(1 / (1 + np.exp(-logit)))

    @property
    def sentence(self) -> str:
        return f"Of {self.returns} that people queued again here, {self.merged} merged."


def calibrate(returns: Sequence[Return]) -> Calibration | None:
    """None while too few came back."""
    if len(returns) < FEWEST_RETURNS:
        return None
    features = np.array([one.chance.features() for one in returns])
    merged = np.array([float(one.has_merged) for one in returns])
    a, c, d = _most_probable(features, merged).tolist()
    return Calibration(len(returns), int(merged.sum()), (a, c, d))


def _most_probable(features: NDArray[np.float64], merged: NDArray[np.float64]) -> NDArray[np.float64]:
    """The maximum of the posterior, by Newton's method."""
    found = _MEANS.copy()
    for _ in range(_STEPS):
        chances = 1 / (1 + np.exp(-features @ found))
        gradient = features.T @ (merged - chances) - _PRECISIONS * (found - _MEANS)
        curvature = (features.T * (chances * (1 - chances))) @ features + np.diag(_PRECISIONS)
        step = _solved(curvature, gradient)
        found = found + step
        if np.abs(step).max() < 1e-10:  # noqa: PLR2004 - far below what anyone sees
            break
    return found


def _solved(matrix: NDArray[np.float64], result: NDArray[np.float64]) -> NDArray[np.float64]:
    """By Cramer's rule: the first call of `np.linalg` takes a tenth of a second."""
    first, second, third = matrix.T
    normal = np.cross(second, third)
    parts = (normal @ result, np.cross(result, third) @ first, np.cross(second, result) @ first)
    return np.asarray(np.array(parts) / (normal @ first), float)
