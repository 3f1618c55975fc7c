"""The model of the whole document, the product of each section, and what follows from all queues together."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from mergecast.language.configuration.models.actions import Actions
from mergecast.language.configuration.models.conflict_resolvers import ConflictResolvers
from mergecast.language.configuration.models.options import Options, option
from mergecast.language.configuration.models.queue_rules import (
    MergeQueue,
    PriorityRules,
    QueueOptions,
    QueueRule,
    QueueRules,
)
from mergecast.language.configuration.models.rules import (
    CommandsRestrictions,
    MergeProtections,
    MergeProtectionsSettings,
    PullRequestRules,
)
from mergecast.language.configuration.models.scopes import Scopes
from mergecast.language.configuration.problems import invalid
from mergecast.language.configuration.wording import found
from mergecast.queues.model.repository import DOT_SEGMENTS, PRODUCTS, is_name


class Defaults(Options):
    """Defaults for options that rules and queues omit."""

    actions: Actions = option("Default options of actions, for rules that use the action.", Actions())
    queue_rule: QueueOptions | None = option("Default options of queues.", None)


def _bare_name(text: str) -> str:
    if "/" in text:
        raise invalid("extends must be a repository name of the same owner, without the owner part")
    if not is_name(text) or text in DOT_SEGMENTS:
        raise invalid(f"extends must be a repository name: letters, digits, `-`, `_` and `.`, {found(text)}")
    return text


RepositoryName = Annotated[str, Field(min_length=1), AfterValidator(_bare_name)]


class Configuration(Options):
    """A configuration document; answers list sections in the order of these fields."""

    extends: RepositoryName | None = option(
        "Repository of the same owner whose document this one extends.", None
    )
    shared: dict[Any, Any] | None = option(
        "A place to define YAML anchors; its content is ignored.", None, exclude=True
    )
    defaults: Defaults = option("Defaults for options that rules and queues omit.", Defaults())
    scopes: Scopes = option("Parts of the code base that the merge queue treats separately.", Scopes())
    commands_restrictions: CommandsRestrictions = option(
        "Who may use which command in comments.", CommandsRestrictions()
    )
    pull_request_rules: PullRequestRules = option("Rules that run actions on matching pull requests.", ())
    queue_rules: QueueRules = option("Queues of the merge queue.", ())
    priority_rules: PriorityRules = option(
        "Priorities of queued pull requests; the first matching rule applies.", ()
    )
    merge_protections: MergeProtections = option("Conditions that must hold before a merge.", ())
    merge_queue: MergeQueue = option("Settings of the merge queue as a whole.", MergeQueue())
    merge_protections_settings: MergeProtectionsSettings = option(
        "Settings of merge protections and automatic merging.", MergeProtectionsSettings()
    )
    conflict_resolvers: ConflictResolvers = option(
        "Files whose conflicts the merge queue resolves by itself. A preview of the hosted service.", ()
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
    "conflict_resolvers": "merge_queue",
}


@dataclass(frozen=True, slots=True)
class UnusedSection:
    """A section without effect, because its product is not enabled."""

    section: str
    product: str
    product_name: str


def unused_sections(sections: Collection[str], enabled: Collection[str]) -> tuple[UnusedSection, ...]:
    """The sections that none of the enabled products uses."""
    return tuple(
        UnusedSection(section, product, PRODUCTS[product])
        for section in sections
        if (product := _EVALUATED_BY.get(section)) and product not in enabled
    )


def checks_in_place(configuration: Configuration) -> bool:
    """Whether checks run on the pull request itself: only if no queue ever needs another branch.

    `allow_inplace_checks` has no effect.
    """
    return configuration.merge_queue.max_parallel_checks == 1 and all(
        rule.batch_size == 1 and rule.max_checks_retries == 0 and _is_single_step(rule)
        for rule in queues_of(configuration)
    )


def _is_single_step(rule: QueueOptions) -> bool:
    return not rule.merge_conditions.members or rule.merge_conditions == rule.queue_conditions


def queues_of(configuration: Configuration) -> tuple[QueueRule, ...]:
    """The queues, or the implicit queue `default` if the document defines none.

    For routing and checks. Overviews and references to queues use the queues in the document.
    """
    return configuration.queue_rules or (_implicit_queue(configuration.defaults.queue_rule),)


def _implicit_queue(defaults: QueueOptions | None) -> QueueRule:
    """The defaults apply to it too; those of named queues are filled in while reading the document."""
    queue = QueueRule(name="default")
    if defaults is None:
        return queue
    return queue.model_copy(update={name: getattr(defaults, name) for name in defaults.model_fields_set})


def fast_forwards(rule: QueueRule) -> bool:
    return "fast-forward" in (rule.merge_method, rule.queue_branch_merge_method)
