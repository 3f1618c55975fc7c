"""What a document does: one sentence per rule, queue and protection."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from mergecast.language.conditions.attributes import TEMPLATE_ATTRIBUTES
from mergecast.language.conditions.tree import All, Leaf, leaves, needed_parts
from mergecast.language.conditions.values import Team
from mergecast.language.configuration.models.configuration import Configuration
from mergecast.language.configuration.models.queue_rules import PriorityRule, QueueRule
from mergecast.language.configuration.models.rules import MergeProtection, PullRequestRule
from mergecast.language.configuration.models.scopes import FilesSource, Scopes
from mergecast.language.rules.actions import ACTIONS
from mergecast.language.rules.conflict_resolvers import describe
from mergecast.language.rules.queues import batches, has_queue
from mergecast.language.rules.sentence import Name, Pieces, Sentence, joined, listed, names, sentence
from mergecast.language.rules.simulation import PRIORITY_WORDS
from mergecast.queues.model.snapshot import MERGE_PARTS, REVIEW_PARTS, Needs, Part
from mergecast.queues.model.words import plural

# For `Depends-On` and for changes of the configuration, which concern every pull request.
_ALWAYS = frozenset({Part.FILES, Part.DEPENDENCIES, Part.CHECK_RUNS, Part.STATUSES})
_OF_VARIABLES: Mapping[str, frozenset[Part]] = {
    "approvers": REVIEW_PARTS,
    "cherry_picked_commits": frozenset({Part.COMMITS}),
    **{name: attribute.needs for name, attribute in TEMPLATE_ATTRIBUTES.items()},
}
_WORD = re.compile(r"[a-z][a-z_]*")
MOST_CONDITIONS = 3


@dataclass(frozen=True, slots=True)
class Entry:
    """A named item of the document, and what it does."""

    name: str
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class Overview:
    """A document in sentences, in document order."""

    rules: tuple[Entry, ...]
    queues: tuple[Entry, ...]
    priorities: tuple[Entry, ...]
    protections: tuple[Entry, ...]
    settings: tuple[Sentence, ...]  # auto-merge, scopes, conflicts and commands, if they are configured


def overview(configuration: Configuration) -> Overview:
    """Everything that the document configures."""
    return Overview(
        rules=tuple(_rule(rule) for rule in configuration.pull_request_rules),
        queues=tuple(_queue(rule) for rule in configuration.queue_rules),
        priorities=tuple(_priority(rule) for rule in configuration.priority_rules),
        protections=tuple(_protection(rule) for rule in configuration.merge_protections),
        settings=tuple(_settings(configuration)),
    )


def _rule(rule: PullRequestRule) -> Entry:
    phrases = [ACTIONS[name].describe(options) for name, options in rule.actions.written().items()]
    does = joined(phrases) or ("is only reported",)
    disabled: Pieces = () if rule.disabled is None else ("disabled: ",)
    return Entry(rule.name, sentence(*disabled, *_when(rule.conditions), ", ", *does))


def _queue(rule: QueueRule) -> Entry:
    entered: Pieces = ("takes pull requests ", *_when(rule.queue_conditions, nothing="of every kind"))
    merged: Pieces = ()
    if rule.merge_conditions.members:
        merged = (", and merges them ", *_when(rule.merge_conditions))
    method = f", with the {rule.merge_method} method" if rule.merge_method else ""
    return Entry(rule.name, sentence(*entered, *merged, method, f", in {batches(rule)}"))


def _priority(rule: PriorityRule) -> Entry:
    level = PRIORITY_WORDS.get(rule.priority, str(rule.priority))
    return Entry(rule.name, sentence(*_when(rule.conditions), f", gives priority {level}"))


def _protection(rule: MergeProtection) -> Entry:
    needs: Pieces = ("needs ", *_labels(rule.success_conditions)) if rule.success_conditions.members else ()
    return Entry(rule.name, sentence(*_when(rule.if_), ", ", *(needs or ("needs nothing",))))


def _settings(configuration: Configuration) -> Iterator[Sentence]:
    conditions = configuration.merge_protections_settings.auto_merge_conditions
    if conditions is not None:
        yield sentence("Auto-merge is on ", *_when(conditions, nothing="for every pull request"))
    if configuration.scopes.source is not None:
        yield sentence(*_scopes(configuration.scopes))
    for resolver in configuration.conflict_resolvers:
        yield sentence("Resolves conflicts (preview). ", *describe(resolver))
    restricted = configuration.commands_restrictions.written()
    if restricted:
        yield sentence(f"Restricts the {plural(len(restricted), 'command')} ", *listed(names(restricted)))


def _scopes(scopes: Scopes) -> Pieces:
    if not isinstance(scopes.source, FilesSource):
        return ("Scopes of pull requests are uploaded",)
    found = listed(names(sorted(scopes.source.files)))
    return ("Scopes follow from the changed files: ", *(found or ("none",)))


def _when(conditions: All, nothing: str = "on every pull request") -> Pieces:
    if not conditions.members:
        return (nothing,)
    return (
        ("when ", *_labels(conditions)) if _is_short(conditions) else ("depending on ", *_labels(conditions))
    )


def _labels(conditions: All) -> Pieces:
    """The conditions themselves if they are few and flat, else their number."""
    if _is_short(conditions):
        return joined([(Name(member.text),) for member in conditions.members if isinstance(member, Leaf)])
    number = len(list(leaves(conditions)))
    return (f"{number} {plural(number, 'condition')}",)


def _is_short(conditions: All) -> bool:
    members = conditions.members
    return len(members) <= MOST_CONDITIONS and all(isinstance(member, Leaf) for member in members)


def needs_of(configuration: Configuration, owner: str) -> Needs:
    """The parts and teams that are needed; a team without organization belongs to the owner."""
    values = [*_values(configuration)]
    teams = {*_teams_in_conditions(values), *_teams_of_actions(configuration)}
    parts = _ALWAYS.union(*map(_parts, values), *_parts_of_sections(configuration))
    parts |= {Part.TEAMS} if teams else set()
    named = frozenset(f"{team.owner or owner}/{team.slug}" for team in teams if team is not None)
    keys = frozenset(part.key for part in parts - {Part.SENDER})
    return Needs(keys, teams=None if None in teams else named)


def _values(value: Any) -> Iterator[Any]:
    """Every value that the author wrote, at any depth; defaults need nothing."""
    yield value
    if isinstance(value, BaseModel):
        members: Iterable[Any] = (getattr(value, name) for name in value.model_fields_set)
    elif isinstance(value, Mapping):
        members = value.values()
    else:
        members = value if isinstance(value, tuple) else ()
    for member in members:
        yield from _values(member)


def _parts(value: Any) -> frozenset[Part]:
    if isinstance(value, All):
        return needed_parts(value)
    if isinstance(value, str) and "{" in value:
        # A word that only looks like a variable costs at most one needless call.
        return frozenset().union(*(_OF_VARIABLES.get(word, ()) for word in _WORD.findall(value)))
    return frozenset({Part.FILES}) if isinstance(value, FilesSource) else frozenset()


def _parts_of_sections(configuration: Configuration) -> Iterator[frozenset[Part]]:
    for rule in configuration.pull_request_rules:
        yield from (ACTIONS[name].needs for name in rule.actions.written())
    has_auto_merge = configuration.merge_protections_settings.auto_merge_conditions is not None
    if has_queue(configuration) or has_auto_merge:
        yield MERGE_PARTS
    if configuration.commands_restrictions.model_fields_set:
        yield frozenset({Part.PERMISSIONS})


def _teams_of_actions(configuration: Configuration) -> Iterator[Team | None]:
    for rule in configuration.pull_request_rules:
        for name, options in rule.actions.written().items():
            yield from ACTIONS[name].teams(options)


def _teams_in_conditions(values: Iterable[Any]) -> Iterator[Team]:
    for conditions in values:
        for leaf in leaves(conditions) if isinstance(conditions, All) else ():
            if isinstance(leaf.value, Team) and leaf.attribute.has_teams:
                yield leaf.value
