"""Errors in a document and their positions."""

import re
from dataclasses import dataclass
from datetime import date
from typing import Any

from mergecast.language.conditions.errors import excerpt

Path = tuple[str, ...]
Place = tuple[str | int, ...]  # keys as texts, list indexes as numbers
ANY = "*"  # stands for any list index in a place

_LONGEST_STEP = 100
_BREAKS = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]+")


def one_line(text: str) -> str:
    """The text with every line break and control character replaced by a space."""
    return _BREAKS.sub(" ", text)


@dataclass(frozen=True, slots=True)
class DocumentError:
    """One error and its position in the text; lines and columns count from 1."""

    message: str
    place: Place
    line: int
    column: int

    @property
    def path(self) -> Path:
        """The place as texts, for answers."""
        return as_path(self.place)

    @property
    def text(self) -> str:
        """One line for people: the message and the place in the document."""
        return f"{self.message} @ {' → '.join(('root', *map(_step, self.place)))}"


class NotYaml(DocumentError):
    """The text is not valid YAML, so that its position is a line and a column without a path."""

    __slots__ = ()

    @property
    def text(self) -> str:
        """One line for people, with the line and column instead of a path."""
        reason, _, detail = self.message.partition(": ")
        place = f"{reason} @ line {self.line}, column {self.column}"
        return f"{place}: {detail}" if detail else place


def as_text(key: Any) -> str:
    """A key or list index as text, for paths."""
    if isinstance(key, bool):
        return "true" if key else "false"
    if key is None:
        return "null"
    return key.isoformat() if isinstance(key, date) else str(key)


def as_path(place: Place) -> Path:
    return tuple(map(str, place))


def _step(key: str | int) -> str:
    if isinstance(key, int):
        return f"item {key}"
    return one_line(excerpt(key, _LONGEST_STEP))
