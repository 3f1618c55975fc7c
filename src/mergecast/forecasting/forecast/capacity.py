"""How many pull requests a day a queue can take before p95 exceeds a limit."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite, sqrt
from statistics import geometric_mean
from typing import Any, Final, NamedTuple

from mergecast.forecasting.forecast.figures import Ranged, range_of, ranged
from mergecast.forecasting.forecast.forecast import TooLittle, too_little
from mergecast.forecasting.forecast.plan import Plan, as_recorded, with_settings
from mergecast.forecasting.forecast.reach import Excess, Reach, reach_of
from mergecast.forecasting.forecast.replicates import (
    SEARCH_REPLICATES,
    Experiment,
    Luck,
    draw,
    experiment_on,
    play_with,
)
from mergecast.forecasting.forecast.requirements import RATIOS
from mergecast.forecasting.forecast.search import combinations
from mergecast.forecasting.forecast.settings import Settings
from mergecast.forecasting.history.inference import TrainRules
from mergecast.forecasting.history.seconds import DAY
from mergecast.forecasting.history.structure import History
from mergecast.forecasting.replay.values import ReplayTooLong

# Factors on the recorded arrivals.
LEAST: Final = RATIOS["arrivals"].lowest
MOST: Final = RATIOS["arrivals"].highest
_STRIDE: Final = 1.6  # between the first loads that are tried
_STEPS: Final = 4  # of bisection between them
_ROUND: Final = 1.3  # the factor by which the load grows from round to round
_FEW_REPLICATES: Final = 2  # to compare settings
_NEARLY: Final = 1.001
_USUAL_LIMIT: Final = 2.0  # times today's p95


class CapacityQuestion(NamedTuple):
    """`p95` is the limit in seconds; without one, twice the p95 of today's settings."""

    vary: Mapping[str, Sequence[Any]]
    p95: float | None
    baseline: Sequence[Plan] | None = None
    queues: frozenset[str] | None = None
    seed: int = 1


@dataclass(frozen=True)
class Found:
    """The capacity of one combination of settings."""

    settings: Settings  # what differs from today's
    factor: Ranged  # on the recorded arrivals
    p95: Ranged  # with the recorded arrivals, in seconds
    reach: Reach

    @property
    def is_most(self) -> bool:
        """The limit was reached under no load that was tried."""
        return self.factor.value > MOST / _NEARLY

    @property
    def is_least(self) -> bool:
        return self.factor.value < LEAST * _NEARLY


@dataclass(frozen=True)
class Capacity:
    arrivals_per_day: float  # as recorded
    limit: float
    today: Found
    best: Found | None  # None if no combination takes more than today's settings
    replicates: int


class Step(NamedTuple):
    """Progress: how many settings stay within the limit at this many times the recorded arrivals."""

    factor: float
    settings_left: int


@dataclass(frozen=True)
class _Bench:
    """Replays plans under different loads."""

    experiment: Experiment
    lucks: Sequence[Luck]

    def p95(self, plans: Sequence[Plan], factor: float, luck: Luck) -> float:
        """Infinite if the queue never settles."""
        loaded = [
            replace(plan, what_if=replace(plan.what_if, arrivals=factor * plan.what_if.arrivals))
            for plan in plans
        ]
        try:
            found = play_with(luck, self.experiment, loaded).figures.p95
        except ReplayTooLong:
            return float("inf")
        return found if isfinite(found) else float("inf")

    def typical_p95(self, plans: Sequence[Plan], factor: float) -> float:
        """From a few replicates."""
        return geometric_mean(self.p95(plans, factor, luck) for luck in self.lucks[:_FEW_REPLICATES])

    def breaks_at(self, plans: Sequence[Plan], limit: float, luck: Luck) -> float:
        """The factor at which p95 reaches the limit, between the least and the most that are tried."""

        def keeps(factor: float) -> bool:
            return self.p95(plans, factor, luck) <= limit

        low = high = 1.0
        if keeps(1.0):
            while low < MOST and keeps(high := min(MOST, low * _STRIDE)):
                low = high
        else:
            while high > LEAST and not keeps(low := max(LEAST, high / _STRIDE)):
                high = low
        for _ in range(_STEPS if low < high else 0):
            middle = sqrt(low * high)
            low, high = (middle, high) if keeps(middle) else (low, middle)
        return sqrt(low * high)


def capacity(
    history: History, trains: Sequence[TrainRules], question: CapacityQuestion
) -> Generator[Step, None, Capacity | TooLittle]:
    """Yields progress. Today's settings first, then the load grows until one combination is left."""
    queues = question.queues or frozenset(history.queue_names)
    if missing := too_little(history, queues):
        return missing
    experiment = experiment_on(history, trains, queues, question.seed, SEARCH_REPLICATES)
    bench = _Bench(experiment, [draw(experiment, number) for number in range(SEARCH_REPLICATES)])
    today = list(question.baseline or as_recorded(trains))
    usual = _p95(bench, today)
    limit = question.p95 or _USUAL_LIMIT * usual.value
    own = _found(bench, trains, today, {}, limit)
    yield Step(own.factor.value, len(combinations(question.vary)))
    settings = yield from _best(bench, question.vary, today, (own.factor.value, limit))
    best = None
    if settings is not None:
        best = _found(bench, trains, today, settings, limit)
    entered = sum(stay.queue_name in queues for stay in history.entered_in_window)
    start, end = history.recorded_span
    return Capacity(
        arrivals_per_day=entered * DAY / max(end - start, DAY),
        limit=limit,
        today=own,
        best=best if best and best.factor.value > own.factor.value else None,
        replicates=SEARCH_REPLICATES,
    )


def _best(
    bench: _Bench, vary: Mapping[str, Sequence[Any]], today: Sequence[Plan], start: tuple[float, float]
) -> Generator[Step, None, Settings | None]:
    """The combination that keeps within the limit under the highest load, with the lowest p95 there."""
    factor, limit = start
    left: list[Settings] = list(combinations(vary))
    best = None
    while left and factor < MOST:
        factor = min(MOST, factor * _ROUND)
        held: list[tuple[float, int]] = []
        for place, settings in enumerate(left):
            p95 = bench.typical_p95([with_settings(settings, plan) for plan in today], factor)
            held += [(p95, place)] if p95 <= limit else []
            yield Step(factor, len(left))
        best = left[min(held)[1]] if held else best
        left = [left[place] for _, place in held] if len(held) > 1 else []
    return best


def _found(
    bench: _Bench, trains: Sequence[TrainRules], today: Sequence[Plan], settings: Settings, limit: float
) -> Found:
    plans = [with_settings(settings, plan) for plan in today]
    factors = [bench.breaks_at(plans, limit, luck) for luck in bench.lucks]
    played = [play_with(luck, bench.experiment, plans) for luck in bench.lucks]
    excess = Excess(max(one.busier for one in played), max(one.larger for one in played))
    return Found(
        settings,
        _bounded(range_of(factors)),
        ranged([one.figures for one in played])["p95"],
        reach_of(trains, today, plans, excess),
    )


def _bounded(found: Ranged) -> Ranged:
    return Ranged(*(min(max(bound, LEAST), MOST) for bound in found))


def _p95(bench: _Bench, plans: Sequence[Plan]) -> Ranged:
    return ranged([play_with(luck, bench.experiment, plans).figures for luck in bench.lucks])["p95"]
