"""Periods, times of day and amounts as people write them on a command line, and as it prints them."""

import math
import os
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING

from mergecast.cli.errors import WrongUsage
from mergecast.cli.output import say
from mergecast.queues.model.instant import NotAnInstant, from_datetime, parse_instant, to_datetime
from mergecast.queues.model.iso_8601 import lacks_only_offset
from mergecast.queues.model.zone import Zone, kept_since_text

if TYPE_CHECKING:
    from mergecast.queues.answers.summary import Span

DEFAULT_SPAN = "7d"
_SPAN = re.compile(r"([1-9][0-9]{0,5})([mhdw])")
_SECONDS = re.compile(r"([1-9][0-9]{0,5})s")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_BLANK_AFTER_DATE = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2}) ")
_NOT_ZONES = ("posix", "right/")  # copies of the zones, some with leap seconds


@dataclass(frozen=True, slots=True)
class Period:
    start: datetime
    end: datetime

    def query(self) -> dict[str, str]:
        return {"start_at": utc_text(self.start), "end_at": utc_text(self.end)}


def is_span(text: str) -> bool:
    return _SPAN.fullmatch(text) is not None


def parse_span(text: str) -> timedelta:
    """How long that is.

    >>> parse_span("90m")
    datetime.timedelta(seconds=5400)
    """
    match = _SPAN.fullmatch(text)
    if match is None:
        raise WrongUsage(f"`{text}` is not a length of time; write 90m, 12h, 7d or 4w")
    return timedelta(**{_UNITS[match[2]]: int(match[1])})


def parse_timeout(text: str) -> float:
    """How many seconds that is.

    >>> parse_timeout("90s"), parse_timeout("40m")
    (90.0, 2400.0)
    """
    if match := _SECONDS.fullmatch(text):
        return float(match[1])
    if not is_span(text):
        raise WrongUsage(f"--timeout: `{text}` is not a length of time; write 90s, 40m or 12h")
    return parse_span(text).total_seconds()


def days_of(window: "Span") -> float:
    """How long the window of an answer is."""
    return (datetime.fromisoformat(window.end) - datetime.fromisoformat(window.start)) / timedelta(days=1)


def instant(text: str, tz: tzinfo, option: str) -> datetime:
    """A date (its midnight) or date-time in ISO 8601; without a UTC offset, in the time zone given.

    >>> instant("2026-01-31", UTC, "--start").isoformat()
    '2026-01-31T00:00:00+00:00'
    """
    is_date = not text.isdigit() and lacks_only_offset(f"{text}T00")
    written = f"{text}T00" if is_date else _BLANK_AFTER_DATE.sub(r"\1T", text, 1)
    try:
        if not lacks_only_offset(written):
            return to_datetime(parse_instant(written))
        local = to_datetime(parse_instant(f"{written}Z")).replace(tzinfo=tz)
        return to_datetime(from_datetime(local))
    except NotAnInstant as error:
        raise WrongUsage(f"{option}: `{text}`: {error}") from None


def utc_text(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def read_period(since: str | None, start: str | None, end: str | None, tz: tzinfo, now: datetime) -> Period:
    """The period of --since, --start and --end; the last 7 days by default."""
    return read_dates((since, start, end), DEFAULT_SPAN, tz, now)


def read_dates(
    given: tuple[str | None, str | None, str | None], usual: str, tz: tzinfo, now: datetime
) -> Period:
    """The same with another length by default, which ends with --end."""
    since, start, end = given
    if since is not None and (start is not None or end is not None):
        raise WrongUsage("--since counts back from now; it cannot be combined with --start or --end")
    until = now if end is None else instant(end, tz, "--end")
    try:
        begin = until - parse_span(since or usual) if start is None else instant(start, tz, "--start")
    except OverflowError:
        raise WrongUsage(f"--since: `{since}` goes back before the year 1") from None
    if begin >= until:
        raise WrongUsage(f"--start ({utc_text(begin)}) must be before --end ({utc_text(until)})")
    return Period(begin, until)


def read_zone(name: str | None, *, utc: bool) -> Zone:
    """The zone of --tz or --utc; the local one by default."""
    if utc and name is not None:
        raise WrongUsage("--tz and --utc cannot be used together")
    if utc:
        return Zone(UTC, "UTC")
    return _local_zone() if name is None else _named_zone(name)


def _named_zone(name: str) -> Zone:
    zone = _find_zone(name)
    if zone is None:
        from zoneinfo import available_timezones

        from mergecast.queues.model.nearest import nearest

        known = nearest(name, available_timezones())
        suggestion = f"did you mean {known}?" if known else "write a name such as Europe/Paris"
        raise WrongUsage(f"--tz: there is no time zone `{name}`; {suggestion}")
    return Zone(zone, name)


def _local_zone() -> Zone:
    """The zone of the variable TZ or of the machine; its IANA name where that can be found."""
    name = os.environ.get("TZ", "").removeprefix(":") or _machine_zone()
    zone = _find_zone(name)
    if zone is not None:
        return Zone(zone, name.removeprefix("Etc/"))
    local = datetime.now().astimezone().tzinfo
    return Zone(local or UTC, str(local))


def _find_zone(name: str) -> tzinfo | None:
    """Reads the file of this zone only: `available_timezones` reads those of all 600."""
    from zoneinfo import ZoneInfo

    if name.startswith(_NOT_ZONES):
        return None
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # not found, not a name, a folder
        return None


def _machine_zone() -> str:
    return os.path.realpath("/etc/localtime").partition("/zoneinfo/")[2].removeprefix("posix/")


def print_kept_since(instant: str | None, zone: Zone) -> None:
    """One line, if the answer says so."""
    if instant is not None:
        say(kept_since_text(instant, zone))


def parse_number(text: str) -> float:
    """A number that JSON can hold, and so neither `nan` nor `inf`; otherwise a ValueError."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number
