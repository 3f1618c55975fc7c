"""Things that are valid in a document but probably not intended."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mergecast.conditions.attribute import Section
from mergecast.configuration.errors import as_path, one_line
from mergecast.configuration.models.condition_lists import parsed
from mergecast.configuration.models.configuration import Configuration
from mergecast.configuration.paths import find, value_mark
from mergecast.configuration.queues import fast_forwards
from mergecast.configuration.read_result import Hint

_LISTS = {
    "pull_request_rules.*": {"conditions"},
    "pull_request_rules.*.actions.post_check": {"success_conditions", "neutral_conditions"},
    "queue_rules.*": {"queue_conditions", "merge_conditions", "routing_conditions", "conditions"},
    "defaults.queue_rule": {"queue_conditions", "merge_conditions", "routing_conditions", "conditions"},
    "priority_rules.*": {"conditions"},
    "merge_protections.*": {"if", "success_conditions"},
    "merge_protections_settings": {"auto_merge_conditions"},
}


def hints(document: Any) -> Iterator[Hint]:
    """Probable mistakes in the conditions of a valid document, in document order."""
    found = [hint for parent, names in _LISTS.items() for hint in _of_lists(document, parent, names)]
    yield from sorted(found, key=lambda hint: (hint.line, hint.column))


def _of_lists(document: Any, parent: str, names: set[str]) -> Iterator[Hint]:
    for conditions in find(document, parent, names):
        for place, text in _leaves(conditions.value, conditions.place):
            result = parsed(text, Section.RULES)
            for slip in result[1] if isinstance(result, tuple) else ():
                yield Hint(slip, as_path(place), *value_mark(document, place))


def _leaves(value: Any, steps: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], str]]:
    if isinstance(value, str):
        yield steps, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, (*steps, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _leaves(inner, (*steps, index))


def notes(configuration: Configuration) -> Iterator[str]:
    """Options that are allowed but have no effect."""
    queue = configuration.merge_queue
    if queue.mode == "isolated" and queue.max_parallel_checks == 1:
        yield "merge_queue mode isolated has no effect while max_parallel_checks is 1"
    for rule in configuration.queue_rules:
        if fast_forwards(rule) and rule.commit_message_template:
            yield f"queue `{one_line(rule.name)}`: commit_message_template has no effect with fast-forward"
    for action in configuration.pull_request_rules:
        merge = action.actions.merge
        if merge is not None and merge.method == "fast-forward" and merge.commit_message_template:
            yield f"rule `{one_line(action.name)}`: commit_message_template has no effect with fast-forward"
