"""How does a rule stand to a pull request, and may it come to match?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import IntEnum

from mergecast.conditions.result import GroupResult, LeafResult, Result, Truth
from mergecast.conditions.tree import All, Not
from mergecast.rules.simulation import RuleStatus

# What a pull request keeps; a base can be changed, but hardly ever is.
_KEPT = frozenset({"head", "author", "merged-by"})
_BASE = frozenset({"base"})


class _Chance(IntEnum):
    """In the order in which a worse member decides over a group of all."""

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
    if not _may_hold(conditions, _KEPT):
        return RuleStatus.IGNORED
    if any(leaf.error for leaf in leaves(conditions)):
        return RuleStatus.ERROR
    return RuleStatus.POTENTIAL


def _may_hold(result: Result, kept: frozenset[str]) -> bool:
    """Whether the conditions could hold if every attribute but the kept ones could have any value.

    A condition under `not` has to fail for it, so that setting all to true would not do.
    """
    return _chance(result, lambda leaf: leaf.condition.attribute.name in kept) > _Chance.NEVER


def _chance(result: Result, is_kept: Callable[[LeafResult], bool]) -> _Chance:
    if isinstance(result, LeafResult):
        return _CHANCES[result.truth] if is_kept(result) else _Chance.MAYBE
    members = [_chance(member, is_kept) for member in result.members]
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
