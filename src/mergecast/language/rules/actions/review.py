"""`review`: review the pull request."""

from mergecast.language.configuration.models.actions import Review
from mergecast.language.rules.actions.plan import Action, Case, Plan, acting_as, acts, nothing, passage
from mergecast.language.rules.sentence import Pieces, sentence

_COMMENT = "COMMENT"
_SENTENCES = {
    "APPROVE": "Would approve the pull request",
    "REQUEST_CHANGES": "Would request changes",
    _COMMENT: "Would comment in a review",
}
_DESCRIPTIONS = {
    "APPROVE": "approves it",
    "REQUEST_CHANGES": "requests changes",
    _COMMENT: "comments in a review",
}


def _plan(options: Review, case: Case) -> Plan:
    if case.context.pull.merged and options.type != _COMMENT:
        return nothing("Would not review: the pull request is already merged")
    account = acting_as(options.bot_account, case.context)
    if options.message is None:
        return acts(sentence(_SENTENCES[options.type], *account))
    message = passage(options.message, case.context)
    return acts(sentence(_SENTENCES[options.type], *account, ": ", message))


def _describe(options: Review) -> Pieces:
    return (_DESCRIPTIONS[options.type],)


ACTION = Action(_plan, _describe)
