"""Who may run the commands that the document restricts?"""

from dataclasses import replace

from mergecast.language.conditions.attribute import AllowedIn
from mergecast.language.conditions.evaluate import Evaluator
from mergecast.language.conditions.facts.snapshot_view import SnapshotView
from mergecast.language.conditions.result import GroupResult, LeafResult, Result, Truth, group_truth
from mergecast.language.configuration.models.rules import ForForkAuthorsToo, ForWriters
from mergecast.language.rules.context import Context
from mergecast.language.rules.simulation import CommandResult

DEPENDS_ON_SENDER = "depends on who runs the command"
MOST_NAMED = 10


def judge_commands(context: Context) -> tuple[CommandResult, ...]:
    """Only commands that the document restricts."""
    restricted = context.configuration.commands_restrictions.written()
    return tuple(_judge(name, restriction, context) for name, restriction in restricted.items())


def _judge(command: str, restriction: ForWriters | ForForkAuthorsToo, context: Context) -> CommandResult:
    conditions = _with_sender_unknown(context.judge(restriction.conditions.members))
    permissions = context.snapshot.permissions
    if permissions is None:
        return CommandResult(command, conditions, None, 0)
    allowed = [login for login in sorted(permissions) if _holds_for(login, conditions, context)]
    return CommandResult(command, conditions, tuple(allowed[:MOST_NAMED]), max(0, len(allowed) - MOST_NAMED))


def _with_sender_unknown(result: GroupResult) -> GroupResult:
    """The same tree, in which leaves about the sender say why they are unknown."""
    members = tuple(
        _with_sender_unknown(member) if isinstance(member, GroupResult) else _leaf_with_sender_unknown(member)
        for member in result.members
    )
    return GroupResult(result.condition, result.truth, members)


def _leaf_with_sender_unknown(result: LeafResult) -> LeafResult:
    if not is_about_sender(result):
        return result
    return LeafResult(result.condition, Truth.UNKNOWN, result.now, missing=DEPENDS_ON_SENDER)


def is_about_sender(result: LeafResult) -> bool:
    return result.condition.attribute.allowed_in is AllowedIn.COMMANDS


def _holds_for(login: str, conditions: GroupResult, context: Context) -> bool:
    view = SnapshotView(replace(context.snapshot, sender=login))
    return _truth_for(conditions, Evaluator(view, context.now, context.search)) is Truth.HOLDS


def _truth_for(result: Result, sender: Evaluator) -> Truth:
    """Only conditions about the sender are evaluated again: there may be many logins."""
    if isinstance(result, LeafResult):
        if not is_about_sender(result):
            return result.truth
        return sender.evaluate(result.condition).truth
    return group_truth(result.condition, [_truth_for(member, sender) for member in result.members])
