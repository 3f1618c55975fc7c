"""`github_actions`: workflows are started."""

from __future__ import annotations

from mergecast.configuration.models.actions import Dispatch, GithubActions
from mergecast.rules.actions.plan import Case, Plan, acts, nothing
from mergecast.rules.sentence import Name, Passage, Sentence, sentence
from mergecast.rules.variables import fill


def plan(options: GithubActions, case: Case) -> Plan:
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
