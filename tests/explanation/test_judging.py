"""When a difference gets no shares."""

from math import log, nan

import pytest

from mergecast.forecasting.explanation.explain import judged
from mergecast.forecasting.explanation.shares import Division, Spread

_LEVELS = 100.0, 150.0
_NOTHING = Spread(0.0, 0.0)


def _division(chance: float = 0.1, off: float = 0.0) -> Division:
    return Division((), _NOTHING, log(1.5), _NOTHING, chance, off)


def test_a_large_difference_beyond_chance_with_a_cause_is_divided() -> None:
    assert judged(_LEVELS, _division(), None, has_named=True) == ("divided", None)


@pytest.mark.parametrize("level", [109.6, 90.4])
def test_a_change_that_is_said_to_be_ten_percent_is_divided(level: float) -> None:
    """Otherwise an answer would say +10% and that it is less than 10 %."""
    assert judged((100.0, level), _division(), None, has_named=True) == ("divided", None)


@pytest.mark.parametrize("level", [109.4, 90.6])
def test_less_than_ten_percent_is_not_divided(level: float) -> None:
    assert judged((100.0, level), _division(), None, has_named=True) == (
        "small",
        "Differences below 10 % are not divided: their shares would mean nothing.",
    )


def test_a_difference_that_chance_alone_gives_is_not_divided() -> None:
    assert judged(_LEVELS, _division(chance=0.5), None, has_named=True) == (
        "chance",
        "Chance alone gives differences of this size.",
    )


@pytest.mark.parametrize(("off", "percent"), [(log(1.16), "16%"), (log(0.8), "20%")])
def test_a_period_that_a_replay_does_not_reproduce_is_not_divided(off: float, percent: str) -> None:
    assert judged(_LEVELS, _division(off=off), None, has_named=True) == (
        "not_replayed",
        f"It is not divided: a replay with other random numbers is off by {percent}, more than 15 %.",
    )


@pytest.mark.parametrize("off", [log(1.14), log(1.154), log(0.846)])
def test_a_replay_within_15_percent_is_good_enough(off: float) -> None:
    """As it would be said: nothing that says 15 % is more than 15 %."""
    assert judged(_LEVELS, _division(off=off), None, has_named=True) == ("divided", None)


def test_without_a_cause_that_differs_nothing_is_named() -> None:
    assert judged(_LEVELS, _division(), None, has_named=False) == (
        "no_cause",
        "No cause differs more between the periods than single days do within one.",
    )


@pytest.mark.parametrize("before", [nan, 0.0])
def test_a_figure_that_is_not_known_is_not_compared(before: float) -> None:
    assert judged((before, 2.0), None, None, has_named=False) == (
        "unknown",
        "It is unknown in at least one period.",
    )


def test_what_was_not_replayed_says_why() -> None:
    assert judged(_LEVELS, None, "the queues differ", has_named=False) == (
        "not_replayed",
        "It is not divided by replay: the queues differ.",
    )
