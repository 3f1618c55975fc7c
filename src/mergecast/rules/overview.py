"""What a document does: one sentence per rule, queue and protection."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mergecast.conditions.tree import All, Condition, Leaf, Not
from mergecast.configuration.models.configuration import Configuration
from mergecast.configuration.models.queue_rules import PriorityRule, QueueRule
from mergecast.configuration.models.rules import MergeProtection, PullRequestRule
from mergecast.configuration.models.scopes import FilesSource, Scopes
from mergecast.rules.actions import ACTIONS
from mergecast.rules.auto_merge import auto_merge_conditions
from mergecast.rules.queues import batches
from mergecast.rules.sentence import Name, Pieces, Sentence, joined, listed, sentence
from mergecast.rules.simulation import PRIORITY_WORDS

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
    settings: tuple[Sentence, ...]  # auto-merge, scopes and commands, if the document configures them


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
    conditions = auto_merge_conditions(configuration.merge_protections_settings)
    if conditions is not None:
        yield sentence("Auto-merge is on ", *_when(conditions, nothing="for every pull request"))
    if configuration.scopes.source is not None:
        yield sentence(*_scopes(configuration.scopes))
    restricted = configuration.commands_restrictions.written()
    if restricted:
        noun = "the command " if len(restricted) == 1 else "the commands "
        yield sentence("Restricts ", noun, *listed(tuple(Name(name) for name in restricted)))


def _scopes(scopes: Scopes) -> Pieces:
    if not isinstance(scopes.source, FilesSource):
        return ("Scopes of pull requests are uploaded",)
    names = listed(tuple(Name(name) for name in sorted(scopes.source.files)))
    return ("Scopes follow from the changed files: ", *(names or ("none",)))


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
    number = _size(conditions)
    return ("1 condition",) if number == 1 else (f"{number} conditions",)


def _is_short(conditions: All) -> bool:
    members = conditions.members
    return len(members) <= MOST_CONDITIONS and all(isinstance(member, Leaf) for member in members)


def _size(condition: Condition) -> int:
    match condition:
        case Leaf():
            return 1
        case Not(member=member):
            return _size(member)
        case _:
            return sum(_size(member) for member in condition.members)
