"""What is valid in a document and probably not meant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mergecast.conditions.section import Section
from mergecast.conditions.slips import slips
from mergecast.configuration.condition_lists import parsed
from mergecast.configuration.paths import as_path, find, value_mark
from mergecast.configuration.verdict import Hint

_RULES = (
    "pull_request_rules.*.conditions",
    "pull_request_rules.*.actions.post_check.success_conditions",
    "pull_request_rules.*.actions.post_check.neutral_conditions",
    "queue_rules.*.queue_conditions",
    "queue_rules.*.merge_conditions",
    "queue_rules.*.routing_conditions",
    "queue_rules.*.conditions",
    "defaults.queue_rule.queue_conditions",
    "defaults.queue_rule.merge_conditions",
    "priority_rules.*.conditions",
    "merge_protections.*.if",
    "merge_protections.*.success_conditions",
    "merge_protections_settings.auto_merge_conditions",
)


def hints(document: Any) -> Iterator[Hint]:
    """Probable slips in the conditions of a valid document, in document order."""
    found = [hint for pattern in _RULES for hint in _of_list(document, pattern)]
    yield from sorted(found, key=lambda hint: (hint.line, hint.column))


def _of_list(document: Any, pattern: str) -> Iterator[Hint]:
    for conditions in find(document, pattern):
        steps = tuple(int(step) if step.isdecimal() else step for step in conditions.path)
        for place, text in _leaves(conditions.value, steps):
            for slip in slips(parsed(text, Section.RULES)):
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
