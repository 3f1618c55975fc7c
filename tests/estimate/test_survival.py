"""Lengths that were cut short count as longer than that."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergecast.forecasting.estimate.survival import survival


def test_the_textbook_example() -> None:
    curve = survival(
        np.array([6.0, 6, 6, 6, 7, 9, 10, 10, 11, 13]),
        np.array([True, True, True, False, True, False, True, False, False, True]),
    )

    assert curve.values.tolist() == [6, 6, 6, 7, 10, 13]
    assert curve.longer_than(np.array([6.0, 7, 10, 12.9])).tolist() == pytest.approx(
        [0.7, 0.7 * 5 / 6, 0.7 * 5 / 6 * 3 / 4, 0.7 * 5 / 6 * 3 / 4]
    )
    assert curve.beyond == 0


def test_without_cuts_it_is_the_plain_distribution() -> None:
    curve = survival(np.array([3.0, 1, 2, 4]), np.array([True] * 4))

    assert curve.weights.tolist() == pytest.approx([0.25] * 4)
    assert curve.at(np.array([0.0, 0.3, 0.6, 0.99])).tolist() == [1, 2, 3, 4]


def test_what_outlasts_every_complete_observation_lies_beyond() -> None:
    curve = survival(np.array([1.0, 2, 5]), np.array([True, True, False]))

    assert curve.beyond == pytest.approx(1 / 3)
    assert np.isinf(curve.at(np.array([0.9]))).all()


def test_nothing_observed_is_all_beyond() -> None:
    curve = survival(np.zeros(0), np.zeros(0, dtype=np.bool_))

    assert (curve.beyond, curve.longer_than(np.array([1.0])).tolist()) == (1.0, [1.0])


@given(
    st.lists(st.tuples(st.floats(0, 100), st.booleans()), min_size=1, max_size=40),
    st.floats(0, 100),
    st.floats(0, 0.999),
)
def test_a_draw_beyond_a_limit_is_never_below_it(
    observed: list[tuple[float, bool]], limit: float, uniform: float
) -> None:
    values, complete = zip(*observed, strict=True)
    curve = survival(np.array(values), np.array(complete))

    assert curve.beyond_limits(np.array([limit]), np.array([uniform]))[0] >= limit
    assert curve.weights.sum() + curve.beyond == pytest.approx(1)
