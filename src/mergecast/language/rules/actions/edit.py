"""`edit`: convert the pull request to a draft, or mark it as ready for review."""

from mergecast.language.configuration.models.actions import Edit
from mergecast.language.rules.actions.plan import Action, Case, Plan, acting_as, acts, nothing
from mergecast.language.rules.sentence import Pieces, sentence

_DRAFT = "convert the pull request to a draft"
_READY = "mark the pull request as ready for review"
_DESCRIPTIONS = {True: "makes it a draft", False: "marks it as ready for review", None: "edits nothing"}


def _plan(options: Edit, case: Case) -> Plan:
    if options.draft is None or options.draft is case.context.pull.draft:
        return nothing("Would leave the draft state unchanged")
    account = acting_as(options.bot_account, case.context)
    return acts(sentence(f"Would {_DRAFT if options.draft else _READY}", *account))


def _describe(options: Edit) -> Pieces:
    return (_DESCRIPTIONS[options.draft],)


ACTION = Action(_plan, _describe)
