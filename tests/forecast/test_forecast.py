"""A forecast from events to answer: enough history, the same bytes, the demo's own queue, odd input."""

from dataclasses import replace

import pytest
from msgspec.structs import astuple

from history.recorded import NO_PAST, SECOND, demo_history, enters, leaves, runs
from mergecast.forecasting.forecast.answer import Compared, Comparison, Ranged
from mergecast.forecasting.forecast.forecast import Question, TooLittle, forecast
from mergecast.forecasting.forecast.plan import as_recorded, with_settings
from mergecast.forecasting.forecast.trust import grade_of
from mergecast.forecasting.history.inference import TrainRules, infer
from mergecast.forecasting.history.reading import read_history
from mergecast.forecasting.history.structure import History
from mergecast.forecasting.replay.values import Policy, QueueRule
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import Window
from worlds.events import history_of
from worlds.world import START, World

pytestmark = pytest.mark.thorough

_DAY = 86_400 * SECOND
_TWENTY_DAYS = Window(0, 20 * _DAY)


def _read(events: list[Event], window: Window) -> tuple[History, tuple[TrainRules, ...]]:
    history = read_history(events, window)
    return history, infer(history)


@pytest.fixture(scope="module")
def small_world() -> tuple[History, tuple[TrainRules, ...]]:
    world = World(11, days=21, pulls_per_day=40, length_median=25)
    record = world.play(Policy(rules=(QueueRule(3, 3, 300 * SECOND),), max_parallel_checks=2))
    return _read(history_of(world, record), Window(START, world.end))


def _asked(trains: tuple[TrainRules, ...], replicates: int = 3, **settings: object) -> Question:
    candidate = [with_settings(settings, before) for before in as_recorded(trains)]
    return Question(candidate, replicates=replicates, past=NO_PAST)


def test_the_answer_compares_two_replays_and_says_how_far_to_trust_them(
    small_world: tuple[History, tuple[TrainRules, ...]],
) -> None:
    history, trains = small_world

    question = _asked(trains, batch_size=1, max_parallel_checks=6)
    found = forecast(history, trains, replace(question, past=None))

    assert isinstance(found, Comparison)
    assert found.merged > 200
    assert found.candidate.ci_runs_per_merge.value > found.baseline.ci_runs_per_merge.value
    assert found.difference.ci_runs_per_merge.low > 0
    assert found.trust.grade in {"good", "fair", "poor"}
    assert any("more concurrent checks than ever recorded" in note for note in found.notes)


def test_the_same_seed_gives_the_same_answer_and_another_does_not(
    small_world: tuple[History, tuple[TrainRules, ...]],
) -> None:
    history, trains = small_world
    asked = _asked(trains, replicates=2, batch_size=5)
    question = replace(asked, past=None)

    first, again = forecast(history, trains, question), forecast(history, trains, question)
    other = forecast(history, trains, replace(asked, seed=2))

    assert repr(first) == repr(again)
    assert isinstance(first, Comparison)
    assert isinstance(other, Comparison)
    assert first.candidate != other.candidate


def test_the_unchanged_settings_differ_from_themselves_by_nothing(
    small_world: tuple[History, tuple[TrainRules, ...]],
) -> None:
    history, trains = small_world

    found = forecast(history, trains, _asked(trains, replicates=2))

    assert isinstance(found, Comparison)
    assert all(difference == Ranged(0, 0, 0) for difference in astuple(found.difference))


def test_too_little_history_is_refused_with_what_is_there() -> None:
    events = [event for pull in range(3) for event in (enters(pull, pull), leaves(90 + pull, pull))]
    history, trains = _read(events, _TWENTY_DAYS)

    found = forecast(history, trains, _asked(trains))

    assert isinstance(found, TooLittle)
    assert found.merged == 3
    assert found.detail == (
        "A forecast needs at least 200 merged pull requests and 14 days; there are 3 in less than a day."
    )


def test_days_are_counted_of_what_was_recorded_and_not_of_the_window() -> None:
    """A week of many merges is not enough in a window of sixty days; a quiet weekend at an end counts."""
    week, two_weeks = _crowded(300, 7), _crowded(300, 12)
    later = [event._replace(happened_at=event.happened_at + 50 * _DAY) for event in week]

    few, _ = _read(later, Window(0, 60 * _DAY))
    enough, trains = _read(two_weeks, Window(-2 * _DAY, 14 * _DAY))

    assert few.recorded_span == (50 * 86_400, 60 * 86_400)
    assert isinstance(forecast(few, _read(later, Window(0, 60 * _DAY))[1], Question([])), TooLittle)
    assert enough.recorded_span == (0, 16 * 86_400)
    assert isinstance(forecast(enough, trains, _asked(trains, 1)), Comparison)


def test_an_empty_window_is_refused() -> None:
    history, trains = _read([], Window(0, 0))

    assert forecast(history, trains, Question([])) == TooLittle(merged=0, days=0.0)


def _crowded(count: int, days: int) -> list[Event]:
    """One pull request after the other, every hour, for so many days."""
    step = days * 86_400 / count
    events = []
    for pull in range(count):
        at = pull * step
        events += [enters(at, pull), *runs((at + 5, at + 605), f"b{pull}", [pull]), leaves(at + 606, pull)]
    return events


@pytest.mark.parametrize(
    "settings",
    [
        {"batch_size": 128, "max_parallel_checks": 128, "batch_max_wait_time": 86_400},
        {"checks_timeout": 60},
        {"kind": "github", "min_entries_to_merge": 100, "wait_minutes": 360},
        {"kind": "gitlab", "parallel_pipelines": 1},
        {"mode": "isolated", "max_checks_retries": 20},
    ],
)
def test_absurd_settings_get_an_answer(settings: dict[str, object]) -> None:
    history, trains = _read(_crowded(300, 20), _TWENTY_DAYS)

    assert isinstance(forecast(history, trains, _asked(trains, 2, **settings)), Comparison)


def test_one_pull_request_that_is_queued_a_thousand_times_gets_an_answer() -> None:
    events = []
    for turn in range(1000):
        at = turn * 1700.0
        reason, outcome = ("CHECKS_FAILED",) * 2 if turn % 3 else ("PR_MERGED", "SUCCESS")
        of_turn = [
            enters(at, 1),
            *runs((at + 5, at + 605), f"b{turn}", [1], outcome),
            leaves(at + 606, 1, reason),
        ]
        events += [event._replace(session_id=f"t{turn}") for event in of_turn]
    history, trains = _read(events, _TWENTY_DAYS)

    question = replace(_asked(trains, 2, batch_size=5), past=None)
    assert isinstance(forecast(history, trains, question), Comparison)


def test_a_clock_that_goes_backwards_gets_an_answer() -> None:
    turned = [
        event._replace(happened_at=20 * _DAY - event.happened_at) if event.id.endswith("7") else event
        for event in _crowded(400, 20)
    ]
    history, trains = _read(turned, _TWENTY_DAYS)

    question = replace(_asked(trains, 2, batch_size=5), past=None)
    assert isinstance(forecast(history, trains, question), Comparison | TooLittle)


@pytest.mark.thorough
def test_the_demo_is_replayed_as_it_happened() -> None:
    """The rules of its queue are detected, and the unchanged settings give what was recorded."""
    history, trains = _read(*demo_history(60))
    question = replace(_asked(trains, replicates=4), queues=frozenset({"default"}))

    found = forecast(history, trains, question)

    assert isinstance(found, Comparison)
    for error, most in zip(astuple(found.trust.mechanics), (0.1, 0.2, 0.05), strict=True):
        assert abs(error) <= most


@pytest.mark.parametrize(
    ("p50", "p95", "expected"),
    [
        (0.1, -0.2, "good"),
        (0.11, 0.0, "fair"),
        (0.0, 0.21, "fair"),
        (-0.2, 0.4, "fair"),
        (0.21, 0.0, "poor"),
        (0.0, -0.41, "poor"),
        (float("nan"), 0.0, "poor"),
    ],
)
def test_grades_follow_from_the_errors_of_a_replay(p50: float, p95: float, expected: str) -> None:
    assert grade_of(Compared(p50, p95, 0.0)) == expected


@pytest.mark.parametrize(("runs", "expected"), [(-0.05, "good"), (0.06, "fair"), (0.11, "poor")])
def test_a_grade_considers_runs_per_merge(runs: float, expected: str) -> None:
    assert grade_of(Compared(0.0, 0.0, runs)) == expected
