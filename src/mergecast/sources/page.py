"""What an import reads, page by page, and where it would go on."""

from typing import Any, NamedTuple


class Item(NamedTuple):
    """One thing that a platform listed. Its id is the same whenever it is listed unchanged."""

    id: str
    kind: str
    body: dict[str, Any]


class Page(NamedTuple):
    items: tuple[Item, ...]
    cursor: str  # where to go on after a break
    reached: int | None = None  # the instant the import has got to, for the progress bar


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
    """A pull request that is not in its queue any more, for no known reason."""

    place: Place
    at: int
    last_seen_at: int | None
