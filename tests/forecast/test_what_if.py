"""Other circumstances: faster CI, more pull requests, fewer flakes."""

from typing import Any

import numpy as np
import pytest

from history.recorded import NO_PAST, SECOND
from mergecast.forecasting.estimate.estimate import estimate
from mergecast.forecasting.estimate.tables import oracle_of
from mergecast.forecasting.forecast.answer import Comparison
from mergecast.forecasting.forecast.forecast import Question, forecast
from mergecast.forecasting.forecast.plan import as_recorded, with_settings
from mergecast.forecasting.forecast.settings import errors_of
from mergecast.forecasting.forecast.what_if import multiplied
from mergecast.forecasting.history.inference import TrainRules, infer
from mergecast.forecasting.history.reading import read_history
from mergecast.forecasting.history.structure import History
from mergecast.forecasting.replay.values import Policy, QueueRule
from mergecast.queues.model.instant import Window
from worlds.events import history_of
from worlds.world import START, World

pytestmark = pytest.mark.thorough

_WEEK = 7 * 86_400 * SECOND
_DAYS = 21


@pytest.fixture(scope="module")
def recorded() -> tuple[History, tuple[TrainRules, ...]]:
    world = World(12, days=_DAYS, pulls_per_day=40, length_median=20, flakes=0.08)
    record = world.play(Policy(rules=(QueueRule(2, 2, 60 * SECOND, 1),), max_parallel_checks=2))
    history = read_history(history_of(world, record), Window(START, world.end))
    return history, infer(history)


def _candidate(recorded: tuple[History, tuple[TrainRules, ...]], **settings: object) -> Comparison[float]:
    history, trains = recorded
    asked = [with_settings(settings, plan) for plan in as_recorded(trains)]
    found = forecast(history, trains, Question(asked, replicates=3, past=NO_PAST))
    assert isinstance(found, Comparison)
    return found


def test_faster_ci_shortens_runs_and_the_time_in_queue(
    recorded: tuple[History, tuple[TrainRules, ...]],
) -> None:
    found = _candidate(recorded, ci_speed=0.5)

    assert found.difference.ci_seconds_per_merge.value == pytest.approx(-0.5, abs=0.05)
    assert found.difference.time_to_merge_p50.high < -0.2
    assert (
        "Every CI run takes 0.5 times as long as it would have, whatever its size and outcome; "
        "the time until a run starts stays the same."
    ) in found.notes


def test_more_pull_requests_merge_more_and_wait_longer(
    recorded: tuple[History, tuple[TrainRules, ...]],
) -> None:
    found = _candidate(recorded, arrivals=1.5)

    assert found.difference.merged_per_day.value == pytest.approx(0.5, abs=0.1)
    assert found.difference.time_to_merge_p95.low > 0
    assert (
        "There are 1.5 times as many pull requests: some recorded ones enter again, at the same time of "
        "another week and with outcomes of their own. They are broken and removed as often as others."
    ) in found.notes
    assert not any(note.startswith("The forecast assumes that people") for note in found.notes)


def test_a_queue_that_does_not_keep_up_is_noted(recorded: tuple[History, tuple[TrainRules, ...]]) -> None:
    found = _candidate(recorded, arrivals=3, ci_speed=4)

    (note,) = (note for note in found.notes if note.startswith("The queue does not keep up: "))
    assert "pull requests wait at the end of the period (" in note


def test_without_flakes_there_are_fewer_runs_and_innocent_removals(
    recorded: tuple[History, tuple[TrainRules, ...]],
) -> None:
    found = _candidate(recorded, flakes=0)

    assert found.difference.ci_runs_per_merge.value < -0.03
    assert found.innocent_removals.candidate == 0
    assert (
        "Runs fail by chance 0 times as often as they did; broken pull requests stay broken." in found.notes
    )


@pytest.mark.parametrize("factor", [0.4, 1.3, 2.5])
def test_arrivals_keep_the_time_of_the_week_and_what_is_recorded_of_them(
    recorded: tuple[History, tuple[TrainRules, ...]], factor: float
) -> None:
    _, (train,) = recorded
    fitted = estimate(train, 1, seed=1)
    before, tables = fitted.to_replay.arrivals, oracle_of(fitted, 0).tables
    end = _DAYS * 86_400 * SECOND

    after, changed = multiplied(before, tables, factor, end, np.random.default_rng(1))

    assert len(after.number) == pytest.approx(factor * len(before.number), rel=0.06)
    assert list(after.entered_at) == sorted(after.entered_at)
    assert max(after.entered_at) < end
    first = min(before.entered_at)
    phases = {(at - first) % _WEEK for at in before.entered_at}
    assert {(at - first) % _WEEK for at in after.entered_at} <= phases
    assert len(changed.offsets) == len(after.number) + 1
    assert changed.offsets[-1] == len(changed.flaws) == len(changed.gaps)
    if factor > 1:
        assert changed.flaws == tables.flaws
        assert len(set(after.entered_at)) > 1.1 * len(set(before.entered_at))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"ci_speed": 0}, "must be a number from 0.05 to 20, where 1 is as recorded"),
        ({"ci_speed": "fast"}, "must be a number from 0.05 to 20, where 1 is as recorded"),
        ({"arrivals": 6}, "must be a number from 0.1 to 5, where 1 is as recorded"),
        ({"arrivals": True}, "must be a number from 0.1 to 5, where 1 is as recorded"),
        ({"flakes": -0.1}, "must be a number from 0 to 20, where 1 is as recorded"),
        ({"flakes": float("nan")}, "must be a number from 0 to 20, where 1 is as recorded"),
    ],
)
def test_a_wrong_factor_is_named_with_what_would_be_right(settings: dict[str, Any], message: str) -> None:
    ((name, _),) = settings.items()

    assert errors_of(settings) == [(name, message)]
