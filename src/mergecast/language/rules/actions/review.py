"""`review`: review the pull request."""

from mergecast.language.configuration.models.actions import Review
from mergecast.language.rules.actions.plan import Action, Case, Plan, acting_as, acts, nothing, passage
from mergecast.language.rules.sentence import Pieces, sentence

_COMMENT = "COMMENT"
# What a review would do, and what a rule with it does.
_WORDS = {
    "APPROVE": ("Would approve the pull request", "approves it"),
    "REQUEST_CHANGES": ("Would request changes", "requests changes"),
    _COMMENT: ("Would comment in a review", "comments in a review"),
}


def _plan(options: Review, case: Case) -> Plan:
    if case.context.pull.merged and options.type != _COMMENT:
        return nothing("Would not review: the pull request is already merged")
    begun = (_WORDS[options.type][0], *acting_as(options.bot_account, case.context))
    if options.message is None:
        return acts(sentence(*begun))
    return acts(sentence(*begun, ": ", passage(options.message, case.context)))


def _describe(options: Review) -> Pieces:
    return (_WORDS[options.type][1],)


ACTION = Action(_plan, _describe)
