"""What evaluating a condition gives: a tree of the same shape that says why."""

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from mergecast.conditions.attribute import Observed
from mergecast.conditions.times.next_change import next_change
from mergecast.conditions.tree import All, AnyOf, Leaf, Not


class Truth(Enum):
    """What is known about a condition. What cannot be known does not match, and neither does its opposite."""

    HOLDS = "holds"
    FAILS = "does not hold"
    UNKNOWN = "cannot be known"


class LeafResult(NamedTuple):
    """One condition judged; `observed` is the value or the values that the attribute had."""

    condition: Leaf
    truth: Truth
    now: int
    observed: Observed = None
    error: str | None = None  # it could not be evaluated on this pull request, although all was recorded
    missing: str | None = None  # the part of the pull request that was not recorded
    caveat: str | None = None  # what was not recorded and could have changed the answer
    is_complete: bool = True  # False: checks that are still awaited can change the answer
    checks: tuple[str, ...] = ()  # names of the checks that the value means, whatever their state

    @property
    def next_change(self) -> int | None:
        """The next instant at which time alone may change the answer, None when it never does."""
        if self.truth is Truth.UNKNOWN:
            return None
        return next_change(self.condition, self.observed, self.now)


class GroupResult(NamedTuple):
    """A group judged, with all its members: none is left out because the answer was known without it."""

    condition: All | AnyOf | Not
    truth: Truth
    members: tuple["Result", ...]

    @property
    def next_change(self) -> int | None:
        """The first of its members' changes."""
        changes = (member.next_change for member in self.members)
        return min((change for change in changes if change is not None), default=None)


Result = LeafResult | GroupResult


def holds_all(members: Sequence[Truth]) -> Truth:
    if Truth.FAILS in members:
        return Truth.FAILS
    return Truth.UNKNOWN if Truth.UNKNOWN in members else Truth.HOLDS


def holds_any(members: Sequence[Truth]) -> Truth:
    if Truth.HOLDS in members:
        return Truth.HOLDS
    return Truth.UNKNOWN if Truth.UNKNOWN in members else Truth.FAILS


def opposite(truth: Truth) -> Truth:
    """Not knowing stays not knowing."""
    if truth is Truth.UNKNOWN:
        return truth
    return Truth.FAILS if truth is Truth.HOLDS else Truth.HOLDS
