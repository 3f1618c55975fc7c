"""Rules of pull requests, protections of merges, and who may use commands."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

from mergecast.conditions.section import Section
from mergecast.conditions.tree import All
from mergecast.configuration.models.actions import Actions
from mergecast.configuration.models.condition_lists import Conditions, read_conditions
from mergecast.configuration.models.options import Options, at_most, described
from mergecast.configuration.refusals import Terms

ConditionList = Annotated[All, Conditions()]


class Disabled(Options):
    """Why a rule never runs."""

    reason: str = described("Shown to people.")


class PullRequestRule(Options):
    """When a pull request meets the conditions, do the actions."""

    name: str = described("Name of the rule; no two share one.")
    description: str | None = described("Free text.", None)
    disabled: Disabled | None = described("Keeps the rule from running.", None)
    conditions: ConditionList = described("When the rule applies.")
    actions: Actions = described("What to do.")


class MergeProtection(Options):
    """A pull request that it is about may only be merged when it succeeds."""

    name: str = described("Shown in the check; no two share one.")
    description: str | None = described("Shown to people.", None)
    if_: ConditionList = described("Which pull requests it is about.", alias="if")
    success_conditions: ConditionList = described("What must hold for the merge.")


class MergeProtectionsSettings(Options):
    """How protections are reported, and who is merged automatically."""

    reporting_method: Literal["check-runs", "deployments"] = described(
        "How the state is published.", "check-runs"
    )
    post_comment: bool = described("Post a comment that explains the state.", default=True)
    auto_merge_conditions: ConditionList | None = described(
        "Pull requests that are merged automatically: conditions, `true` for all, null for none.", None
    )
    auto_merge: bool = described("Older switch of automatic merges.", default=False)


def _restriction(*conditions: Any) -> All:
    return read_conditions(list(conditions), Section.COMMANDS, Terms(date.min))


WRITERS = _restriction("sender-permission >= write")
WRITERS_OR_FORK_AUTHORS = _restriction(
    {"or": ["sender-permission >= write", {"and": ["sender = {{ author }}", "from-fork"]}]}
)
_HELP = "What must hold for the command to run."


class ForWriters(Options):
    """Who may use a command that needs the right to write."""

    conditions: Annotated[All, Conditions(Section.COMMANDS)] = described(_HELP, WRITERS)


class ForForkAuthorsToo(Options):
    """Who may use a command that authors may use on pull requests from their forks."""

    conditions: Annotated[All, Conditions(Section.COMMANDS)] = described(_HELP, WRITERS_OR_FORK_AUTHORS)


class CommandsRestrictions(Options):
    """Who may use which command in a comment."""

    backport: ForWriters = described("Who may use `backport`.", ForWriters())
    copy_: ForWriters = described("Who may use `copy`.", ForWriters(), alias="copy")
    dequeue: ForWriters = described("Who may use `dequeue`.", ForWriters())
    queue: ForWriters = described("Who may use `queue`.", ForWriters())
    rebase: ForForkAuthorsToo = described("Who may use `rebase`.", ForForkAuthorsToo())
    refresh: ForForkAuthorsToo = described("Who may use `refresh`.", ForForkAuthorsToo())
    requeue: ForWriters = described("Who may use `requeue`.", ForWriters())
    squash: ForForkAuthorsToo = described("Who may use `squash`.", ForForkAuthorsToo())
    update: ForForkAuthorsToo = described("Who may use `update`.", ForForkAuthorsToo())


PullRequestRules = Annotated[tuple[PullRequestRule, ...], at_most(200)]
MergeProtections = Annotated[tuple[MergeProtection, ...], at_most(100)]
