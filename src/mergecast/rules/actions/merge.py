"""`merge`: the pull request is merged."""

from __future__ import annotations

from mergecast.conditions.tree import Condition
from mergecast.configuration.models.actions import Merge
from mergecast.rules.actions.plan import Case, Plan, acting_as, acts, cannot, nothing, waits
from mergecast.rules.branch_protection import demands, protection_conditions, up_to_date
from mergecast.rules.commit_message import commit_message
from mergecast.rules.context import Context
from mergecast.rules.injected import before_merging, required
from mergecast.rules.sentence import Login, Name, Piece, sentence

_FAST_FORWARD = "fast-forward"


def requirements(options: Merge, context: Context) -> tuple[Condition, ...]:
    strict = up_to_date(context)
    if options.method == _FAST_FORWARD and not strict:
        strict = required("merge", "#commits-behind = 0")
    return (*protection_conditions(context), *strict, *before_merging(context, "merge"))


def plan(options: Merge, case: Case) -> Plan:
    hindered = _hindered(options, case.context)
    if hindered is not None:
        return hindered
    message = None
    if options.method != _FAST_FORWARD:
        message = commit_message(options.commit_message_template, options.commit_message_format, case.context)
    return acts(sentence(*_merge(options, case.context)), *([message] if message else []))


def plan_waiting(options: Merge, case: Case) -> Plan:
    hindered = _hindered(options, case.context)
    return hindered or waits(*_merge(options, case.context), " once its requirements hold")


def _merge(options: Merge, context: Context) -> tuple[Piece, ...]:
    method = f"the {options.method} method" if options.method else "the first method the repository allows"
    account = acting_as(options.merge_bot_account, context)
    return ("Would merge the pull request into ", Name(context.pull.base), f" with {method}", *account)


def _hindered(options: Merge, context: Context) -> Plan | None:
    """What stands against a merge, whatever the conditions say."""
    pull = context.pull
    if pull.merged:
        by: tuple[Piece, ...] = (" by ", Login(pull.merged_by)) if pull.merged_by else ()
        return nothing("Would not merge: the pull request was already merged", *by)
    if pull.closed:
        return cannot("Would not merge: the pull request is closed")
    if pull.mergeable is False:
        return cannot("Would not merge: conflicts with ", Name(pull.base), " need to be solved")
    if options.method == "merge" and demands(context.snapshot).is_linear:
        return cannot(
            "Would fail: ", Name(pull.base), " asks for a linear history, the merge method breaks it"
        )
    if pull.draft:
        return waits("Would wait: the draft flag needs to be removed")
    return None
