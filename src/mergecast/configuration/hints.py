"""Things that are valid in a document but probably not intended."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mergecast.conditions.attribute import Section
from mergecast.configuration.errors import as_path
from mergecast.configuration.models.condition_lists import parsed
from mergecast.configuration.paths import find, value_mark
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
    found = [hint for holder, names in _LISTS.items() for hint in _of_lists(document, holder, names)]
    yield from sorted(found, key=lambda hint: (hint.line, hint.column))


def _of_lists(document: Any, holder: str, names: set[str]) -> Iterator[Hint]:
    for conditions in find(document, holder, names):
        for place, text in _leaves(conditions.value, conditions.place):
            judged = parsed(text, Section.RULES)
            for slip in judged[1] if isinstance(judged, tuple) else ():
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
