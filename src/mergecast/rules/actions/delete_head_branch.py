"""`delete_head_branch`: the source branch is deleted once the pull request is closed."""

from __future__ import annotations

from mergecast.conditions.tree import Condition
from mergecast.configuration.models.actions import DeleteHeadBranch
from mergecast.rules.actions.plan import Case, Plan, acts, nothing, waits
from mergecast.rules.context import Context
from mergecast.rules.injected import required
from mergecast.rules.sentence import Name, Piece, sentence


def requirements(_: DeleteHeadBranch, __: Context) -> tuple[Condition, ...]:
    return required("delete_head_branch", "closed")


def plan(options: DeleteHeadBranch, case: Case) -> Plan:
    return _of_fork(case) or acts(sentence(*_deletion(options, case)))


def plan_waiting(options: DeleteHeadBranch, case: Case) -> Plan:
    return _of_fork(case) or waits(*_deletion(options, case, " once closed"))


def _of_fork(case: Case) -> Plan | None:
    pull = case.context.pull
    return nothing("Would keep the branch ", Name(pull.head), " of a fork") if pull.from_fork else None


def _deletion(options: DeleteHeadBranch, case: Case, moment: str = "") -> tuple[Piece, ...]:
    """Which other pull requests use the branch is not recorded."""
    unless = "" if options.force else ", unless another open pull request uses it"
    return ("Would delete the branch ", Name(case.context.pull.head), f"{moment}{unless}")
