"""What reads from a store: statements by the names of their files, and the groups of a repository."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from mergecast.errors import NotFound
from mergecast.queues.model.event import Group
from mergecast.queues.store.values import KnownRepository

MOST_ROWS = 500_000  # of an answer


class Reader(Protocol):
    """One consistent view of the store, in a worker thread."""

    def rows(self, statement: str, parameters: Sequence[object]) -> list[tuple[Any, ...]]:
        """The rows of a statement of `queues/store/sql`; too many for the store raise `AnswerTooLarge`."""

    def column(self, statement: str, parameters: Sequence[object]) -> list[Any]:
        """The first column of a statement; its length is not limited."""

    def groups(self, repository_id: int) -> Mapping[int, Group]:
        """The groups of a repository by id."""

    def current(self, known: KnownRepository) -> KnownRepository | None:
        """The state of a repository in this view; None if it is deleted by then.

        The state that a request began with may be older than what its statements read.
        """


def check_exists(reader: Reader, known: KnownRepository) -> None:
    """Raise `NotFound` if the repository is deleted by now."""
    if not reader.rows("repository_exists", [known.id]):
        raise NotFound(f"the repository {known.repository} was deleted during the export")
