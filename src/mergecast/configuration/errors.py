"""What is wrong with a document, and where."""

from __future__ import annotations

import re
from dataclasses import dataclass

Path = tuple[str, ...]
Place = tuple[str | int, ...]  # keys as texts, positions in lists as numbers

_LONGEST_STEP = 100
_BREAKS = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]+")


def one_line(text: str) -> str:
    """The text without line breaks, whatever the author wrote into it."""
    return _BREAKS.sub(" ", text)


@dataclass(frozen=True, slots=True)
class DocumentError:
    """One thing wrong, where the author wrote it; lines and columns count from 1."""

    message: str
    place: Place
    line: int
    column: int

    @property
    def path(self) -> Path:
        """The place as it is told to others."""
        return as_path(self.place)

    @property
    def text(self) -> str:
        """One line for a person: the message and the place in the document."""
        return f"{self.message} @ {' → '.join(('root', *map(_step, self.place)))}"


class NotYaml(DocumentError):
    """The text cannot be loaded at all, so that only its lines and columns are a place."""

    __slots__ = ()

    @property
    def text(self) -> str:
        """The position comes first: there is no path."""
        reason, _, detail = self.message.partition(": ")
        place = f"{reason} @ line {self.line}, column {self.column}"
        return f"{place}: {detail}" if detail else place


def as_path(place: Place) -> Path:
    return tuple(map(str, place))


def _step(key: str | int) -> str:
    if isinstance(key, int):
        return f"item {key}"
    shown = key if len(key) <= _LONGEST_STEP else f"{key[:_LONGEST_STEP]}…"
    return one_line(shown)
