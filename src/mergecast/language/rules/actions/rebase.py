"""`rebase`: rebase the pull request on its base branch."""

from datetime import date

from mergecast.language.conditions.tree import AnyOf, Condition
from mergecast.language.configuration.models.actions import Rebase
from mergecast.language.rules.actions.plan import Action, Case, Plan, acting_as, acts, always, cannot
from mergecast.language.rules.context import Context
from mergecast.language.rules.injected import injected, required
from mergecast.language.rules.sentence import Name, sentence
from mergecast.queues.model.snapshot import Part

_REASONS = ("#commits-behind > 0", "-linear-history")
_NO_FORKS_SINCE = date(2026, 7, 1)


def _requirements(_: Rebase, __: Context) -> tuple[Condition, ...]:
    has_reason = AnyOf(tuple(injected(text, None) for text in _REASONS), "📌 rebase requirement")
    return (*required("rebase", "-closed"), has_reason)


def _plan(options: Rebase, case: Case) -> Plan:
    if options.bot_account and case.context.pull.from_fork and case.context.today >= _NO_FORKS_SINCE:
        reason = f"since {_NO_FORKS_SINCE}, `bot_account` cannot rebase a pull request from a fork"
        return cannot(f"Would fail: {reason}")
    account = acting_as(options.bot_account, case.context)
    base = Name(case.context.pull.base)
    return acts(sentence("Would rebase the pull request on ", base, *account))


ACTION = Action(
    _plan,
    always("rebases it"),
    _requirements,
    is_once=True,
    needs=frozenset({Part.BEHIND, Part.COMMITS}),
)
