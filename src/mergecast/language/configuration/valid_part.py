"""The valid part of an invalid document.

The rules between fields need a typed configuration. For a document with errors, this module removes the
values that are wrong, so that these rules can check the rest; `removed` tells them what they cannot know.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from mergecast.language.configuration.errors import ANY, Place
from mergecast.language.configuration.models.configuration import Configuration
from mergecast.language.configuration.problems import ReadContext, Steps
from mergecast.language.configuration.validation import MOST_ERRORS, LocatedProblem, validate
from mergecast.language.configuration.yaml.values import YamlList, YamlMapping

# Removing a value can leave a mapping without a required key, and so on up to the section.
_MOST_ROUNDS = 8
_NAME = "name"
_EMPTY: dict[str, type[YamlList | YamlMapping]] = {
    "conditions": YamlList,
    "if": YamlList,
    "success_conditions": YamlList,
    "actions": YamlMapping,
}


@dataclass(frozen=True, slots=True)
class ValidPart:
    """A document without its invalid values, and its configuration."""

    document: YamlMapping
    configuration: Configuration
    removed: frozenset[Steps] = frozenset()
    kept_items: dict[Steps, list[int]] = field(default_factory=dict)  # original indexes, by list

    def original(self, place: Place) -> Place:
        """The place in the whole document: removed list items count there."""
        return _original(self.kept_items, place)

    def lacks(self, place: Place) -> bool:
        """Whether a value at, above or below this place was removed; `*` stands for any list item."""
        return any(
            all(wanted in (ANY, step) for wanted, step in zip(place, steps, strict=False))
            for steps in self.removed
        )


def _original(kept_items: dict[Steps, list[int]], steps: Steps) -> Steps:
    original: Steps = ()
    for step in steps:
        indexes = kept_items.get(original)
        original = (*original, indexes[step] if indexes and isinstance(step, int) else step)
    return original


def valid_part(
    document: YamlMapping, problems: Iterable[LocatedProblem], context: ReadContext
) -> ValidPart | None:
    """The document without what is wrong; None if that leads nowhere or there are too many problems."""
    found = list(problems)
    pruning = _Pruning(document)
    for _ in range(_MOST_ROUNDS):
        if len(found) >= MOST_ERRORS:
            return None
        pruning.remove(found)
        result = validate(pruning.result, ReadContext(context.today))
        if not isinstance(result, list):
            removed = frozenset(pruning.removed | pruning.added)
            return ValidPart(pruning.result, result, removed, pruning.kept_items)
        found = result
    return None


class _Pruning:
    """Copies of a document without some values; every round starts from the original."""

    def __init__(self, document: YamlMapping) -> None:
        self._document = document
        self.result = document
        self.removed: set[Steps] = set()
        self.added: set[Steps] = set()  # required keys that get a harmless value
        self.kept_items: dict[Steps, list[int]] = {}
        self._above: set[Steps] = set()

    def remove(self, problems: list[LocatedProblem]) -> None:
        for problem in problems:
            self._remove(_original(self.kept_items, problem.steps), is_missing=problem.is_missing)
        changed = self.removed | self.added
        self._above = {steps[:length] for steps in changed for length in range(len(steps))}
        self.kept_items = {}
        self.result = self._copy(self._document, ())

    def _remove(self, steps: Steps, *, is_missing: bool) -> None:
        if is_missing and (steps[-1] in _EMPTY or steps[-1] == _NAME) and steps not in self.added:
            self.added.add(steps)
            return
        steps = steps[:-1] if is_missing else steps
        while steps in self.removed or not self._exists(steps):
            steps = steps[:-1]
        if steps:
            self.removed.add(steps)

    def _exists(self, steps: Steps) -> bool:
        value: Any = self._document
        for step in steps:
            in_mapping = isinstance(value, YamlMapping) and step in value
            if not (in_mapping or (isinstance(value, YamlList) and step in range(len(value)))):
                return False
            value = value[step]
        return True

    def _copy(self, value: Any, place: Steps) -> Any:
        if place not in self._above:
            return value
        return self._mapping(value, place) if isinstance(value, YamlMapping) else self._list(value, place)

    def _mapping(self, mapping: YamlMapping, place: Steps) -> YamlMapping:
        result = YamlMapping(mapping.start)
        for key, value in mapping.items():
            if (*place, key) not in self.removed:
                result[key] = self._copy(value, (*place, key))
                result.places[key] = mapping.places[key]
        for key in (*_EMPTY, _NAME):
            if (*place, key) in self.added:
                # No two rules may have the same name, so it must be one that no author writes.
                result[key] = _EMPTY[key](mapping.start) if key in _EMPTY else f"\0{place}"
                result.places[key] = (mapping.start, mapping.start)
        return result

    def _list(self, items: YamlList, place: Steps) -> YamlList:
        result = YamlList(items.start)
        kept = [index for index in range(len(items)) if (*place, index) not in self.removed]
        result.extend(self._copy(items[index], (*place, index)) for index in kept)
        result.places = [items.places[index] for index in kept]
        self.kept_items[place] = kept
        return result
