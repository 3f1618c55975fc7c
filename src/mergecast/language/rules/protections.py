"""Do the merge protections let the pull request pass?"""

from collections.abc import Iterator

from mergecast.language.conditions.result import GroupResult, Outcome, Truth, outcome
from mergecast.language.conditions.tree import Condition
from mergecast.language.configuration.models.rules import MergeProtection
from mergecast.language.rules.context import Context
from mergecast.language.rules.injected import CONFIGURATION_CHECK, check, dependencies, waiting_time
from mergecast.language.rules.simulation import ProtectionResult, ProtectionsResult


def judge_protections(context: Context) -> ProtectionsResult | None:
    """None if there is no protection, or the product is known to be off."""
    if context.lacks("merge_protections"):
        return None
    built_in = (_result(name, context.judge(conditions)) for name, conditions in _built_ins(context))
    own = (_judge(rule, context) for rule in context.configuration.merge_protections)
    protections = (*built_in, *own)
    return ProtectionsResult(protections, _combined(protections)) if protections else None


def _built_ins(context: Context) -> Iterator[tuple[str, tuple[Condition, ...]]]:
    """The built-in protections that apply to this pull request."""
    if depended := tuple(dependencies(context)):
        yield "Depends-On", depended
    if awaited := tuple(waiting_time(context)):
        yield "Merge-After", awaited
    if context.snapshot.files is not None and context.view.changes_configuration:
        yield CONFIGURATION_CHECK, (check("check-success", CONFIGURATION_CHECK),)


def _judge(rule: MergeProtection, context: Context) -> ProtectionResult:
    activity, success = (context.judge(group.members) for group in (rule.if_, rule.success_conditions))
    return _result(rule.name, success, activity, rule.description)


def _result(
    name: str, success: GroupResult, activity: GroupResult | None = None, description: str | None = None
) -> ProtectionResult:
    """A built-in protection has no conditions under which it is active: it always is."""
    is_active = activity is None or activity.truth is Truth.HOLDS
    state = outcome(success, when_something_else_is_missing=Outcome.FAILURE)
    return ProtectionResult(
        name=name,
        description=description,
        is_built_in=activity is None,
        is_active=is_active,
        activity=activity,
        success=success,
        outcome=state if is_active else None,
    )


def _combined(protections: tuple[ProtectionResult, ...]) -> Outcome:
    outcomes = {protection.outcome for protection in protections}
    if Outcome.FAILURE in outcomes:
        return Outcome.FAILURE
    # A protection that may be active, and would not succeed, must not count as passed.
    is_undecided = any(map(may_be_active, protections))
    return Outcome.PENDING if Outcome.PENDING in outcomes or is_undecided else Outcome.SUCCESS


def may_be_active(protection: ProtectionResult) -> bool:
    """Whether it is unknown if the protection is active, and it would not succeed."""
    activity = protection.activity
    is_unknown = activity is not None and activity.truth is Truth.UNKNOWN
    return is_unknown and protection.success.truth is not Truth.HOLDS
