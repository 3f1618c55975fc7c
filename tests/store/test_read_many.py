"""Reading many repositories at once."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from mergecast.queues.model.event import Event
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.duckdb.store import DuckDBStore
from mergecast.queues.store.duckdb.tail import TailLimits
from mergecast.queues.store.opening import FILE_NAME
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.store import Store
from waiting import wait_until

_NAMES = [Repository("acme", name) for name in ("one", "two", "three")]


def _events(first: int, number: int) -> list[Event]:
    return [
        Event(f"e{place}", "queue_entered", place, "main", "default", None, "api", f"s{place}", place)
        for place in range(first, first + number)
    ]


def _sizes(reader: Reader, ids: Sequence[int]) -> dict[int, int]:
    rows = reader.rows("stays_of_present", [list(ids), 1_000])
    return {id: sum(row[0] == id for row in rows) for id in ids}


async def _fill(store: Store) -> list[int]:
    """The ids of repositories with one, two and three stays."""
    ids = []
    for number, name in enumerate(_NAMES, start=1):
        await store.record(name, _events(1, number))
        known = await store.repository(name)
        assert known is not None
        ids.append(known.id)
    return ids


def test_every_repository_is_read_wherever_its_rows_are(store: Store) -> None:
    async def read() -> list[int]:
        ids = await _fill(store)
        found = await store.read_many(ids, _sizes)
        return [found[id] for id in ids]

    assert [1, 2, 3] == asyncio.run(read())


def test_rows_that_move_meanwhile_are_not_missed(tmp_path: Path) -> None:
    """A repository that gets a bucket of its own while others are read is read again."""
    store = DuckDBStore(tmp_path / FILE_NAME, TailLimits(bucket=10))
    asked: list[list[int]] = []

    async def read() -> tuple[list[int], dict[int, int]]:
        ids, loop = await _fill(store), asyncio.get_running_loop()

        def work(reader: Reader, part: Sequence[int]) -> dict[int, int]:
            asked.append(list(part))
            if len(asked) == 1:
                asyncio.run_coroutine_threadsafe(store.record(_NAMES[1], _events(10, 20)), loop).result()
                wait_until(lambda: len(store.read_together(ids)) == 2, "the move of rows to a bucket")
            return _sizes(reader, part)

        return ids, await store.read_many(ids, work)

    try:
        (one, two, three), found = asyncio.run(read())
    finally:
        store.close()

    assert {one: 1, two: 22, three: 3} == found
    assert [[one, two, three], [one, three], [two]] == asked
