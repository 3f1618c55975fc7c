"""`squash`: the commits of the pull request become one."""

from __future__ import annotations

from mergecast.configuration.models.actions import Squash
from mergecast.rules.actions.plan import Case, Plan, acting_as, acts, nothing
from mergecast.rules.commit_message import written_message
from mergecast.rules.context import Context
from mergecast.rules.sentence import Passage, Sentence, sentence


def plan(options: Squash, case: Case) -> Plan:
    context = case.context
    if context.pull.closed:
        return nothing("Would not squash: the pull request is closed")
    if context.pull.commits <= 1:
        return nothing("Would not squash: there is only one commit")
    account = acting_as(options.bot_account, context)
    squashed = sentence(f"Would squash {context.pull.commits} commits into one", *account)
    return acts(squashed, *_message(options, context))


def _message(options: Squash, context: Context) -> tuple[Sentence, ...]:
    """What the description asks for comes before the option; the default, all messages, is not repeated."""
    pull = context.pull
    message = written_message(context.reading.body)
    if message is None and options.commit_message == "title+body":
        message = f"{pull.title} (#{pull.number})\n\n{context.reading.body}".strip()
    elif message is None and options.commit_message == "first-commit":
        message = next((commit.message for commit in context.reading.commits), None)
    return (sentence("With the commit message: ", Passage(message)),) if message else ()
