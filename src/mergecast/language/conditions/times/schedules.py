"""Weekly schedules such as `Mon-Fri 09:00-17:30[Europe/Paris]`."""

import re
from dataclasses import dataclass
from datetime import datetime

from mergecast.language.conditions.errors import InvalidValue, excerpt
from mergecast.language.conditions.times.timestamps import local_time, zone

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_FULL = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_NUMBERS = {name.lower(): place % 7 + 1 for place, name in enumerate((*_DAYS, *_FULL))}

_RANGE_OF_DAYS = r"(?P<first>[A-Za-z]+|[0-9]+)[ \t]*-[ \t]*(?P<last>[A-Za-z]+|[0-9]+)"
_RANGE_OF_TIMES = (
    r"(?P<start>[0-9]{1,2}:[0-9]{2})(?:\[(?P<start_zone>[^\]]*)\])?"
    r"[ \t]*-[ \t]*(?P<end>[0-9]{1,2}:[0-9]{2})(?:\[(?P<end_zone>[^\]]*)\])?"
)
_SCHEDULE = re.compile(rf"(?:{_RANGE_OF_DAYS})?(?:(?:^|[ \t]+){_RANGE_OF_TIMES})?")
_EXAMPLE = "write it like `Mon-Fri`, `09:00-17:30[Europe/Paris]` or `Mon-Fri 09:00-17:30[Europe/Paris]`"
_LAST_HOUR, _LAST_MINUTE, _LAST_DAY = 23, 59, 7
# An end of 23:59 includes that minute: a gap of a minute before midnight is never intended.
_LAST_OF_DAY = _LAST_HOUR * 60 + _LAST_MINUTE


@dataclass(frozen=True, slots=True)
class Times:
    """A range of times of day, in minutes after midnight, each end in its own time zone."""

    start: int
    end: int
    start_zone: str
    end_zone: str

    def contains(self, start: datetime, end: datetime) -> bool:
        """Whether the current time, given in both zones, is in the range, which includes both ends."""
        if start.hour * 60 + start.minute < self.start:
            return False
        minute = end.hour * 60 + end.minute
        if minute == self.end and self.end != _LAST_OF_DAY:
            return not (end.second or end.microsecond)
        return minute <= self.end


@dataclass(frozen=True, slots=True)
class Schedule:
    """Days of the week (1 is Monday) and times of day; None means all of them."""

    days: tuple[int, int] | None
    times: Times | None

    @property
    def zone(self) -> str:
        return self.times.start_zone if self.times else "UTC"

    def contains(self, now: int) -> bool:
        local = local_time(now, self.zone)
        if self.days and not self.days[0] <= local.isoweekday() <= self.days[1]:
            return False
        if self.times is None:
            return True
        if self.times.end_zone == self.times.start_zone:
            return self.times.contains(local, local)
        return self.times.contains(local, local_time(now, self.times.end_zone))

    def __str__(self) -> str:
        parts = []
        if self.days:
            parts.append(f"{_DAYS[self.days[0] - 1]}-{_DAYS[self.days[1] - 1]}")
        if self.times:
            start, end = (
                f"{minutes // 60:02}:{minutes % 60:02}" for minutes in (self.times.start, self.times.end)
            )
            parts.append(f"{start}[{self.times.start_zone}]-{end}[{self.times.end_zone}]")
        return " ".join(parts)


def parse_schedule(text: str) -> Schedule:
    """Parse a schedule; raises InvalidValue."""
    match = _SCHEDULE.fullmatch(text)
    if match is None or not (match["first"] or match["start"]):
        raise InvalidValue(f"Invalid schedule; {_advice(text)}")
    return Schedule(_days(match), _times(match))


def _advice(text: str) -> str:
    day = _NUMBERS.get(text.strip().lower())
    return f"write a single day as `{_DAYS[day - 1]}-{_DAYS[day - 1]}`" if day else _EXAMPLE


def _days(match: re.Match[str]) -> tuple[int, int] | None:
    if match["first"] is None:
        return None
    first, last = _day(match["first"]), _day(match["last"])
    if last < first:
        raise InvalidValue(
            f"Invalid schedule: {match['first']}-{match['last']} ends before it starts; "
            "join two schedules with `or` instead"
        )
    return first, last


def _day(written: str) -> int:
    if not written.isdigit():
        if written.lower() not in _NUMBERS:
            raise InvalidValue(
                f"Invalid schedule: `{excerpt(written)}` is not a day; use Mon to Sun, or 1 to 7"
            )
        return _NUMBERS[written.lower()]
    if len(written) > 1 or not 1 <= int(written) <= _LAST_DAY:
        raise InvalidValue("Day of the week must be between 1 and 7")
    return int(written)


def _times(match: re.Match[str]) -> Times | None:
    if match["start"] is None:
        return None
    start, end = _minutes(match["start"]), _minutes(match["end"])
    times = Times(start, end, *_zones(match["start_zone"], match["end_zone"]))
    if end < start and times.start_zone == times.end_zone:
        raise InvalidValue(
            f"Invalid schedule: {match['start']}-{match['end']} ends before it starts; "
            f"write `or` of `{match['start']}-23:59` and `00:00-{match['end']}`"
        )
    return times


def _zones(start: str | None, end: str | None) -> tuple[str, str]:
    for name in (start, end):
        if name is not None:
            zone(name)
    return start or end or "UTC", end or start or "UTC"


def _minutes(written: str) -> int:
    hour, minute = map(int, written.split(":"))
    if hour > _LAST_HOUR:
        raise InvalidValue("Hour must be between 0 and 23")
    if minute > _LAST_MINUTE:
        raise InvalidValue("Minute must be between 0 and 59")
    return hour * 60 + minute
