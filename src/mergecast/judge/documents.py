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


class FaultFound(msgspec.Struct, frozen=True):
    message: str
    text: str  # the message with its place in words
    path: tuple[str, ...]
    line: int
    column: int


class DeprecationFound(msgspec.Struct, frozen=True):
    message: str
    deadline: date
    path_to_field: tuple[str, ...] | None
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


class Judged(msgspec.Struct, frozen=True):
    """The document is valid when no fault was found. The first faults are told, the rest counted."""

    faults: tuple[FaultFound, ...]
    more_faults: int
    deprecations: tuple[DeprecationFound, ...]
    notes: tuple[str, ...]
    hints: tuple[HintFound, ...]
    unused_sections: tuple[UnusedSection, ...] | None


class NoDetails(msgspec.Struct, frozen=True):
    """For a task that needs to know nothing."""
