"""`delete_head_branch`: delete the source branch once the pull request is closed."""

from mergecast.language.conditions.tree import Condition
from mergecast.language.configuration.models.actions import DeleteHeadBranch
from mergecast.language.rules.actions.plan import Action, Case, Plan, acts, always, nothing, waits
from mergecast.language.rules.context import Context
from mergecast.language.rules.injected import required
from mergecast.language.rules.sentence import Name, Pieces, sentence


def _requirements(_: DeleteHeadBranch, __: Context) -> tuple[Condition, ...]:
    return required("delete_head_branch", "closed")


def _plan(options: DeleteHeadBranch, case: Case) -> Plan:
    return _kept_in_fork(case) or acts(sentence(*_deletion(options, case)))


def _plan_waiting(options: DeleteHeadBranch, case: Case) -> Plan:
    return _kept_in_fork(case) or waits(*_deletion(options, case, " once closed"))


def _kept_in_fork(case: Case) -> Plan | None:
    pull = case.context.pull
    return nothing("Would keep the branch ", Name(pull.head), " of a fork") if pull.from_fork else None


def _deletion(options: DeleteHeadBranch, case: Case, moment: str = "") -> Pieces:
    """Snapshots do not record which other pull requests use the branch."""
    unless = "" if options.force else ", unless another open pull request uses it"
    return ("Would delete the branch ", Name(case.context.pull.head), f"{moment}{unless}")


ACTION = Action(
    _plan, always("deletes its branch once it is closed"), _requirements, _plan_waiting, is_once=True
)
