"""What is given to a store and what it returns."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from mergecast.model.repository import Repository


@dataclass(frozen=True, slots=True)
class KnownRepository:
    """The state of a repository that has events, products or snapshots.

    Numbers belong to the repository and are never used twice; an id is never used for another repository.
    """

    id: int
    repository: Repository
    version: int = 0  # raised by every change of its events
    events: int = 0
    first_at: int | None = None
    last_at: int | None = None
    products: tuple[str, ...] | None = None  # None: never set
    snapshots: int = 0
    recordings: int = 0  # raised by every change of its snapshots
    last_event: int = 0  # the last number of each kind that was given out
    last_subject: int = 0
    last_group: int = 0

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left that makes it known."""
        return not self.events and not self.snapshots and self.products is None


class Receipt(NamedTuple):
    """What became of the events of a delivery."""

    stored: int
    duplicates: int


@dataclass(frozen=True, slots=True)
class Selection:
    """Which events of a repository; None does not restrict."""

    repository: Repository
    source: str | None = None
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class RecordedSnapshot:
    """The recorded document of one pull request, in JSON."""

    number: int
    is_open: bool
    document: str


@dataclass(frozen=True, slots=True)
class OpenSnapshots:
    """The recorded documents of open pull requests, newest first, and how many were left out."""

    records: tuple[tuple[int, bytes], ...]
    not_looked_at: int


def count_fitting(sizes: Iterable[int], limit: int) -> int:
    """How many of the first sizes fit into the limit together."""
    return sum(total <= limit for total in accumulate(sizes))
