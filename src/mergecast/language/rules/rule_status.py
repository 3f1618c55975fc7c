"""Does this rule match, or could it?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import IntEnum

from mergecast.language.conditions.result import GroupResult, LeafResult, Result, Truth
from mergecast.language.conditions.tree import All, Not
from mergecast.language.rules.simulation import RuleStatus

# These never change. The base can change, but rarely does.
_CONSTANT = frozenset({"head", "author", "merged-by"})
_BASE = frozenset({"base"})


class _Chance(IntEnum):
    """Ordered so that the minimum of the members is the chance of an `and` group."""

    NEVER = 0
    MAYBE = 1
    ALWAYS = 2


_CHANCES = {Truth.HOLDS: _Chance.ALWAYS, Truth.FAILS: _Chance.NEVER, Truth.UNKNOWN: _Chance.MAYBE}


def rule_status(conditions: GroupResult) -> RuleStatus:
    """The status of a rule that is not disabled."""
    if conditions.truth is Truth.HOLDS:
        return RuleStatus.MATCHING
    if not _may_hold(conditions, _BASE):
        return RuleStatus.NOT_APPLICABLE
    if not _may_hold(conditions, _CONSTANT):
        return RuleStatus.IGNORED
    if any(leaf.error for leaf in leaves(conditions)):
        return RuleStatus.ERROR
    return RuleStatus.POTENTIAL


def _may_hold(result: Result, constant: frozenset[str]) -> bool:
    """Whether the conditions could hold if every attribute that is not constant could have any value.

    Assuming that all other conditions hold would be wrong: a condition under `not` must fail.
    """
    return _chance(result, lambda leaf: leaf.condition.attribute.name in constant) > _Chance.NEVER


def _chance(result: Result, is_constant: Callable[[LeafResult], bool]) -> _Chance:
    if isinstance(result, LeafResult):
        return _CHANCES[result.truth] if is_constant(result) else _Chance.MAYBE
    members = [_chance(member, is_constant) for member in result.members]
    if isinstance(result.condition, Not):
        return _Chance(_Chance.ALWAYS - members[0])
    if isinstance(result.condition, All):
        return min(members, default=_Chance.ALWAYS)
    return max(members, default=_Chance.NEVER)


def leaves(result: Result) -> Iterator[LeafResult]:
    """Every leaf of the tree, in order."""
    if isinstance(result, LeafResult):
        yield result
    else:
        for member in result.members:
            yield from leaves(member)
