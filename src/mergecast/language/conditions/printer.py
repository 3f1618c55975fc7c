"""Print a tree as text, in a canonical spelling that parses to the same tree."""

import re
from datetime import time

from mergecast.language.conditions.attribute import ValueKind
from mergecast.language.conditions.globs import Glob
from mergecast.language.conditions.read_value import QUOTES, unquoted
from mergecast.language.conditions.times.intervals import Interval, Side
from mergecast.language.conditions.times.timestamps import Instant, RelativeTime
from mergecast.language.conditions.tree import All, AnyOf, Condition, Leaf, Not
from mergecast.language.conditions.values import Permission, Placeholder, Value
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, SECOND, format_instant
from mergecast.queues.model.words import plural

Plain = str | dict[str, "Plain | list[Plain]"]

_UNITS = (("day", DAY), ("hour", HOUR), ("minute", MINUTE), ("second", SECOND))


def print_condition(leaf: Leaf) -> str:
    """The canonical text of one condition.

    >>> from mergecast.language.conditions.parser import parse_condition
    >>> from mergecast.language.conditions.attribute import Section
    >>> print_condition(parse_condition("¬label:bug", Section.RULES))
    '-label = bug'
    """
    name = leaf.attribute.name
    if leaf.commit:
        index = "*" if leaf.commit.index is None else leaf.commit.index
        name = f"{name}[{index}].{leaf.commit.attribute.name}"
    modified = f"{'-' if leaf.is_negated else ''}{'#' if leaf.is_counted else ''}{name}"
    if leaf.value is True:
        return modified
    return f"{modified} {leaf.operator} {_value(leaf)}".rstrip(" ")


def to_plain(condition: Condition) -> Plain:
    """The tree as plain values, as in a document."""
    match condition:
        case All(members=members):
            return {"and": [to_plain(member) for member in members]}
        case AnyOf(members=members):
            return {"or": [to_plain(member) for member in members]}
        case Not(member=member):
            return {"not": to_plain(member)}
        case Leaf():
            return print_condition(condition)


def _value(leaf: Leaf) -> str:
    match leaf.value:
        case re.Pattern(pattern=pattern) | Glob(pattern=pattern):
            return _quoted(pattern) if pattern != _reread(pattern) else pattern
        case value:
            text = _text(value)
            blank = " " in text and leaf.compared.kind is ValueKind.WORD
            is_bare = text == _reread(text) and not text.startswith(QUOTES) and not text.endswith(QUOTES)
            return text if is_bare and not blank else _quoted(text)


def _reread(text: str) -> str:
    """The text as the parser would read it."""
    return unquoted(text.strip(" \t\r\n"))


def _quoted(text: str) -> str:
    """The parser removes only the outer pair of quotes, so quotes inside are harmless."""
    return f'"{text}"'


def _text(value: Value) -> str:
    match value:
        case Placeholder() | Permission():
            return str(value.value)
        case Instant(at=at):
            return format_instant(at)
        case RelativeTime(before=before):
            return _relative(before)
        case Interval(start=start, end=end):
            return f"{_side(start)}/{_side(end)}"
        case _:
            return str(value)


def _relative(before: int) -> str:
    parts = []
    for unit, length in _UNITS:
        number, before = divmod(before, length)
        if number:
            parts.append(f"{number} {plural(number, unit)}")
    return " ".join([*(parts or ["0 minutes"]), "ago"])


def _side(side: Side) -> str:
    year = "XXXX" if side.year is None else f"{side.year:04}"
    month = "XX" if side.month is None else f"{side.month:02}"
    day = "XX" if side.day is None else f"{side.day:02}"
    zone = {"UTC": "Z"}.get(side.zone, side.zone if side.zone[0] in "+-" else f"[{side.zone}]")
    return f"{year}-{month}-{day}T{_time(side.time)}{zone}"


def _time(moment: time) -> str:
    return moment.isoformat("auto" if moment.second or moment.microsecond else "minutes")
