"""Replays combinations of settings; finds those that no other beats, and the best within a limit."""

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import nan
from statistics import mean
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from msgspec.structs import asdict

from mergecast.forecasting.forecast.answer import (
    Combination,
    Figures,
    Ranged,
    Search,
    SettingsTried,
    State,
)
from mergecast.forecasting.forecast.figures import paired, ranged, recorded_figures
from mergecast.forecasting.forecast.forecast import TooLittle, merged_in, too_little
from mergecast.forecasting.forecast.notes import PEOPLE, is_overloaded
from mergecast.forecasting.forecast.plan import Plan, as_recorded, with_settings
from mergecast.forecasting.forecast.reach import Excess, reach_of
from mergecast.forecasting.forecast.recommendation import Tried, recommended
from mergecast.forecasting.forecast.replicates import (
    SEARCH_REPLICATES,
    Experiment,
    Luck,
    Replicate,
    draw,
    experiment_on,
    play_with,
)
from mergecast.forecasting.forecast.requirements import SETTINGS
from mergecast.forecasting.forecast.trust import Record, sureness, trust
from mergecast.forecasting.history.inference import TrainRules
from mergecast.forecasting.history.structure import History
from mergecast.forecasting.replay.values import Landing, ReplayTooLong

MOST_COMBINATIONS: Final = 100
# Factors on today's values that are tried by default.
SEARCHED: Final = (0.25, 0.5, 1, 1.5, 2)
LOADED: Final = (0.5, 1, 1.5, 2)  # a capacity is computed by many more replays of each
_LEAST_VALUES: Final = 4
_NO_EXCESS: Final = Excess(0.0, 0.0)
_UNKNOWN: Final = Figures(*[Ranged(nan, nan, nan)] * len(Figures.__struct_fields__))

Axes = Mapping[str, Sequence[Any]]
T = TypeVar("T")


class Limit(NamedTuple):
    """The most that a figure, `time_to_merge_p95` or `ci_runs_per_merge`, may be."""

    figure: str
    most: float


class Budget(Protocol):
    """How long combinations may take."""

    def run(self, work: Callable[[], T]) -> T | None:
        """The result of the work, or None if it takes too long."""


class Unlimited:
    def run(self, work: Callable[[], T]) -> T | None:
        return work()


UNLIMITED: Final = Unlimited()


@dataclass(frozen=True)
class SearchQuestion:
    """Which settings to try; as for a forecast, without a baseline today's are inferred from the history."""

    vary: Axes
    limit: Limit | None = None
    baseline: Sequence[Plan] | None = None
    queues: frozenset[str] | None = None
    seed: int = 1
    replicates: int = SEARCH_REPLICATES
    baseline_is_current: bool = False
    past: History | None = None


def around(baseline: Sequence[Plan], factors: Sequence[float] = SEARCHED) -> dict[str, list[int]]:
    """Slots and sizes around those of the baseline; of queues with different sizes, around the largest."""
    kind = min((plan.kind for plan in baseline), default="mergify")
    slots = max((plan.policy.max_parallel_checks for plan in baseline), default=1)
    if kind == "gitlab":
        return {"parallel_pipelines": _values("parallel_pipelines", slots, factors)}
    if kind == "github":
        landings = [plan.policy.landing or Landing() for plan in baseline]
        least = max(landing.min_entries for landing in landings)
        largest = max(landing.max_entries for landing in landings)
        return {
            "max_entries_to_merge": _values("max_entries_to_merge", largest, factors, least),
            "max_entries_to_build": _values("max_entries_to_build", slots, factors),
        }
    sizes = (rule.batch_size_max for plan in baseline for rule in plan.policy.rules)
    return {
        "batch_size": _values("batch_size", max(sizes, default=1), factors),
        "max_parallel_checks": _values("max_parallel_checks", slots, factors),
    }


def _values(name: str, today: int, factors: Iterable[float], least: int = 1) -> list[int]:
    """In ascending order; small values have few neighbours below them, so larger ones are added."""
    highest = int(SETTINGS[name].highest)
    found = sorted({min(max(int(today * factor + 0.5), least), highest) for factor in factors})
    while len(found) < _LEAST_VALUES and found[-1] < highest:
        found.append(min(2 * found[-1], highest))
    return found


def combinations(vary: Axes) -> list[SettingsTried]:
    return [dict(zip(vary, values, strict=True)) for values in product(*vary.values())]


@dataclass(frozen=True)
class Bench:
    """Replays plans on one history, all with the same random numbers."""

    history: History
    trains: Sequence[TrainRules]
    question: SearchQuestion
    queues: frozenset[str]
    today: list[Plan]
    experiment: Experiment
    lucks: Sequence[Luck]

    @cached_property
    def combinations(self) -> list[SettingsTried]:
        return combinations(self.question.vary)

    def changed(self, settings: SettingsTried) -> list[Plan]:
        """Today's plans with these settings."""
        return [with_settings(settings, plan) for plan in self.today]

    def play(self, plans: Sequence[Plan]) -> list[Replicate]:
        return [play_with(luck, self.experiment, plans) for luck in self.lucks]


def bench_for(history: History, trains: Sequence[TrainRules], question: SearchQuestion) -> Bench | TooLittle:
    queues = question.queues or frozenset(history.queue_names)
    if missing := too_little(history, queues):
        return missing
    today = list(question.baseline or as_recorded(trains))
    experiment = experiment_on(history, trains, queues, question.seed, question.replicates)
    lucks = [draw(experiment, replicate) for replicate in range(question.replicates)]
    return Bench(history, trains, question, queues, today, experiment, lucks)


def search(bench: Bench, budget: Budget = UNLIMITED) -> Generator[Combination[float], None, Search[float]]:
    """Yields each combination when its figures are known.

    What holds for all of them is computed first, so that slow combinations are all that can be missing.
    """
    history, question = bench.history, bench.question
    before = bench.play(bench.today)
    is_unchanged = question.baseline_is_current or bench.today == as_recorded(bench.trains)
    own = before if is_unchanged else bench.play(as_recorded(bench.trains))
    record = Record(history, question.past or history, bench.queues, question.seed)
    common = trust(record, [replicate.as_recorded for replicate in own])
    tried: list[Tried] = []
    for settings in bench.combinations:
        tried.append(try_settings(bench, before, settings, budget))
        yield tried[-1].combination
    found, baseline = tuple(one.combination for one in tried), ranged([one.figures for one in before])
    return Search(
        merged=merged_in(history, bench.queues),
        replicates=question.replicates,
        trust=common,
        recorded=recorded_figures(history, sorted(bench.queues)),
        baseline=baseline,
        combinations=found,
        front=front(found),
        best=best(found, question.limit),
        recommended=recommended(tried, baseline.time_to_merge_p95),
        notes=(PEOPLE,),
    )


def try_settings(
    bench: Bench, before: Sequence[Replicate], settings: SettingsTried, budget: Budget = UNLIMITED
) -> Tried:
    """`before` are replicates of today's plans."""
    plans = bench.changed(settings)
    try:
        after = budget.run(lambda: bench.play(plans))
    except ReplayTooLong:
        return _without_figures(bench, settings, plans, "does not keep up")
    if after is None:
        return _without_figures(bench, settings, plans, "not computed")
    waiting, waiting_before = (mean(one.waiting for one in each) for each in (after, before))
    old, new = ([one.figures for one in each] for each in (before, after))
    figures, difference = ranged(new), paired(old, new)
    is_endless = figures.time_to_merge_p95.value > bench.history.length / 2
    keeps_up = not is_endless and not is_overloaded(bench.history, waiting, waiting_before)
    excess = Excess(mean(one.busier for one in after), mean(one.larger for one in after))
    combination = Combination(
        **asdict(figures),
        settings=settings,
        state="computed" if keeps_up else "does not keep up",
        difference=difference,
        innocent_removals=mean(one.innocent for one in after),
        reach=reach_of(bench.trains, bench.today, plans, excess),
    )
    return Tried(combination, sureness(old, new, difference).time_to_merge_p95.verdict)


def _without_figures(bench: Bench, settings: SettingsTried, plans: Sequence[Plan], state: State) -> Tried:
    combination = Combination(
        **asdict(_UNKNOWN),
        settings=settings,
        state=state,
        difference=_UNKNOWN,
        innocent_removals=nan,
        reach=reach_of(bench.trains, bench.today, plans, _NO_EXCESS),
    )
    return Tried(combination, "unclear")


def front(found: Sequence[Combination[float]]) -> tuple[int, ...]:
    """The combinations that no other beats in both p95 and runs per merge."""
    points = {
        place: (one.time_to_merge_p95.value, one.ci_runs_per_merge.value)
        for place, one in enumerate(found)
        if one.state == "computed"
    }
    return tuple(
        place
        for place, (p95, runs) in points.items()
        if not any(
            other_p95 <= p95 and other_runs <= runs and (other_p95, other_runs) != (p95, runs)
            for other_p95, other_runs in points.values()
        )
    )


def best(found: Sequence[Combination[float]], limit: Limit | None) -> int | None:
    """Within a limit on one of the two figures, the combination with the lowest other one."""
    if limit is None:
        return None
    other = "time_to_merge_p95" if limit.figure == "ci_runs_per_merge" else "ci_runs_per_merge"
    within = [
        (getattr(one, other).value, place)
        for place, one in enumerate(found)
        if one.state == "computed" and getattr(one, limit.figure).value <= limit.most
    ]
    return min(within)[1] if within else None
