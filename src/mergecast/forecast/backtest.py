"""How far off forecasts were on this very history."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Final, NamedTuple

from mergecast.estimate.estimate import Estimate, estimate
from mergecast.forecast.eta import Eta, measure_eta
from mergecast.forecast.figures import Figures, recorded_figures
from mergecast.forecast.intervals import ranged
from mergecast.forecast.plan import Plan
from mergecast.forecast.replicates import Setting, play
from mergecast.history.inference import TrainRules
from mergecast.history.lines import Line
from mergecast.history.structure import History

_FITTED_SHARE: Final = 0.7
_REPLICATES: Final = 8
_WARM_UP: Final = 86_400.0
_GOOD: Final = (0.1, 0.2)
_FAIR: Final = (0.2, 0.4)


class Errors(NamedTuple):
    """Relative errors: 0.1 means 10 % too high, NaN that there was nothing to compare."""

    p50: float
    p95: float
    runs_per_merge: float


class Trust(NamedTuple):
    """The errors of three kinds of forecast, and how often pull requests merged when expected."""

    mechanics: Errors  # the unchanged rules with inputs of the same weeks
    forecast: Errors  # the last weeks, fitted on those before
    naive: Errors  # the last weeks are like those before
    eta: Eta
    grade: str


@dataclass(frozen=True)
class BackTest:
    """What is tested: a history, and the plans in effect when it was recorded, one per train."""

    history: History
    trains: Sequence[TrainRules]
    unchanged: Sequence[Plan]
    queues: frozenset[str]
    seed: int

    @property
    def cut(self) -> float:
        """The instant up to which the back-test knows the history."""
        start, end = self.history.recorded_span
        return start + _FITTED_SHARE * (end - start)

    def fitted(self) -> list[Estimate]:
        """Estimates from the first part of the window, for the pull requests that enter the last."""
        return [self._fitted(train) for train in self.trains]

    def _fitted(self, train: TrainRules) -> Estimate:
        known = replace(train, line=Line(train.line.history.until(self.cut)))
        found = estimate(known, _REPLICATES, self.seed, self.history.length)
        return found.projected(train, self.cut - _WARM_UP)

    def eta(self, fitted: Sequence[Estimate]) -> Eta:
        return measure_eta(fitted, self.unchanged, self.queues, self.cut)


def trust(test: BackTest, baseline: Sequence[Figures]) -> Trust:
    """`baseline` are replicates of the unchanged rules over the whole window."""
    history, names, cut = test.history, sorted(test.queues), test.cut
    before, after = recorded_figures(history, names, 0.0, cut), recorded_figures(history, names, cut)
    fitted = test.fitted()
    forecast = _errors(_predicted(test, fitted), after)
    return Trust(
        mechanics=_errors(_middle(baseline), recorded_figures(history, names)),
        forecast=forecast,
        naive=_errors(before, after),
        eta=test.eta(fitted),
        grade=grade(forecast),
    )


def _predicted(test: BackTest, fitted: Sequence[Estimate]) -> Figures:
    """The last part of the window, from estimates of the first."""
    setting = Setting(tuple(fitted), test.queues, test.cut, test.history.length, test.cut - _WARM_UP)
    at_once = [train.policy.max_parallel_checks for train in test.trains]
    played = [play(setting, [test.unchanged], number, at_once)[0] for number in range(_REPLICATES)]
    return _middle([one.as_recorded for one in played])


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
