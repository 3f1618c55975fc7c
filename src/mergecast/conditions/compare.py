"""One value of an attribute against what a condition compares it with."""

import operator
import re
from collections.abc import Callable, Iterable

from mergecast.conditions.attribute import Attribute, Kind, Scalar
from mergecast.conditions.dependencies import full_reference
from mergecast.conditions.globs import Glob
from mergecast.conditions.intervals import Interval
from mergecast.conditions.operators import Operator
from mergecast.conditions.reading import Reading
from mergecast.conditions.schedules import Schedule
from mergecast.conditions.timestamps import Instant, RelativeTime
from mergecast.conditions.tree import Leaf
from mergecast.conditions.values import CheckName, Permission, Placeholder, Team, Value

# Whether a pattern is found in a text. The caller decides what happens to one that runs too long.
Search = Callable[[re.Pattern[str], str], bool]
Test = Callable[[Scalar], bool]

_RANKS = {level.value: level.rank for level in Permission}
_ORDERS: dict[Operator, Callable[[int | str, int | str], bool]] = {
    Operator.AT_LEAST: operator.ge,
    Operator.AT_MOST: operator.le,
    Operator.ABOVE: operator.gt,
    Operator.BELOW: operator.lt,
}


def test_of(leaf: Leaf, reading: Reading, now: int, search: Search) -> Test:
    """The test that a single value of the attribute has to pass."""
    value = leaf.value
    if isinstance(value, Schedule | Interval):
        return lambda _: value.contains(now)
    if isinstance(value, re.Pattern):
        return _search_test(leaf, value, search)
    if isinstance(value, Glob):
        return lambda seen: isinstance(seen, str) and value.matches(seen)
    if value is Placeholder.AUTHOR and leaf.operator is Operator.MATCHES:
        login = reading.pull.author
        return lambda seen: login is not None and isinstance(seen, str) and login in seen
    wanted = references(leaf, reading, now)
    if leaf.operator in _ORDERS:
        return _order_test(leaf, wanted)
    return wanted.__contains__


def _search_test(leaf: Leaf, pattern: re.Pattern[str], search: Search) -> Test:
    """A code that can be written in two spellings is searched in both."""
    if isinstance(leaf.subject, Attribute) and leaf.subject.is_folded:
        return lambda seen: isinstance(seen, str) and any(search(pattern, one) for one in _spellings(seen))
    return lambda seen: isinstance(seen, str) and search(pattern, seen)


def _spellings(code: str) -> tuple[str, str]:
    return code, code.lower().replace("_", "-")


def _order_test(leaf: Leaf, wanted: tuple[Scalar, ...]) -> Test:
    order = _ORDERS[leaf.operator]
    if leaf.subject.kind is Kind.PERMISSION and not leaf.is_counted:
        ranks = [_RANKS[str(level)] for level in wanted]
        return lambda seen: any(order(_RANKS[str(seen)], rank) for rank in ranks)
    known = [one for one in wanted if one is not None]
    return lambda seen: seen is not None and any(order(seen, one) for one in known)


def references(leaf: Leaf, reading: Reading, now: int) -> tuple[Scalar, ...]:
    """The values that the condition's own value stands for: many for a team, else one."""
    value = leaf.value
    if isinstance(value, Team):
        is_expanded = isinstance(leaf.subject, Attribute) and leaf.subject.has_teams
        return reading.members(value) if is_expanded else (str(value),)
    if isinstance(value, Placeholder):
        return (reading.pull.author,)
    if isinstance(value, str) and leaf.subject.kind is Kind.PULL_REQUEST:
        return (full_reference(value, reading.pull) or value,)
    return (_reference(value, now),)


def _reference(value: Value, now: int) -> Scalar:
    match value:
        case Instant(at=at):
            return at
        case RelativeTime(before=before):
            return now - before
        case Permission(value=level):
            return level
        case CheckName(name=name):
            return name
        case bool() | int() | str():
            return value
        case _:
            raise AssertionError(value)


def combine(leaf: Leaf, values: Iterable[Scalar], test: Test) -> bool:
    """`!=` asks that no value is equal, the rest that some value passes; `-` turns the whole around."""
    passes = any(map(test, values))
    if leaf.operator is Operator.DIFFERENT:
        passes = not passes
    return passes is not leaf.is_negated
