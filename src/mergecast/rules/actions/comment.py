"""`comment`: a comment is posted."""

from __future__ import annotations

from mergecast.configuration.models.actions import Comment
from mergecast.rules.actions.plan import Case, Deed, acting_as, acts, nothing, passage
from mergecast.rules.sentence import sentence


def plan(options: Comment, case: Case) -> Deed:
    if options.message is None:
        return nothing("Would not comment: no message is set")
    account = acting_as(options.bot_account, case.subject)
    message = passage(options.message, case.subject)
    return acts(sentence("Would post the comment", *account, ": ", message))
