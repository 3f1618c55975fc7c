"""`extends` merges in the document of another repository; `defaults` fill in what rules and queues omit."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from mergecast.errors import MergecastError
from mergecast.language.configuration.errors import Place, one_line
from mergecast.language.configuration.yaml.values import YamlList, YamlMapping, overlay

Loader = Callable[[str], str]

_BY_NAME = ("pull_request_rules", "queue_rules", "priority_rules", "merge_protections")
_BY_KEY = ("commands_restrictions", "merge_queue", "merge_protections_settings")
_AS_A_WHOLE = ("scopes", "conflict_resolvers")
# Setting one of these in a rule hides the other in the defaults; setting both at one level is an error.
_RIVALS = {
    "commit_message_format": "commit_message_template",
    "commit_message_template": "commit_message_format",
    "merge_conditions": "conditions",
    "conditions": "merge_conditions",
    "queue_conditions": "routing_conditions",
    "routing_conditions": "queue_conditions",
}


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
    for section in _AS_A_WHOLE:
        if section in remote and section not in local:
            _put(result, section, remote[section], remote)
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


def with_defaults(document: YamlMapping) -> YamlMapping:
    """A copy of the document in which every rule has its defaults."""
    defaults = document.get("defaults") or {}
    actions, queue_rule = defaults.get("actions"), defaults.get("queue_rule")
    result = document
    if actions and document.get("pull_request_rules"):
        result = _with_items(result, "pull_request_rules", lambda rule: _complete_rule(rule, actions))
    if queue_rule and document.get("queue_rules"):
        result = _with_items(result, "queue_rules", lambda rule: filled(rule, queue_rule))
    return result


def _complete_rule(rule: YamlMapping, defaults: YamlMapping) -> YamlMapping:
    named = rule["actions"]
    completed = copied(named)
    for action, options in named.items():
        if default := defaults.get(action):
            completed[action] = default if options is None else filled(options, default)
    return replaced(rule, "actions", completed)


def filled(options: YamlMapping, defaults: YamlMapping) -> YamlMapping:
    """The options on top of the defaults; a key that is present counts, even if it is null."""
    result = YamlMapping(options.start)
    overlay(result, defaults)
    for written in options:
        if (rival := _RIVALS.get(written)) and rival in result:
            del result[rival]
    overlay(result, options)
    return result


def copied(mapping: YamlMapping) -> YamlMapping:
    result = YamlMapping(mapping.start)
    overlay(result, mapping)
    return result


def replaced(mapping: YamlMapping, key: str, value: Any) -> YamlMapping:
    """A copy with a new value for one key."""
    result = copied(mapping)
    result[key] = value
    return result


def _with_items(document: YamlMapping, section: str, complete: Any) -> YamlMapping:
    items: YamlList = document[section]
    completed = YamlList(items.start)
    completed.extend(map(complete, items))
    completed.places = items.places
    return replaced(document, section, completed)
