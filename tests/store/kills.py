"""A process that writes to a store, or its database, is killed repeatedly.

Nothing acknowledged may be lost, doubled or split.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from pathlib import Path
from random import Random
from typing import NamedTuple

from mergecast.incoming.copying.copy_store import copy_store
from mergecast.queues.model.event import Event
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import Selection
from postgres.server import DatabaseProcess
from store.statistics import all_answers

_MINUTE = 60_000_000
_NAMES = [Repository("acme", f"repository-{number}") for number in range(4)]
_LONGEST_LIFE = 1.5
_COPIED = 400


def _processes() -> ForkServerContext:
    """Starts processes that need not import the store again."""
    context = get_context("forkserver")
    context.set_forkserver_preload(
        ["mergecast.incoming.copying.copy_store", "mergecast.queues.store.sqlite.store"]
    )
    return context


class Survived(NamedTuple):
    kills: int
    acknowledged: int


class Place(NamedTuple):
    """Where the store is: in a folder, or in a database."""

    folder: Path
    url: str | None = None

    def open(self) -> Store:
        return open_store(self.folder, self.url)


def delivery(number: int) -> list[Event]:
    """One stay: all of its events are stored, or none."""
    common = ("main", "default", None, "doomed" if _is_doomed(number) else "api", f"stay-{number}", number)
    return [
        Event(f"{number}-in", "queue_entered", number * _MINUTE, *common),
        Event(f"{number}-out", "queue_left", (number + 5) * _MINUTE, *common, reason="PR_MERGED",
              schedule_wait=0, freeze_wait=0),
    ]  # fmt: skip


def _is_doomed(number: int) -> bool:
    """Every tenth stay is deleted after it was stored."""
    return number % 10 == 9


def _write(place: Place, first: int, acknowledged: Connection) -> None:
    """Until it is killed: record deliveries, sometimes rebuild and delete; report what was acknowledged."""

    async def write_all(store: Store) -> None:
        for number in range(first, first + 100_000):
            name = _NAMES[number % len(_NAMES)]
            await store.record(name, delivery(number))
            acknowledged.send(number)
            if _is_doomed(number):
                await store.rebuild(name)
                await store.delete_events(Selection(name, source="doomed"))

    asyncio.run(write_all(place.open()))


def survive(place: Place, kills: int, seed: int, database: DatabaseProcess | None = None) -> Survived:
    """Kill the writer so often, each time after the database if one is given.

    Raises when the store has lost, doubled or split anything.
    """
    chance, context = Random(seed), _processes()
    acknowledged: set[int] = set()
    last = 0
    for _ in range(kills):
        receiving, sending = context.Pipe(duplex=False)
        process = context.Process(target=_write, args=(place, last, sending))
        process.start()
        sending.close()
        if receiving.poll(60):
            process.join(chance.random() * _LONGEST_LIFE)
        if database is not None:
            database.kill()
        process.kill()
        process.join()
        if database is not None:
            database.start()
        acknowledged.update(_received(receiving))
        found = asyncio.run(check(place))
        lost = {number for number in acknowledged - found if not _is_doomed(number)}
        assert not lost, f"lost {sorted(lost)[:5]}"
        last = max(acknowledged | found, default=-1) + 1
        # The delivery in progress when the process died may be stored too.
        invented = found - acknowledged - {max(acknowledged, default=-1) + 1}
        assert not invented, f"not sent: {sorted(invented)[:5]}"
        acknowledged |= found
    return Survived(kills, len(acknowledged))


def _received(receiving: Connection) -> Iterator[int]:
    try:
        while True:
            yield receiving.recv()
    except EOFError:
        return


async def check(place: Place) -> set[int]:
    """The stays that are stored; every event once, and the facts those of a rebuilt store."""
    store = place.open()
    found: set[int] = set()
    try:
        for known in await store.repositories():
            events = [event async for page in store.export(known) for event in page]
            assert len(events) == known.events == len({event.id for event in events})
            answers = await all_answers(store, known.repository)
            await store.rebuild(known.repository)
            assert answers == await all_answers(store, known.repository)
            parts = Counter(int(event.id.split("-")[0]) for event in events)
            assert set(parts.values()) <= {2}, "a delivery was stored in part"
            found |= parts.keys()
    finally:
        store.close()
    return found


def survive_copying(source: Place, target: Place, kills: int, seed: int) -> Survived:
    """Kill a copy so often and finish it; it compares itself with its source and raises if they differ."""
    chance, context = Random(seed), _processes()
    asyncio.run(_fill(source, _COPIED))
    for _ in range(kills):
        receiving, sending = context.Pipe(duplex=False)
        process = context.Process(target=_copy, args=(source, target, sending))
        process.start()
        sending.close()
        if receiving.poll(60):
            process.join(chance.random() * _LONGEST_LIFE)
        process.kill()
        process.join()
    _copy(source, target, None)
    assert asyncio.run(check(source)) == asyncio.run(check(target)) == set(range(_COPIED))
    return Survived(kills, _COPIED)


async def _fill(place: Place, deliveries: int) -> None:
    store = place.open()
    for number in range(deliveries):
        await store.record(_NAMES[number % len(_NAMES)], delivery(number))
    store.close()


def _copy(source: Place, target: Place, begun: Connection | None) -> None:
    async def copy(source: Store, target: Store) -> None:
        async for _ in copy_store(source, target, time.time_ns() // 1000):
            if begun is not None:
                begun.send(None)

    stores = source.open(), target.open()
    asyncio.run(copy(*stores))
    for store in stores:
        store.close()
