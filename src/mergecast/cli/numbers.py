"""Numbers in arguments, such as the limit in `failure_rate=5%` and the level in `run_too_long=90m`."""

import math

from mergecast.cli.periods import is_span, parse_span


def parse_number(text: str) -> float:
    """A number that JSON can hold, and so neither `nan` nor `inf`; otherwise a ValueError."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def parse_amount(text: str) -> float:
    """A number, or a length of time in seconds.

    >>> parse_amount("1.3"), parse_amount("90m")
    (1.3, 5400.0)
    """
    return parse_span(text).total_seconds() if is_span(text) else parse_number(text)
