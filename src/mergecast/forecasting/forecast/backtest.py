"""How far off forecasts and expected merges were on this very history."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Final, NamedTuple

from mergecast.forecasting.estimate.estimate import Estimate, estimate
from mergecast.forecasting.estimate.tables import oracle_of
from mergecast.forecasting.forecast.figures import Figures, ranged, recorded_figures
from mergecast.forecasting.forecast.plan import Plan
from mergecast.forecasting.forecast.present import ExpectedMerge, play_forward
from mergecast.forecasting.forecast.replicates import BACKTEST_REPLICATES, Experiment, play
from mergecast.forecasting.history.inference import TrainRules
from mergecast.forecasting.history.seconds import DAY
from mergecast.forecasting.history.structure import History, Stay
from mergecast.forecasting.history.train import Train

_INSTANTS: Final = 24
_FITTED_SHARE: Final = 0.7
_WARM_UP: Final = DAY
_GOOD: Final = (0.1, 0.2)
_FAIR: Final = (0.2, 0.4)


class Eta(NamedTuple):
    """The shares of merged pull requests that merged before their p50 and before their p90.

    Ideal are 0.5 and 0.9; NaN without cases.
    """

    p50: float
    p90: float
    cases: int


def measure_eta(
    fitted: Sequence[Estimate], plans: Sequence[Plan], queues: frozenset[str], since: float
) -> Eta:
    """Compute expected merges at some instants after `since`; the estimates know nothing later."""
    cases = [
        case for train, plan in zip(fitted, plans, strict=True) for case in _cases(train, plan, queues, since)
    ]
    count = len(cases)
    before_p50, before_p90 = (sum(case[place] for case in cases) for place in range(2))
    if not count:
        return Eta(float("nan"), float("nan"), 0)
    return Eta(before_p50 / count, before_p90 / count, count)


def _cases(fitted: Estimate, plan: Plan, queues: frozenset[str], since: float) -> Iterator[tuple[bool, bool]]:
    """Whether each merged pull request merged before its p50 and its p90."""
    oracles = [oracle_of(fitted, replicate) for replicate in range(len(fitted.breakages))]
    stays = {stay.session_id: stay for stay in fitted.rules.recorded.history.stays}
    for at in _instants(fitted.rules, since):
        known = replace(fitted.rules, recorded=Train(fitted.rules.recorded.history.until(at)))
        for expected in play_forward(known, plan, oracles, fitted.overheads):
            stay = stays[expected.session_id]
            if stay.queue_name in queues and stay.is_merged and stay.left is not None:
                yield from _compared(expected, stay.left - at)


def _compared(expected: ExpectedMerge, took: float) -> Iterator[tuple[bool, bool]]:
    if expected.p50 is not None and expected.p90 is not None:
        yield took <= expected.p50, took <= expected.p90


def _instants(train: TrainRules, since: float) -> Iterator[float]:
    """Evenly chosen stays after `since`, each at another point of its time in the queue."""
    later: list[Stay] = [stay for stay in train.recorded.history.stays if stay.entered > since]
    step = max(1, len(later) // _INSTANTS)
    for turn, stay in enumerate(later[::step][:_INSTANTS]):
        if stay.left is not None:
            yield stay.entered + (stay.left - stay.entered) * (turn * 0.618 % 1)


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
        known = replace(train, recorded=Train(train.recorded.history.until(self.cut)))
        found = estimate(known, BACKTEST_REPLICATES, self.seed, self.history.length)
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
    experiment = Experiment(tuple(fitted), test.queues, test.cut, test.history.length, test.cut - _WARM_UP)
    played = [play(experiment, [test.unchanged], number)[0] for number in range(BACKTEST_REPLICATES)]
    return _middle([replicate.as_recorded for replicate in played])


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
