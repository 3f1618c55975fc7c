"""A value and its range from replicates."""

from collections.abc import Sequence
from math import exp, isfinite, log, sqrt
from statistics import mean, variance
from typing import Final, NamedTuple

from mergecast.forecast.figures import Figures

# What remains uncertain however many replicates there are, as a share of the value.
_FLOORS: Final = Figures(0.01, 0.02, 0.02, 0.01, 0.01, 0.01, 0.01)
_LEAST: Final = 1e-9
# The 95th percentile of Student's distribution, by degrees of freedom.
_STUDENT: Final = {
    1: 6.314,
    2: 2.920,
    3: 2.353,
    4: 2.132,
    5: 2.015,
    7: 1.895,
    9: 1.833,
    14: 1.761,
    19: 1.729,
    29: 1.699,
    99: 1.660,
}


class Ranged(NamedTuple):
    """A value with its 90 % interval."""

    value: float
    low: float
    high: float


def ranged(replicates: Sequence[Figures]) -> dict[str, Ranged]:
    """Each figure over all replicates, by the mean of logarithms."""
    return {
        name: _ranged([getattr(figures, name) for figures in replicates], getattr(_FLOORS, name))
        for name in Figures._fields
    }


def paired(baseline: Sequence[Figures], candidate: Sequence[Figures]) -> dict[str, Ranged]:
    """The relative difference of each figure, replicate by replicate: 0.1 is 10 % more than the baseline."""
    found = {}
    for name in Figures._fields:
        ratios = [
            getattr(after, name) / max(getattr(before, name), _LEAST)
            for before, after in zip(baseline, candidate, strict=True)
        ]
        range_of_ratio = _ranged(ratios, 0.0)
        found[name] = Ranged(*(bound - 1 for bound in range_of_ratio))
    return found


def _ranged(values: Sequence[float], floor: float) -> Ranged:
    logs = [log(max(value, _LEAST)) for value in values if isfinite(value)]
    if not logs:
        return Ranged(float("nan"), float("nan"), float("nan"))
    middle = mean(logs)
    spread = variance(logs) if len(logs) > 1 else 0.0
    reach = _student(len(logs) - 1) * sqrt(spread * (1 + 1 / len(logs)) + floor**2)
    return Ranged(exp(middle), exp(middle - reach), exp(middle + reach))


def _student(freedom: int) -> float:
    return next((value for least, value in reversed(_STUDENT.items()) if freedom >= least), 6.314)
