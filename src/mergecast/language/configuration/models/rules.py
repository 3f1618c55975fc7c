"""Pull request rules, merge protections and command restrictions."""

from datetime import date
from typing import Annotated, Any, Literal

from mergecast.language.conditions.attribute import Section
from mergecast.language.conditions.tree import All
from mergecast.language.configuration.models.actions import Actions
from mergecast.language.configuration.models.condition_lists import ConditionList, Conditions, read_conditions
from mergecast.language.configuration.models.options import Options, at_most, option
from mergecast.language.configuration.problems import ReadContext


class Disabled(Options):
    """Why a rule is disabled."""

    reason: str = option("Shown in reports.")


class PullRequestRule(Options):
    """Run the actions on pull requests that match the conditions."""

    name: str = option("Name of the rule; must be unique.")
    description: str | None = option("Description of the rule.", None)
    disabled: Disabled | None = option("Disables the rule.", None)
    conditions: ConditionList = option("Conditions for the rule to apply.")
    actions: Actions = option("Actions to run.")


class MergeProtection(Options):
    """A pull request that matches `if` can be merged only if the success conditions hold."""

    name: str = option("Name of the protection, shown in the check; must be unique.")
    description: str | None = option("Shown in reports.", None)
    if_: ConditionList = option("Which pull requests the protection applies to.", alias="if")
    success_conditions: ConditionList = option("Conditions that must hold before the merge.")


class MergeProtectionsSettings(Options):
    """How protections are reported, and which pull requests are merged automatically."""

    reporting_method: Literal["check-runs", "deployments"] = option(
        "How the state of protections is published.", "check-runs"
    )
    post_comment: bool = option("Post a comment that explains the state of protections.", default=True)
    auto_merge_conditions: ConditionList | None = option(
        "Which pull requests to merge automatically: conditions, `true` for all, null for none.", None
    )


def _restriction(conditions: list[Any]) -> All:
    return read_conditions(conditions, Section.COMMANDS, ReadContext(date.min))


_WRITERS: list[Any] = ["sender-permission >= write"]
_WRITERS_OR_FORK_AUTHORS: list[Any] = [
    {"or": ["sender-permission >= write", {"and": ["sender = {{author}}", "from-fork"]}]}
]
WRITERS = _restriction(_WRITERS)
WRITERS_OR_FORK_AUTHORS = _restriction(_WRITERS_OR_FORK_AUTHORS)
_HELP = "Conditions for the command to run."


class ForWriters(Options):
    """Restriction of a command that needs write permission."""

    conditions: Annotated[All, Conditions(Section.COMMANDS)] = option(_HELP, WRITERS)


class ForForkAuthorsToo(Options):
    """Restriction of a command that authors may also use on pull requests from their forks."""

    conditions: Annotated[All, Conditions(Section.COMMANDS)] = option(_HELP, WRITERS_OR_FORK_AUTHORS)


def _for_writers(name: str, **rules: Any) -> Any:
    default = {"conditions": _WRITERS}
    return option(f"Who may use `{name}`.", ForWriters(), json_schema_extra={"default": default}, **rules)


def _for_fork_authors_too(name: str) -> Any:
    default = {"conditions": _WRITERS_OR_FORK_AUTHORS}
    return option(f"Who may use `{name}`.", ForForkAuthorsToo(), json_schema_extra={"default": default})


class CommandsRestrictions(Options):
    """Who may use which command in comments."""

    backport: ForWriters = _for_writers("backport")
    copy_: ForWriters = _for_writers("copy", alias="copy")
    dequeue: ForWriters = _for_writers("dequeue")
    queue: ForWriters = _for_writers("queue")
    rebase: ForForkAuthorsToo = _for_fork_authors_too("rebase")
    refresh: ForForkAuthorsToo = _for_fork_authors_too("refresh")
    requeue: ForWriters = _for_writers("requeue")
    squash: ForForkAuthorsToo = _for_fork_authors_too("squash")
    update: ForForkAuthorsToo = _for_fork_authors_too("update")


PullRequestRules = Annotated[tuple[PullRequestRule, ...], at_most(200)]
MergeProtections = Annotated[tuple[MergeProtection, ...], at_most(100)]
