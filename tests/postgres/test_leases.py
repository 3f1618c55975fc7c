"""A lease that is given back while it is being renewed is free afterwards."""

import asyncio
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import psycopg
import pytest

from mergecast.queues.model.instant import SECOND
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import Lease
from mergecast.signals.alerts.watcher import AlertWatch
from postgres.server import new_store
from waiting import wait_until

_NOW, _TERM = 1_900_000_000 * SECOND, 60 * SECOND
_WAITS_FOR_A_LOCK = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'leases'"


@pytest.fixture
def database(database_server: str) -> str:
    return new_store(database_server)


@pytest.fixture
def store(database: str, tmp_path: Path) -> Iterator[Store]:
    opened = open_store(tmp_path, database)
    yield opened
    opened.close()


async def _take(store: Store, holder: str, term: int = _TERM) -> bool:
    return await store.take_lease(Lease("follow", holder, _NOW + term), _NOW, _TERM)


def test_a_cancelled_renewal_ends_before_its_server_goes_on(store: Store, database: str) -> None:
    """Otherwise it could come after the lease was given back, and other servers would wait for its end."""

    async def scenario(connection: psycopg.Connection) -> bool:
        assert await _take(store, "first")
        connection.execute("begin")
        connection.execute("select from leases for update")
        renewal = asyncio.create_task(_take(store, "first"))
        await asyncio.to_thread(_wait_for_lock, database)

        renewal.cancel()
        ended_early, _ = await asyncio.wait([renewal], timeout=0.3)
        connection.execute("commit")
        with pytest.raises(asyncio.CancelledError):
            await renewal

        assert not ended_early
        assert await _take(store, "first", term=0)
        return await _take(store, "second")

    with psycopg.connect(database, autocommit=True) as connection:
        assert asyncio.run(scenario(connection))


def test_a_server_that_stops_while_it_takes_its_first_lease_keeps_none(store: Store, database: str) -> None:
    """The database stores the lease only after the server was asked to stop."""

    async def scenario(connection: psycopg.Connection) -> bool:
        now = await store.shared_now(_NOW)
        assert await store.take_lease(Lease("alerts", "first", now), now, _TERM)  # which is over
        connection.execute("begin")
        connection.execute("select from leases for update")
        watch = AlertWatch(store, lambda: _NOW, "first", nullcontext)
        watch.start()
        await asyncio.to_thread(_wait_for_lock, database)
        closing = asyncio.create_task(watch.close())
        await asyncio.sleep(0)
        connection.execute("commit")
        await closing
        now = await store.shared_now(_NOW)
        return await store.take_lease(Lease("alerts", "second", now + _TERM), now, 2 * _TERM)

    with psycopg.connect(database, autocommit=True) as connection:
        assert asyncio.run(scenario(connection))


def _wait_for_lock(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as observer:
        wait_until(
            lambda: observer.execute(_WAITS_FOR_A_LOCK).fetchone(), "the renewal to reach the database"
        )
