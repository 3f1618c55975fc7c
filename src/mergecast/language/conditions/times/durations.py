"""Durations such as `1 d 15 h 6 m 42 s`."""

import re
from datetime import timedelta

from mergecast.language.conditions.errors import InvalidDuration

_BLANKS = "[ \t]*"
_UNITS = (
    ("days", "days|day|d"),
    ("hours", "hours|hour|h"),
    ("minutes", "minutes|minute|mins|min|m"),
    ("seconds", "seconds|second|s"),
)


def quantities(number: str) -> str:
    """A pattern of optional quantities in the order of their units, with one named group per unit."""
    return "".join(
        rf"(?:(?P<{unit}>{number}){_BLANKS}(?:{names})(?![a-z]){_BLANKS})?" for unit, names in _UNITS
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
