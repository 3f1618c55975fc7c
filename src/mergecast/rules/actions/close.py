"""`close`: the pull request is closed with a comment."""

from __future__ import annotations

from mergecast.configuration.models.actions import Close
from mergecast.rules.actions.plan import Case, Plan, acts, nothing, passage
from mergecast.rules.sentence import sentence


def plan(options: Close, case: Case) -> Plan:
    if case.context.pull.closed:
        return nothing("Would not close the pull request: it is already closed")
    message = passage(options.message, case.context)
    return acts(sentence("Would close the pull request with the message: ", message))
