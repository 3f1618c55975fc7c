"""Threads whose translation failed several times; they are skipped until someone translates them again."""

from collections.abc import Collection

from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.rows import ThreadRow, UntranslatedRow, WaitingThreadRow
from mergecast.queues.store.stored_rows import delete_rows, stored_rows

MOST_FAILURES = 3
GIVEN_UP = f"translating failed {MOST_FAILURES} times; `mergecast admin sources translate` tries again"


class TranslationFailed(Exception):
    """An unexpected error while a transaction translated."""


def given_up_among(held: HeldRepository, numbers: Collection[int]) -> set[int]:
    rows = stored_rows(held.rows, UntranslatedRow, thread=numbers, reason=[GIVEN_UP])
    return {row.thread for row in rows}


def give_up_first(held: HeldRepository) -> ThreadRow | None:
    """Give up the thread that is next to be translated; its events stay as they are."""
    return give_up(held, [number for number, *_ in held.rows("waiting_threads", 1)])


def give_up(held: HeldRepository, numbers: list[int]) -> ThreadRow | None:
    """Give up at most one thread: it waits no longer, and is counted as untranslated."""
    threads = stored_rows(held.rows, ThreadRow, number=numbers)
    delete_rows(held, WaitingThreadRow, thread=numbers)
    for thread in threads:
        held.insert(
            [UntranslatedRow(held.state.id, thread.number, thread.source, GIVEN_UP, 1, thread.last_at)]
        )
    held.save(held.state)
    return threads[0] if threads else None
