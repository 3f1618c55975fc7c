"""`review`: the pull request is reviewed."""

from __future__ import annotations

from mergecast.configuration.models.actions import Review
from mergecast.rules.actions.plan import Case, Deed, acting_as, acts, nothing, passage
from mergecast.rules.sentence import sentence

_COMMENT = "COMMENT"
_SAID = {
    "APPROVE": "Would approve the pull request",
    "REQUEST_CHANGES": "Would request changes",
    _COMMENT: "Would comment in a review",
}


def plan(options: Review, case: Case) -> Deed:
    if case.subject.pull.merged and options.type != _COMMENT:
        return nothing("Would not review: the pull request is already merged")
    account = acting_as(options.bot_account, case.subject)
    if options.message is None:
        return acts(sentence(_SAID[options.type], *account))
    message = passage(options.message, case.subject)
    return acts(sentence(_SAID[options.type], *account, ": ", message))
