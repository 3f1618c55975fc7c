"""Which checks a condition means, and whether its answer can still change when checks report."""

from mergecast.conditions.attribute import Attribute
from mergecast.conditions.compare import Test
from mergecast.conditions.facts.checks import PENDING, Check
from mergecast.conditions.facts.snapshot_view import Reading
from mergecast.conditions.operators import EQUALITY
from mergecast.conditions.tree import Leaf
from mergecast.conditions.values import CheckName


def matching_checks(leaf: Leaf, reading: Reading, test: Test) -> tuple[Check, ...]:
    """The checks, in whatever state, whose names the value means; all of them for a count."""
    if leaf.is_counted:
        return reading.checks.visible
    if isinstance(leaf.value, CheckName):
        if leaf.operator in EQUALITY:
            return reading.checks.named(leaf.value.app, leaf.value.name)
        return tuple(check for check in reading.checks.of(leaf.value.app) if test(check.name))
    return tuple(check for check in reading.checks.visible if test(check.name))


def in_states(attribute: Attribute, checks: tuple[Check, ...]) -> tuple[str, ...]:
    """Names of those that are in the states which the attribute lists."""
    return tuple(dict.fromkeys([check.name for check in checks if check.state in attribute.check_states]))


def is_complete(leaf: Leaf, matching: tuple[Check, ...], *, holds: bool) -> bool:
    """Whether the checks that matter have reported. Nothing pending settles what is pending."""
    pending = sum(check.state == PENDING for check in matching)
    if leaf.is_counted:
        return not pending
    if PENDING in leaf.attribute.check_states:
        return not pending and (holds or bool(matching))
    return len(matching) > pending
