"""How often something happens at each hour of the week, and how often it was to be expected in a span."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from mergecast.queues.model.instant import DAY, HOUR, WEEK

HOURS: Final = WEEK // HOUR
_FIRST_MONDAY: Final = 4 * DAY


def hour_of_week(at: int) -> int:
    """0 to 167, from Monday 00:00 UTC on.

    >>> hour_of_week(0)
    72
    """
    return (at - _FIRST_MONDAY) % WEEK // HOUR


@dataclass(frozen=True, slots=True)
class Rates:
    """Expected occurrences per hour, for each hour of the week."""

    hourly: tuple[float, ...]
    until: tuple[float, ...]  # from Monday on, before each hour; the last is the whole week

    def expected(self, start: int, end: int) -> float:
        """How many are to be expected in a span."""
        return self._since_monday(end) - self._since_monday(start) if end > start else 0.0

    def _since_monday(self, at: int) -> float:
        weeks, rest = divmod(at - _FIRST_MONDAY, WEEK)
        hour, part = divmod(rest, HOUR)
        return weeks * self.until[-1] + self.until[hour] + self.hourly[hour] * (part / HOUR)

    def when(self, start: int, count: float) -> int | None:
        """The instant by which so many are to be expected, to the hour; None if that takes over a week."""
        if count <= 0:
            return start
        if self.expected(start, start + WEEK) < count:
            return None
        at = start
        while self.expected(start, at + HOUR) < count:
            at += HOUR
        rate = self.expected(at, at + HOUR)
        return at + int(HOUR * (count - self.expected(start, at)) / rate) + 1


def rates_of(hourly: Sequence[float]) -> Rates:
    return Rates(tuple(hourly), (0.0, *accumulate(hourly)))
