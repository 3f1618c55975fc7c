"""Rules of pull requests, protections of merges, and who may use commands."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

from mergecast.conditions.attribute import Section
from mergecast.conditions.tree import All
from mergecast.configuration.models.actions import Actions
from mergecast.configuration.models.condition_lists import Conditions, read_conditions
from mergecast.configuration.models.options import Options, at_most, option
from mergecast.configuration.problems import ReadContext

ConditionList = Annotated[All, Conditions()]


class Disabled(Options):
    """Why a rule never runs."""

    reason: str = option("Shown to people.")


class PullRequestRule(Options):
    """When a pull request meets the conditions, do the actions."""

    name: str = option("Name of the rule; no two share one.")
    description: str | None = option("Free text.", None)
    disabled: Disabled | None = option("Keeps the rule from running.", None)
    conditions: ConditionList = option("When the rule applies.")
    actions: Actions = option("What to do.")


class MergeProtection(Options):
    """A pull request that it is about may only be merged when it succeeds."""

    name: str = option("Shown in the check; no two share one.")
    description: str | None = option("Shown to people.", None)
    if_: ConditionList = option("Which pull requests it is about.", alias="if")
    success_conditions: ConditionList = option("What must hold for the merge.")


class MergeProtectionsSettings(Options):
    """How protections are reported, and who is merged automatically."""

    reporting_method: Literal["check-runs", "deployments"] = option(
        "How the state is published.", "check-runs"
    )
    post_comment: bool = option("Post a comment that explains the state.", default=True)
    auto_merge_conditions: ConditionList | None = option(
        "Pull requests that are merged automatically: conditions, `true` for all, null for none.", None
    )
    auto_merge: bool = option("Older switch of automatic merges.", default=False)


def _restriction(*conditions: Any) -> All:
    return read_conditions(list(conditions), Section.COMMANDS, ReadContext(date.min))


WRITERS = _restriction("sender-permission >= write")
WRITERS_OR_FORK_AUTHORS = _restriction(
    {"or": ["sender-permission >= write", {"and": ["sender = {{ author }}", "from-fork"]}]}
)
_HELP = "What must hold for the command to run."


class ForWriters(Options):
    """Who may use a command that needs the right to write."""

    conditions: Annotated[All, Conditions(Section.COMMANDS)] = option(_HELP, WRITERS)


class ForForkAuthorsToo(Options):
    """Who may use a command that authors may use on pull requests from their forks."""

    conditions: Annotated[All, Conditions(Section.COMMANDS)] = option(_HELP, WRITERS_OR_FORK_AUTHORS)


class CommandsRestrictions(Options):
    """Who may use which command in a comment."""

    backport: ForWriters = option("Who may use `backport`.", ForWriters())
    copy_: ForWriters = option("Who may use `copy`.", ForWriters(), alias="copy")
    dequeue: ForWriters = option("Who may use `dequeue`.", ForWriters())
    queue: ForWriters = option("Who may use `queue`.", ForWriters())
    rebase: ForForkAuthorsToo = option("Who may use `rebase`.", ForForkAuthorsToo())
    refresh: ForForkAuthorsToo = option("Who may use `refresh`.", ForForkAuthorsToo())
    requeue: ForWriters = option("Who may use `requeue`.", ForWriters())
    squash: ForForkAuthorsToo = option("Who may use `squash`.", ForForkAuthorsToo())
    update: ForForkAuthorsToo = option("Who may use `update`.", ForForkAuthorsToo())


PullRequestRules = Annotated[tuple[PullRequestRule, ...], at_most(200)]
MergeProtections = Annotated[tuple[MergeProtection, ...], at_most(100)]
