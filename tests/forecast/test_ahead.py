"""The next two weeks: as the six weeks before, with how far off that was at earlier dates."""

from math import exp, log, nan, sqrt
from random import Random

import pytest

from mergecast.forecasting.forecast.ahead import Ahead, Expected, ahead, intervals, ratio_of, sentence
from mergecast.forecasting.forecast.answer import Compared, Figures
from mergecast.forecasting.forecast.figures import FiguresFound, recorded_figures
from mergecast.forecasting.history.reading import read_history
from mergecast.forecasting.history.seconds import DAY
from mergecast.forecasting.history.structure import History
from mergecast.forecasting.replay.values import Policy
from mergecast.queues.model.instant import Window
from worlds.events import history_of
from worlds.world import START, World


@pytest.fixture(scope="module")
def history() -> History:
    world = World(9, days=98, pulls_per_day=15, rhythm="even", weekend=1.0)
    events = history_of(world, world.play(Policy(max_parallel_checks=4)))
    return read_history(events, Window(START, world.end))


def test_the_value_is_that_of_the_last_six_weeks(history: History) -> None:
    before = recorded_figures(history, ["default"], 56 * DAY, 98 * DAY)

    found = intervals(ahead(history, ["default"]).expected)

    assert before.time_to_merge_p50 == pytest.approx(found.time_to_merge_p50.value)
    assert before.time_to_merge_p95 == pytest.approx(found.time_to_merge_p95.value)
    assert before.ci_runs_per_merge == pytest.approx(found.ci_runs_per_merge.value)


def test_the_width_follows_from_the_errors_at_earlier_dates(history: History) -> None:
    """With those of days 42, 56, 70 and 84, and what is usual for queues, which counts as three of them."""
    origins = (42, 56, 70, 84)
    errors = [
        log(
            recorded_figures(history, ["default"], at * DAY, (at + 14) * DAY).time_to_merge_p50
            / recorded_figures(history, ["default"], (at - 42) * DAY, at * DAY).time_to_merge_p50
        )
        for at in origins
    ]
    variance = (3 * 0.18**2 + sum(error**2 for error in errors)) / 7

    found = ahead(history, ["default"])

    assert pytest.approx(variance) == found.expected.time_to_merge_p50.variance
    assert 4 == found.expected.time_to_merge_p50.errors
    p50 = intervals(found.expected).time_to_merge_p50
    assert 1.895 * sqrt(variance) == pytest.approx(log(p50.high / p50.value), rel=0.01)
    assert (4, 4) == (found.held, found.checked)


def test_without_earlier_dates_the_width_is_that_of_most_queues(history: History) -> None:
    found = ahead(history.until(42 * DAY), ["default"])

    p95 = intervals(found.expected).time_to_merge_p95
    assert 2.353 * 0.4 == pytest.approx(log(p95.high / p95.value), rel=0.01)
    assert (0, 0) == (found.held, found.checked)


def test_intervals_hold_in_about_90_percent_of_the_cases() -> None:
    chance = Random(1)
    held = 0
    for _ in range(2000):
        errors = [chance.gauss(0, 0.18) for _ in range(13)]
        variance = (3 * 0.18**2 + sum(error**2 for error in errors[:12])) / 15
        found = Expected(0.0, variance, 12).interval
        held += found.low <= exp(errors[12]) <= found.high
    assert 0.87 <= held / 2000 <= 0.94


def _figures(value: float) -> FiguresFound:
    return Figures(*[value] * 7)


def test_other_settings_multiply_by_the_replayed_ratio_and_add_its_variance() -> None:
    expected = Compared(*(Expected(log(100), 0.04, 12) for _ in range(3)))

    ratio = ratio_of([_figures(10), _figures(10)], [_figures(5), _figures(20)])
    found = intervals(expected, ratio).time_to_merge_p50

    assert pytest.approx(100) == found.value
    variance = 0.04 + 2 * log(2) ** 2 * 1.5
    assert 1.753 * sqrt(variance) == pytest.approx(log(found.high / 100), rel=0.01)


def test_unknown_figures_stay_unknown() -> None:
    expected = Compared(*(Expected(nan) for _ in range(3)))

    assert "Ranged(value=nan, low=nan, high=nan)" == str(intervals(expected).time_to_merge_p50)
    assert "The next two weeks: too little was merged to say." == sentence(Ahead(expected, 0, 0))


@pytest.mark.parametrize(
    ("held", "checked", "said"),
    [
        (9, 10, "9 of 10 earlier forecasts held"),
        (1, 1, "1 of 1 earlier forecast held"),
        (0, 0, "no earlier forecast could be checked"),
    ],
)
def test_the_sentence_has_the_interval_and_how_often_earlier_ones_held(
    held: int, checked: int, said: str
) -> None:
    expected = Compared(*(Expected(log(2400), 0.0325, 12) for _ in range(3)))

    assert f"The next two weeks: p50 40m, probably 29m to 55m; {said}." == sentence(
        Ahead(expected, held, checked)
    )
