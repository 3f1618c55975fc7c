"""`merge`: merge the pull request."""

from mergecast.language.conditions.tree import Condition
from mergecast.language.configuration.models.actions import Merge
from mergecast.language.rules.actions.plan import Action, Case, Plan, acting_as, acts, cannot, nothing, waits
from mergecast.language.rules.branch_protection import branch_requirements, protection_conditions, up_to_date
from mergecast.language.rules.commit_message import commit_message
from mergecast.language.rules.context import Context
from mergecast.language.rules.injected import before_merging, required
from mergecast.language.rules.sentence import Login, Name, Pieces, sentence
from mergecast.queues.model.snapshot import MERGE_PARTS

_FAST_FORWARD = "fast-forward"


def _requirements(options: Merge, context: Context) -> tuple[Condition, ...]:
    strict = up_to_date(context)
    if options.method == _FAST_FORWARD and not strict:
        strict = required("merge", "#commits-behind = 0")
    return (*protection_conditions(context), *strict, *before_merging(context, "merge"))


def _plan(options: Merge, case: Case) -> Plan:
    obstacle = _obstacle(options, case.context)
    if obstacle is not None:
        return obstacle
    message = None
    if options.method != _FAST_FORWARD:
        message = commit_message(options.commit_message_template, options.commit_message_format, case.context)
    return acts(sentence(*_merge(options, case.context)), *([message] if message else []))


def _plan_waiting(options: Merge, case: Case) -> Plan:
    obstacle = _obstacle(options, case.context)
    return obstacle or waits(*_merge(options, case.context), " once its requirements hold")


def _merge(options: Merge, context: Context) -> Pieces:
    method = f"the {options.method} method" if options.method else "the first method the repository allows"
    account = acting_as(options.merge_bot_account, context)
    return ("Would merge the pull request into ", Name(context.pull.base), f" with {method}", *account)


def _obstacle(options: Merge, context: Context) -> Plan | None:
    """What prevents a merge regardless of the conditions."""
    pull = context.pull
    if pull.merged:
        by: Pieces = (" by ", Login(pull.merged_by)) if pull.merged_by else ()
        return nothing("Would not merge: the pull request was already merged", *by)
    if pull.closed:
        return cannot("Would not merge: the pull request is closed")
    if pull.mergeable is False:
        return cannot("Would not merge: the pull request conflicts with ", Name(pull.base))
    if options.method == "merge" and branch_requirements(context.snapshot).is_linear:
        return cannot("Would fail: ", Name(pull.base), " requires linear history; use another merge method")
    if pull.draft:
        return waits("Would wait: the pull request is a draft")
    return None


def _describe(options: Merge) -> Pieces:
    return ("merges it",) if options.method is None else (f"merges it with the {options.method} method",)


ACTION = Action(_plan, _describe, _requirements, _plan_waiting, is_once=True, needs=MERGE_PARTS)
