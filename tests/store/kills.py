"""A process that writes to a store is killed repeatedly; nothing acknowledged may be lost or split."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import NamedTuple

from mergecast.model.event import Event
from mergecast.model.repository import Repository
from mergecast.store.duckdb.buckets import TailLimits
from mergecast.store.duckdb.store import DuckDBStore
from mergecast.store.store import Store
from mergecast.store.values import Selection
from store.statistics import all_answers

_MINUTE = 60_000_000
_NAMES = [Repository("acme", f"repository-{number}") for number in range(4)]
_LONGEST_LIFE = 1.5


class Survived(NamedTuple):
    kills: int
    acknowledged: int


def open_killed(folder: Path) -> Store:
    """Small limits, so that rows move all the time."""
    return DuckDBStore(folder / "killed.duckdb", TailLimits(bucket=40, total=100))


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


def _write(folder: Path, first: int, acknowledged: Connection) -> None:
    """Until it is killed: record deliveries, now and then rebuild and delete; tell what was acknowledged."""

    async def write_all(store: Store) -> None:
        for number in range(first, first + 100_000):
            name = _NAMES[number % len(_NAMES)]
            await store.record(name, delivery(number))
            acknowledged.send(number)
            if _is_doomed(number):
                await store.rebuild(name)
                await store.delete_events(Selection(name, source="doomed"))

    asyncio.run(write_all(open_killed(folder)))


def survive(folder: Path, kills: int, seed: int) -> Survived:
    """Kill the writer so often; raises when the store has lost, doubled or split anything."""
    chance, context = Random(seed), get_context("spawn")
    acknowledged: set[int] = set()
    last = 0
    for _ in range(kills):
        receiving, sending = context.Pipe(duplex=False)
        process = context.Process(target=_write, args=(folder, last, sending))
        process.start()
        sending.close()
        if receiving.poll(60):
            process.join(chance.random() * _LONGEST_LIFE)
        process.kill()
        process.join()
        acknowledged.update(_received(receiving))
        found = asyncio.run(check(folder))
        lost = {number for number in acknowledged - found if not _is_doomed(number)}
        assert not lost, f"lost {sorted(lost)[:5]}"
        last = max(acknowledged | found, default=-1) + 1
        # The delivery under way when the process died may be stored too.
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


async def check(folder: Path) -> set[int]:
    """The stays that are stored; every event once, and the facts those of a rebuilt store."""
    store = open_killed(folder)
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
