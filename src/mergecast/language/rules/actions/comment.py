"""`comment`: post a comment."""

from mergecast.language.configuration.models.actions import Comment
from mergecast.language.rules.actions.plan import Action, Case, Plan, acting_as, acts, nothing, passage
from mergecast.language.rules.sentence import Pieces, sentence


def _plan(options: Comment, case: Case) -> Plan:
    if options.message is None:
        return nothing("Would not comment: no message is set")
    account = acting_as(options.bot_account, case.context)
    message = passage(options.message, case.context)
    return acts(sentence("Would post the comment", *account, ": ", message))


def _describe(options: Comment) -> Pieces:
    return ("posts no comment",) if options.message is None else ("posts a comment",)


ACTION = Action(_plan, _describe)
