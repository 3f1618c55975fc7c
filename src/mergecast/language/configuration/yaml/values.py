"""Values of a YAML document that remember their positions in the text."""

from typing import Any, NamedTuple

from mergecast.language.configuration.errors import NotYaml


class Mark(NamedTuple):
    """A position in the text; lines and columns count from 1."""

    line: int
    column: int


class YamlMapping(dict[Any, Any]):
    """A mapping with its own position and those of its keys and values."""

    __slots__ = ("places", "start")

    def __init__(self, start: Any) -> None:
        super().__init__()
        self.start = start
        self.places: dict[Any, tuple[Any, Any]] = {}


class YamlList(list[Any]):
    """A list with its own position and those of its items."""

    __slots__ = ("places", "start")

    def __init__(self, start: Any) -> None:
        super().__init__()
        self.start = start
        self.places: list[Any] = []


def overlay(target: YamlMapping, source: YamlMapping) -> None:
    """Copy all entries of the source into the target, with their positions."""
    target.update(source)
    target.places.update(source.places)


class InvalidYaml(Exception):
    """The text is not valid YAML."""

    def __init__(self, reason: str, mark: Mark) -> None:
        super().__init__(reason)
        self.error = NotYaml(f"Invalid YAML: {reason}", (), mark.line, mark.column)


def one_based(mark: Any) -> Mark:
    return Mark(mark.line + 1, mark.column + 1) if mark else Mark(1, 1)


def mark_at(text: str, offset: int) -> Mark:
    before = text[:offset].splitlines(keepends=True) or [""]
    if before[-1].endswith(("\n", "\r")):
        return Mark(len(before) + 1, 1)
    return Mark(len(before), len(before[-1]) + 1)
