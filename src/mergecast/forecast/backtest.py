"""How far forecasts were off on this very history."""

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite
from typing import Final, NamedTuple

from mergecast.estimate.estimate import estimate
from mergecast.forecast.figures import Figures, recorded_figures
from mergecast.forecast.intervals import ranged
from mergecast.forecast.playing import Setting, play
from mergecast.history.inference import TrainRules
from mergecast.history.lines import Line
from mergecast.history.structure import History

_FITTED_SHARE: Final = 0.7
_REPLICATES: Final = 8
_WARM_UP: Final = 86_400.0
_GOOD: Final = (0.1, 0.2)
_FAIR: Final = (0.2, 0.4)


class Errors(NamedTuple):
    """Relative errors; 0.1 says 10 % too high, not a number that there was nothing to compare."""

    p50: float
    p95: float
    runs_per_merge: float


class Trust(NamedTuple):
    """How far three ways of guessing were off."""

    mechanics: Errors  # the unchanged rules with inputs of the same weeks
    forecast: Errors  # the last weeks, from what was fitted on those before
    naive: Errors  # the last weeks are like those before
    grade: str


def trust(
    history: History,
    trains: Sequence[TrainRules],
    queues: frozenset[str],
    baseline: Sequence[Figures],
    seed: int,
) -> Trust:
    """`baseline` are replicates of the unchanged rules over the whole window."""
    cut = _FITTED_SHARE * history.length
    names = sorted(queues)
    before, after = recorded_figures(history, names, 0.0, cut), recorded_figures(history, names, cut)
    predicted = _predicted(history, trains, queues, seed)
    forecast = _errors(predicted, after)
    return Trust(
        mechanics=_errors(_middle(baseline), recorded_figures(history, names)),
        forecast=forecast,
        naive=_errors(before, after),
        grade=grade(forecast),
    )


def _predicted(history: History, trains: Sequence[TrainRules], queues: frozenset[str], seed: int) -> Figures:
    """The last part of the window, from estimates of the first."""
    cut = _FITTED_SHARE * history.length
    begins = cut - _WARM_UP
    projected = []
    for train in trains:
        known = replace(train, line=Line(train.line.history.until(cut)))
        fitted = estimate(known, _REPLICATES, seed, history.length)
        projected.append(fitted.projected(train, begins))
    setting = Setting(tuple(projected), queues, cut, history.length, begins)
    policies = [[train.policy for train in trains]]
    at_once = [train.policy.max_parallel_checks for train in trains]
    return _middle(
        [play(setting, policies, replicate, at_once)[0].as_recorded for replicate in range(_REPLICATES)]
    )


def _middle(replicates: Sequence[Figures]) -> Figures:
    return Figures(**{name: found.value for name, found in ranged(replicates).items()})


def _errors(found: Figures, true: Figures) -> Errors:
    return Errors(*(getattr(found, name) / getattr(true, name) - 1 for name in Errors._fields))


def grade(errors: Errors) -> str:
    """`good`, `fair` or `poor`, by the errors of p50 and p95."""
    if not (isfinite(errors.p50) and isfinite(errors.p95)):
        return "poor"
    for name, (most_p50, most_p95) in (("good", _GOOD), ("fair", _FAIR)):
        if abs(errors.p50) <= most_p50 and abs(errors.p95) <= most_p95:
            return name
    return "poor"
