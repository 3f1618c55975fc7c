"""Which form of growth holds, and how strongly: drawn by how well it explains the recorded sizes.

If only one size was recorded, nothing tells the forms apart, and what is drawn is what queues do in general.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np

from mergecast.forecasting.estimate.growth import CappedSum, Growth, Linear, Slowest, added_up, quantiles
from mergecast.forecasting.estimate.size_classes import SizeClass
from mergecast.forecasting.estimate.survival import Numbers

_EXPONENTS: Final = np.linspace(0.05, 1.2, 24)
_SHARES: Final = np.geomspace(0.01, 0.6, 32)
_CAPS: Final = np.geomspace(1.25, 6.0, 32)  # of the median of the smallest size
# Lengths that add up without end are only the worst case, and only if several recorded sizes agree with it.
_UNCAPPED: Final = np.append(_CAPS, np.inf)
# How often each form is true before anything is recorded; the first is that size does not matter.
_PRIOR: Final = (0.35, 0.2, 0.2, 0.25)
# No form is exactly true: errors of the mean and of the spread, on a logarithmic scale, that say nothing.
_TOLERANCES: Final = (0.02, 0.08)
_LEAST_SPREAD: Final = 1e-2
_FAR: Final = 8
_PLAUSIBLE: Final = 8.0  # the misfit, above that of the best, up to which a form is not excluded


class _Recorded(NamedTuple):
    """The classes of sizes, the smallest first."""

    sizes: Numbers
    smallest: Numbers  # quantiles of the lengths of the smallest size
    means: Numbers  # of log lengths
    spreads: Numbers
    counts: Numbers


class _Moments(NamedTuple):
    """The mean and the spread of log lengths that a form expects, by strength and class."""

    means: Numbers
    spreads: Numbers


class _Hypotheses(NamedTuple):
    """Every form in all its strengths."""

    growths: list[Growth]
    priors: Numbers
    misfits: Numbers  # above that of the best


# The classes of one replicate, which are a sample, with their lengths.
Classes = Sequence[tuple[SizeClass, Numbers]]
ChooseGrowth = Callable[[Classes], Growth]


def no_growth(_: Classes) -> Growth:
    """A batch takes as long as one of the nearest recorded size."""
    return Linear(0.0)


def draw_growth(classes: Classes, uniform: float) -> Growth:
    """The form at this place among all forms and strengths, each as wide as it is likely."""
    known = _known(classes)
    if not known:
        return Linear(0.0)
    growths, priors, misfits = _hypotheses(_recorded(known), _CAPS)
    likely = priors * np.exp(-misfits / 2)
    place = int(np.searchsorted(np.cumsum(likely), uniform * likely.sum()))
    return growths[min(place, len(growths) - 1)]


def steepest_growth(classes: Classes) -> Growth:
    """The form that makes batches far beyond the largest recorded size longest, of those not excluded."""
    known = _known(classes)
    if not known:
        return Linear(0.0)
    caps = _CAPS if len(known) == 1 else _UNCAPPED
    growths, _, misfits = _hypotheses(_recorded(known), caps)
    size, lengths = known[-1]
    ordered = np.sort(lengths)
    plausible = [growth for growth, misfit in zip(growths, misfits, strict=True) if misfit <= _PLAUSIBLE]
    return max(plausible, key=lambda growth: float(growth.donors(ordered, size, _FAR * size).mean()))


def _known(classes: Classes) -> list[tuple[float, Numbers]]:
    return [(one.mean, donors) for one, donors in classes if len(donors)]


def _hypotheses(recorded: _Recorded, caps: Numbers) -> _Hypotheses:
    """The caps are factors of the median of the smallest size."""
    forms = _forms(recorded, caps * float(np.median(recorded.smallest)))
    misfits = np.concatenate([_misfits(expected, recorded) for _, expected in forms])
    priors = [
        np.full(len(of_form), share / len(of_form)) for share, (of_form, _) in zip(_PRIOR, forms, strict=True)
    ]
    growths = [growth for of_form, _ in forms for growth in of_form]
    return _Hypotheses(growths, np.concatenate(priors), misfits - misfits.min())


def _recorded(known: Sequence[tuple[float, Numbers]]) -> _Recorded:
    logs = [np.log(donors) for _, donors in known]
    return _Recorded(
        sizes=np.array([size for size, _ in known]),
        smallest=quantiles(np.sort(known[0][1])),
        means=np.array([one.mean() for one in logs]),
        spreads=np.array([one.std() for one in logs]),
        counts=np.array([len(one) for one in logs], dtype=np.float64),
    )


def _forms(recorded: _Recorded, caps: Numbers) -> list[tuple[Sequence[Growth], _Moments]]:
    """Each form in all its strengths, with what it expects of the recorded classes."""
    return [
        ([Linear(0.0)], _linear(recorded, np.zeros(1))),
        ([Linear(share) for share in _SHARES.tolist()], _linear(recorded, _SHARES)),
        ([Slowest(exponent) for exponent in _EXPONENTS.tolist()], _slowest(recorded, _EXPONENTS)),
        ([CappedSum(cap) for cap in caps.tolist()], _capped_sum(recorded, caps)),
    ]


def _linear(recorded: _Recorded, shares: Numbers) -> _Moments:
    grown = np.log1p(shares[:, None] * (recorded.sizes - 1))
    logs = np.log(recorded.smallest)
    means = logs.mean() + grown - grown[:, :1]
    return _Moments(means, np.full(means.shape, logs.std()))


def _slowest(recorded: _Recorded, exponents: Numbers) -> _Moments:
    count = len(recorded.smallest)
    shares = (np.arange(count) + 0.5) / count
    tests = (recorded.sizes[0] / recorded.sizes)[None, :, None] ** exponents[:, None, None]
    places = (shares[None, None, :] ** tests * count).astype(np.int64)
    return _moments(np.log(recorded.smallest)[places])


def _capped_sum(recorded: _Recorded, caps: Numbers) -> _Moments:
    sums = np.stack([added_up(recorded.smallest, size / recorded.sizes[0]) for size in recorded.sizes])
    return _moments(np.log(np.minimum(sums[None, :, :], caps[:, None, None])))


def _moments(logs: Numbers) -> _Moments:
    return _Moments(logs.mean(axis=2), logs.std(axis=2))


def _misfits(expected: _Moments, recorded: _Recorded) -> Numbers:
    """For each strength, the squared errors of all classes, in units of what chance and tolerance explain."""
    variances = np.maximum(recorded.spreads, _LEAST_SPREAD) ** 2 / recorded.counts
    of_mean, of_spread = _TOLERANCES
    off = (expected.means - recorded.means) ** 2 / (variances + of_mean**2)
    wide = (expected.spreads - recorded.spreads) ** 2 / (variances / 2 + of_spread**2)
    found: Numbers = np.sum(off + wide, axis=1)
    return found
