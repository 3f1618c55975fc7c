"""Dates and times in conditions, absolute or relative, with or without a time zone; and durations."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, timezone, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

from mergecast.language.conditions.errors import InvalidDuration, InvalidValue, excerpt
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, SECOND, to_datetime
from mergecast.queues.model.nearest import nearest

_BLANKS = "[ \t]*"
_DURATION_UNITS = (
    ("days", "days|day|d"),
    ("hours", "hours|hour|h"),
    ("minutes", "minutes|minute|mins|min|m"),
    ("seconds", "seconds|second|s"),
)


def quantities(number: str) -> str:
    """A pattern of optional quantities in the order of their units, with one named group per unit."""
    return "".join(
        rf"(?:(?P<{unit}>{number}){_BLANKS}(?:{names})(?![a-z]){_BLANKS})?" for unit, names in _DURATION_UNITS
    )


_DURATION = re.compile(_BLANKS + quantities(f"(?:[+-]{_BLANKS})?[0-9]+"))
# More digits would overflow a timedelta in any unit except seconds.
_MOST_DIGITS = 9
_EXAMPLES = "write it like `30 s`, `5 min` or `1 d 15 h`"


def parse_duration(text: str) -> timedelta:
    """Parse a duration; raises InvalidDuration.

    >>> parse_duration("2h 30 min")
    datetime.timedelta(seconds=9000)
    """
    match = _DURATION.fullmatch(text)
    written = {unit: number for unit, number in match.groupdict().items() if number} if match else {}
    if not written:
        raise InvalidDuration(f"Invalid date interval: {_EXAMPLES}, with days before hours before minutes")
    if any(sum(letter.isdigit() for letter in number) > _MOST_DIGITS for number in written.values()):
        raise InvalidDuration("Invalid date interval: a quantity has at most 9 digits")
    try:
        total = timedelta(**{unit: int(re.sub(r"\s", "", number)) for unit, number in written.items()})
    except OverflowError:
        raise InvalidDuration("Invalid date interval: the duration is too long") from None
    if total < timedelta():
        raise InvalidDuration(f"Interval must be positive; {_EXAMPLES}")
    return total


# Only valid names reach the file system; `localtime` would be the zone of this machine.
_ZONE_NAME = re.compile(r"(?!localtime)[A-Za-z][A-Za-z0-9_+-]{0,31}(?:/[A-Za-z0-9_+-]{1,31}){0,2}")
_ZONE_OFFSET = re.compile(r"([+-])([0-9]{2}):([0-9]{2})")
EXAMPLE = "write it like `2026-01-31`, `2026-01-31T09:00Z` or `2026-01-31T09:00[Europe/Paris]`"
TIME = r"(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2})(?:[.,](?P<fraction>[0-9]{1,9}))?)?"
ZONE = r"(?:(?P<zulu>[Zz])|(?P<offset>[+-][0-9]{2}(?::?[0-9]{2})?))?(?:\[(?P<name>[^\]]*)\])?"

_TIMESTAMP = re.compile(rf"(?P<date>[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})(?:[Tt ]{TIME})?{ZONE}")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

_RELATIVE = re.compile(quantities("[0-9]{1,9}") + "ago")
_LEGACY = re.compile(
    r"(?:(?P<days>[0-9]{1,9})[ \t]*days?[ \t]+)?(?P<hours>[0-9]{1,2}):(?P<minutes>[0-5][0-9])[ \t]+ago"
)
_UNITS = {"days": DAY, "hours": HOUR, "minutes": MINUTE, "seconds": SECOND}


@lru_cache(maxsize=256)
def zone(name: str) -> tzinfo:
    """The zone of an IANA name, or of an offset such as `+02:00`.

    >>> zone("+02:00").utcoffset(None)
    datetime.timedelta(seconds=7200)
    """
    if name == "UTC":
        return UTC
    if match := _ZONE_OFFSET.fullmatch(name):
        offset = timedelta(hours=int(match[2]), minutes=int(match[3]))
        return timezone(-offset if match[1] == "-" else offset)
    if _ZONE_NAME.fullmatch(name):
        try:
            return ZoneInfo(name)
        except (KeyError, ValueError, OSError):
            pass  # Unknown, or the name of a folder.
    raise InvalidValue(_unknown_zone(name))


def _unknown_zone(name: str) -> str:
    known = nearest(name, _known_zones())
    advice = f"did you mean `{known}`?" if known else "a zone is an IANA name such as `Europe/Paris`"
    return f"Invalid timezone: `{excerpt(name)}`; {advice}"


@lru_cache(maxsize=1)
def _known_zones() -> frozenset[str]:
    return frozenset(available_timezones())


def local_time(instant: int, name: str) -> datetime:
    """The date and time at this instant in a zone."""
    return to_datetime(instant).astimezone(zone(name))


def instant_of(moment: datetime) -> int:
    """The instant of a date-time with an offset, in microseconds since the epoch."""
    return (moment - _EPOCH) // _MICROSECOND


@dataclass(frozen=True, slots=True)
class Instant:
    """A fixed point in time."""

    at: int


@dataclass(frozen=True, slots=True)
class RelativeTime:
    """A point in time at a fixed distance before the current time, in microseconds."""

    before: int


def parse_timestamp(text: str) -> Instant:
    """Parse a timestamp; the default time zone is UTC, the default time midnight."""
    match = _TIMESTAMP.fullmatch(text)
    if match is None:
        raise InvalidValue(f"Invalid timestamp; {_advice(text)}")
    try:
        date = datetime.fromisoformat(match["date"])
        local = datetime.combine(date, time_of_day(match), zone(zone_name(match) or "UTC"))
        return Instant(instant_of(local.astimezone(UTC)))
    except (ValueError, OverflowError):
        raise InvalidValue(f"Invalid timestamp: this date or time does not exist; {EXAMPLE}") from None


def _advice(text: str) -> str:
    return f"write `{text} ago`" if _RELATIVE.fullmatch(f"{text} ago") else EXAMPLE


def time_of_day(match: re.Match[str]) -> time:
    """The time in a match of TIME, midnight by default; raises ValueError if there is no such time."""
    if match["hour"] is None:
        return time()
    microsecond = int((match["fraction"] or "")[:6].ljust(6, "0"))
    return time(int(match["hour"]), int(match["minute"]), int(match["second"] or 0), microsecond)


def zone_name(match: re.Match[str]) -> str | None:
    """The name of the zone in a match of ZONE, if there is one."""
    if match["name"] is None:
        return "UTC" if match["zulu"] else _offset(match["offset"])
    if match["zulu"] or match["offset"]:
        raise InvalidValue("Invalid timestamp: write an offset or a zone in brackets, not both")
    zone(match["name"])
    return match["name"]


def _offset(written: str | None) -> str | None:
    """The offset in the form that `zone` accepts."""
    if written is None:
        return None
    digits = written[1:].replace(":", "").ljust(4, "0")
    if digits[:2] > "23" or digits[2:] > "59":
        raise InvalidValue(f"Invalid timestamp: there is no UTC offset `{written}`; {EXAMPLE}")
    return f"{written[0]}{digits[:2]}:{digits[2:]}"


def parse_relative(text: str) -> RelativeTime:
    """Parse `2 days 3 hours ago`, or the older form `7 days 18:02 ago`."""
    match = _RELATIVE.fullmatch(text) or _LEGACY.fullmatch(text)
    written = {unit: int(number) for unit, number in match.groupdict().items() if number} if match else {}
    if not written:
        raise InvalidValue(
            "Invalid relative date; write it like `14 days ago` or `2 days 3 hours 5 minutes ago`, "
            "weeks, months and years are not supported"
        )
    return RelativeTime(sum(number * _UNITS[unit] for unit, number in written.items()))


def parse_time(text: str) -> Instant | RelativeTime:
    """What a time attribute is compared with."""
    return parse_relative(text) if text.endswith("ago") else parse_timestamp(text)
