"""What reading a document ends in: a configuration, or all that is wrong with the text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date

    from mergecast.configuration.configuration import Configuration

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DocumentFault:
    """One thing wrong, where the author wrote it; lines and columns count from 1."""

    message: str
    path: Path
    line: int
    column: int

    @property
    def text(self) -> str:
        """One line for a person: the message and the place in the document."""
        if not self.path:
            return f"{self.message} @ root"
        return f"{self.message} @ {' → '.join(('root', *map(_step, self.path)))}"


class NotYaml(DocumentFault):
    """The text cannot be loaded at all, so that only its lines and columns are a place."""

    __slots__ = ()

    @property
    def text(self) -> str:
        """The position comes first: there is no path."""
        reason, _, detail = self.message.partition(": ")
        place = f"{reason} @ line {self.line}, column {self.column}"
        return f"{place}: {detail}" if detail else place


@dataclass(frozen=True, slots=True)
class Deprecation:
    """One use of something that will be refused after its deadline."""

    message: str
    deadline: date
    path_to_field: Path | None
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Hint:
    """Something valid that the author probably did not mean."""

    message: str
    path: Path
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """The configuration is there exactly when there are no faults."""

    faults: tuple[DocumentFault, ...] = ()
    deprecations: tuple[Deprecation, ...] = ()
    notes: tuple[str, ...] = ()  # what the verdict could not take into account
    hints: tuple[Hint, ...] = ()
    sections: tuple[str, ...] = ()
    configuration: Configuration | None = None


def _step(key: str) -> str:
    return f"item {key}" if key.isdecimal() else key
