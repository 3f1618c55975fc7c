"""Does this rule match, or could it?"""

from mergecast.language.conditions.result import (
    PROSPECTS,
    GroupResult,
    LeafResult,
    Prospect,
    Truth,
    leaf_results,
    prospect,
)
from mergecast.language.rules.simulation import RuleStatus

# These never change. The base can change, but rarely does.
_CONSTANT = frozenset({"head", "author", "merged-by"})
_BASE = frozenset({"base"})


def rule_status(conditions: GroupResult) -> RuleStatus:
    """The status of a rule that is not disabled."""
    if conditions.truth is Truth.HOLDS:
        return RuleStatus.MATCHING
    if not _may_hold(conditions, _BASE):
        return RuleStatus.NOT_APPLICABLE
    if not _may_hold(conditions, _CONSTANT):
        return RuleStatus.IGNORED
    if any(leaf.error for leaf in leaf_results(conditions)):
        return RuleStatus.ERROR
    return RuleStatus.POTENTIAL


def _may_hold(conditions: GroupResult, constant: frozenset[str]) -> bool:
    """Whether the conditions could hold if every attribute that is not constant could have any value.

    Assuming that all other conditions hold would be wrong: a condition under `not` must fail.
    """

    def of_leaf(leaf: LeafResult) -> Prospect:
        is_constant = leaf.condition.attribute.name in constant
        return PROSPECTS[leaf.truth] if is_constant else Prospect.UNKNOWN

    return prospect(conditions, of_leaf) > Prospect.NEVER
