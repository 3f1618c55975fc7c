"""Replays combinations of settings; finds those that no other beats, and the best within a limit."""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import nan
from statistics import mean
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from mergecast.forecasting.forecast.figures import Figures, Ranged, paired, ranged, recorded_figures
from mergecast.forecasting.forecast.forecast import TooLittle, merged_in, too_little
from mergecast.forecasting.forecast.notes import is_overloaded
from mergecast.forecasting.forecast.plan import Plan, as_recorded, with_settings
from mergecast.forecasting.forecast.reach import Excess, Reach, reach_of
from mergecast.forecasting.forecast.replicates import (
    SEARCH_REPLICATES,
    Experiment,
    Luck,
    Replicate,
    draw,
    experiment_on,
    play_with,
)
from mergecast.forecasting.forecast.settings import Settings
from mergecast.forecasting.forecast.sureness import sureness
from mergecast.forecasting.forecast.trust import Record, Trust, trust
from mergecast.forecasting.history.inference import TrainRules
from mergecast.forecasting.history.structure import History
from mergecast.forecasting.replay.values import ReplayTooLong

MOST_COMBINATIONS: Final = 100


class Limit(NamedTuple):
    """The most that a figure, `p95` or `runs_per_merge`, may be."""

    figure: str
    most: float


# What became of a combination.
COMPUTED: Final = "computed"
NOT_COMPUTED: Final = "not computed"  # it takes too long
OVERLOADED: Final = "does not keep up"

T = TypeVar("T")


class Budget(Protocol):
    """How long combinations may take."""

    def run(self, work: Callable[[], T]) -> T | None:
        """The result of the work, or None if it takes too long."""


class Unlimited:
    def run(self, work: Callable[[], T]) -> T | None:
        return work()


UNLIMITED: Final = Unlimited()


@dataclass(frozen=True)
class Combination:
    settings: Settings
    state: str
    figures: dict[str, Ranged]  # not numbers unless it was computed
    difference: dict[str, Ranged]  # from the baseline, relative
    p95_verdict: str  # how sure the difference of p95 is
    innocent_removals: float
    reach: Reach


@dataclass(frozen=True)
class Search:
    combinations: tuple[Combination, ...]
    front: tuple[int, ...]  # indexes of the combinations that no other beats in p95 and runs per merge
    best: int | None  # the index of the best one within the limit
    recorded: Figures
    baseline: dict[str, Ranged]
    merged: int
    replicates: int
    trust: Trust


@dataclass(frozen=True)
class SearchQuestion:
    vary: Mapping[str, Sequence[Any]]
    limit: Limit | None = None
    baseline: Sequence[Plan] | None = None
    queues: frozenset[str] | None = None
    seed: int = 1
    replicates: int = SEARCH_REPLICATES
    baseline_is_current: bool = False
    past: History | None = None


def combinations(vary: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(vary, values, strict=True)) for values in product(*vary.values())]


@dataclass(frozen=True)
class _Bench:
    """Replays combinations, all with the same random numbers, and compares them with the baseline."""

    history: History
    trains: Sequence[TrainRules]
    experiment: Experiment
    lucks: Sequence[Luck]
    baseline: Sequence[Plan]
    before: Sequence[Replicate]

    def combination(self, settings: Settings, budget: Budget) -> Combination:
        plans = [with_settings(settings, plan) for plan in self.baseline]
        try:
            after = budget.run(lambda: self.play(plans))
        except ReplayTooLong:
            return _without_figures(
                settings, OVERLOADED, reach_of(self.trains, self.baseline, plans, _NO_EXCESS)
            )
        if after is None:
            return _without_figures(
                settings, NOT_COMPUTED, reach_of(self.trains, self.baseline, plans, _NO_EXCESS)
            )
        waiting, waiting_before = (mean(one.waiting for one in each) for each in (after, self.before))
        old, new = ([one.figures for one in each] for each in (self.before, after))
        figures, difference = ranged(new), paired(old, new)
        is_endless = figures["p95"].value > self.history.length / 2
        keeps_up = not is_endless and not is_overloaded(self.history, waiting, waiting_before)
        excess = Excess(mean(one.busier for one in after), mean(one.larger for one in after))
        return Combination(
            settings,
            COMPUTED if keeps_up else OVERLOADED,
            figures,
            difference,
            sureness(old, new, difference)["p95"].verdict,
            mean(one.innocent for one in after),
            reach_of(self.trains, self.baseline, plans, excess),
        )

    def play(self, plans: Sequence[Plan]) -> list[Replicate]:
        return [play_with(luck, self.experiment, plans) for luck in self.lucks]


_NO_EXCESS: Final = Excess(0.0, 0.0)


def _without_figures(settings: Settings, state: str, reach: Reach) -> Combination:
    unknown = dict.fromkeys(Figures._fields, Ranged(nan, nan, nan))
    return Combination(settings, state, unknown, unknown, "unclear", nan, reach)


def search(
    history: History, trains: Sequence[TrainRules], question: SearchQuestion, budget: Budget = UNLIMITED
) -> Generator[Combination, None, Search | TooLittle]:
    """Yields each combination when its figures are known.

    What holds for all of them is computed first, so that slow combinations are all that can be missing.
    """
    queues = question.queues or frozenset(history.queue_names)
    if missing := too_little(history, queues):
        return missing
    experiment = experiment_on(history, trains, queues, question.seed, question.replicates)
    lucks = [draw(experiment, replicate) for replicate in range(question.replicates)]
    baseline = list(question.baseline or as_recorded(trains))
    before = [play_with(luck, experiment, baseline) for luck in lucks]
    bench = _Bench(history, trains, experiment, lucks, baseline, before)
    is_unchanged = question.baseline_is_current or baseline == as_recorded(trains)
    own = before if is_unchanged else bench.play(as_recorded(trains))
    record = Record(history, question.past or history, queues, question.seed)
    common = trust(record, [replicate.as_recorded for replicate in own])
    found: list[Combination] = []
    for settings in combinations(question.vary):
        found.append(bench.combination(settings, budget))
        yield found[-1]
    return Search(
        combinations=tuple(found),
        front=front(found),
        best=best(found, question.limit),
        recorded=recorded_figures(history, sorted(queues)),
        baseline=ranged([replicate.figures for replicate in before]),
        merged=merged_in(history, queues),
        replicates=question.replicates,
        trust=common,
    )


def front(found: Sequence[Combination]) -> tuple[int, ...]:
    """The combinations that no other beats in both p95 and runs per merge."""
    points = {
        place: (one.figures["p95"].value, one.figures["runs_per_merge"].value)
        for place, one in enumerate(found)
        if one.state == COMPUTED
    }
    return tuple(
        place
        for place, (p95, runs) in points.items()
        if not any(
            other_p95 <= p95 and other_runs <= runs and (other_p95, other_runs) != (p95, runs)
            for other_p95, other_runs in points.values()
        )
    )


def best(found: Sequence[Combination], limit: Limit | None) -> int | None:
    """Within a limit on one of the two figures, the combination with the lowest other one."""
    if limit is None:
        return None
    other = "p95" if limit.figure == "runs_per_merge" else "runs_per_merge"
    within = [
        (combination.figures[other].value, place)
        for place, combination in enumerate(found)
        if combination.state == COMPUTED and combination.figures[limit.figure].value <= limit.most
    ]
    return min(within)[1] if within else None
