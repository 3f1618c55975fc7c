"""A search: its axes, combinations that are too slow or do not keep up, and what it recommends."""

from collections.abc import Callable, Generator
from dataclasses import replace
from math import isfinite, isnan
from typing import Any, TypeVar

import msgspec
import pytest

from history.recorded import NO_PAST, SECOND
from mergecast.forecasting.forecast.answer import Combination, Figures, Ranged, Reach, Search, State, Verdict
from mergecast.forecasting.forecast.plan import Plan
from mergecast.forecasting.forecast.recommendation import Tried, recommended
from mergecast.forecasting.forecast.search import (
    LOADED,
    UNLIMITED,
    Bench,
    Budget,
    SearchQuestion,
    around,
    bench_for,
    search,
)
from mergecast.forecasting.history.inference import TrainRules, infer
from mergecast.forecasting.history.reading import read_history
from mergecast.forecasting.history.structure import History
from mergecast.forecasting.replay.values import Landing, Policy, QueueRule, github_policy, gitlab_policy
from mergecast.queues.model.instant import Window
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


_NAMES = Figures.__struct_fields__
_TODAY = Ranged(1000.0, 900.0, 1100.0)


def _combination(
    change: float,
    ci: float,
    state: State = "computed",
    verdict: Verdict = "lower",
    beyond: tuple[str, ...] = (),
) -> Tried:
    """One that changes p95, which is 1,000 seconds today, and CI by these shares."""

    def ranges(value: Callable[[str], float]) -> dict[str, Ranged[float]]:
        return {name: Ranged(value(name), value(name) - 0.05, value(name) + 0.05) for name in _NAMES}

    difference = ranges(lambda name: change if name == "time_to_merge_p95" else ci)
    after = ranges(lambda name: 1000 * (1 + difference[name].value))
    combination = Combination(
        **after,
        settings={"batch_size": 3},
        state=state,
        difference=Figures(**difference),
        innocent_removals=0.0,
        reach=Reach("beyond" if beyond else "inside", beyond),
    )
    return Tried(combination, verdict)


def _advice(*tried: Tried) -> tuple[int | None, int | None]:
    found = recommended(tried, _TODAY)
    return found.no_more_ci.combination, found.half_time_to_merge_p95.combination


def test_the_fastest_without_more_ci_and_the_cheapest_that_halves_p95_are_recommended() -> None:
    found = [
        _combination(-0.2, 0.0),
        _combination(-0.3, -0.1),
        _combination(-0.8, 0.6),
        _combination(-0.55, 0.2),
        _combination(-0.9, -0.5, state="does not keep up"),
        _combination(-0.9, -0.5, verdict="unclear"),
        _combination(-0.6, -0.5, verdict="probably lower"),
    ]

    advice = recommended(found, _TODAY)

    assert advice.no_more_ci.combination == 1
    assert advice.no_more_ci.sentence == (
        "Batches of 3: p95 of 12m instead of 17m (−30%, −35% to −25%); "
        "CI time per merge −10% (−15% to −5%), CI runs per merge −10%."
    )
    assert advice.half_time_to_merge_p95.combination == 3


@pytest.mark.parametrize(
    ("beyond", "verdict"), [((), "probably lower"), (("batches of up to 8",), "unclear")]
)
def test_what_is_likely_but_not_sure_to_be_faster_is_worth_a_trial_and_not_recommended(
    beyond: tuple[str, ...], verdict: Verdict
) -> None:
    """An interval that includes no gain was once recommended: -11 % to +6 %."""
    likely = _combination(-0.13, -0.2, verdict=verdict, beyond=beyond)

    found = recommended([_combination(-0.1, 0.0), likely], _TODAY)
    alone = recommended([likely], _TODAY)

    assert (found.no_more_ci.combination, found.worth_a_trial.combination) == (0, 1)
    assert (alone.no_more_ci.combination, alone.worth_a_trial.combination) == (None, 0)
    unseen = ", because the history never shows batches of up to 8" if beyond else ""
    assert alone.worth_a_trial.sentence == (
        "Batches of 3: p95 of 15m instead of 17m (−13%, −18% to −8%); CI time per merge −20% (−25% to −15%), "
        f"CI runs per merge −20%. This is likely but not sure{unseen}: try it for a week, then ask again."
    )


@pytest.mark.parametrize(
    "other",
    [
        _combination(-0.08, -0.2, verdict="probably lower"),  # less than what is sure
        _combination(-0.13, 0.1, verdict="probably lower"),  # more CI
        _combination(-0.13, -0.2, verdict="unclear"),  # recorded, and still unclear
        _combination(-0.13, -0.2, verdict="probably lower", state="does not keep up"),
    ],
)
def test_nothing_else_is_worth_a_trial(other: Tried) -> None:
    found = recommended([_combination(-0.1, 0.0), other], _TODAY).worth_a_trial

    assert found.combination is None
    assert found.sentence == "No other combination is likely to lower p95 further without more CI."


def test_a_gain_of_a_few_percent_is_not_worth_a_trial() -> None:
    assert (
        recommended([_combination(-0.03, -0.2, verdict="probably lower")], _TODAY).worth_a_trial.combination
        is None
    )


def test_nothing_is_recommended_that_is_not_better() -> None:
    slower, faster = _combination(0.1, -0.2, verdict="higher"), _combination(-0.2, 0.3)

    assert _advice(slower) == (None, None)
    found = recommended([slower], _TODAY)
    assert [found.no_more_ci.sentence, found.half_time_to_merge_p95.sentence] == [
        "No combination is sure to lower p95 without more CI (1 tried).",
        "No combination halves p95, or lowers it at all (1 tried).",
    ]
    half = recommended([slower, faster], _TODAY).half_time_to_merge_p95
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
) -> Search[float]:
    question = SearchQuestion(vary, replicates=2, past=NO_PAST)
    bench, found = bench_for(*world, question), list[Search[float]]()
    assert isinstance(bench, Bench)

    def result() -> Generator[Combination[float]]:
        found.append((yield from search(bench, budget)))

    shown = list(result())
    (answer,) = found
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
    assert all(isnan(getattr(slow, name).value) for name in _NAMES)
    assert found.front == (0,)
    assert found.trust.grade in {"good", "fair", "poor"}
    answer = msgspec.json.decode(msgspec.json.encode(slow))
    assert answer["time_to_merge_p95"] == {"value": None, "low": None, "high": None}


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
    assert all(isfinite(getattr(found.baseline, name).value) for name in _NAMES)
    assert all(getattr(today, name) == getattr(found.baseline, name) for name in _NAMES)
    assert all(getattr(today.difference, name) == Ranged(0, 0, 0) for name in _NAMES)
