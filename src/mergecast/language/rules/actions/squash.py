"""`squash`: squash the commits of the pull request into one."""

from mergecast.language.configuration.models.actions import Squash
from mergecast.language.rules.actions.plan import Action, Case, Plan, acting_as, acts, always, nothing
from mergecast.language.rules.commit_message import written_message
from mergecast.language.rules.context import Context
from mergecast.language.rules.sentence import Passage, Sentence, sentence
from mergecast.queues.model.snapshot import Part


def _plan(options: Squash, case: Case) -> Plan:
    context = case.context
    if context.pull.closed:
        return nothing("Would not squash: the pull request is closed")
    if context.pull.commits <= 1:
        return nothing("Would not squash: there is only one commit")
    account = acting_as(options.bot_account, context)
    squashed = sentence(f"Would squash {context.pull.commits} commits into one", *account)
    return acts(squashed, *_message(options, context))


def _message(options: Squash, context: Context) -> tuple[Sentence, ...]:
    """The description wins over the option. The default, all messages, is not repeated."""
    pull = context.pull
    message = written_message(context.view.body)
    if message is None and options.commit_message == "title+body":
        message = f"{pull.title} (#{pull.number})\n\n{context.view.body}".strip()
    elif message is None and options.commit_message == "first-commit":
        message = next((commit.message for commit in context.view.commits), None)
    return (sentence("With the commit message: ", Passage(message)),) if message else ()


ACTION = Action(_plan, always("squashes its commits"), is_once=True, needs=frozenset({Part.COMMITS}))
