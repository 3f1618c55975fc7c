"""How ISO 8601 writes a date-time with a UTC offset, and what is wrong with other texts."""

import re

EXAMPLE = "2026-01-31T09:00:00Z"

_BLANK_FOR_PLUS = "the `+` of the UTC offset arrived as a blank; write it as %2B in a URL, or use Z"
_MINUS = "the minus sign U+2212 is not accepted; write `-`, as in 2026-01-31T08:00:00-01:00"
_DIGITS = f"only the digits 0 to 9 are accepted; a date-time is written like {EXAMPLE}"
_UNIX = f"a Unix timestamp is not accepted; write a date-time such as {EXAMPLE}"
_DATE_ALONE = f"a date without a time is not accepted; write a date-time such as {EXAMPLE}"
_WITHOUT_OFFSET = f"a date-time needs a UTC offset, such as {EXAMPLE}"
_BLANK_FOR_T = f"a blank between date and time is not accepted; write T, as in {EXAMPLE}"
_SECONDS_OF_OFFSET = "a UTC offset has no seconds; write hours and minutes, as in 2026-01-31T10:00:00+01:00"
_YEAR = f"a year has four digits and no sign; a date-time is written like {EXAMPLE}"
_MIXED = (
    "date and time must both have separators, or both have none; "
    f"write a date-time like {EXAMPLE} or 20260131T090000Z"
)
_OTHER = f"this is not a date-time; write it like {EXAMPLE} or 2026-01-31T10:00:00.5+01:00"


def _date(dash: str) -> str:
    calendar = rf"([0-9]{{2}}){dash}([0-9]{{2}})"
    week = rf"W([0-9]{{2}}){dash}([0-9])"
    return rf"([0-9]{{4}}){dash}(?:{calendar}|{week}|([0-9]{{3}}))"


def _time(colon: str) -> str:
    return rf"([0-9]{{2}})(?:{colon}([0-9]{{2}})(?:{colon}([0-9]{{2}}))?)?(?:[.,]([0-9]+))?"


_OFFSET = r"(?:[Zz]|([+-])([0-9]{2})(?::?([0-9]{2}))?)"
_LOOSE_DATE, _LOOSE_TIME = _date("-?"), _time(":?")

# Both have the same groups: year, month, day, week, day of the week, day of the year; hour, minute, second,
# fraction of the last one; sign, hours and minutes of the offset.
EXTENDED = re.compile(f"{_date('-')}[Tt]{_time(':')}{_OFFSET}")
BASIC = re.compile(f"{_date('')}[Tt]{_time('')}{_OFFSET}")
_EITHER_LOCAL = re.compile(f"{_date('-')}[Tt]{_time(':')}|{_date('')}[Tt]{_time('')}")

# The first pattern that matches the whole text names the error.
_WRONG = (
    (re.compile(r"[+-]?[0-9]+(?:\.[0-9]*)?"), _UNIX),
    (re.compile(f"{_LOOSE_DATE}[Tt]{_LOOSE_TIME} [0-9]{{2}}(?::?[0-9]{{2}})?"), _BLANK_FOR_PLUS),
    (re.compile(f"(?:{_LOOSE_DATE}|[0-9]{{4}}-W?[0-9]{{2}}){_OFFSET}?"), _DATE_ALONE),
    (_EITHER_LOCAL, _WITHOUT_OFFSET),
    (re.compile(f"{_LOOSE_DATE} {_LOOSE_TIME} ?{_OFFSET}?"), _BLANK_FOR_T),
    (re.compile(f"{_LOOSE_DATE}[Tt]{_LOOSE_TIME}{_OFFSET}?"), _MIXED),
    (re.compile(f"{_LOOSE_DATE}[Tt]{_LOOSE_TIME}[+-][0-9]{{2}}:?[0-9]{{2}}:?[0-9]{{2}}"), _SECONDS_OF_OFFSET),
    (re.compile(f"[+-]?[0-9]*{_LOOSE_DATE}[Tt]{_LOOSE_TIME}{_OFFSET}?"), _YEAR),
)


def why_not(text: str) -> str:
    """What is wrong with a text that neither pattern matches, as a message for the person who wrote it.

    >>> why_not("2026-01-31T09:00:00")
    'a date-time needs a UTC offset, such as 2026-01-31T09:00:00Z'
    """
    if "\N{MINUS SIGN}" in text:
        return _MINUS
    if any(character.isdigit() and not character.isascii() for character in text):
        return _DIGITS
    return next((reason for pattern, reason in _WRONG if pattern.fullmatch(text)), _OTHER)


def lacks_only_offset(text: str) -> bool:
    """Whether the text would be a date-time if a UTC offset followed it.

    >>> [lacks_only_offset(text) for text in ("2026-01-31T09:00", "2026-01-31T0900", "2026-01-31T09:00Z")]
    [True, False, False]
    """
    return _EITHER_LOCAL.fullmatch(text) is not None
