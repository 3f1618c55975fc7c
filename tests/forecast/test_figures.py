"""The figures of a record, of a replay, and of stays that are still open."""

import numpy as np
import pytest

from history.recorded import SECOND, enters, leaves, runs
from mergecast.forecasting.estimate.overheads import Overheads
from mergecast.forecasting.forecast.figures import Played, quantiles, recorded_figures, replayed_figures
from mergecast.forecasting.history.reading import read_history
from mergecast.forecasting.replay.values import Policy, QueueRule
from mergecast.queues.model.instant import Window
from worlds.events import events_of
from worlds.figures import figures
from worlds.world import START, World


def test_a_record_gives_times_runs_and_removals() -> None:
    events = [
        enters(0, 1),
        *runs((100, 700), "a", [1], "CHECKS_FAILED"),
        leaves(700, 1, "CHECKS_FAILED"),
        enters(10, 2),
        *runs((800, 1400), "b", [2]),
        leaves(1410, 2),
        enters(20, 3),
        *runs((1500, 1700), "c", [3]),
        leaves(1720, 3),
    ]
    found = recorded_figures(read_history(events, Window(0, 86_400 * SECOND)), ["default"])

    assert (found.time_to_merge_p50, found.time_to_merge_p90, found.time_to_merge_p95) == pytest.approx(
        (1550, 1670, 1685)
    )
    assert found.ci_runs_per_merge == 1.5
    assert found.ci_seconds_per_merge == 700
    assert found.merged_per_day == 2
    assert found.removed_by_checks == pytest.approx(1 / 3)


def test_merges_a_day_count_only_recorded_days() -> None:
    """Six merges in three recorded days are two a day, in a window of thirty days too."""
    day, half = 86_400, 43_200
    stays = [(number, 20 * day + number * half) for number in range(6)]
    events = [event for number, at in stays for event in (enters(at, number), leaves(at + half, number))]
    found = recorded_figures(read_history(events, Window(0, 30 * day * SECOND)), ["default"])

    assert found.merged_per_day == pytest.approx(2)


def test_only_the_queues_and_the_span_that_are_asked_for_count() -> None:
    events = [
        *(enters(0, 1), leaves(100, 1)),
        *(enters(5000, 2), leaves(5300, 2)),
        *(enters(0, 3, queue_name="hotfix"), leaves(9, 3, queue_name="hotfix")),
    ]
    history = read_history(events, Window(0, 86_400 * SECOND))

    assert recorded_figures(history, ["default"]).time_to_merge_p50 == 200
    assert recorded_figures(history, ["default"], since=4000).time_to_merge_p50 == 300
    assert recorded_figures(history, ["default"], until=4000).time_to_merge_p50 == 100


def test_stays_that_are_still_open_count_as_longer_than_so_far() -> None:
    times = np.array([10.0, 20, 30, 40, 25, 25])
    is_merged = np.array([True, True, True, True, False, False])

    assert quantiles(times, is_merged) == (30, 40, 40)
    assert quantiles(times[:4], is_merged[:4])[0] == 25


def test_nothing_merged_has_no_figures() -> None:
    found = recorded_figures(read_history([enters(0, 1)], Window(0, 86_400 * SECOND)), ["default"])

    assert np.isnan(found.time_to_merge_p50)
    assert np.isnan(found.ci_runs_per_merge)


def test_a_replay_has_the_figures_of_the_events_it_would_have_left() -> None:
    world = World(5, days=14, leaving_per_hour=0.02)
    record = world.play(Policy(rules=(QueueRule(3, 3, 300 * SECOND, 1),), max_parallel_checks=3))
    played = Played(record, [0], world.arrivals.rule, Overheads(0, 0, 0, 0))
    counted = figures(events_of(world, record), START, world.end)

    found = replayed_figures([played], world.end / SECOND, START / SECOND)

    assert found.ci_runs_per_merge == pytest.approx(counted.ci_runs_per_merge)
    assert found.ci_seconds_per_merge == pytest.approx(counted.ci_seconds_per_merge)
    assert found.time_to_merge_p50 == pytest.approx(counted.time_to_merge_p50, rel=0.005)
    assert found.time_to_merge_p95 == pytest.approx(counted.time_to_merge_p95, rel=0.02)
