"""The pages that an import reads, and where it resumes after each."""

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, NamedTuple, TypeVar

import msgspec

from mergecast.queues.answers.audit import BranchRules
from mergecast.queues.model.instant import Window

_LONGEST_NAME = 200  # of an id or a kind that the store accepts

T = TypeVar("T")

# position of a part, position of the earlier part that it touches → position of both together
Join = Callable[[str | None, str | None], str | None]


def earlier_position(_: str | None, earlier: str | None) -> str | None:
    """The position of the earlier part: enough for a source whose position only says where it continues."""
    return earlier


def read_position(text: str | None, type: type[T]) -> T | None:
    """The position in a text; None if there is none, or if another program wrote the text."""
    try:
        return msgspec.json.decode(text, type=type) if text else None
    except msgspec.MsgspecError:
        return None


def storable(name: str) -> str:
    """An id or a kind that the store accepts: platforms could send any text.

    >>> storable("note-7"), len(storable("7" * 1000))
    ('note-7', 64)
    """
    is_plain = 0 < len(name) <= _LONGEST_NAME and "\0" not in name
    return name if is_plain else sha256(name.encode()).hexdigest()


class Identity(NamedTuple):
    """A repository on its platform. The id survives a rename."""

    id: int
    full_name: str

    def is_named(self, name: str) -> bool:
        """Whether this is its current name: platforms also accept a former one."""
        return self.full_name.lower() == name.lower()


class Item(NamedTuple):
    """One thing that a platform listed. Its id is the same whenever it is listed unchanged."""

    id: str
    kind: str
    body: dict[str, Any]


class Page(NamedTuple):
    items: tuple[Item, ...]
    cursor: str  # where to resume after an interruption
    reached: int  # everything since then has been read


class Part(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of a history. It is read newest first, so it can be extended into the past at any time."""

    window: Window
    reached: int | None = None  # everything since then was read; None if only the position says how far
    position: str | None = None  # where the source continues; None if it has not said
    earlier_since: int | None = None  # where the part that it touches begins; not stored

    @property
    def begins(self) -> int:
        """Where the history begins that is imported without a gap."""
        return self.window.start if self.earlier_since is None else self.earlier_since

    @property
    def is_read(self) -> bool:
        return self.reached is not None and self.reached <= self.window.start

    @property
    def read_until(self) -> int:
        """Where a source continues that needs no position."""
        return self.window.end if self.reached is None else self.reached

    def extended(self, since: int) -> "Part":
        """The part with an earlier beginning.

        One that another version has begun is completed first: its position may not say enough.
        """
        if since >= self.window.start or self.reached is None:
            return self
        return Part(Window(since, self.window.end), self.reached, self.position)

    def at(self, position: str, reached: int) -> "Part":
        """The part after a page. Only after its last page does it count as read."""
        return Part(self.window, max(reached, self.window.start + 1), position)

    def completed(self) -> "Part":
        return Part(self.window, self.window.start, self.position)


class Place(NamedTuple):
    """A pull request in the queue of a base branch."""

    base_ref: str
    number: int


class Queued(NamedTuple):
    """The queues of some branches, as they were read at one instant."""

    branches: frozenset[str] | None  # None: all branches
    places: frozenset[Place]
    items: tuple[Item, ...]
    rules: Mapping[str, BranchRules] = {}  # of the branches whose set-up can be audited


class WorkflowFiles(NamedTuple):
    """The workflow files of a branch."""

    commit: str
    tree: str  # the same while no file changes
    texts: dict[str, str]  # by path


class Absence(NamedTuple):
    """A pull request that is no longer in its queue, for no known reason."""

    place: Place
    at: int
    last_seen_at: int | None
