"""`rebase`: the pull request is rebased on its base branch."""

from __future__ import annotations

from mergecast.conditions.tree import AnyOf, Condition
from mergecast.configuration.models.actions import Rebase
from mergecast.rules.actions.plan import Case, Plan, acting_as, acts
from mergecast.rules.context import Context
from mergecast.rules.injected import injected, required
from mergecast.rules.sentence import Name, sentence

_WORTH_IT = ("#commits-behind > 0", "-linear-history")
_FIXUPS = "commits[*].commit_message ~= ^(fixup|squash|amend)!"


def requirements(options: Rebase, _: Context) -> tuple[Condition, ...]:
    reasons = (*_WORTH_IT, *((_FIXUPS,) if options.autosquash else ()))
    worth_it = AnyOf(tuple(injected(text, None) for text in reasons), "📌 rebase requirement")
    return (*required("rebase", "-closed"), worth_it)


def plan(options: Rebase, case: Case) -> Plan:
    squashing = " and squash fixup commits" if options.autosquash else ""
    account = acting_as(options.bot_account, case.context)
    base = Name(case.context.pull.base)
    return acts(sentence("Would rebase the pull request on ", base, squashing, *account))
