"""How many pull requests a day a queue can take before p95 exceeds a limit."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from math import isfinite, sqrt
from statistics import geometric_mean
from typing import Final, NamedTuple

from msgspec.structs import astuple

from mergecast.forecasting.forecast.answer import (
    Capacity,
    CapacityLimit,
    CapacityOfSettings,
    Ranged,
    SettingsTried,
)
from mergecast.forecasting.forecast.figures import Range, range_of, ranged
from mergecast.forecasting.forecast.plan import Plan
from mergecast.forecasting.forecast.reach import Excess, reach_of
from mergecast.forecasting.forecast.replicates import Luck, Replicate, play_with
from mergecast.forecasting.forecast.requirements import RATIOS
from mergecast.forecasting.forecast.search import Bench
from mergecast.forecasting.history.seconds import DAY
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


class Step(NamedTuple):
    """Progress: how many settings stay within the limit at this many times the recorded arrivals."""

    factor: float
    settings_left: int


@dataclass(frozen=True)
class _Loads:
    """Replays plans under different loads."""

    bench: Bench
    limit: float
    arrivals_per_day: float  # as recorded

    def p95(self, plans: Sequence[Plan], factor: float, luck: Luck) -> float:
        """Infinite if the queue never settles."""
        loaded = [
            replace(plan, what_if=replace(plan.what_if, arrivals=factor * plan.what_if.arrivals))
            for plan in plans
        ]
        try:
            found = play_with(luck, self.bench.experiment, loaded).figures.time_to_merge_p95
        except ReplayTooLong:
            return float("inf")
        return found if isfinite(found) else float("inf")

    def typical_p95(self, plans: Sequence[Plan], factor: float) -> float:
        """From a few replicates."""
        return geometric_mean(self.p95(plans, factor, luck) for luck in self.bench.lucks[:_FEW_REPLICATES])

    def breaks_at(self, plans: Sequence[Plan], luck: Luck) -> float:
        """The factor at which p95 reaches the limit, between the least and the most that are tried."""

        def keeps(factor: float) -> bool:
            return self.p95(plans, factor, luck) <= self.limit

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

    def capacity_of(self, settings: SettingsTried) -> CapacityOfSettings[float]:
        plans = self.bench.changed(settings)
        breaks = range_of([self.breaks_at(plans, luck) for luck in self.bench.lucks])
        factor = Ranged(*(min(max(bound, LEAST), MOST) for bound in astuple(breaks)))
        played = self.bench.play(plans)
        excess = Excess(max(one.busier for one in played), max(one.larger for one in played))
        return CapacityOfSettings(
            settings,
            arrivals_per_day=Ranged(*(bound * self.arrivals_per_day for bound in astuple(factor))),
            factor=factor,
            exceeds_what_was_tried=factor.value > MOST / _NEARLY,
            time_to_merge_p95=_p95(played),
            reach=reach_of(self.bench.trains, self.bench.today, plans, excess),
        )


def _p95(played: Sequence[Replicate]) -> Range:
    return ranged([one.figures for one in played]).time_to_merge_p95


def capacity(bench: Bench) -> Generator[Step, None, Capacity[float]]:
    """Yields progress. Today's settings first, then the load grows until one combination is left.

    The limit is one on p95; without one, it is twice the p95 of today's settings.
    """
    entered = sum(stay.queue_name in bench.queues for stay in bench.history.entered_in_window)
    start, end = bench.history.recorded_span
    asked = bench.question.limit
    limit = asked.most if asked else _USUAL_LIMIT * _p95(bench.play(bench.today)).value
    loads = _Loads(bench, limit, entered * DAY / max(end - start, DAY))
    today = loads.capacity_of({})
    yield Step(today.factor.value, len(bench.combinations))
    settings = yield from _best(loads, today.factor.value)
    best = None if settings is None else loads.capacity_of(settings)
    if best is not None and best.factor.value <= today.factor.value:
        best = None
    return Capacity(
        replicates=bench.question.replicates,
        recorded_arrivals_per_day=loads.arrivals_per_day,
        limit=CapacityLimit(limit),
        today=today,
        best=best,
        notes=tuple(_notes(today, best)),
    )


def _best(loads: _Loads, factor: float) -> Generator[Step, None, SettingsTried | None]:
    """The combination that keeps within the limit under the highest load, with the lowest p95 there."""
    left = loads.bench.combinations
    best = None
    while left and factor < MOST:
        factor = min(MOST, factor * _ROUND)
        held: list[tuple[float, int]] = []
        for place, settings in enumerate(left):
            p95 = loads.typical_p95(loads.bench.changed(settings), factor)
            held += [(p95, place)] if p95 <= loads.limit else []
            yield Step(factor, len(left))
        best = left[min(held)[1]] if held else best
        left = [left[place] for _, place in held] if len(held) > 1 else []
    return best


def _notes(today: CapacityOfSettings[float], best: CapacityOfSettings[float] | None) -> Iterator[str]:
    """What was assumed, and where the search ended."""
    yield (
        "To simulate more pull requests, recorded ones enter again, at the same time of another week and "
        "with outcomes of their own; with fewer, some are left out at random."
    )
    for one, whose in ((today, "today's settings"), (best, "the best settings")):
        if one is not None and one.exceeds_what_was_tried:
            yield f"Even {MOST:g} times the recorded pull requests stay within the limit under {whose}."
        if one is not None and one.factor.value < LEAST * _NEARLY:
            yield f"Even {LEAST:g} times the recorded pull requests exceed the limit under {whose}."
    if best is not None and best.reach.beyond:
        yield (
            f"The best settings go beyond what was recorded ({', '.join(best.reach.beyond)}): "
            "how CI behaves then is assumed."
        )
    if best is None:
        yield "None of the settings that were tried can take more pull requests than today's."
