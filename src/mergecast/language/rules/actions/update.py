"""`update`: merge the base branch into the pull request."""

from mergecast.language.conditions.tree import Condition
from mergecast.language.configuration.models.actions import Update
from mergecast.language.rules.actions.plan import Action, Case, Plan, acting_as, acts, always
from mergecast.language.rules.context import Context
from mergecast.language.rules.injected import required
from mergecast.language.rules.sentence import Name, sentence
from mergecast.queues.model.snapshot import Part
from mergecast.queues.model.words import plural


def _requirements(_: Update, __: Context) -> tuple[Condition, ...]:
    return required("update", "-closed", "#commits-behind > 0")


def _plan(options: Update, case: Case) -> Plan:
    behind = case.context.view.behind
    commits = f"{behind} {plural(behind, 'commit')}"
    account = acting_as(options.bot_account, case.context)
    base = Name(case.context.pull.base)
    return acts(sentence("Would merge ", base, f" into the pull request ({commits} behind)", *account))


ACTION = Action(
    _plan,
    always("updates it with its base"),
    _requirements,
    is_once=True,
    needs=frozenset({Part.BEHIND}),
)
