"""Intervals such as `XXXX-07-14T14:00/XXXX-07-14T19:00[Europe/Paris]`; X means any year, month or day."""

import re
from dataclasses import dataclass, replace
from datetime import date, datetime, time

from mergecast.language.conditions.errors import InvalidValue
from mergecast.language.conditions.times.timestamps import (
    EXAMPLE,
    TIME,
    ZONE,
    instant_of,
    local_time,
    time_of_day,
    zone,
    zone_name,
)

_SIDE = re.compile(
    rf"(?P<year>[0-9]{{4}}|XXXX)-(?P<month>[0-9]{{2}}|XX)-(?P<day>[0-9]{{2}}|XX)(?:[Tt ]{TIME})?{ZONE}"
)
# A leap year and a month of 31 days: a date that does not exist in these never exists.
_LEAP_YEAR = 2000
_LONG_MONTH = 1
_EXAMPLE = "write it like `2026-07-14T14:00/2026-07-14T19:00[Europe/Paris]`, with XXXX for every year"


@dataclass(frozen=True, slots=True)
class Side:
    """One end of an interval; date fields that are None are taken from the current date."""

    year: int | None
    month: int | None
    day: int | None
    time: time
    zone: str

    def filled(self, today: date) -> int | None:
        """The instant with the open fields taken from `today`; None if that date does not exist."""
        fields = (self.year or today.year, self.month or today.month, self.day or today.day)
        try:
            return instant_of(datetime.combine(date(*fields), self.time, zone(self.zone)))
        except (ValueError, OverflowError):
            return None


@dataclass(frozen=True, slots=True)
class Interval:
    """A period that includes both ends. A date field that both ends leave open has the same value in both."""

    start: Side
    end: Side

    def today(self, now: int) -> date:
        """The current date in the time zone of the interval."""
        return local_time(now, self.start.zone).date()

    def bounds(self, today: date) -> tuple[int, int] | None:
        """The instants of both ends for this date; None if the interval is empty on it."""
        start, end = self.start.filled(today), self.end.filled(today)
        return None if start is None or end is None or end < start else (start, end)

    def contains(self, now: int) -> bool:
        bounds = self.bounds(self.today(now))
        return bounds is not None and bounds[0] <= now <= bounds[1]


def looks_like_interval(text: str) -> bool:
    """Whether the text must be an interval rather than a timestamp."""
    return "X" in text.split("[", 1)[0] or re.search(r"/[0-9X]{4}-", text) is not None


def parse_interval(text: str) -> Interval:
    """Parse an interval; a single date or time with an X means all of that day, minute or second."""
    separator = re.search(r"/(?=[0-9X]{4}-)", text)
    if separator is None:
        return _unit(text)
    first, last = _match(text[: separator.start()]), _match(text[separator.end() :])
    end_zone = zone_name(last)
    start_zone = zone_name(first) or end_zone or "UTC"
    start = _side(first, start_zone)
    return _checked(start, _side(last, end_zone or start_zone))


def _unit(text: str) -> Interval:
    match = _match(text)
    start = _side(match, zone_name(match) or "UTC")
    if match["hour"] is None:
        return Interval(start, replace(start, time=time.max))
    second = start.time.second if match["second"] else 59
    microsecond = start.time.microsecond if match["fraction"] else 999_999
    return Interval(start, replace(start, time=start.time.replace(second=second, microsecond=microsecond)))


def _match(text: str) -> re.Match[str]:
    match = _SIDE.fullmatch(text)
    if match is None:
        raise InvalidValue(f"Invalid timestamp; {_EXAMPLE}")
    return match


def _side(match: re.Match[str], zone_of_side: str) -> Side:
    year, month, day = (None if "X" in match[name] else int(match[name]) for name in ("year", "month", "day"))
    try:
        date(
            _LEAP_YEAR if year is None else year,
            _LONG_MONTH if month is None else month,
            1 if day is None else day,
        )
        return Side(year, month, day, time_of_day(match), zone_of_side)
    except ValueError:
        raise InvalidValue(f"Invalid timestamp: this date or time does not exist; {EXAMPLE}") from None


def _checked(start: Side, end: Side) -> Interval:
    """The interval, with fields that only the start fixes fixed in the end too."""
    end = replace(end, year=end.year or start.year, month=end.month or start.month, day=end.day or start.day)
    if _open_fields(start) == _open_fields(end):
        sample = date(_LEAP_YEAR, _LONG_MONTH, 1)
        first, last = start.filled(sample), end.filled(sample)
        if first is not None and last is not None and last < first:
            raise InvalidValue(f"Invalid interval: it ends before it starts; {_EXAMPLE}")
    return Interval(start, end)


def _open_fields(side: Side) -> tuple[bool, ...]:
    return side.year is None, side.month is None, side.day is None
