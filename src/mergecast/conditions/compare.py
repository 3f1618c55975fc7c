"""One value of an attribute against what a condition compares it with."""

import operator
import re
from collections.abc import Callable

from mergecast.conditions.attribute import Observed, Scalar, ValueKind
from mergecast.conditions.facts.metadata import full_reference
from mergecast.conditions.facts.snapshot_view import SnapshotView
from mergecast.conditions.globs.patterns import Glob
from mergecast.conditions.operators import EQUALITY, Operator
from mergecast.conditions.times.intervals import Interval
from mergecast.conditions.times.schedules import Schedule
from mergecast.conditions.times.timestamps import Instant, RelativeTime
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


def test_of(leaf: Leaf, reading: SnapshotView, now: int, search: Search) -> Test:
    """The test that a single value of the attribute has to pass."""
    build = _TESTS.get(type(leaf.value))
    if build:
        return build(leaf, now, search)
    wanted = references(leaf, reading, now)
    if leaf.operator in EQUALITY or leaf.operator is Operator.GLOB:
        return wanted.__contains__
    if leaf.operator is Operator.MATCHES:
        return _part_test(reading.pull.author)
    return _order_test(leaf, wanted)


def _search_test(leaf: Leaf, _: int, search: Search) -> Test:
    """A code that can be written in two spellings is searched in both."""
    pattern = leaf.value
    assert isinstance(pattern, re.Pattern)  # noqa: S101 -- the table below chose this function by the type
    if leaf.attribute.is_folded:
        return lambda seen: isinstance(seen, str) and any(search(pattern, one) for one in _spellings(seen))
    return lambda seen: isinstance(seen, str) and search(pattern, seen)


def _glob_test(leaf: Leaf, _: int, __: Search) -> Test:
    glob = leaf.value
    assert isinstance(glob, Glob)  # noqa: S101 -- as above
    return lambda seen: isinstance(seen, str) and glob.matches(seen)


def _period_test(leaf: Leaf, now: int, _: Search) -> Test:
    period = leaf.value
    assert isinstance(period, Schedule | Interval)  # noqa: S101 -- as above
    return lambda _: period.contains(now)


def _part_test(login: str | None) -> Test:
    """The author's login as a pattern is found wherever it is a part of the text."""
    return lambda seen: login is not None and isinstance(seen, str) and login in seen


_TESTS: dict[type, Callable[[Leaf, int, Search], Test]] = {
    re.Pattern: _search_test,
    Glob: _glob_test,
    Schedule: _period_test,
    Interval: _period_test,
}


def _spellings(code: str) -> tuple[str, str]:
    return code, code.lower().replace("_", "-")


def _order_test(leaf: Leaf, wanted: tuple[Scalar, ...]) -> Test:
    order = _ORDERS[leaf.operator]
    if leaf.subject.kind is ValueKind.PERMISSION and not leaf.is_counted:
        ranks = [_RANKS[str(level)] for level in wanted]
        # A role of the platform that is none of the six gives no right that anybody could count on.
        return lambda seen: any(order(_RANKS.get(str(seen), 0), rank) for rank in ranks)
    known = [one for one in wanted if one is not None]
    return lambda seen: seen is not None and any(order(seen, one) for one in known)


def references(leaf: Leaf, reading: SnapshotView, now: int) -> tuple[Scalar, ...]:
    """The values that the condition's own value stands for: many for a team, else one."""
    value = leaf.value
    if isinstance(value, str):
        is_reference = leaf.attribute.kind is ValueKind.PULL_REQUEST
        return (full_reference(value, reading.pull) or value,) if is_reference else (value,)
    if isinstance(value, int):
        return (value,)
    if isinstance(value, Team):
        return reading.members(value) if leaf.attribute.has_teams else (str(value),)
    return (reading.pull.author if isinstance(value, Placeholder) else _reference(value, now),)


def _reference(value: Value, now: int) -> Scalar:
    match value:
        case CheckName(name=name):
            return name
        case Instant(at=at):
            return at
        case RelativeTime(before=before):
            return now - before
        case Permission(value=level):
            return level
        case _:
            raise AssertionError(value)


def combine(leaf: Leaf, seen: Observed, test: Test) -> bool:
    """`!=` asks that no value is equal, the rest that some value passes; `-` turns the whole around."""
    passes = any(map(test, seen)) if isinstance(seen, tuple) else test(seen)
    if leaf.operator is Operator.DIFFERENT:
        passes = not passes
    return passes is not leaf.is_negated
