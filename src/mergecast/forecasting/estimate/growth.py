"""How lengths grow with the batch beyond the sizes that were recorded.

Two forms fit what is known of real queues. A batch takes as long as its slowest member: the lengths of k
members are distributed as the largest of k ** exponent single ones. Or each further member adds the same
time. Which of them holds, and how strongly, is drawn by how well it explains the recorded sizes.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from mergecast.forecasting.estimate.size_classes import SizeClass
from mergecast.forecasting.estimate.survival import Numbers

_EXPONENTS: Final = np.linspace(0.0, 1.2, 49)
_SHARES: Final = np.concatenate((np.linspace(0.0, 0.1, 41), np.linspace(0.11, 0.6, 50)))
_QUANTILES: Final = (np.arange(128) + 0.5) / 128
# What is assumed if only one size was recorded: how often each form, and how strong it is at most.
_SLOWEST_SHARE: Final = 0.25
_LINEAR_SHARE: Final = 0.25
_MOST_EXPONENT: Final = 1.0
_MOST_SHARE: Final = 0.1


class Growth(NamedTuple):
    """One form; the strength of the other is 0."""

    exponent: float  # of the number of members
    share: float  # of the length of a single one that each further member adds

    def donors(self, known: Numbers, recorded: float, size: int) -> Numbers:
        """Equally likely lengths of batches of a size, from the sorted ones of a recorded size."""
        factor = (1 + self.share * (size - 1)) / (1 + self.share * (recorded - 1))
        places = _QUANTILES ** ((recorded / size) ** self.exponent) * len(known)
        grown: Numbers = known[places.astype(np.int64)] * factor
        return grown


def draw_growth(classes: Sequence[tuple[SizeClass, Numbers]], chance: np.random.Generator) -> Growth:
    """A form and its strength, from the donors of the classes of one replicate, which are a sample."""
    known = [(one.mean, np.log(donors)) for one, donors in classes if len(donors)]
    if len(known) < 2:  # noqa: PLR2004 - a single size shows no growth
        return _assumed(chance)
    exponent, misfit = _best(_EXPONENTS, _slowest(known, _EXPONENTS), known)
    share, linear_misfit = _best(_SHARES, _linear(known, _SHARES), known)
    # Two classes determine one number, so both forms may fit equally well.
    if chance.random() < 1 / (1 + np.exp(np.clip((misfit - linear_misfit) / 2, -50, 50))):
        return Growth(exponent, 0.0)
    return Growth(0.0, share)


def _assumed(chance: np.random.Generator) -> Growth:
    form, strength = float(chance.random()), float(chance.random())
    if form < _SLOWEST_SHARE:
        return Growth(strength * _MOST_EXPONENT, 0.0)
    return Growth(0.0, strength * _MOST_SHARE if form < _SLOWEST_SHARE + _LINEAR_SHARE else 0.0)


_Known = Sequence[tuple[float, Numbers]]  # the mean size and the log lengths of each class


def _best(strengths: Numbers, expected: Numbers, known: _Known) -> tuple[float, float]:
    """The strength that explains the means of all classes best, and the squares that remain."""
    means = np.array([logs.mean() for _, logs in known])
    errors = np.array([max(float(logs.var()), 1e-4) / len(logs) for _, logs in known])
    misfits = np.sum((expected - means) ** 2 / errors, axis=1)
    best = int(np.argmin(misfits))
    return float(strengths[best]), float(misfits[best])


def _slowest(known: _Known, exponents: Numbers) -> Numbers:
    """The mean log length of each class for each exponent, from the lengths of the smallest size."""
    smallest, logs = known[0]
    ordered = np.sort(logs)
    shares = np.arange(len(ordered) + 1) / len(ordered)
    tests = np.array([size / smallest for size, _ in known])[None, :] ** exponents[:, None]
    weights = np.diff(shares[None, None, :] ** tests[:, :, None], axis=2)
    found: Numbers = weights @ ordered
    return found


def _linear(known: _Known, shares: Numbers) -> Numbers:
    smallest, logs = known[0]
    sizes = np.array([size for size, _ in known])
    grown = 1 + shares[:, None] * (sizes - 1)
    found: Numbers = logs.mean() + np.log(grown / (1 + shares[:, None] * (smallest - 1)))
    return found
