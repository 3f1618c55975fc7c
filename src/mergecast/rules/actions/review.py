"""`review`: the pull request is reviewed."""

from __future__ import annotations

from mergecast.configuration.models.actions import Review
from mergecast.rules.actions.plan import Case, Plan, acting_as, acts, nothing, passage
from mergecast.rules.sentence import sentence

_COMMENT = "COMMENT"
_SAID = {
    "APPROVE": "Would approve the pull request",
    "REQUEST_CHANGES": "Would request changes",
    _COMMENT: "Would comment in a review",
}


def plan(options: Review, case: Case) -> Plan:
    if case.context.pull.merged and options.type != _COMMENT:
        return nothing("Would not review: the pull request is already merged")
    account = acting_as(options.bot_account, case.context)
    if options.message is None:
        return acts(sentence(_SAID[options.type], *account))
    message = passage(options.message, case.context)
    return acts(sentence(_SAID[options.type], *account, ": ", message))
