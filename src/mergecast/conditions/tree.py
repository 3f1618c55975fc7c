"""The tree of a condition: groups and leaves, immutable, without anything about a particular pull request."""

from dataclasses import dataclass, field

from mergecast.conditions.attribute import Attribute, CommitAttribute
from mergecast.conditions.operators import Operator
from mergecast.conditions.values import Team, Value
from mergecast.model.snapshot import Part


@dataclass(frozen=True, slots=True)
class CommitField:
    """A field of one commit, counted from the end when negative, or of all commits when the index is None."""

    index: int | None
    attribute: CommitAttribute


@dataclass(frozen=True, slots=True)
class Leaf:
    """One condition. Two leaves are equal when they mean the same, however they were written."""

    text: str = field(compare=False)  # as written; it is the label in reports
    attribute: Attribute
    operator: Operator
    value: Value
    is_negated: bool = False
    is_counted: bool = False
    commit: CommitField | None = None
    written_name: str | None = field(default=None, compare=False)  # a deprecated spelling of the attribute
    description: str | None = None
    is_injected: bool = False

    @property
    def subject(self) -> Attribute | CommitAttribute:
        """What is compared: the attribute, or the field of the commit."""
        return self.commit.attribute if self.commit else self.attribute


@dataclass(frozen=True, slots=True)
class All:
    """Holds when every member does; without members it holds."""

    members: tuple["Condition", ...]
    description: str | None = None


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Holds when some member does; without members it does not."""

    members: tuple["Condition", ...]
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Not:
    """Holds when its member does not."""

    member: "Condition"
    description: str | None = None


Condition = All | AnyOf | Not | Leaf


def needed_parts(condition: Condition) -> frozenset[Part]:
    """The parts without which some leaf could not be known; what is not named need not be fetched."""
    if isinstance(condition, Leaf):
        return _needs_of(condition)
    if isinstance(condition, Not):
        return needed_parts(condition.member)
    return frozenset().union(*map(needed_parts, condition.members))


def _needs_of(leaf: Leaf) -> frozenset[Part]:
    count = leaf.attribute.count if leaf.is_counted else None
    needs = leaf.attribute.needs if count is None or count.needs is None else count.needs
    return needs | {Part.TEAMS} if isinstance(leaf.value, Team) and leaf.attribute.has_teams else needs
