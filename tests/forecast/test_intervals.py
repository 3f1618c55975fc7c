"""Values and their ranges from replicates."""

from math import exp, nan, sqrt

import pytest
from msgspec.structs import astuple

from mergecast.forecasting.forecast.answer import Figures
from mergecast.forecasting.forecast.figures import paired, ranged


def _figures(p50: float, runs: float = 1.0) -> Figures[float]:
    return Figures(p50, p50, p50, runs, 1.0, 1.0, 0.1)


def test_a_range_is_around_the_middle_of_logarithms() -> None:
    found = ranged([_figures(exp(1)), _figures(exp(3))]).time_to_merge_p50

    # Two replicates: one degree of freedom, variance 2.
    reach = 6.314 * sqrt(2 * 1.5 + 0.01**2)
    assert astuple(found) == pytest.approx((exp(2), exp(2 - reach), exp(2 + reach)))


def test_replicates_that_agree_still_leave_a_floor() -> None:
    found = ranged([_figures(100)] * 20)

    assert found.time_to_merge_p50.value == pytest.approx(100)
    assert found.time_to_merge_p50.high == pytest.approx(100 * exp(1.729 * 0.01))
    assert found.time_to_merge_p95.high == pytest.approx(100 * exp(1.729 * 0.02))


def test_differences_are_paired_by_replicate() -> None:
    before = [_figures(100), _figures(200), _figures(400)]
    after = [_figures(110), _figures(220), _figures(440)]

    assert astuple(paired(before, after).time_to_merge_p50) == pytest.approx((0.1, 0.1, 0.1))


def test_replicates_without_a_value_are_left_out() -> None:
    found = ranged([_figures(100), _figures(nan), _figures(100)]).time_to_merge_p50

    assert found.value == pytest.approx(100)


def test_a_range_reaches_a_few_replicates_that_assume_something_else_and_the_value_does_not() -> None:
    found = ranged(
        [_figures(100 + number / 10) for number in range(15)] + [_figures(200)] * 5
    ).time_to_merge_p50

    assert found.value == pytest.approx(101, abs=0.5)
    assert found.high > 200
    assert 101 / found.low < found.high / 101
