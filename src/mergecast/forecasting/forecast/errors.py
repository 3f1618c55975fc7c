"""Errors of forecasts: of one, and what is typical of several."""

from collections.abc import Sequence
from math import expm1, isfinite, log, sqrt
from statistics import mean, stdev
from typing import NamedTuple

from mergecast.forecasting.forecast.figures import Figures, Ranged, student

_NAN = float("nan")


class Errors(NamedTuple):
    """Relative errors: 0.1 means 10 % too high, NaN that there was nothing to compare."""

    p50: float
    p95: float
    runs_per_merge: float


class TypicalErrors(NamedTuple):
    """How far off several forecasts were, in either direction, each with the 90 % interval of that mean."""

    p50: Ranged
    p95: Ranged
    runs_per_merge: Ranged


def errors(found: Figures, true: Figures) -> Errors:
    return Errors(*(getattr(found, name) / getattr(true, name) - 1 for name in Errors._fields))


def typical(several: Sequence[Errors]) -> TypicalErrors:
    return TypicalErrors(*(typical_error([getattr(one, name) for one in several]) for name in Errors._fields))


def typical_error(relative: Sequence[float]) -> Ranged:
    """The mean absolute error, by logarithms, so that twice and half as much are equally wrong."""
    logs = [abs(log(1 + error)) for error in relative if isfinite(error) and error > -1]
    if not logs:
        return Ranged(_NAN, _NAN, _NAN)
    middle = mean(logs)
    if len(logs) == 1:
        return Ranged(expm1(middle), _NAN, _NAN)
    reach = student(len(logs) - 1) * stdev(logs) / sqrt(len(logs))
    return Ranged(expm1(middle), expm1(max(0.0, middle - reach)), expm1(middle + reach))
