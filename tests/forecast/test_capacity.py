"""How many pull requests a day a queue can take."""

from typing import Any

import pytest
from msgspec.structs import asdict

from history.recorded import NO_PAST, SECOND
from mergecast.forecasting.forecast.answer import Capacity, CapacityAnswer, Understood
from mergecast.forecasting.forecast.capacity import Step, capacity
from mergecast.forecasting.forecast.forecast import TooLittle
from mergecast.forecasting.forecast.search import Bench, Limit, SearchQuestion, bench_for
from mergecast.forecasting.forecast.wording import capacity_headline, capacity_rows
from mergecast.forecasting.history.inference import TrainRules, infer
from mergecast.forecasting.history.reading import read_history
from mergecast.forecasting.history.structure import History
from mergecast.forecasting.replay.values import Policy, QueueRule
from mergecast.queues.model.instant import Window
from worlds.events import history_of
from worlds.world import START, World

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def recorded() -> tuple[History, tuple[TrainRules, ...]]:
    """One run of 20 minutes at a time: at most 72 merges a day, of which 20 are used."""
    world = World(31, days=14, pulls_per_day=20, length_median=20, weekend=1.0, broken=0.0, flakes=0.0)
    record = world.play(Policy(rules=(QueueRule(),), max_parallel_checks=1))
    history = read_history(history_of(world, record), Window(START, world.end))
    return history, infer(history)


def _asked(
    recorded: tuple[History, tuple[TrainRules, ...]], vary: dict[str, list[Any]], p95: float
) -> tuple[list[Step], Capacity[float]]:
    bench = bench_for(*recorded, SearchQuestion(vary, Limit("time_to_merge_p95", p95), past=NO_PAST))
    assert isinstance(bench, Bench)
    steps, work = [], capacity(bench)
    while True:
        try:
            steps.append(next(work))
        except StopIteration as end:
            return steps, end.value


def _answer(found: Capacity[float]) -> CapacityAnswer:
    understood = Understood(baseline={}, source_of_baseline="history", detected=())
    return CapacityAnswer(**asdict(found), settings=understood)


@pytest.mark.thorough
def test_a_queue_takes_more_with_more_slots(recorded: tuple[History, tuple[TrainRules, ...]]) -> None:
    """The limit is reached within what one slot can do, and later with three."""
    kind = recorded[1][0].kind
    slots = {"mergify": "max_parallel_checks", "github": "max_entries_to_build"}[kind]

    steps, found = _asked(recorded, {slots: [1, 3]}, 4 * 3600.0)

    assert found.recorded_arrivals_per_day == pytest.approx(20, rel=0.2)
    today = found.today.factor
    assert 1 < today.value * found.recorded_arrivals_per_day / 20 < 72 / 20
    assert today.low <= today.value <= today.high
    assert found.best is not None
    assert found.best.settings == {slots: 3}
    assert found.best.factor.value > 1.3 * today.value
    assert found.best.reach.beyond == ("more than 1 concurrent run",)
    assert steps[0].settings_left == 2

    answer = _answer(found)
    assert capacity_headline(answer).startswith("p95 exceeds 4h00m at ")
    assert [row[:2] for row in capacity_rows(answer)] == [("today", "as today"), ("best", f"{slots} 3")]
    assert (
        "The best settings go beyond what was recorded (more than 1 concurrent run): "
        "how CI behaves then is assumed."
    ) in found.notes


@pytest.mark.thorough
def test_a_limit_that_is_never_reached_and_one_that_always_is(
    recorded: tuple[History, tuple[TrainRules, ...]],
) -> None:
    _, never = _asked(recorded, {"checks_timeout": [None]}, 1e9)
    _, always = _asked(recorded, {"checks_timeout": [None]}, 1.0)

    assert never.today.exceeds_what_was_tried
    assert not always.today.exceeds_what_was_tried
    assert never.best is None
    headline = capacity_headline(_answer(never))
    assert headline.startswith("p95 stays below ")
    assert "with 5 times as many pull requests under today's settings; " in headline
    assert (
        "Even 0.1 times the recorded pull requests exceed the limit under today's settings." in always.notes
    )
    assert "None of the settings that were tried can take more pull requests than today's." in always.notes


def test_too_little_history_has_no_capacity() -> None:
    history = read_history([], Window(0, 86_400 * SECOND))

    assert bench_for(history, (), SearchQuestion({})) == TooLittle(0, 0.0)
