"""`close`: close the pull request with a comment."""

from mergecast.language.configuration.models.actions import Close
from mergecast.language.rules.actions.plan import Action, Case, Plan, acts, always, nothing, passage
from mergecast.language.rules.sentence import sentence


def _plan(options: Close, case: Case) -> Plan:
    if case.context.pull.closed:
        return nothing("Would not close the pull request: it is already closed")
    message = passage(options.message, case.context)
    return acts(sentence("Would close the pull request with the message: ", message))


ACTION = Action(_plan, always("closes it"), is_once=True)
