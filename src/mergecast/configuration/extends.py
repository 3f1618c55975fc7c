"""`extends`: merge with the document of another repository of the same owner."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from mergecast.configuration.defaults import copied, filled, replaced
from mergecast.configuration.errors import Place, one_line
from mergecast.configuration.yaml.values import YamlList, YamlMapping
from mergecast.errors import MergecastError

Loader = Callable[[str], str]

_BY_NAME = ("pull_request_rules", "queue_rules", "priority_rules", "merge_protections")
_BY_KEY = ("commands_restrictions", "merge_queue", "merge_protections_settings")


class CannotRead(MergecastError):
    """The document of the other repository cannot be read; the message says why."""


def no_platform(_: str) -> str:
    """The loader for a service without access to the code-hosting platform."""
    raise CannotRead("the service has no access to the code-hosting platform")


def unread_note(name: str, reason: str) -> str:
    failure = f"The configuration of {one_line(name)} could not be read ({reason})"
    return f"{failure}; this simulation does not include it"


@dataclass(frozen=True, slots=True)
class MergedDocument:
    """Two documents merged; rules of the other repository come before local rules."""

    document: YamlMapping
    local: YamlMapping
    remote_items: dict[str, int] = field(default_factory=dict)

    def is_local(self, steps: tuple[Any, ...]) -> bool:
        """Whether the place is in the local document."""
        if len(steps) > 1 and steps[0] in self.remote_items:
            return bool(steps[1] >= self.remote_items[steps[0]])
        return steps[0] in self.local

    def as_written(self, steps: Place) -> Place:
        """The place in the local document: rules of the other repository are not counted."""
        match steps:
            case (str(section), int(item), *rest) if section in self.remote_items:
                return (section, item - self.remote_items[section], *rest)
        return steps


def merge(remote: YamlMapping, local: YamlMapping) -> MergedDocument:
    """Merge two documents; the local one takes precedence."""
    result = copied(local)
    counts: dict[str, int] = {}
    for section in _BY_NAME:
        if section in remote:
            rules, counts[section] = _by_name(remote[section], local.get(section))
            _put(result, section, rules, remote)
    for section in _BY_KEY:
        if section in remote:
            _put(result, section, _by_key(remote[section], local.get(section)), remote)
    if "defaults" in remote:
        _put(result, "defaults", _deep(remote["defaults"], local.get("defaults")), remote)
    if "scopes" in remote and "scopes" not in local:
        _put(result, "scopes", remote["scopes"], remote)
    return MergedDocument(result, local, counts)


def _put(result: YamlMapping, section: str, value: Any, remote: YamlMapping) -> None:
    result[section] = value
    result.places.setdefault(section, remote.places[section])


def _by_name(remote: YamlList, local: YamlList | None) -> tuple[YamlList, int]:
    own = YamlList(remote.start) if local is None else local
    names = {rule["name"] for rule in own}
    kept = [index for index, rule in enumerate(remote) if rule["name"] not in names]
    result = YamlList(own.start)
    result.extend([remote[index] for index in kept] + own)
    result.places = [remote.places[index] for index in kept] + own.places
    return result, len(kept)


def _by_key(remote: YamlMapping, local: YamlMapping | None) -> YamlMapping:
    return copied(remote) if local is None else filled(local, remote)


def _deep(remote: YamlMapping, local: YamlMapping | None) -> YamlMapping:
    """Merge mappings at every level; lists are replaced as a whole."""
    result = _by_key(remote, local)
    for key in remote:
        mine = local.get(key) if local is not None else None
        if isinstance(remote[key], YamlMapping) and isinstance(mine, YamlMapping):
            result = replaced(result, str(key), _deep(remote[key], mine))
    return result
