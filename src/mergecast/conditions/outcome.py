"""Can a condition that does not hold come to hold by waiting?"""

from collections.abc import Callable
from enum import Enum, IntEnum

from mergecast.conditions.attribute import CLOCK_KINDS, ValueKind
from mergecast.conditions.result import LeafResult, Result, Truth
from mergecast.conditions.tree import All, Not


class Outcome(Enum):
    """Whether a condition holds, may hold later, or has failed."""

    SUCCESS = "success"
    PENDING = "pending"
    FAILURE = "failure"


class _Prospect(IntEnum):
    """What a node is or may become, worst first: the worst member decides for a group that needs all."""

    NEVER = 0
    UNKNOWN = 1
    LATER = 2
    NOW = 3


_OPPOSITES = {_Prospect.NEVER: _Prospect.NOW, _Prospect.NOW: _Prospect.NEVER}
_PROSPECTS = {
    Truth.HOLDS: _Prospect.NOW,
    Truth.FAILS: _Prospect.NEVER,
    Truth.UNKNOWN: _Prospect.UNKNOWN,
}


def outcome(result: Result, *, when_something_else_is_missing: Outcome) -> Outcome:
    """Success, or whether checks and time can still bring it.

    The caller decides what it means if something else is missing, such as a label: a queue keeps waiting,
    a merge protection fails.
    """
    if result.truth is Truth.HOLDS:
        return Outcome.SUCCESS
    if _prospect(result, _whatever_may_come) < _Prospect.LATER:
        return when_something_else_is_missing
    return Outcome.PENDING if _prospect(result, _as_reported) >= _Prospect.LATER else Outcome.FAILURE


def _prospect(result: Result, leaf: Callable[[LeafResult], _Prospect]) -> _Prospect:
    if isinstance(result, LeafResult):
        return leaf(result)
    members = [_prospect(member, leaf) for member in result.members]
    if isinstance(result.condition, Not):
        return _OPPOSITES.get(members[0], members[0])
    if isinstance(result.condition, All):
        return min(members, default=_Prospect.NOW)
    return max(members, default=_Prospect.NEVER)


def _whatever_may_come(result: LeafResult) -> _Prospect:
    """Assumes that checks and time may still turn out well."""
    kind = result.condition.compared.kind
    return _Prospect.LATER if kind is ValueKind.CHECK or kind in CLOCK_KINDS else _PROSPECTS[result.truth]


def _as_reported(result: LeafResult) -> _Prospect:
    """Checks that have reported are final; a condition on time that fails now may hold later."""
    kind = result.condition.compared.kind
    if kind is ValueKind.CHECK:
        is_open = not result.is_complete or result.truth is Truth.UNKNOWN
        return _Prospect.LATER if is_open else _PROSPECTS[result.truth]
    if kind in CLOCK_KINDS and result.truth is not Truth.HOLDS:
        return _Prospect.LATER
    return _PROSPECTS[result.truth]
