"""The result of reading a document: a configuration, or all errors."""

from dataclasses import dataclass
from datetime import date

from mergecast.language.configuration.errors import DocumentError, Path
from mergecast.language.configuration.models.configuration import Configuration


@dataclass(frozen=True, slots=True)
class Deprecation:
    """One use of something that becomes an error after its deadline."""

    message: str
    deadline: date
    path_to_field: Path | None
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Hint:
    """Something that is valid but probably not intended."""

    message: str
    path: Path
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class ReadResult:
    """There is a configuration if and only if there are no errors."""

    errors: tuple[DocumentError, ...] = ()
    deprecations: tuple[Deprecation, ...] = ()
    notes: tuple[str, ...] = ()  # what the result does not take into account
    hints: tuple[Hint, ...] = ()
    sections: tuple[str, ...] = ()
    configuration: Configuration | None = None
