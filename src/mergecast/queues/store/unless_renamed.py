"""Work for the repository that was found under a name, refused if another one has the name by now."""

from collections.abc import Callable, Sequence
from itertools import compress
from typing import TypeVar

from mergecast.errors import Conflict
from mergecast.queues.store.errors import RepositoryRenamed
from mergecast.queues.store.held_repository import HeldRepository

T = TypeVar("T")
R = TypeVar("R")


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
