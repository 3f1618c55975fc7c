"""The pages that an import reads, and where it resumes after each."""

from typing import Any, NamedTuple


class Item(NamedTuple):
    """One thing that a platform listed. Its id is the same whenever it is listed unchanged."""

    id: str
    kind: str
    body: dict[str, Any]


class Page(NamedTuple):
    items: tuple[Item, ...]
    cursor: str  # where to resume after an interruption
    reached: int | None = None  # how far back the import has read, for the progress bar


class Place(NamedTuple):
    """A pull request in the queue of a base branch."""

    base_ref: str
    number: int


class Queued(NamedTuple):
    """The queues of some branches, as they were read at one instant."""

    branches: frozenset[str] | None  # None: all branches
    places: frozenset[Place]
    items: tuple[Item, ...]


class Absence(NamedTuple):
    """A pull request that is no longer in its queue, for no known reason."""

    place: Place
    at: int
    last_seen_at: int | None
