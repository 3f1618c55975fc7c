"""Instants as whole microseconds since the epoch, durations for people, and windows and their intervals."""

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from mergecast.queues.model.iso_8601 import BASIC, EXAMPLE, EXTENDED, why_not

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

# How nearly all programs write a date-time.
_PLAIN = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?Z")
_WITH_OFFSET = re.compile(f"{_PLAIN.pattern[:-1]}[+-](?:[01][0-9]|2[0-3]):[0-5][0-9]")
_WRITTEN = f"a date-time is written like {EXAMPLE}"
_MOST_DIGITS = 100  # of a fraction; a longer one would take long to convert


class NotAnInstant(ValueError):
    """The text is not a date-time with an offset; the message says why."""


def parse_instant(text: str) -> int:
    """The instant that ISO 8601 writes so, with a UTC offset; what is less than a microsecond is cut.

    >>> [parse_instant(text) for text in ("1970-01-01T01:00:00.5+01:00", "1970W014T00,5Z", "1970-001T24:00Z")]
    [500000, 1800000000, 86400000000]
    """
    if _PLAIN.fullmatch(text):
        try:
            since = datetime.fromisoformat(text[:-1]) - _EPOCH_IN_UTC
        except ValueError:
            return _parse_any(text)  # which says what is wrong
        return since.days * DAY + since.seconds * SECOND + since.microseconds
    if _WITH_OFFSET.fullmatch(text):
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            return _parse_any(text)
        return from_datetime(moment)
    return _parse_any(text)


def _parse_any(text: str) -> int:
    match = EXTENDED.fullmatch(text) or BASIC.fullmatch(text)
    if match is None:
        raise NotAnInstant(why_not(text))
    groups = match.groups()
    return _in_range(_day(groups[:6]) * DAY + _time_of_day(groups[6:10]) - _offset(groups[10:]))


def _day(written: Sequence[str | None]) -> int:
    """Days since the epoch."""
    year, month, day, week, weekday, day_of_year = (int(part or 0) for part in written)
    try:
        if written[1] is not None:
            return date(year, month, day).toordinal() - _EPOCH_DAY
        if written[3] is not None and 1 <= weekday <= 7:  # noqa: PLR2004
            return date.fromisocalendar(year, week, 1).toordinal() + weekday - 1 - _EPOCH_DAY
        if 1 <= day_of_year <= date(year, 12, 31).timetuple().tm_yday:
            return date(year, 1, 1).toordinal() + day_of_year - 1 - _EPOCH_DAY
    except ValueError:
        pass  # the same as a number that is too large
    raise NotAnInstant(f"this date does not exist; {_WRITTEN}")


def _time_of_day(written: Sequence[str | None]) -> int:
    hour, minute, second = (int(part or 0) for part in written[:3])
    instant = hour * HOUR + minute * MINUTE + second * SECOND
    unit = SECOND if written[2] else MINUTE if written[1] else HOUR
    fraction = written[3] or ""
    if second == 60:  # noqa: PLR2004
        raise NotAnInstant("a leap second is not accepted; write second 59, or second 0 of the next minute")
    if minute > 59 or second > 59 or instant > DAY or (instant == DAY and fraction.strip("0")):  # noqa: PLR2004
        raise NotAnInstant(f"this time of day does not exist; {_WRITTEN}")
    digits = fraction[:_MOST_DIGITS]
    whole: int = 10 ** len(digits)
    return instant + int(digits or 0) * unit // whole


def _offset(written: Sequence[str | None]) -> int:
    hours, minutes = int(written[1] or 0), int(written[2] or 0)
    if hours > 23 or minutes > 59:  # noqa: PLR2004
        raise NotAnInstant(f"this UTC offset does not exist; {_WRITTEN}")
    offset = hours * HOUR + minutes * MINUTE
    return -offset if written[0] == "-" else offset


def _in_range(instant: int) -> int:
    if not FIRST_INSTANT <= instant < _BEYOND_LAST:
        raise NotAnInstant("a date-time must be in the years 1 to 9999 (UTC)")
    return instant


def format_instant(instant: int) -> str:
    """RFC 3339 in UTC, with a fraction only where there is one.

    >>> format_instant(1_500_000)
    '1970-01-01T00:00:01.500000Z'
    """
    return to_datetime(instant).isoformat().removesuffix("+00:00") + "Z"


def format_optional(instant: int | None) -> str | None:
    """The same; None stays None."""
    return None if instant is None else format_instant(instant)


def to_datetime(instant: int) -> datetime:
    """The date-time of an instant, in UTC; the first or the last one for an instant that no calendar has.

    Such instants are computed: they are where a period begins that ends in the year 1.

    Encoders of JSON write it like `format_instant` in a fifth of the time, for answers with many instants.

    >>> to_datetime(1_500_000)
    datetime.datetime(1970, 1, 1, 0, 0, 1, 500000, tzinfo=datetime.timezone.utc)
    """
    try:
        return _EPOCH + timedelta(0, 0, instant)
    except OverflowError:
        return datetime.min.replace(tzinfo=UTC) if instant < 0 else datetime.max.replace(tzinfo=UTC)


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
    """How long something takes or lasts, in at most two units, as the dashboard writes it.

    >>> [duration(5.25), duration(90), duration(3720), duration(183_600), duration(172_800), duration(-90)]
    ['5s', '2m', '1h02m', '2d 3h', '2d', '-2m']
    >>> [duration(59.5), duration(3599.6), duration(86_399)]
    ['1m', '1h00m', '1d']
    """
    if seconds < 0:
        return f"-{duration(-seconds)}"
    whole, minutes, hours = (int(seconds / unit + 0.5) for unit in (1, SECONDS_PER_MINUTE, SECONDS_PER_HOUR))
    if whole < SECONDS_PER_MINUTE:
        return f"{whole}s"
    if minutes < 60:  # noqa: PLR2004
        return f"{minutes}m"
    if minutes < 24 * 60:
        return f"{minutes // 60}h{minutes % 60:02}m"
    return f"{hours // 24}d {hours % 24}h".removesuffix(" 0h")


def exact_duration(seconds: float) -> str:
    """A length that a person has set, without rounding.

    >>> [exact_duration(seconds) for seconds in (90, 5400, 183_600, 45.5, 0)]
    ['1m30s', '1h30m', '2d 3h', '45.5s', '0s']
    """
    minutes, rest = divmod(seconds, SECONDS_PER_MINUTE)
    hours, minutes = divmod(int(minutes), 60)
    days, hours = divmod(hours, 24)
    parts = (f"{days}d ", days), (f"{hours}h", hours), (f"{minutes}m", minutes), (f"{rest:g}s", rest)
    return "".join(text for text, number in parts if number).rstrip() or "0s"


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
