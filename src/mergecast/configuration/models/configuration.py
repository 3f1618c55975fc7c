"""The whole document, typed."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, Field

from mergecast.configuration.models.actions import Actions
from mergecast.configuration.models.options import Options, described
from mergecast.configuration.models.queue_rules import MergeQueue, PriorityRules, QueueOptions, QueueRules
from mergecast.configuration.models.rules import (
    CommandsRestrictions,
    MergeProtections,
    MergeProtectionsSettings,
    PullRequestRules,
)
from mergecast.configuration.models.scopes import Scopes
from mergecast.configuration.refusals import syntax
from mergecast.configuration.wording import found
from mergecast.model.repository import is_name


class Defaults(Options):
    """Values for what rules and queues leave out."""

    actions: Actions = described("Options of actions, for the rules that name the action.", Actions())
    queue_rule: QueueOptions | None = described("Options of every queue.", None)


def _bare_name(text: str) -> str:
    if "/" in text:
        raise syntax("extends must be a repository name of the same owner, without the owner part")
    if not is_name(text) or text in (".", ".."):
        raise syntax(f"extends must be a repository name: letters, digits, `-`, `_` and `.`, {found(text)}")
    return text


RepositoryName = Annotated[str, Field(min_length=1), AfterValidator(_bare_name)]


class Configuration(Options):
    """A configuration document; the order of the fields is the order of the sections in answers."""

    extends: RepositoryName | None = described(
        "Repository of the same owner whose document comes first.", None
    )
    shared: dict[Any, Any] | None = described("A place for anchors; never looked at.", None, exclude=True)
    defaults: Defaults = described("Values for what rules and queues leave out.", Defaults())
    scopes: Scopes = described("Areas of the code base that the queue treats apart.", Scopes())
    commands_restrictions: CommandsRestrictions = described(
        "Who may use which command in a comment.", CommandsRestrictions()
    )
    pull_request_rules: PullRequestRules = described("What to do with which pull requests.", ())
    queue_rules: QueueRules = described("The queues.", ())
    priority_rules: PriorityRules = described("Priorities in the queue; the first that matches counts.", ())
    merge_protections: MergeProtections = described("What must hold before a merge.", ())
    merge_queue: MergeQueue = described("Settings of the merge queue as a whole.", MergeQueue())
    merge_protections_settings: MergeProtectionsSettings = described(
        "Settings of the protections, and automatic merges.", MergeProtectionsSettings()
    )


SECTIONS = tuple(Configuration.model_fields)
