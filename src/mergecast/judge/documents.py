"""What is asked about a document, and what is found in it: the values both processes know."""

from datetime import date

import msgspec

LONGEST_DOCUMENT = 1_048_576  # characters
CONFIGURATION = "configuration"
SCHEMA = "schema"


class Document(msgspec.Struct, frozen=True):
    """A candidate, with what its verdict depends on; no products while they are not determined."""

    text: str
    today: date
    repository: str | None = None  # its bare name, for a document that extends itself
    products: tuple[str, ...] | None = None
    extended: str | None = None  # the text of the document that it extends, where that could be had


class Candidate(msgspec.Struct, frozen=True):
    """The same, with the text in JSON as it came: only the child unfolds it."""

    text: msgspec.Raw
    today: date
    repository: str | None = None
    products: tuple[str, ...] | None = None
    extended: str | None = None


class ReportedError(msgspec.Struct, frozen=True):
    message: str
    text: str  # the message with its place in words
    path: tuple[str, ...]
    line: int
    column: int


class DeprecationFound(msgspec.Struct, frozen=True):
    message: str
    deadline: date
    path_to_field: tuple[str, ...] | None


class Place(msgspec.Struct, frozen=True):
    line: int
    column: int


class HintFound(msgspec.Struct, frozen=True):
    """Something valid that the author probably did not mean."""

    message: str
    path: tuple[str, ...]
    line: int
    column: int


class UnusedSection(msgspec.Struct, frozen=True):
    section: str
    product: str
    product_name: str


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The document is valid when no error was found. The first errors are told, the rest counted."""

    errors: tuple[ReportedError, ...] = ()
    more_errors: int = 0
    extends: str | None = None  # the repository whose document comes first
    notes: tuple[str, ...] = ()
    unused_sections: tuple[UnusedSection, ...] | None = None


class Judged(Verdict, frozen=True, kw_only=True):
    """A verdict with all that was found."""

    deprecations: tuple[DeprecationFound, ...] = ()
    deprecation_places: tuple[Place, ...] = ()  # of each, in the same order
    hints: tuple[HintFound, ...] = ()


class Outlined(Verdict, frozen=True, kw_only=True):
    """The same, for who only hands the deprecations on: there may be many thousands."""

    deprecations: msgspec.Raw


class NoDetails(msgspec.Struct, frozen=True):
    """For a task that needs to know nothing."""
