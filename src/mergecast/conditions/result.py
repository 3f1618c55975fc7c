"""The result of evaluating a condition: a tree of the same shape that says why."""

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from mergecast.conditions.attribute import Observed
from mergecast.conditions.times.next_change import next_change
from mergecast.conditions.tree import All, AnyOf, Leaf, Not


class Truth(Enum):
    """Whether a condition holds. If that is unknown, neither the condition nor its negation matches."""

    HOLDS = "holds"
    FAILS = "does not hold"
    UNKNOWN = "cannot be known"


class LeafResult(NamedTuple):
    """The result of one condition; `observed` is the value or list of values of the attribute."""

    condition: Leaf
    truth: Truth
    now: int
    observed: Observed = None
    error: str | None = None  # why it could not be evaluated, although everything was recorded
    missing: str | None = None  # which part of the pull request was not recorded
    caveat: str | None = None  # what was not recorded and could change the result
    is_complete: bool = True  # False: checks that have not reported yet can change the result
    checks: tuple[str, ...] = ()  # names of the checks that the value matches, in any state

    @property
    def next_change(self) -> int | None:
        """The next instant at which the passing of time may change the result, if there is one."""
        if self.truth is Truth.UNKNOWN:
            return None
        return next_change(self.condition, self.observed, self.now)


class GroupResult(NamedTuple):
    """The result of a group and of all its members, including those that did not decide it."""

    condition: All | AnyOf | Not
    truth: Truth
    members: tuple["Result", ...]

    @property
    def next_change(self) -> int | None:
        """The earliest change of any member."""
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
    """Unknown stays unknown."""
    if truth is Truth.UNKNOWN:
        return truth
    return Truth.FAILS if truth is Truth.HOLDS else Truth.HOLDS
