"""Which parts of a pull request a configuration can depend on; the others need not be fetched."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from mergecast.conditions.attributes import TEMPLATE_ATTRIBUTES
from mergecast.conditions.tree import All, Condition, Leaf, Not, needed_parts
from mergecast.conditions.values import Team
from mergecast.configuration.models.configuration import Configuration
from mergecast.configuration.models.scopes import FilesSource
from mergecast.model.snapshot import MERGE_PARTS, REVIEW_PARTS, Needs, Part
from mergecast.rules.actions import ACTIONS
from mergecast.rules.auto_merge import auto_merge_conditions
from mergecast.rules.queues import has_queue

# For `Depends-On` and for changes of the configuration, which concern every pull request.
_ALWAYS = frozenset({Part.FILES, Part.DEPENDENCIES, Part.CHECK_RUNS, Part.STATUSES})
_OF_VARIABLES: Mapping[str, frozenset[Part]] = {
    "approvers": REVIEW_PARTS,
    "cherry_picked_commits": frozenset({Part.COMMITS}),
    **{name: attribute.needs for name, attribute in TEMPLATE_ATTRIBUTES.items()},
}
_WORD = re.compile(r"[a-z][a-z_]*")


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
    has_auto_merge = auto_merge_conditions(configuration.merge_protections_settings) is not None
    if has_queue(configuration) or has_auto_merge:
        yield MERGE_PARTS
    if configuration.commands_restrictions.model_fields_set:
        yield frozenset({Part.PERMISSIONS})


def _teams_of_actions(configuration: Configuration) -> Iterator[Team | None]:
    for rule in configuration.pull_request_rules:
        for name, options in rule.actions.written().items():
            yield from ACTIONS[name].teams(options)


def _teams_in_conditions(values: Iterable[Any]) -> Iterator[Team]:
    for value in values:
        if isinstance(value, All):
            yield from _teams_in(value)


def _teams_in(condition: Condition) -> Iterator[Team]:
    if isinstance(condition, Leaf):
        if isinstance(condition.value, Team) and condition.attribute.has_teams:
            yield condition.value
        return
    for member in (condition.member,) if isinstance(condition, Not) else condition.members:
        yield from _teams_in(member)
