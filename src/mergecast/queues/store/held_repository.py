"""One repository, held: the unit of every change.

SQLite holds a repository by being the only writer thread, PostgreSQL by locking its state row. What happens
to a held repository is written once, in `add_events.py`, `add_deliveries.py` and `changes.py`.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import compress
from typing import Any, Protocol, TypeVar

from mergecast.errors import Conflict
from mergecast.queues.model.event import BISECTION_ENDED, BISECTION_STARTED, Event, Group
from mergecast.queues.model.facts import Statement
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.errors import RepositoryRenamed
from mergecast.queues.store.keys import keys_of
from mergecast.queues.store.rows import Row
from mergecast.queues.store.values import KnownRepository, Selection

T = TypeVar("T")
R = TypeVar("R")
# The kind of a subject, its name and its attempt, if any, separated by NUL. An import makes hundreds of
# thousands of them, and looks each up several times: a tuple would take three times as long.
SubjectName = str
# An event with the names of its stay, and of its CI run or bisection.
NamedEvent = tuple[Event, SubjectName | None, SubjectName | None]


class HeldRepository(Protocol):
    """No other transaction changes this repository until this one ends.

    Reads see the state from before the transaction's own inserts, but with its deletes.
    """

    @property
    def state(self) -> KnownRepository:
        """The state at the beginning, or as saved last."""

    @property
    def now(self) -> int:
        """When this transaction began, by the clock of the server."""

    @property
    def shared(self) -> "SharedRows":
        """Rows of no repository, in the same transaction; they change only if the state is saved, too."""

    def give_way(self) -> None:
        """Let the store make small changes of other repositories; long work calls this between its steps."""

    def groups(self) -> Mapping[Group, int]:
        """The ids of its groups."""

    def stored_events(self, keys: Collection[bytes]) -> dict[str, Event]:
        """The stored events with these keys, by id."""

    def subject_numbers(self, keys: Mapping[SubjectName, bytes]) -> dict[SubjectName, int]:
        """The numbers of the known subjects; `keys` has the key of each subject."""

    def statements(self, subjects: Collection[int]) -> list[Statement]:
        """What the stored events say about these subjects; a statement may come twice."""

    def rows(self, statement: str, *parameters: object) -> list[tuple[Any, ...]]:
        """The rows of a statement of `queues/store/sql`; the id of the repository is its first parameter."""

    def change_rows(self, statement: str, *parameters: object) -> int:
        """Run a statement of `queues/store/sql` that deletes or updates rows; returns how many it changed.

        The id of the repository is its first parameter.
        """

    def rename(self, name: Repository) -> bool:
        """Give the repository another name; returns False if another repository has it."""

    def insert(self, rows: Iterable[Row]) -> None:
        """Add rows, all of the same type."""

    def delete_facts(self, subjects: Collection[int], kind: str | None = None) -> None:
        """Delete the facts of these subjects, before any row is inserted.

        If their kind is known, fewer tables have to be searched.
        """

    def delete_numbered(self, events: Mapping[int, bytes], subjects: Mapping[int, bytes]) -> None:
        """Delete these events and subjects; each number comes with its key."""

    def delete_selected_events(self, selection: Selection) -> int:
        """Returns how many events were deleted."""

    def delete_everything(self) -> None:
        """Delete the repository with everything about it."""

    def save(self, state: KnownRepository) -> None:
        """Replace the state row."""


class SharedRows(Protocol):
    """Rows that belong to no repository, during a transaction that changes them."""

    def rows(self, statement: str, *parameters: object) -> list[tuple[Any, ...]]:
        """The rows of a statement of `queues/store/sql`."""

    def change(self, statement: str, *parameters: object) -> int:
        """Run a statement of `queues/store/sql` that changes rows; returns how many it changed."""


def subject_name(kind: str, name: str, attempt: int | None = None) -> SubjectName:
    return f"{kind}\0{name}\0{attempt}"


def thread_name(source: str, thread: str) -> SubjectName:
    return subject_name("thread", f"{source}\n{thread}")


def kind_of(name: SubjectName) -> str:
    return name.partition("\0")[0]


def subject_keys(repository_id: int, names: Collection[SubjectName]) -> dict[SubjectName, bytes]:
    """The key of each subject."""
    return dict(zip(names, keys_of(repository_id, names), strict=True))


def named(event: Event) -> NamedEvent:
    session, batch = event.session_id, event.batch_id
    stay = None if session is None else subject_name("stay", session)
    if batch is None:
        return (event, stay, None)
    if event.type in (BISECTION_STARTED, BISECTION_ENDED):
        return (event, stay, subject_name("bisection", batch))
    if event.attempt is None:
        return (event, stay, None)
    return (event, stay, subject_name("run", batch, event.attempt))


def refuse_if_renamed(held: HeldRepository, repository_id: int | None) -> None:
    """Raise an error unless this is the repository with this id, or none is given."""
    if repository_id not in (None, held.state.id):
        raise RepositoryRenamed


def unless_renamed(
    held: HeldRepository,
    given: Sequence[T],
    repository_ids: Sequence[int | None],
    work: Callable[[HeldRepository, Sequence[T]], Sequence[R]],
) -> list[R | Conflict]:
    """Do the work for what is meant for this repository, and refuse what is meant for one with another id."""
    is_meant = [id in (None, held.state.id) for id in repository_ids]
    results = iter(work(held, list(compress(given, is_meant))) if any(is_meant) else ())
    return [next(results) if meant else RepositoryRenamed() for meant in is_meant]
