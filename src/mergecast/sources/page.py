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
