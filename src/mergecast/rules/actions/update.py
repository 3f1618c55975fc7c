"""`update`: the base branch is merged into the pull request."""

from __future__ import annotations

from mergecast.conditions.tree import Condition
from mergecast.configuration.models.actions import Update
from mergecast.rules.actions.plan import Case, Plan, acting_as, acts
from mergecast.rules.context import Context
from mergecast.rules.injected import required
from mergecast.rules.sentence import Name, sentence


def requirements(_: Update, __: Context) -> tuple[Condition, ...]:
    return required("update", "-closed", "#commits-behind > 0")


def plan(options: Update, case: Case) -> Plan:
    behind = case.context.reading.behind
    commits = "1 commit" if behind == 1 else f"{behind} commits"
    account = acting_as(options.bot_account, case.context)
    base = Name(case.context.pull.base)
    return acts(sentence("Would merge ", base, f" into the pull request ({commits} behind)", *account))
