"""The weeks after a record: how far the intervals reach, and what a document's schedule does then."""

from dataclasses import replace
from math import exp, expm1, log, nan
from random import Random

import pytest

from history.recorded import SECOND
from mergecast.forecasting.estimate.estimate import Estimate, estimate
from mergecast.forecasting.forecast.ahead import ahead_range, next_weeks, play_ahead
from mergecast.forecasting.forecast.answer import Compared
from mergecast.forecasting.forecast.plan import Plan, as_recorded
from mergecast.forecasting.history.inference import infer
from mergecast.forecasting.history.reading import read_history
from mergecast.forecasting.history.seconds import DAY
from mergecast.forecasting.replay.values import ClosedSpan, Closing, Policy
from mergecast.queues.model.instant import Window
from worlds.events import history_of
from worlds.world import START, World

_QUEUES = frozenset({"default"})


def _half(past: list[float], spread: float = 0.1) -> float:
    """How far the interval of ten replays reaches, as a logarithm."""
    found = ahead_range([100 * exp(spread * (place - 4.5) / 3) for place in range(10)], past)
    assert found.value == pytest.approx(100)
    assert log(found.high / 100) == pytest.approx(log(100 / found.low))
    return log(found.high / 100)


def test_an_interval_is_scaled_by_past_errors() -> None:
    own = _half([])

    assert _half([expm1(0.5), expm1(-0.5)] * 3) > 2.5 * own
    assert _half([0.01] * 6) < 0.8 * own
    assert _half([nan]) == own
    assert _half([expm1(0.4)]) < _half([expm1(0.4)] * 2)


def test_ten_equal_replays_have_an_interval_because_past_forecasts_were_off() -> None:
    assert _half([], 0.0) < 0.03
    assert _half([0.3] * 6, 0.0) > 0.3


def test_unknown_figures_stay_unknown() -> None:
    found = ahead_range([nan, 0.0], [0.1])
    assert str(found) == "Ranged(value=nan, low=nan, high=nan)"


@pytest.mark.parametrize("wider", [0.7, 1.0, 1.5])
def test_intervals_hold_in_about_90_percent_of_the_cases(wider: float) -> None:
    """Also if weeks differ more, or less, from forecasts than replays do from each other."""
    chance = Random(1)
    held = 0
    for _ in range(2000):
        replays = [exp(chance.gauss(0, 0.1)) for _ in range(10)]
        *past, now = (expm1(chance.gauss(0, 0.1 * wider)) for _ in range(7))
        found = ahead_range(replays, past)
        held += found.low <= 1 + now <= found.high
    assert 0.85 <= held / 2000 <= 0.98


@pytest.fixture(scope="module")
def fitted() -> Estimate:
    world = World(9, days=28, pulls_per_day=30, rhythm="even", weekend=1.0)
    events = history_of(world, world.play(Policy(max_parallel_checks=4)))
    (rules,) = infer(read_history(events, Window(START, world.end)))
    return estimate(rules, 10, 1)


def test_a_queue_whose_weeks_are_alike_continues_as_before(fitted: Estimate) -> None:
    plans, past = as_recorded([fitted.rules]), [Compared(0.1, -0.2, 0.0)] * 3
    stays = fitted.rules.recorded.history.stays
    times = sorted(stay.left - stay.entered for stay in stays if stay.is_merged and stay.left)

    once, twice = (next_weeks([fitted], _QUEUES, asked, past) for asked in ([plans], [plans, plans]))

    assert once * 2 == twice
    p50 = once[0].time_to_merge_p50
    assert p50.value == pytest.approx(times[len(times) // 2], rel=0.15)
    assert p50.low < p50.value < p50.high


def test_the_schedule_of_a_document_holds_in_the_weeks_ahead(fitted: Estimate) -> None:
    """It closes the queue for half of every day, recorded or not."""
    longer = replace(fitted, until=42 * DAY)
    plan = Plan(fitted.rules.policy, fitted.rules.kind)
    half_days = tuple(
        ClosedSpan(day * 86_400 * SECOND, (2 * day + 1) * 43_200 * SECOND, Closing.SCHEDULE)
        for day in range(28)
    )
    closed = replace(plan, schedules=half_days)

    is_open, is_closed = play_ahead([longer], _QUEUES, [[plan], [closed]], 0)

    assert is_closed.time_to_merge_p95 > is_open.time_to_merge_p95 + 4 * 3600
