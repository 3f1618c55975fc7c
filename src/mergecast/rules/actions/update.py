"""`update`: the base branch is merged into the pull request."""

from __future__ import annotations

from mergecast.conditions.tree import Condition
from mergecast.configuration.models.actions import Update
from mergecast.rules.actions.plan import Case, Deed, acting_as, acts
from mergecast.rules.context import Subject
from mergecast.rules.injected import required
from mergecast.rules.sentence import Name, sentence


def requirements(_: Update, __: Subject) -> tuple[Condition, ...]:
    return required("update", "-closed", "#commits-behind > 0")


def plan(options: Update, case: Case) -> Deed:
    behind = case.subject.reading.behind
    commits = "1 commit" if behind == 1 else f"{behind} commits"
    account = acting_as(options.bot_account, case.subject)
    base = Name(case.subject.pull.base)
    return acts(sentence("Would merge ", base, f" into the pull request ({commits} behind)", *account))
