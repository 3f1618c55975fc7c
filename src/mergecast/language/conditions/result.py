"""The result of evaluating a condition: a tree that says why, and whether waiting can change it."""

from collections.abc import Callable, Iterator, Sequence
from enum import Enum, IntEnum
from typing import NamedTuple

from mergecast.language.conditions.attribute import CLOCK_KINDS, Observed, ValueKind
from mergecast.language.conditions.times.next_change import next_change
from mergecast.language.conditions.tree import All, AnyOf, Leaf, Not


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


def leaf_results(result: Result) -> Iterator[LeafResult]:
    """Every leaf of the tree, in order."""
    if isinstance(result, LeafResult):
        yield result
    else:
        for member in result.members:
            yield from leaf_results(member)


def group_truth(condition: All | AnyOf | Not, members: Sequence[Truth]) -> Truth:
    """Whether a group holds, given its members."""
    if isinstance(condition, Not):
        return opposite(members[0])
    return holds_all(members) if isinstance(condition, All) else holds_any(members)


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


class Outcome(Enum):
    """Whether a condition holds, may hold later, or has failed."""

    SUCCESS = "success"
    PENDING = "pending"
    FAILURE = "failure"


class Prospect(IntEnum):
    """What a node is or may become, worst first: the worst member decides for a group that needs all."""

    NEVER = 0
    UNKNOWN = 1
    LATER = 2
    NOW = 3


_OPPOSITES = {Prospect.NEVER: Prospect.NOW, Prospect.NOW: Prospect.NEVER}
PROSPECTS = {Truth.HOLDS: Prospect.NOW, Truth.FAILS: Prospect.NEVER, Truth.UNKNOWN: Prospect.UNKNOWN}


def outcome(result: Result, *, when_something_else_is_missing: Outcome) -> Outcome:
    """Success, or whether checks and time can still bring it.

    The caller decides what it means if something else is missing, such as a label: a queue keeps waiting,
    a merge protection fails.
    """
    if result.truth is Truth.HOLDS:
        return Outcome.SUCCESS
    if prospect(result, _whatever_may_come) < Prospect.LATER:
        return when_something_else_is_missing
    return Outcome.PENDING if prospect(result, _as_reported) >= Prospect.LATER else Outcome.FAILURE


def prospect(result: Result, leaf: Callable[[LeafResult], Prospect]) -> Prospect:
    """The prospect of a tree, given that of each leaf."""
    if isinstance(result, LeafResult):
        return leaf(result)
    members = [prospect(member, leaf) for member in result.members]
    if isinstance(result.condition, Not):
        return _OPPOSITES.get(members[0], members[0])
    if isinstance(result.condition, All):
        return min(members, default=Prospect.NOW)
    return max(members, default=Prospect.NEVER)


def _whatever_may_come(result: LeafResult) -> Prospect:
    """Assumes that checks and time may still turn out well."""
    kind = result.condition.compared.kind
    return Prospect.LATER if kind is ValueKind.CHECK or kind in CLOCK_KINDS else PROSPECTS[result.truth]


def _as_reported(result: LeafResult) -> Prospect:
    """Checks that have reported are final; a condition on time that fails now may hold later."""
    kind = result.condition.compared.kind
    if kind is ValueKind.CHECK:
        is_open = not result.is_complete or result.truth is Truth.UNKNOWN
        return Prospect.LATER if is_open else PROSPECTS[result.truth]
    if kind in CLOCK_KINDS and result.truth is not Truth.HOLDS:
        return Prospect.LATER
    return PROSPECTS[result.truth]
