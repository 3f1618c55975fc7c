"""How many pull requests a day a queue can take."""

import pytest

from history.recorded import SECOND
from mergecast.forecasting.forecast.answer import capacity_answer
from mergecast.forecasting.forecast.capacity import Capacity, CapacityQuestion, Step, capacity
from mergecast.forecasting.forecast.capacity_notes import capacity_notes
from mergecast.forecasting.forecast.forecast import TooLittle
from mergecast.forecasting.forecast.wording import capacity_headline, capacity_rows
from mergecast.forecasting.history.inference import TrainRules, infer
from mergecast.forecasting.history.reading import read_history
from mergecast.forecasting.history.structure import History
from mergecast.forecasting.replay.values import Policy, QueueRule
from mergecast.queues.model.window import Window
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
    recorded: tuple[History, tuple[TrainRules, ...]], question: CapacityQuestion
) -> tuple[list[Step], Capacity]:
    steps, work = [], capacity(*recorded, question)
    while True:
        try:
            steps.append(next(work))
        except StopIteration as end:
            return steps, _answer(end.value)


def _answer(found: object) -> Capacity:
    assert isinstance(found, Capacity)
    return found


@pytest.mark.thorough
def test_a_queue_takes_more_with_more_slots(recorded: tuple[History, tuple[TrainRules, ...]]) -> None:
    """The limit is reached within what one slot can do, and later with three."""
    kind = recorded[1][0].kind
    slots = {"mergify": "max_parallel_checks", "github": "max_entries_to_build"}[kind]

    steps, found = _asked(recorded, CapacityQuestion({slots: [1, 3]}, 4 * 3600.0))

    assert found.arrivals_per_day == pytest.approx(20, rel=0.2)
    assert 1 < found.today.factor.value * found.arrivals_per_day / 20 < 72 / 20
    assert found.today.factor.low <= found.today.factor.value <= found.today.factor.high
    assert found.best is not None
    assert found.best.settings == {slots: 3}
    assert found.best.factor.value > 1.3 * found.today.factor.value
    assert found.best.reach.beyond == ("more than 1 concurrent run",)
    assert steps[0].settings_left == 2

    answer = capacity_answer(found)
    assert capacity_headline(answer).startswith("p95 exceeds 4h00m from ")
    assert [row[:2] for row in capacity_rows(answer)] == [("today", "as today"), ("best", f"{slots} 3")]
    assert (
        "The best settings go beyond what was recorded (more than 1 concurrent run): "
        "how CI behaves then is assumed."
    ) in list(capacity_notes(found))


@pytest.mark.thorough
def test_a_limit_that_is_never_reached_and_one_that_always_is(
    recorded: tuple[History, tuple[TrainRules, ...]],
) -> None:
    _, never = _asked(recorded, CapacityQuestion({"checks_timeout": [None]}, 1e9))
    _, always = _asked(recorded, CapacityQuestion({"checks_timeout": [None]}, 1.0))

    assert never.today.is_most
    assert always.today.is_least
    assert never.best is None
    headline = capacity_headline(capacity_answer(never))
    assert headline.startswith("p95 stays below ")
    assert "with 5 times as many pull requests under today's settings; " in headline
    assert (
        "Even 0.1 times the recorded pull requests exceed the limit under today's settings."
        in capacity_notes(always)
    )
    assert "None of the settings that were tried can take more pull requests than today's." in capacity_notes(
        always
    )


def test_too_little_history_has_no_capacity() -> None:
    history = read_history([], Window(0, 86_400 * SECOND))

    with pytest.raises(StopIteration) as end:
        next(capacity(history, (), CapacityQuestion({}, None)))

    assert end.value.value == TooLittle(0, 0.0)
