"""What reading a document ends in: a configuration, or all that is wrong with the text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from mergecast.configuration.errors import DocumentError, Path
from mergecast.configuration.models.configuration import Configuration


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
class ReadResult:
    """The configuration is there exactly when there are no errors."""

    errors: tuple[DocumentError, ...] = ()
    deprecations: tuple[Deprecation, ...] = ()
    notes: tuple[str, ...] = ()  # what the verdict could not take into account
    hints: tuple[Hint, ...] = ()
    sections: tuple[str, ...] = ()
    configuration: Configuration | None = None
