"""Servers translate what waits in every repository that can be reached, and rarely ask all of them."""

import asyncio
import time
from pathlib import Path

import psycopg
import pytest

from live_server import live_server
from mergecast.incoming.intake.intake import Intake
from mergecast.incoming.sources.github.deliveries import webhook_delivery
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.opening import distribute_database, open_store
from postgres.citus import imitated_cluster
from postgres.server import new_store
from sources.github_deliveries import clock
from sources.github_stories import three_behind_each_other

pytestmark = pytest.mark.server
_NAMES = [Repository("acme", f"r{number}") for number in range(6)]
_FAIL = """
create function fail() returns trigger language plpgsql as
$$ begin raise exception 'no connection to worker-2' using errcode = '08006'; end $$;
create trigger failing before delete on waiting_threads
for each row when (old.repository_id in (1, 3)) execute function fail();
"""
_SCANS = "select seq_scan + idx_scan from pg_stat_user_tables where relname = 'waiting_threads'"
_PATIENCE_SECONDS = 60.0


def test_repositories_that_cannot_be_changed_do_not_stop_others(tmp_path: Path, database_server: str) -> None:
    url = new_store(database_server)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(_FAIL.encode())

    async def translate() -> list[int]:
        store = open_store(tmp_path, url)
        intake = Intake(store, lambda: clock(60), "tests")
        for name in _NAMES:
            told = three_behind_each_other().deliveries
            stored = [webhook_delivery(one.event, one.id, one.body, one.received_at)[1] for one in told]
            await intake.receive(name, stored)
            intake.translate_soon(name)
        intake.start()
        deadline = time.monotonic() + _PATIENCE_SECONDS
        try:
            while True:
                known = [await store.repository(name) for name in _NAMES]
                events = [one.events for one in known if one is not None]
                if events.count(0) == 2 or time.monotonic() > deadline:
                    return events
                await asyncio.sleep(0.05)
        finally:
            await intake.close()
            store.close()

    events = asyncio.run(translate())

    assert [False, True, False, True, True, True] == [count > 0 for count in events]


def test_an_idle_server_rarely_asks_every_machine(tmp_path: Path, database_server: str) -> None:
    url = imitated_cluster(database_server)
    distribute_database(url)
    begun = time.monotonic()
    with live_server(tmp_path / "data", database_url=url) as live:
        look_seconds = live.store.look_seconds
        time.sleep(5)
        live.http.get("/healthz").raise_for_status()
    seconds = time.monotonic() - begun

    with psycopg.connect(url) as connection:
        ((scans,),) = connection.execute(_SCANS).fetchall()
    assert look_seconds > 4 * 5
    assert scans <= 2 + seconds // look_seconds
