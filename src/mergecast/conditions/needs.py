"""Which parts of a pull request does a condition ask for?"""

from mergecast.conditions.tree import Condition, Leaf, Not
from mergecast.conditions.values import Team
from mergecast.model.snapshot import Part


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
