"""Places in a loaded document: find values by pattern, and positions in the text by path."""

from collections.abc import Collection, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from mergecast.language.configuration.errors import Place, as_text
from mergecast.language.configuration.yaml.values import Mark, YamlList, YamlMapping, one_based

_NOWHERE = Mark(1, 1)


@dataclass(frozen=True, slots=True)
class Found:
    """A key of the document and its value."""

    place: Place
    value: Any
    key: Mark


def find(document: Any, parent: str, names: Collection[str]) -> Iterator[Found]:
    """Find these keys in the mappings that match a pattern: keys joined by dots, `*` for any list item.

    Parts of the document that have a different shape are skipped.
    """
    if not names:
        return
    for place, mapping in _descend((), document, parent.split(".")):
        if isinstance(mapping, YamlMapping):
            for name in mapping.keys() & names:
                yield Found((*place, name), mapping[name], one_based(mapping.places[name][0]))


def _descend(place: Place, value: Any, steps: list[str]) -> Iterator[tuple[Place, Any]]:
    if not steps:
        yield place, value
    elif steps[0] == "*":
        if isinstance(value, YamlList):
            for index, item in enumerate(value):
                yield from _descend((*place, index), item, steps[1:])
    elif isinstance(value, YamlMapping) and steps[0] in value:
        yield from _descend((*place, steps[0]), value[steps[0]], steps[1:])


def value_mark(document: Any, steps: Iterable[Hashable]) -> Mark:
    """Where the value at these steps starts; if the document does not set it, where its container starts."""
    mark, value = start_mark(document), document
    for step in steps:
        if isinstance(value, YamlMapping) and step in value:
            mark, value = value.places[step][1], value[step]
        elif isinstance(value, YamlList) and isinstance(step, int) and step < len(value):
            mark, value = value.places[step], value[step]
        else:
            break
        # An error in an aliased value is reported where the value is written, not where it is used.
        mark = value.start if isinstance(value, YamlMapping | YamlList) else mark
    return mark if isinstance(mark, Mark) else one_based(mark)


def value_at(document: Any, steps: Iterable[Hashable]) -> Any:
    """The value at these steps, which must exist."""
    value = document
    for step in steps:
        value = value[step]
    return value


def key_mark(document: Any, steps: tuple[Hashable, ...]) -> Mark:
    """The position of the last key of the steps."""
    return one_based(value_at(document, steps[:-1]).places[steps[-1]][0])


def start_mark(document: Any) -> Mark:
    return one_based(document.start) if isinstance(document, YamlMapping | YamlList) else _NOWHERE


def as_place(document: Any, steps: Iterable[Any]) -> Place:
    """The steps with every key as text; only list indexes stay numbers."""
    place: list[str | int] = []
    value = document
    for step in steps:
        in_list = isinstance(value, YamlList)
        place.append(step if in_list else as_text(step))
        inside = isinstance(value, YamlMapping) and step in value
        value = value[step] if inside or (in_list and step < len(value)) else None
    return tuple(place)


def actual_steps(document: Any, location: Iterable[Any]) -> tuple[Any, ...]:
    """The steps with the document's own keys; pydantic reports some keys only as text."""
    steps, value = [], document
    for reported in location:
        step = reported
        if isinstance(value, YamlMapping):
            step = (
                reported if isinstance(reported, str) and reported in value else _key_spelled(value, reported)
            )
            value = value.get(step)
        elif isinstance(value, YamlList) and isinstance(reported, int) and reported < len(value):
            value = value[reported]
        else:
            value = None
        steps.append(step)
    return tuple(steps)


def _key_spelled(mapping: YamlMapping, reported: Any) -> Any:
    for key in mapping:
        if not isinstance(key, str) and (key == reported or repr(key) == reported or str(key) == reported):
            return key
    return reported
