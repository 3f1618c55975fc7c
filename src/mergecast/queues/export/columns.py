"""What a column of an exported table holds, and where its values come from."""

from enum import Enum, auto
from typing import NamedTuple


class Kind(Enum):
    """The values of a column. Any of them may be missing, which is None."""

    TEXT = auto()
    INTEGER = auto()
    INSTANT = auto()  # microseconds since the epoch
    DURATION = auto()  # microseconds; exported as seconds
    BOOLEAN = auto()


class Column(NamedTuple):
    name: str
    kind: Kind
    meaning: str


class Table(NamedTuple):
    """A table of a repository: what one row is, and its columns after the name of the repository."""

    name: str
    meaning: str
    columns: tuple[Column, ...]
