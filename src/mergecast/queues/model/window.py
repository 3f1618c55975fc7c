"""The period of a question, and the intervals it is divided into."""

from typing import NamedTuple

from mergecast.queues.model.instant import DAY, HOUR, MINUTE, WEEK

_WIDTHS = (MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR, DAY, WEEK, 4 * WEEK)
_MOST_INTERVALS = 100
_FIRST_MONDAY = 4 * DAY  # 1970-01-05: weeks and spans of four weeks begin on Mondays


class Window(NamedTuple):
    """Half open: from `start` up to, not including, `end`."""

    start: int
    end: int


class Grid(NamedTuple):
    """Intervals of one width. Interval `n` begins at `n * width - shift`.

    The shift is never negative, so that `(instant + shift) / width` rounds down for every instant
    since 1970 in databases whose integer division cuts towards zero.
    """

    width: int
    shift: int

    def start_of(self, number: int) -> int:
        return number * self.width - self.shift


def grid_for(window: Window) -> Grid:
    """The finest grid that divides the window into at most 100 intervals.

    >>> grid_for(Window(0, DAY)).width == 15 * MINUTE
    True
    """
    length = window.end - window.start
    width = next((width for width in _WIDTHS if length <= _MOST_INTERVALS * width), _WIDTHS[-1])
    return Grid(width, width - _FIRST_MONDAY if width >= WEEK else 0)
