"""From the text behind the operator to a typed value."""

import re
from collections.abc import Callable

from mergecast.conditions.attribute import Attribute, CommitAttribute, Kind
from mergecast.conditions.errors import InvalidValue
from mergecast.conditions.excerpt import excerpt
from mergecast.conditions.operators import EQUALITY, Operator
from mergecast.conditions.text_values import read_text, unquoted
from mergecast.conditions.times.intervals import Interval, looks_like_interval, parse_interval
from mergecast.conditions.times.schedules import Schedule, parse_schedule
from mergecast.conditions.times.timestamps import Instant, RelativeTime, parse_time, parse_timestamp
from mergecast.conditions.values import Permission, Value

LARGEST = 2**63 - 1
_INTEGER = re.compile(r"[+-]?[0-9]+")
_MOST_DIGITS = 25  # Python refuses to read endless ones.


def read_value(subject: Attribute | CommitAttribute, operator: Operator, written: str) -> Value:
    """The value as the kind of attribute wants it; raises InvalidValue."""
    reader = _READERS.get(subject.kind)
    return (
        read_text(subject, operator, written)
        if reader is None
        else reader(subject, operator, unquoted(written))
    )


def read_number(written: str) -> int:
    if not _INTEGER.fullmatch(written):
        raise InvalidValue(f"{excerpt(written)} is not a number; write a whole number such as 3")
    if len(written) > _MOST_DIGITS or abs(int(written)) > LARGEST:
        raise InvalidValue(f"Value must be at most {LARGEST}")
    return int(written)


def _number(subject: Attribute | CommitAttribute, _: Operator, written: str) -> int:
    number = read_number(written)
    if subject.name == "number" and number < 0:
        raise InvalidValue("Value must be positive; pull requests are numbered from 1")
    return number


def _permission(_: Attribute | CommitAttribute, __: Operator, written: str) -> Permission:
    try:
        return Permission(written)
    except ValueError:
        levels = ", ".join(f"`{level.value}`" for level in Permission)
        raise InvalidValue(f"Invalid permission; write one of {levels}") from None


def _time(_: Attribute | CommitAttribute, __: Operator, written: str) -> Instant | RelativeTime:
    return parse_time(written)


def _present(_: Attribute | CommitAttribute, operator: Operator, written: str) -> Instant | Interval:
    if looks_like_interval(written):
        interval = parse_interval(written)
        if operator not in EQUALITY:
            raise InvalidValue("Invalid operator: an interval takes `=` (inside) or `!=` (outside)")
        return interval
    instant = parse_timestamp(written)
    if operator in EQUALITY:
        raise InvalidValue(
            "Invalid operator: one instant takes `>=`, `<=`, `>` or `<`; `=` needs an interval"
        )
    return instant


def _schedule(_: Attribute | CommitAttribute, __: Operator, written: str) -> Schedule:
    return parse_schedule(written)


_READERS: dict[Kind, Callable[[Attribute | CommitAttribute, Operator, str], Value]] = {
    Kind.NUMBER: _number,
    Kind.PERMISSION: _permission,
    Kind.TIME: _time,
    Kind.PRESENT: _present,
    Kind.SCHEDULE: _schedule,
}
