"""Threads that an earlier version translated, and that this one translates differently."""

from collections.abc import Iterator

from mergecast.incoming.intake.given_up import give_up
from mergecast.incoming.sources.registry import SOURCES
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.rows import ThreadRow
from mergecast.queues.store.store import Store
from mergecast.queues.store.stored_rows import stored_rows


def current_version(source: str) -> int:
    return SOURCES[source].translator().version


async def outdated_repositories(store: Store) -> list[Repository]:
    """The repositories with threads that an earlier version translated, each once."""
    found: dict[Repository, None] = {}
    for source in SOURCES:
        names = await store.repositories_with_outdated_threads(source, current_version(source))
        found.update(dict.fromkeys(names))
    return list(found)


def outdated_threads(held: HeldRepository, most: int) -> dict[int, tuple[int, int]]:
    """The newest of these threads, all of one source, with the span of their deliveries."""
    for rows in _by_source(held, most):
        if rows:
            return {number: (first, last) for number, first, last in rows}
    return {}


def _by_source(held: HeldRepository, most: int) -> Iterator[list[tuple[int, int, int]]]:
    for source in SOURCES:
        rows = held.rows("outdated_threads", source, current_version(source), most)
        yield [(number, first, last) for number, first, last in rows]


def set_translated(held: HeldRepository, numbers: list[int]) -> None:
    """Note that threads are up to date; of those that were not loaded, there is nothing left to translate."""
    by_source: dict[str, list[int]] = {}
    for thread in stored_rows(held.rows, ThreadRow, number=numbers):
        if thread.translation != current_version(thread.source):
            by_source.setdefault(thread.source, []).append(thread.number)
    for source, outdated in by_source.items():
        held.change_rows("set_translation", outdated, current_version(source))


def give_up_outdated(held: HeldRepository) -> ThreadRow | None:
    """Give up the thread that is next to be translated again; its events stay as they are."""
    numbers = list(outdated_threads(held, 1))
    given_up = give_up(held, numbers)
    set_translated(held, numbers)
    return given_up
