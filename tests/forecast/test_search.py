"""A search: its axes, combinations that are too slow or do not keep up, and what it recommends."""

from collections.abc import Callable, Generator
from dataclasses import replace
from math import isfinite, isnan
from typing import Any, TypeVar

import pytest

from history.recorded import SECOND
from mergecast.forecasting.forecast.answer import search_answer
from mergecast.forecasting.forecast.axes import LOADED, around
from mergecast.forecasting.forecast.figures import Figures, Ranged
from mergecast.forecasting.forecast.forecast import TooLittle
from mergecast.forecasting.forecast.plan import Plan
from mergecast.forecasting.forecast.reach import Reach
from mergecast.forecasting.forecast.recommendation import recommended
from mergecast.forecasting.forecast.search import (
    UNLIMITED,
    Budget,
    Combination,
    Search,
    SearchQuestion,
    search,
)
from mergecast.forecasting.history.inference import TrainRules, infer
from mergecast.forecasting.history.reading import read_history
from mergecast.forecasting.history.structure import History
from mergecast.forecasting.replay.values import Landing, Policy, QueueRule, github_policy, gitlab_policy
from mergecast.queues.model.window import Window
from worlds.events import history_of
from worlds.world import START, World

T = TypeVar("T")


def _plan(batch: int, slots: int) -> Plan:
    return Plan(Policy(rules=(QueueRule(1, 1), QueueRule(batch, batch)), max_parallel_checks=slots))


@pytest.mark.parametrize(
    ("batch", "slots", "expected"),
    [
        (4, 12, {"batch_size": [1, 2, 4, 6, 8], "max_parallel_checks": [3, 6, 12, 18, 24]}),
        (1, 1, {"batch_size": [1, 2, 4, 8], "max_parallel_checks": [1, 2, 4, 8]}),
        (128, 2, {"batch_size": [32, 64, 128], "max_parallel_checks": [1, 2, 3, 4]}),
    ],
)
def test_axes_surround_todays_values(batch: int, slots: int, expected: dict[str, list[int]]) -> None:
    assert around([_plan(batch, slots)]) == expected


def test_axes_are_the_settings_of_each_kind() -> None:
    github = replace(github_policy(), max_parallel_checks=10, landing=Landing(min_entries=3, max_entries=8))
    gitlab = replace(gitlab_policy(), max_parallel_checks=20)

    assert around([Plan(github, "github")]) == {
        "max_entries_to_merge": [3, 4, 8, 12, 16],
        "max_entries_to_build": [3, 5, 10, 15, 20],
    }
    assert around([Plan(gitlab, "gitlab")], LOADED) == {"parallel_pipelines": [10, 20, 30, 40]}
    assert around([]) == {"batch_size": [1, 2, 4, 8], "max_parallel_checks": [1, 2, 4, 8]}


def _combination(change: float, ci: float, state: str = "computed", verdict: str = "lower") -> Combination:
    """One that changes p95, which is 1,000 seconds today, and CI by these shares."""

    def figures(value: Callable[[str], float]) -> dict[str, Ranged]:
        return {name: Ranged(value(name), value(name) - 0.05, value(name) + 0.05) for name in Figures._fields}

    difference = figures(lambda name: change if name == "p95" else ci)
    after = figures(lambda name: 1000 * (1 + difference[name].value))
    return Combination({"batch_size": 3}, state, after, difference, verdict, 0.0, Reach(()))


def _advice(*found: Combination) -> tuple[int | None, int | None]:
    free, half = recommended(found, Ranged(1000, 900, 1100))
    return free.combination, half.combination


def test_the_fastest_without_more_ci_and_the_cheapest_that_halves_p95_are_recommended() -> None:
    found = [
        _combination(-0.2, 0.0),
        _combination(-0.3, -0.1),
        _combination(-0.8, 0.6),
        _combination(-0.55, 0.2),
        _combination(-0.9, -0.5, state="does not keep up"),
        _combination(-0.9, -0.5, verdict="unclear"),
    ]

    free, half = recommended(found, Ranged(1000, 900, 1100))

    assert free.combination == 1
    assert free.sentence == (
        "Batches of 3: p95 of 12m instead of 17m (-30%, -35% to -25%); "
        "CI time per merge -10% (-15% to -5%), CI runs per merge -10%."
    )
    assert half.combination == 3


def test_nothing_is_recommended_that_is_not_better() -> None:
    slower, faster = _combination(0.1, -0.2, verdict="higher"), _combination(-0.2, 0.3)

    assert _advice(slower) == (None, None)
    assert [advice.sentence for advice in recommended([slower], Ranged(1000, 900, 1100))] == [
        "No combination has a lower p95 than today's settings without more CI (1 tried).",
        "No combination halves p95, or lowers it at all (1 tried).",
    ]
    half = recommended([slower, faster], Ranged(1000, 900, 1100)).half_p95
    assert half.sentence.startswith(
        "No combination halves p95 (2 tried). The fastest is this: Batches of 3: p95 of 13m "
    )


@pytest.fixture(scope="module")
def busy_world() -> tuple[History, tuple[TrainRules, ...]]:
    world = World(11, days=15, pulls_per_day=40, length_median=25)
    record = world.play(Policy(rules=(QueueRule(3, 3, 300 * SECOND),), max_parallel_checks=2))
    history = read_history(history_of(world, record), Window(START, world.end))
    return history, infer(history)


def _searched(
    world: tuple[History, tuple[TrainRules, ...]], vary: dict[str, list[Any]], budget: Budget = UNLIMITED
) -> Search:
    found: list[Search | TooLittle] = []

    def result() -> Generator[Combination]:
        found.append((yield from search(*world, SearchQuestion(vary, replicates=2), budget)))

    shown = list(result())
    (answer,) = found
    assert isinstance(answer, Search)
    assert list(answer.combinations) == shown
    return answer


class _FirstOnly:
    """Time for one combination."""

    def __init__(self) -> None:
        self._is_used = False

    def run(self, work: Callable[[], T]) -> T | None:
        if self._is_used:
            return None
        self._is_used = True
        return work()


@pytest.mark.thorough
def test_a_slow_combination_is_not_computed_and_costs_nothing_else(
    busy_world: tuple[History, tuple[TrainRules, ...]],
) -> None:
    found = _searched(busy_world, {"batch_size": [3, 4]}, _FirstOnly())

    done, slow = found.combinations
    assert (done.state, slow.state) == ("computed", "not computed")
    assert all(isnan(figure.value) for figure in slow.figures.values())
    assert found.front == (0,)
    assert found.trust.grade in {"good", "fair", "poor"}
    answer = search_answer(found)["combinations"][1]
    assert answer["time_in_queue"]["p95"] == {"value": None, "low": None, "high": None}


@pytest.mark.thorough
def test_settings_that_a_queue_cannot_live_with_are_named_so(
    busy_world: tuple[History, tuple[TrainRules, ...]],
) -> None:
    """Five times the pull requests, one at a time."""
    vary = {"batch_size": [1], "max_parallel_checks": [1], "arrivals": [1, 5]}

    found = _searched(busy_world, vary)

    assert found.combinations[1].state == "does not keep up"
    assert 1 not in found.front


@pytest.mark.thorough
def test_todays_settings_differ_from_the_baseline_by_nothing(
    busy_world: tuple[History, tuple[TrainRules, ...]],
) -> None:
    found = _searched(busy_world, {"batch_size": [3]})

    (today,) = found.combinations
    assert {name: isfinite(figure.value) for name, figure in found.baseline.items()} == dict.fromkeys(
        Figures._fields, True
    )
    assert today.figures == found.baseline
    assert all(difference == (0, 0, 0) for difference in today.difference.values())
