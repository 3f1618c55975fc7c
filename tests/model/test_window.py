"""The width and the start of intervals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergecast.queues.model.instant import DAY, HOUR, MINUTE, Window, format_instant, grid_for, parse_instant


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
def test_the_width_is_the_smallest_that_gives_at_most_100(length: int, width: int) -> None:
    """If no width does, intervals have 28 days."""
    assert width == grid_for(Window(0, length)).width


def test_weeks_begin_on_mondays() -> None:
    """This includes the week of the epoch."""
    grid = grid_for(Window(0, 365 * DAY))
    instant = parse_instant("1970-01-01T00:00:00Z")

    start = grid.start_of((instant + grid.shift) // grid.width)

    assert "1969-12-29T00:00:00Z" == format_instant(start)


@given(st.integers(0, 4_000_000_000_000_000), st.integers(1, 3_000 * DAY))
def test_an_instant_is_in_its_interval(instant: int, length: int) -> None:
    """The division that databases use to find the interval never has a negative operand."""
    grid = grid_for(Window(0, length))

    start = grid.start_of((instant + grid.shift) // grid.width)

    assert instant + grid.shift >= 0
    assert start <= instant < start + grid.width
