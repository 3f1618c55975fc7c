"""Compare the value of an attribute with the value that a condition gives."""

import operator
import re
from collections.abc import Callable

from mergecast.language.conditions.attribute import Observed, Scalar, ValueKind
from mergecast.language.conditions.facts.metadata import full_reference
from mergecast.language.conditions.facts.snapshot_view import SnapshotView
from mergecast.language.conditions.globs import Glob
from mergecast.language.conditions.operators import EQUALITY, Operator
from mergecast.language.conditions.times.intervals import Interval
from mergecast.language.conditions.times.schedules import Schedule
from mergecast.language.conditions.times.timestamps import Instant, RelativeTime
from mergecast.language.conditions.tree import Leaf
from mergecast.language.conditions.values import CheckName, Permission, Placeholder, Team, Value

# Whether a pattern is found in a text. The caller decides how to stop a pattern that runs too long.
Search = Callable[[re.Pattern[str], str], bool]
Test = Callable[[Scalar], bool]

_RANKS = {level.value: level.rank for level in Permission}
ORDERS: dict[Operator, Callable[[int | str, int | str], bool]] = {
    Operator.AT_LEAST: operator.ge,
    Operator.AT_MOST: operator.le,
    Operator.ABOVE: operator.gt,
    Operator.BELOW: operator.lt,
}


def test_of(leaf: Leaf, view: SnapshotView, now: int, search: Search) -> Test:
    """The test that a single value of the attribute must pass."""
    build = _TESTS.get(type(leaf.value))
    if build:
        return build(leaf, now, search)
    wanted = references(leaf, view, now)
    if leaf.operator in EQUALITY or leaf.operator is Operator.GLOB:
        return wanted.__contains__
    if leaf.operator is Operator.MATCHES:
        return _part_test(view.pull.author)
    return _order_test(leaf, wanted)


def _search_test(leaf: Leaf, _: int, search: Search) -> Test:
    """A code that has two spellings is searched in both."""
    pattern = leaf.value
    assert isinstance(pattern, re.Pattern)  # noqa: S101 -- the table below chose this function by the type
    if leaf.attribute.is_folded:
        return lambda actual: (
            isinstance(actual, str) and any(search(pattern, spelling) for spelling in _spellings(actual))
        )
    return lambda actual: isinstance(actual, str) and search(pattern, actual)


def _glob_test(leaf: Leaf, _: int, __: Search) -> Test:
    glob = leaf.value
    assert isinstance(glob, Glob)  # noqa: S101 -- as above
    return lambda actual: isinstance(actual, str) and glob.matches(actual)


def _period_test(leaf: Leaf, now: int, _: Search) -> Test:
    period = leaf.value
    assert isinstance(period, Schedule | Interval)  # noqa: S101 -- as above
    return lambda _: period.contains(now)


def _part_test(login: str | None) -> Test:
    """As a pattern, the author's login matches wherever it occurs in the text."""
    return lambda actual: login is not None and isinstance(actual, str) and login in actual


_TESTS: dict[type, Callable[[Leaf, int, Search], Test]] = {
    re.Pattern: _search_test,
    Glob: _glob_test,
    Schedule: _period_test,
    Interval: _period_test,
}


def _spellings(code: str) -> tuple[str, str]:
    return code, code.lower().replace("_", "-")


def _order_test(leaf: Leaf, wanted: tuple[Scalar, ...]) -> Test:
    order = ORDERS[leaf.operator]
    if leaf.compared.kind is ValueKind.PERMISSION:
        ranks = [_RANKS[str(level)] for level in wanted]
        # A custom role of the platform, which is none of the six, grants nothing.
        return lambda actual: any(order(_RANKS.get(str(actual), 0), rank) for rank in ranks)
    known = [value for value in wanted if value is not None]
    return lambda actual: actual is not None and any(order(actual, value) for value in known)


def references(leaf: Leaf, view: SnapshotView, now: int) -> tuple[Scalar, ...]:
    """The values that the condition's value stands for: the members of a team, else one value."""
    value = leaf.value
    if isinstance(value, str):
        is_reference = leaf.attribute.kind is ValueKind.PULL_REQUEST
        return (full_reference(value, view.pull) or value,) if is_reference else (value,)
    if isinstance(value, int):
        return (value,)
    if isinstance(value, Team):
        return view.members(value) if leaf.attribute.has_teams else (str(value),)
    return (view.pull.author if isinstance(value, Placeholder) else _reference(value, now),)


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


def combine(leaf: Leaf, observed: Observed, test: Test) -> bool:
    """`!=` requires that no value is equal, other operators that some value passes; `-` negates this.

    `commits[*]` selects commits one by one, so for it `!=` requires that some commit is different.
    """
    values = observed if isinstance(observed, tuple) else (observed,)
    if leaf.operator is not Operator.DIFFERENT:
        passes = any(map(test, values))
    elif leaf.commit and leaf.commit.index is None:
        passes = not all(map(test, values))
    else:
        passes = not any(map(test, values))
    return passes is not leaf.is_negated
