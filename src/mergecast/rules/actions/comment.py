"""`comment`: a comment is posted."""

from __future__ import annotations

from mergecast.configuration.models.actions import Comment
from mergecast.rules.actions.plan import Case, Plan, acting_as, acts, nothing, passage
from mergecast.rules.sentence import sentence


def plan(options: Comment, case: Case) -> Plan:
    if options.message is None:
        return nothing("Would not comment: no message is set")
    account = acting_as(options.bot_account, case.context)
    message = passage(options.message, case.context)
    return acts(sentence("Would post the comment", *account, ": ", message))
