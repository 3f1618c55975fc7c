"""While a server migrates its store it says so, whoever asks, and it can be stopped."""

import json
import os
import re
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from empty_store import copy_empty_store
from local_client import get
from logged_secrets import remember
from mergecast.queues.store.opening import FILE_NAME
from postgres.server import new_store
from robustness.next_version import NextServer, NextVersion
from waiting import MOST_SECONDS, wait_for, wait_until

pytestmark = pytest.mark.server

_TOKEN = remember("migrating-token-of-more-than-32-characters")
_MIGRATING = r"migrating: 1 of 1, since \d+ s"


@dataclass(frozen=True)
class Held:
    """A version whose migration waits until the test lets it go on."""

    version: NextVersion
    arguments: tuple[str | Path, ...]
    environment: dict[str, str]
    release: Callable[[], None]
    schema: Callable[[], int]

    def serve(self, name: str = "server") -> AbstractContextManager[NextServer]:
        return self.version.serve(name, *self.arguments, MERGECAST_ADMIN_TOKEN=_TOKEN, **self.environment)


@pytest.fixture(params=["sqlite", "postgres"])
def held(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Held]:
    if request.param == "sqlite":
        yield _held_in_sqlite(tmp_path)
        return
    with _held_in_postgres(tmp_path, new_store(request.getfixturevalue("database_server"))) as held:
        yield held


def _held_in_sqlite(tmp_path: Path) -> Held:
    """It waits for somebody to write to a pipe."""
    data, pipe = tmp_path / "data", tmp_path / "pipe"
    copy_empty_store(data)
    os.mkfifo(pipe)

    def release() -> None:
        pipe.write_text("", encoding="utf-8")

    version = NextVersion(tmp_path / "next", "create table held (a integer)", "", pipe)
    return Held(version, ("--data-dir", data), {}, release, lambda: _schema_in(data))


def _schema_in(data: Path) -> int:
    with closing(sqlite3.connect(data / FILE_NAME)) as connection:
        return _only(connection.execute("pragma user_version").fetchall())


@contextmanager
def _held_in_postgres(tmp_path: Path, url: str) -> Iterator[Held]:
    """It changes a table that a transaction of the test has locked."""
    version = NextVersion(tmp_path / "next", "", "alter table repositories add column held integer")
    environment = {"MERGECAST_DATABASE_URL": url}
    with psycopg.connect(url) as locking:
        locking.execute("lock table repositories in access share mode")

        def schema() -> int:
            with psycopg.connect(url) as connection:
                return _only(connection.execute("select max(number) from schema_migrations").fetchall())

        yield Held(version, ("--data-dir", tmp_path / "data"), environment, locking.rollback, schema)


def _only(rows: list[Any]) -> int:
    ((value,),) = rows
    return int(value)


def _detail(server: NextServer, path: str) -> tuple[int, str]:
    """The status, and what a problem document says; 0 while nothing listens."""
    try:
        answer = get(f"{server.url}{path}", timeout=MOST_SECONDS)
    except httpx.TransportError:
        assert server.process.poll() is None, server.logged()
        return 0, ""
    return answer.status_code, answer.json().get("detail", "")


def _wait_until_it_migrates(server: NextServer) -> None:
    wait_until(lambda: re.fullmatch(_MIGRATING, _detail(server, "/readyz")[1]), "the migration")


def _events(server: NextServer) -> list[dict[str, Any]]:
    lines = map(json.loads, server.logged().splitlines())
    return [line for line in lines if "migrat" in line["event"]]


def test_it_answers_and_logs_while_it_migrates(held: Held, tmp_path: Path) -> None:
    """It is alive, but not ready; its address and a link are published afterwards."""
    with held.serve() as server:
        _wait_until_it_migrates(server)
        alive = get(f"{server.url}/healthz")
        refused = [get(f"{server.url}{path}") for path in ("/readyz", "/", "/metrics", "/v1/repos")]
        published = (server.printed(), (tmp_path / "data/server.json").exists())
        begun = [line["event"] for line in _events(server)]
        held.release()
        wait_for((200, ""), lambda: _detail(server, "/readyz"))
        wait_until(lambda: "to sign in, open " in server.printed())
        schema, lines = held.version.number, _events(server)

    assert (200, {"status": "alive"}) == (alive.status_code, alive.json())
    assert [(503, "5")] * 4 == [(one.status_code, one.headers["retry-after"]) for one in refused]
    assert re.fullmatch(_MIGRATING, refused[0].json()["detail"])
    expected = rf"the server is not ready yet \({_MIGRATING}\); try again later"
    assert all(re.fullmatch(expected, one.json()["detail"]) for one in refused[1:])
    assert ("", False) == published
    assert ["migrating the store"] == begun
    assert ["migrating the store", "ran a migration", "migrated the store"] == [one["event"] for one in lines]
    assert {"from": schema - 1, "to": schema, "migrations": 1}.items() <= lines[0].items()
    assert {"number": schema, "name": "held up"}.items() <= lines[1].items()
    assert {"from": schema - 1, "to": schema}.items() <= lines[2].items()
    assert lines[1]["seconds"] > 0
    assert lines[2]["seconds"] >= lines[1]["seconds"]


def test_sigterm_during_a_migration(tmp_path: Path, database_server: str) -> None:
    """The database stops working on it, nothing has changed, and the next start does it."""
    url = new_store(database_server)
    with _held_in_postgres(tmp_path, url) as held:
        with held.serve() as server:
            _wait_until_it_migrates(server)
            server.process.send_signal(signal.SIGTERM)
            code = server.process.wait(MOST_SECONDS)
            logged = server.logged()
        with psycopg.connect(url) as connection:
            question = "select count(*) from pg_stat_activity where query like 'alter table repositories%'"
            wait_for(0, lambda: _only(connection.execute(question).fetchall()))
        before = held.schema()
        held.release()
        with held.serve("next") as server:
            wait_for((200, ""), lambda: _detail(server, "/readyz"))

    assert (0, held.version.number - 1) == (code, before)
    assert '"event":"stopping before the store is open"' in logged
    assert "Traceback" not in logged
    assert held.version.number == held.schema()


def test_sigterm_during_a_long_migration_of_the_embedded_store(tmp_path: Path) -> None:
    """A statement that would take hours is interrupted."""
    data = tmp_path / "data"
    copy_empty_store(data)
    counting = "with recursive counted (n) as (select 1 union all select n + 1 from counted)"
    endless = f"create table held as {counting} select count(*) as n from counted"
    version = NextVersion(tmp_path / "next", endless, "")
    with version.serve("server", "--data-dir", data) as server:
        _wait_until_it_migrates(server)
        server.process.send_signal(signal.SIGTERM)
        code = server.process.wait(MOST_SECONDS)
        logged = server.logged()

    assert (0, version.number - 1) == (code, _schema_in(data))
    assert '"event":"stopping before the store is open"' in logged
    assert "Traceback" not in logged


def test_a_migration_that_fails(tmp_path: Path) -> None:
    """The server ends and says which one and why; the database says more (test_settings_of_database.py)."""
    data = tmp_path / "data"
    copy_empty_store(data)
    version = NextVersion(tmp_path / "next", "alter table nowhere add column a integer", "")
    with version.serve("server", "--data-dir", data) as server:
        code = server.process.wait(MOST_SECONDS)
        last = server.logged().splitlines()[-1]

    assert 1 == code
    assert last == (
        f"mergecast: migration {version.number} (`alter table nowhere add column a integer`) failed: "
        "no such table: nowhere (SQLITE_ERROR); nothing of it was changed"
    )


def test_a_second_server_says_what_it_waits_for(tmp_path: Path, database_server: str) -> None:
    """Both are ready after one of them has migrated the database."""
    with _held_in_postgres(tmp_path, new_store(database_server)) as held, held.serve() as first:
        _wait_until_it_migrates(first)
        with held.serve("second") as second:
            waiting = r"waiting for another server to migrate the database, since \d+ s"
            wait_until(lambda: re.fullmatch(waiting, _detail(second, "/readyz")[1]), "the waiting")
            held.release()
            for server in (first, second):
                wait_for((200, ""), partial(_detail, server, "/readyz"))
            migrated = [line["event"] for line in _events(second)]

    assert [] == migrated
