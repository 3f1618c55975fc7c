"""The whole document, typed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from mergecast.configuration.models.actions import Actions
from mergecast.configuration.models.options import Options, option
from mergecast.configuration.models.queue_rules import MergeQueue, PriorityRules, QueueOptions, QueueRules
from mergecast.configuration.models.rules import (
    CommandsRestrictions,
    MergeProtections,
    MergeProtectionsSettings,
    PullRequestRules,
)
from mergecast.configuration.models.scopes import Scopes
from mergecast.configuration.problems import wrong_syntax
from mergecast.configuration.wording import found
from mergecast.model.repository import PRODUCTS, is_name


class Defaults(Options):
    """Values for what rules and queues leave out."""

    actions: Actions = option("Options of actions, for the rules that name the action.", Actions())
    queue_rule: QueueOptions | None = option("Options of every queue.", None)


def _bare_name(text: str) -> str:
    if "/" in text:
        raise wrong_syntax("extends must be a repository name of the same owner, without the owner part")
    if not is_name(text) or text in (".", ".."):
        raise wrong_syntax(
            f"extends must be a repository name: letters, digits, `-`, `_` and `.`, {found(text)}"
        )
    return text


RepositoryName = Annotated[str, Field(min_length=1), AfterValidator(_bare_name)]


class Configuration(Options):
    """A configuration document; the order of the fields is the order of the sections in answers."""

    extends: RepositoryName | None = option("Repository of the same owner whose document comes first.", None)
    shared: dict[Any, Any] | None = option("A place for anchors; never looked at.", None, exclude=True)
    defaults: Defaults = option("Values for what rules and queues leave out.", Defaults())
    scopes: Scopes = option("Areas of the code base that the queue treats apart.", Scopes())
    commands_restrictions: CommandsRestrictions = option(
        "Who may use which command in a comment.", CommandsRestrictions()
    )
    pull_request_rules: PullRequestRules = option("What to do with which pull requests.", ())
    queue_rules: QueueRules = option("The queues.", ())
    priority_rules: PriorityRules = option("Priorities in the queue; the first that matches counts.", ())
    merge_protections: MergeProtections = option("What must hold before a merge.", ())
    merge_queue: MergeQueue = option("Settings of the merge queue as a whole.", MergeQueue())
    merge_protections_settings: MergeProtectionsSettings = option(
        "Settings of the protections, and automatic merges.", MergeProtectionsSettings()
    )


SECTIONS = tuple(Configuration.model_fields)


_EVALUATED_BY = {
    "scopes": "merge_queue",
    "pull_request_rules": "workflow_automation",
    "queue_rules": "merge_queue",
    "priority_rules": "merge_queue",
    "merge_protections": "merge_protections",
    "merge_queue": "merge_queue",
    "merge_protections_settings": "merge_protections",
}


@dataclass(frozen=True, slots=True)
class UnusedSection:
    """A section that nothing evaluates, because its product is not enabled."""

    section: str
    product: str
    product_name: str


def unused_sections(sections: Collection[str], enabled: Collection[str]) -> tuple[UnusedSection, ...]:
    """Of the sections that are present, those that none of the enabled products reads."""
    return tuple(
        UnusedSection(section, product, PRODUCTS[product])
        for section in sections
        if (product := _EVALUATED_BY.get(section)) and product not in enabled
    )
