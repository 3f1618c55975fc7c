"""Instants as whole microseconds since the epoch, their RFC 3339 spelling, and durations for people."""

import re
from datetime import UTC, date, datetime, timedelta

# Units of instants, in microseconds.
SECOND = 1_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
WEEK = 7 * DAY
# The same units for spans that are counted in seconds.
SECONDS_PER_MINUTE = 60
SECONDS_PER_HOUR = 60 * SECONDS_PER_MINUTE
SECONDS_PER_DAY = 24 * SECONDS_PER_HOUR
SECONDS_PER_WEEK = 7 * SECONDS_PER_DAY

_EPOCH_DAY = date(1970, 1, 1).toordinal()
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_EPOCH_IN_UTC = datetime(1970, 1, 1)  # noqa: DTZ001 - without an offset it takes half the time to subtract
FIRST_INSTANT = (1 - _EPOCH_DAY) * DAY  # the year 1
_BEYOND_LAST = (date.max.toordinal() + 1 - _EPOCH_DAY) * DAY

_DATE_TIME = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})"
    r"(?:\.([0-9]+))?(?:([Zz])|([+-])([0-9]{2}):([0-9]{2}))"
)
# How nearly all programs write a date-time.
_PLAIN = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?Z")
_WITHOUT_OFFSET = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[Tt ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?)?"
)
_BLANK_FOR_PLUS = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9:.]+ [0-9]{2}:?[0-9]{2}")
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]*)?")

_EXAMPLE = "2026-01-31T09:00:00Z"


class NotAnInstant(ValueError):
    """The text is not a date-time with an offset; the message says why."""


def parse_instant(text: str) -> int:
    """Microseconds since the epoch; digits beyond the sixth of a second are cut.

    >>> parse_instant("1970-01-01T01:00:00.5+01:00")
    500000
    """
    if _PLAIN.fullmatch(text):
        try:
            since = datetime.fromisoformat(text[:-1]) - _EPOCH_IN_UTC
        except ValueError:
            pass  # the rest of this function says what is wrong
        else:
            return since.days * DAY + since.seconds * SECOND + since.microseconds
    match = _DATE_TIME.fullmatch(text)
    if match is None:
        raise NotAnInstant(_why_not(text))
    year, month, day, hour, minute, second, fraction, zulu, sign, offset_hour, offset_minute = match.groups()
    try:
        days = date(int(year), int(month), int(day)).toordinal() - _EPOCH_DAY
    except ValueError:
        raise NotAnInstant(f"this date does not exist; a date-time is written like {_EXAMPLE}") from None
    if int(hour) > 23 or int(minute) > 59 or int(second) > 59:  # noqa: PLR2004
        raise NotAnInstant(f"this time of day does not exist; a date-time is written like {_EXAMPLE}")
    instant = days * DAY + int(hour) * HOUR + int(minute) * MINUTE + int(second) * SECOND
    instant += int((fraction or "")[:6].ljust(6, "0"))
    if zulu is None:
        if int(offset_hour) > 23 or int(offset_minute) > 59:  # noqa: PLR2004
            raise NotAnInstant(f"this UTC offset does not exist; a date-time is written like {_EXAMPLE}")
        offset = int(offset_hour) * HOUR + int(offset_minute) * MINUTE
        instant -= offset if sign == "+" else -offset
    return _in_range(instant)


def _in_range(instant: int) -> int:
    if not FIRST_INSTANT <= instant < _BEYOND_LAST:
        raise NotAnInstant("a date-time must be in the years 1 to 9999 (UTC)")
    return instant


def _why_not(text: str) -> str:
    if _NUMBER.fullmatch(text):
        return f"a Unix timestamp is not accepted; write a date-time such as {_EXAMPLE}"
    if _BLANK_FOR_PLUS.fullmatch(text):
        return "the `+` of the UTC offset arrived as a blank; write it as %2B in a URL, or use Z"
    if _WITHOUT_OFFSET.fullmatch(text):
        return f"a date-time needs a UTC offset, such as {_EXAMPLE}"
    return f"this is not a date-time; write it like {_EXAMPLE} or 2026-01-31T10:00:00.5+01:00"


def format_instant(instant: int) -> str:
    """RFC 3339 in UTC, with a fraction only where there is one.

    >>> format_instant(1_500_000)
    '1970-01-01T00:00:01.500000Z'
    """
    return to_datetime(instant).isoformat().removesuffix("+00:00") + "Z"


def to_datetime(instant: int) -> datetime:
    """The date-time of an instant, in UTC.

    Encoders of JSON write it like `format_instant` in a fifth of the time, for answers with many instants.

    >>> to_datetime(1_500_000)
    datetime.datetime(1970, 1, 1, 0, 0, 1, 500000, tzinfo=datetime.timezone.utc)
    """
    return _EPOCH + timedelta(0, 0, instant)


def from_datetime(moment: datetime) -> int:
    """The instant of a date-time with an offset; raises NotAnInstant outside the years 1 to 9999 in UTC.

    >>> from_datetime(to_datetime(1_500_000))
    1500000
    """
    since = moment - _EPOCH
    instant = since.days * DAY + since.seconds * SECOND + since.microseconds
    return instant if moment.tzinfo is UTC else _in_range(instant)


def is_ahead(instant: int, now: int, most: int) -> bool:
    """Whether a term of at most this length, which ends at the instant, is not over.

    An instant further ahead was computed before the clock was set back: no wait is longer than its term.

    >>> [is_ahead(instant, now=100, most=60) for instant in (100, 101, 160, 161)]
    [False, True, True, False]
    """
    return 0 < instant - now <= most


def next_whole_second(instant: int) -> int:
    return -(-instant // SECOND) * SECOND


def duration(seconds: float) -> str:
    """Seconds in the two largest units that matter.

    >>> [duration(5.25), duration(3720), duration(200000), duration(-90)]
    ['5.2s', '1h02m', '2d08h', '-1m30s']
    >>> [duration(59.96), duration(3599.6), duration(86399)]
    ['1m00s', '1h00m', '1d00h']
    """
    if seconds < 0:
        return f"-{duration(-seconds)}"
    if round(seconds, 1) < SECONDS_PER_MINUTE:
        return f"{seconds:.1f}s"
    whole, minutes = round(seconds), round(seconds / SECONDS_PER_MINUTE)
    hours = round(seconds / SECONDS_PER_HOUR)
    if whole < SECONDS_PER_HOUR:
        return f"{whole // 60}m{whole % 60:02}s"
    if minutes < 24 * 60:
        return f"{minutes // 60}h{minutes % 60:02}m"
    return f"{hours // 24}d{hours % 24:02}h"
