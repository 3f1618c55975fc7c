"""Replays combinations of settings; finds those that no other beats, and the best within a limit."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import mean
from typing import Any, Final, NamedTuple

from mergecast.forecasting.forecast.figures import Ranged, ranged
from mergecast.forecasting.forecast.forecast import TooLittle, merged_in, too_little
from mergecast.forecasting.forecast.plan import Plan, as_recorded, with_settings
from mergecast.forecasting.forecast.reach import Excess, Reach, reach_of
from mergecast.forecasting.forecast.replicates import SEARCH_REPLICATES, draw, experiment_on, play_with
from mergecast.forecasting.forecast.settings import Settings
from mergecast.forecasting.forecast.trust import Record, Trust, trust
from mergecast.forecasting.history.inference import TrainRules
from mergecast.forecasting.history.structure import History

MOST_COMBINATIONS: Final = 100


class Limit(NamedTuple):
    """The most that a figure, `p95` or `runs_per_merge`, may be."""

    figure: str
    most: float


@dataclass(frozen=True)
class Combination:
    settings: Settings
    figures: dict[str, Ranged]
    innocent_removals: float
    reach: Reach


@dataclass(frozen=True)
class Search:
    combinations: tuple[Combination, ...]
    front: tuple[int, ...]  # indexes of the combinations that no other beats in p95 and runs per merge
    best: int | None  # the index of the best one within the limit
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


def search(
    history: History, trains: Sequence[TrainRules], question: SearchQuestion
) -> Generator[Combination, None, Search | TooLittle]:
    """Yields each combination when its figures are known."""
    queues = question.queues or frozenset(history.queue_names)
    if missing := too_little(history, queues):
        return missing
    experiment = experiment_on(history, trains, queues, question.seed, question.replicates)
    lucks = [draw(experiment, replicate) for replicate in range(question.replicates)]
    baseline = question.baseline or as_recorded(trains)
    found: list[Combination] = []
    for settings in combinations(question.vary):
        plans = [with_settings(settings, before) for before in baseline]
        played = [play_with(luck, experiment, plans) for luck in lucks]
        figures = ranged([replicate.figures for replicate in played])
        excess = Excess(mean(one.busier for one in played), mean(one.larger for one in played))
        innocent = mean(one.innocent for one in played)
        found.append(Combination(settings, figures, innocent, reach_of(trains, plans, excess)))
        yield found[-1]
    unchanged = baseline if question.baseline_is_current else as_recorded(trains)
    own = [play_with(luck, experiment, unchanged).as_recorded for luck in lucks]
    return Search(
        tuple(found),
        front(found),
        best(found, question.limit),
        merged_in(history, queues),
        question.replicates,
        trust(Record(history, question.past or history, queues, question.seed), own),
    )


def front(found: Sequence[Combination]) -> tuple[int, ...]:
    """The combinations that no other beats in both p95 and runs per merge."""
    figures = [combination.figures for combination in found]
    points = [(each["p95"].value, each["runs_per_merge"].value) for each in figures]
    return tuple(
        place
        for place, (p95, runs) in enumerate(points)
        if not any(
            other_p95 <= p95 and other_runs <= runs and (other_p95, other_runs) != (p95, runs)
            for other_p95, other_runs in points
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
        if combination.figures[limit.figure].value <= limit.most
    ]
    return min(within)[1] if within else None
