"""Reading many repositories at once."""

import asyncio
from collections.abc import Sequence
from functools import partial

from mergecast.queues.model.event import Event
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.store import Store

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


def test_every_repository_is_read(store: Store) -> None:
    async def read() -> list[int]:
        ids = await _fill(store)
        found = await store.read(ids[0], partial(_sizes, ids=ids))
        return [found[id] for id in ids]

    assert [1, 2, 3] == asyncio.run(read())
