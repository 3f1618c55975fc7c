"""`github_actions`: start workflows."""

from mergecast.language.configuration.models.actions import Dispatch, GithubActions
from mergecast.language.rules.actions.plan import Action, Case, Plan, acts, nothing
from mergecast.language.rules.sentence import Name, Passage, Pieces, Sentence, first_listed, names, sentence
from mergecast.language.rules.variables import fill


def _plan(options: GithubActions, case: Case) -> Plan:
    dispatches = options.workflow.dispatch
    if not dispatches:
        return nothing("Would dispatch no workflow")
    return acts(*(_dispatched(dispatch, case) for dispatch in dispatches))


def _dispatched(dispatch: Dispatch, case: Case) -> Sentence:
    ref = dispatch.ref or case.context.pull.default_branch
    start = ("Would dispatch the workflow ", Name(dispatch.workflow), " on ", Name(ref))
    if not dispatch.inputs:
        return sentence(*start)
    inputs = ", ".join(f"{name}={_value(value, case)}" for name, value in sorted(dispatch.inputs.items()))
    return sentence(*start, " with inputs ", Passage(inputs))


def _value(value: int | str, case: Case) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return fill(value, case.context) if isinstance(value, str) else str(value)


def _describe(options: GithubActions) -> Pieces:
    workflows = names(dispatch.workflow for dispatch in options.workflow.dispatch)
    return ("starts ", *first_listed(workflows)) if workflows else ("starts no workflow",)


ACTION = Action(_plan, _describe)
