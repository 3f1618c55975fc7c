"""Which parts of a pull request can a configuration depend on? What is not named need not be fetched."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from mergecast.conditions.attributes import TEMPLATE_ATTRIBUTES
from mergecast.conditions.tree import All, Condition, Leaf, Not, needed_parts
from mergecast.conditions.values import Team
from mergecast.configuration.models.actions import DismissReviews, RequestReviews
from mergecast.configuration.models.configuration import Configuration
from mergecast.configuration.models.scopes import FilesSource
from mergecast.model.snapshot import Needs, Part
from mergecast.rules.actions.plan import read_team
from mergecast.rules.auto_merge import audience
from mergecast.rules.queues import has_queue

# Every pull request is looked at for what it depends on, and for a change of the configuration.
_ALWAYS = frozenset({Part.FILES, Part.DEPENDENCIES, Part.CHECK_RUNS, Part.STATUSES})
# A protected base may ask for nearly everything, and the description may hold a template of its own.
_MERGING = frozenset(Part) - {Part.DEPLOYMENTS, Part.TEAMS, Part.EXTENDS, Part.SENDER}
_REVIEWS = frozenset({Part.REVIEWS, Part.PERMISSIONS})
_OF_ACTIONS: Mapping[str, frozenset[Part]] = {
    "dismiss_reviews": _REVIEWS,
    "merge": _MERGING,
    "queue": _MERGING,
    "rebase": frozenset({Part.BEHIND, Part.COMMITS}),
    "request_reviews": _REVIEWS,
    "squash": frozenset({Part.COMMITS}),
    "update": frozenset({Part.BEHIND}),
}
# What messages can name besides attributes.
_OF_VARIABLES: Mapping[str, frozenset[Part]] = {
    "approvers": _REVIEWS,
    "cherry_picked_commits": frozenset({Part.COMMITS}),
    **{name: attribute.needs for name, attribute in TEMPLATE_ATTRIBUTES.items()},
}
_WORD = re.compile(r"[a-z][a-z_]*")


def needs_of(configuration: Configuration, owner: str) -> Needs:
    """The keys of the recorded document, and the teams; those without organisation are the owner's."""
    found = [*_values(configuration)]
    teams = {team for value in found for team in _teams(value)}
    parts = _ALWAYS.union(*map(_parts, found), *_of_sections(configuration))
    parts |= {Part.TEAMS} if teams else set()
    named = frozenset(f"{team.owner or owner}/{team.slug}" for team in teams if team is not None)
    keys = frozenset(part.key for part in parts - {Part.SENDER})
    return Needs(keys, teams=None if None in teams else named)


def _values(value: Any) -> Iterator[Any]:
    """Everything that the author wrote; what was left out asks for nothing."""
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
        # A word that is no variable costs a call at most.
        return frozenset().union(*(_OF_VARIABLES.get(word, ()) for word in _WORD.findall(value)))
    return frozenset({Part.FILES}) if isinstance(value, FilesSource) else frozenset()


def _of_sections(configuration: Configuration) -> Iterator[frozenset[Part]]:
    for rule in configuration.pull_request_rules:
        yield from (_OF_ACTIONS.get(name, frozenset()) for name in rule.actions.model_fields_set)
    if has_queue(configuration) or audience(configuration.merge_protections_settings) is not None:
        yield _MERGING
    if configuration.commands_restrictions.model_fields_set:
        yield frozenset({Part.PERMISSIONS})


def _teams(value: Any) -> Iterator[Team | None]:
    """The teams whose members count; None stands for teams that only the pull request names."""
    match value:
        case All():
            yield from _teams_in(value)
        case DismissReviews():
            for choice in (value.approved, value.changes_requested):
                if isinstance(choice, str):
                    yield None
                elif isinstance(choice, tuple):
                    yield from (read_team(name) for name in choice if name.startswith("@"))
        case RequestReviews():
            yield from (read_team(name) for name, _ in value.users_from_teams)


def _teams_in(condition: Condition) -> Iterator[Team]:
    if isinstance(condition, Leaf):
        if isinstance(condition.value, Team) and condition.attribute.has_teams:
            yield condition.value
        return
    for member in (condition.member,) if isinstance(condition, Not) else condition.members:
        yield from _teams_in(member)
