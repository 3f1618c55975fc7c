"""Servers that share a database compare each baseline once."""

import asyncio
import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from mergecast.incoming.intake.event_bodies import read_lines
from mergecast.queues.model.baseline import Limits
from mergecast.queues.model.cause import ALERT
from mergecast.queues.model.instant import HOUR, MINUTE, WEEK, parse_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.window import Window
from mergecast.queues.store.baselines import put_baseline, read_alerts
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.rows import CauseRow
from mergecast.queues.store.store import Store
from mergecast.queues.store.stored_rows import read_rows
from mergecast.queues.store.values import KnownRepository
from mergecast.signals.watch.alerts import AlertWatch
from mergecast.signals.watch.pinning import WantedBaseline, pin
from postgres.server import new_store
from signals.two_an_hour import merges

pytestmark = pytest.mark.server

MONDAY = parse_instant("2026-03-02T00:00:00Z")
NAME = Repository("acme", "widgets")
WANTED = WantedBaseline("march", "main", "default", Window(MONDAY, MONDAY + WEEK), Limits())


class Clock:
    def __init__(self) -> None:
        self.now = MONDAY + 2 * WEEK + 5 * MINUTE

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def stores(tmp_path: Path, database_server: str, clock: Clock) -> Iterator[list[Store]]:
    """Those of two servers, and a queue that became slow in its second week."""
    url = new_store(database_server)
    opened = [open_store(tmp_path / name, url, clock) for name in ("first", "second")]
    asyncio.run(_slow_queue(opened[0], clock))
    yield opened
    for store in opened:
        store.close()


async def _slow_queue(store: Store, clock: Clock) -> None:
    events = [*merges(MONDAY, 7), *merges(MONDAY + WEEK, 7, 40)]
    lines = "\n".join(json.dumps(event) for event in events)
    await store.record(NAME, read_lines(lines.encode(), clock.now))
    known = await _known(store)
    baseline, hours = await store.read(
        known.id, partial(pin, repository_id=known.id, wanted=WANTED, now=clock.now)
    )
    await store.change(NAME, partial(put_baseline, baseline=baseline, hours=hours), create=False)


async def _known(store: Store) -> KnownRepository:
    known = await store.repository(NAME)
    assert known is not None
    return known


async def _told(store: Store, clock: Clock) -> tuple[list[str], int]:
    """The measures with an alert, past or present, and how many notices were asked for."""
    known = await _known(store)
    window = Window(0, clock.now + 1)
    alerts = await store.read(known.id, partial(read_alerts, repository_id=known.id, window=window))
    causes = await store.read(known.id, lambda reader: read_rows(reader, known.id, CauseRow))
    return [alert.measure for alert in alerts], sum(cause.kind == ALERT for cause in causes)


async def _to_compare(store: Store, clock: Clock) -> list[Repository]:
    return await store.repositories_to_compare(clock.now // HOUR * HOUR)


def test_an_alert_begins_once(stores: list[Store], clock: Clock) -> None:
    """Although both servers look at the same moment, several times."""

    async def look() -> tuple[list[str], int]:
        watches = [AlertWatch(store, clock, f"server {place}") for place, store in enumerate(stores)]
        await asyncio.gather(*(watch.look() for watch in watches))
        clock.now += HOUR
        await asyncio.gather(*(watch.look() for watch in watches))
        return await _told(stores[1], clock)

    assert (["time_to_merge_p95"], 1) == asyncio.run(look())


def test_one_server_compares_until_it_stops(stores: list[Store], clock: Clock) -> None:
    """Then the other one goes on at once."""

    async def look() -> list[list[Repository]]:
        first, second = (AlertWatch(store, clock, name) for store, name in zip(stores, "ab", strict=True))
        await first.look()
        clock.now += HOUR
        await second.look()
        left = [await _to_compare(stores[1], clock)]
        await first.close()
        await second.look()
        return [*left, await _to_compare(stores[1], clock)]

    assert [[NAME], []] == asyncio.run(look())
