"""Widths of intervals and where they begin."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergecast.model.instant import DAY, HOUR, MINUTE, format_instant, parse_instant
from mergecast.model.window import Window, grid_for


@pytest.mark.parametrize(
    ("length", "width"),
    [
        (1, MINUTE),
        (100 * MINUTE, MINUTE),
        (100 * MINUTE + 1, 5 * MINUTE),
        (6 * HOUR, 5 * MINUTE),
        (DAY, 15 * MINUTE),
        (4 * DAY, HOUR),
        (7 * DAY, 6 * HOUR),
        (30 * DAY, DAY),
        (90 * DAY, DAY),
        (365 * DAY, 7 * DAY),
        (2800 * DAY, 28 * DAY),
        (2000 * 365 * DAY, 28 * DAY),
    ],
)
def test_width_is_the_smallest_that_gives_at_most_100(length: int, width: int) -> None:
    """28 days beyond that."""
    assert width == grid_for(Window(0, length)).width


def test_weeks_begin_on_mondays() -> None:
    """Also the week in which time begins."""
    grid = grid_for(Window(0, 365 * DAY))
    instant = parse_instant("1970-01-01T00:00:00Z")

    start = grid.start_of((instant + grid.shift) // grid.width)

    assert "1969-12-29T00:00:00Z" == format_instant(start)


@given(st.integers(0, 4_000_000_000_000_000), st.integers(1, 3_000 * DAY))
def test_an_instant_lies_in_its_interval(instant: int, length: int) -> None:
    """The division by which databases find the interval never sees a negative number."""
    grid = grid_for(Window(0, length))

    start = grid.start_of((instant + grid.shift) // grid.width)

    assert instant + grid.shift >= 0
    assert start <= instant < start + grid.width
