"""How often something happens at each hour of the week, and how often it was to be expected in a span."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from mergecast.queues.model.instant import DAY, HOUR, WEEK
from mergecast.signals.thresholds.course import Span

HOURS: Final = WEEK // HOUR
_FIRST_MONDAY: Final = 4 * DAY
_DAY_HOURS = DAY // HOUR
_WORKING_HOURS = 5 * _DAY_HOURS
_CLOSED_WEEKS = 3  # an hour without anything in so many weeks is closed
_LEAST_EXPOSURE = HOUR // 2


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

    def open_time(self, start: int, end: int) -> float:
        """How much of a span is in hours in which it happens at all, in microseconds."""
        if start // HOUR == end // HOUR:
            return float(end - start) if self.hourly[hour_of_week(start)] else 0.0
        return float(sum(part for hour, _, part in _by_hour([Span(start, end)]) if self.hourly[hour]))

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


def learn_rates(instants: Sequence[int], exposed: Sequence[Span]) -> Rates:
    """The mean rate times a factor of the hour: profiles of working days and weekends, smoothed over 3 hours.

    `exposed` are the spans in which it could have happened. An hour of the week in which it could have, in
    several weeks, and never did, is closed.
    """
    exposure = [0.0] * HOURS
    weeks: list[set[int]] = [set() for _ in range(HOURS)]
    for hour, week, part in _by_hour(exposed):
        exposure[hour] += part / HOUR
        if part >= _LEAST_EXPOSURE:
            weeks[hour].add(week)
    counts = [0.0] * HOURS
    for at in instants:
        counts[hour_of_week(at)] += 1
    total = sum(exposure)
    mean = len(instants) / total if total else 0.0
    profile = _profile(counts, exposure, mean)
    closed = [not counts[hour] and len(weeks[hour]) >= _CLOSED_WEEKS for hour in range(HOURS)]
    return rates_of([0.0 if closed[hour] else profile[_class(hour)] for hour in range(HOURS)])


def _class(hour: int) -> int:
    """Working days share 24 classes, weekends the other 24."""
    return hour % _DAY_HOURS + (_DAY_HOURS if hour >= _WORKING_HOURS else 0)


def _profile(counts: Sequence[float], exposure: Sequence[float], mean: float) -> list[float]:
    in_class, exposed = [0.0] * 2 * _DAY_HOURS, [0.0] * 2 * _DAY_HOURS
    for hour in range(HOURS):
        in_class[_class(hour)] += counts[hour]
        exposed[_class(hour)] += exposure[hour]
    profile = []
    for place in range(2 * _DAY_HOURS):
        first = place // _DAY_HOURS * _DAY_HOURS
        near = [first + (place - first + shift) % _DAY_HOURS for shift in (-1, 0, 1)]
        # As if one more hour had been as usual: an hour that was seldom exposed says little.
        found = sum(in_class[hour] for hour in near) + mean
        profile.append(found / (sum(exposed[hour] for hour in near) + 1))
    return profile


def _by_hour(spans: Iterable[Span]) -> Iterable[tuple[int, int, int]]:
    """The parts of spans in each hour: the hour of the week, the number of the week, and the length."""
    for start, end in spans:
        at = start
        while at < end:
            after = min(end, at - at % HOUR + HOUR)
            yield hour_of_week(at), (at - _FIRST_MONDAY) // WEEK, after - at
            at = after
