"""The tree of a condition: groups and leaves, immutable and independent of any pull request."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from mergecast.language.conditions.attribute import Attribute, CommitAttribute
from mergecast.language.conditions.operators import Operator
from mergecast.language.conditions.values import Team, Value
from mergecast.queues.model.snapshot import Part


@dataclass(frozen=True, slots=True)
class CommitField:
    """A field of one commit, or of all commits if the index is None; a negative index counts from the end."""

    index: int | None
    attribute: CommitAttribute


@dataclass(frozen=True, slots=True)
class Leaf:
    """One condition. Leaves are equal if they mean the same, even if they are spelled differently."""

    text: str = field(compare=False)  # as written; reports show it
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
    def compared(self) -> Attribute | CommitAttribute:
        """The attribute, or the commit field, that is compared."""
        return self.commit.attribute if self.commit else self.attribute


@dataclass(frozen=True, slots=True)
class All:
    """Holds if every member holds; holds if it has no members."""

    members: tuple["Condition", ...]
    description: str | None = None


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Holds if any member holds; does not hold if it has no members."""

    members: tuple["Condition", ...]
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Not:
    """Holds if its member does not."""

    member: "Condition"
    description: str | None = None


Condition = All | AnyOf | Not | Leaf


def leaves(condition: Condition) -> Iterator[Leaf]:
    """Every leaf of the tree, in order."""
    if isinstance(condition, Leaf):
        yield condition
    else:
        for member in (condition.member,) if isinstance(condition, Not) else condition.members:
            yield from leaves(member)


def needed_parts(condition: Condition) -> frozenset[Part]:
    """The parts of a pull request that must be fetched to evaluate every leaf."""
    return frozenset().union(*map(_needs_of, leaves(condition)))


def _needs_of(leaf: Leaf) -> frozenset[Part]:
    count = leaf.attribute.count if leaf.is_counted else None
    needs = leaf.attribute.needs if count is None or count.needs is None else count.needs
    return needs | {Part.TEAMS} if isinstance(leaf.value, Team) and leaf.attribute.has_teams else needs
