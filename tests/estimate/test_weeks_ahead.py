"""What comes after a record: weeks like those recorded."""

from dataclasses import replace

import pytest

from mergecast.forecasting.estimate.estimate import Estimate, estimate
from mergecast.forecasting.estimate.weeks_ahead import WeekAhead, if_weeks_like_these_come, weeks_ahead
from mergecast.forecasting.history.closed_time import ClosedTime
from mergecast.forecasting.history.inference import infer
from mergecast.forecasting.history.reading import read_history
from mergecast.forecasting.history.seconds import DAY, WEEK, in_seconds
from mergecast.forecasting.replay.values import Policy
from mergecast.queues.model.instant import Window
from worlds.events import history_of
from worlds.world import START, World

_REPLICATES = 12


@pytest.fixture(scope="module")
def fitted() -> Estimate:
    """Four weeks, and replays of two more."""
    world = World(7, days=28, pulls_per_day=30, rhythm="even", weekend=1.0)
    events = history_of(world, world.play(Policy(max_parallel_checks=4)))
    (rules,) = infer(read_history(events, Window(START, world.end)))
    return estimate(rules, 1, 1, 42 * DAY)


def test_each_week_is_one_of_those_recorded(fitted: Estimate) -> None:
    drawn = [weeks_ahead(fitted, replicate) for replicate in range(_REPLICATES)]

    assert {week.since / WEEK for weeks in drawn for week in weeks} == {0, 1, 2, 3}
    assert all([(week.since + week.later) / WEEK for week in weeks][:2] == [4, 5] for weeks in drawn)
    assert weeks_ahead(replace(fitted, until=fitted.known_until), 0) == []


def test_the_pull_requests_of_a_week_come_again_with_luck_of_their_own(fitted: Estimate) -> None:
    entered = {stay.session_id: stay.entered for stay in fitted.rules.recorded.history.stays}
    first, *_ = weeks_ahead(fitted, 0)

    found = if_weeks_like_these_come(fitted, 0, 27 * DAY).to_replay

    times = [in_seconds(at) for at in found.arrivals.entered_at]
    assert times == sorted(times)
    assert (27 <= times[0] / DAY < 28, 41 < times[-1] / DAY < 42) == (True, True)
    again = [at - first.later for at in times if 4 * WEEK <= at < 5 * WEEK]
    assert again
    assert {round(at, 3) for at in again} <= {round(at, 3) for at in entered.values()}
    assert not set(found.keys[-len(again) :]) & set(fitted.record.keys[: len(again)])
    assert found.stays == ()


def test_closed_time_comes_again_with_its_week(fitted: Estimate) -> None:
    first, second, *_ = weeks_ahead(fitted, 0)
    span = (first.since + DAY, first.since + 2 * DAY)
    closed = ClosedTime((span,), (), (), (first.since + 3 * DAY,), (span,))
    rules = replace(fitted.rules, closed=closed)

    found = if_weeks_like_these_come(replace(fitted, rules=rules), 0, 27 * DAY).rules.closed

    times = 1 + (first.since == second.since)
    later = [(4 * WEEK + DAY, 4 * WEEK + 2 * DAY), (5 * WEEK + DAY, 5 * WEEK + 2 * DAY)][:times]
    assert found.schedules[: 1 + times] == (span, *later)
    assert found.outages == found.schedules
    assert found.pushes[:2] == (first.since + 3 * DAY, 4 * WEEK + 3 * DAY)


def test_a_span_across_the_end_of_a_week_is_cut_there() -> None:
    week = WeekAhead(since=WEEK, later=3 * WEEK)

    assert list(week.moved([(0.0, WEEK), (WEEK - 5, WEEK + 5), (2 * WEEK - 5, 2 * WEEK + 5)])) == [
        (4 * WEEK, 4 * WEEK + 5),
        (5 * WEEK - 5, 5 * WEEK),
    ]
