"""Spans of time as people write them on a command line."""

import re
from datetime import timedelta

from mergecast.cli.errors import WrongUsage

_SPAN = re.compile(r"([1-9][0-9]{0,5})([mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def is_span(text: str) -> bool:
    return _SPAN.fullmatch(text) is not None


def span(text: str) -> timedelta:
    """How long that is.

    >>> span("90m")
    datetime.timedelta(seconds=5400)
    """
    match = _SPAN.fullmatch(text)
    if match is None:
        raise WrongUsage(f"`{text}` is not a span of time; write 90m, 12h, 7d or 4w")
    return timedelta(**{_UNITS[match[2]]: int(match[1])})
