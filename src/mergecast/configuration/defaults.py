"""`defaults`: fill in the options that rules and queues omit, one level deep."""

from __future__ import annotations

from typing import Any

from mergecast.configuration.yaml.values import YamlList, YamlMapping, overlay

# Setting one of these in a rule hides the other in the defaults; setting both at one level is an error.
_RIVALS = {
    "commit_message_format": "commit_message_template",
    "commit_message_template": "commit_message_format",
    "merge_conditions": "conditions",
    "conditions": "merge_conditions",
    "queue_conditions": "routing_conditions",
    "routing_conditions": "queue_conditions",
}


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
