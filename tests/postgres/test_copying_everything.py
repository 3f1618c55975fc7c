"""A copy has every row of every table, except for what the documentation says is not copied."""

import asyncio
import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from builders import ended, entered, left, reported, started
from cli.program import mergecast
from live_server import LiveServer
from mergecast.demo.set_up import commit, workflows
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.added_sources import (
    AddedSourceRow,
    GitHubAppRow,
    add_added_source,
    add_github_app,
)
from mergecast.queues.store.opening import FILE_NAME
from mergecast.queues.store.rows import VerdictRow
from mergecast.queues.store.store import Store
from mergecast.queues.store.stored_rows import read_rows
from postgres.server import new_database
from postgres.watched import STUCK_AT, Clock, watched_server
from scenario_files import NAMES, recorded_pull
from sources.activity_log_stories import bisected
from waiting import wait_until

Table = dict[str, list[str]]

_PATH, _LOG = "/v1/repos/demo/tower", "/v1/repos/demo/log"
_URL = "https://api.github.com"
_APP = GitHubAppRow("7", "mergecast-demo", "demo", _URL, "sealed", True, '["demo"]', 1)
_ADDED = AddedSourceRow("a", "github", "demo/web", "demo", "web", _URL, "", "7", 1, "operator", 2)
_NOT_COPIED = {
    *("leases", "sessions", "notices"),  # of the servers, browsers and channels of the source
    *("queue_counts", "withdrawn_ends"),  # counters of metrics
    "recommendations",  # computed again
    *("schema_migrations", "store_state", "key_state"),
}
_MAY_BE_EMPTY = {
    *("ci_day_sums", "ci_block_sums"),  # of older days
    *("pull_requests", "thread_links", "skipped_deliveries", "untranslated", "waiting_threads", "expired"),
}
# A copy counts from 1, so rows that belong together have other numbers there, and it notes when that was.
_NUMBERS = {
    *("repository_id", "group_id", "entered_group", "left_group", "started_group", "ended_group"),
    *("stay", "run", "bisection", "thread", "subject", "key_high", "key_low"),
    *("changed_at", "days_changed_at"),
}
_NUMBERED = {"events", "subjects", "threads", "deliveries", "ci_texts"}
_TEXTS = {"name", "base_ref", "queue_name", "runner", "id", "check_id", "source", "url", "batch_id"}
_TEXTS |= {"failed_name", "failed_runner", "critical_name", "critical_runner"}
# Versions of a copy are larger, because clients keep answers.
_OF_STATE = {
    "events",
    "snapshots",
    "deliveries",
    "ci_checks",
    "products",
    "first_at",
    "last_at",
    "judge_from",
}


@pytest.fixture
def everything(tmp_path: Path) -> Path:
    """A repository in which everything that warns is in use, and everything else that a store can have."""
    folder = tmp_path / "everything"
    with watched_server(folder, Clock(STUCK_AT)) as server:
        _use_the_rest(server)
    return folder


def _use_the_rest(server: LiveServer) -> None:
    server.send(_removal(), "demo/tower").raise_for_status()
    channel = server.http.get(f"{_PATH}/channels").json()["channels"][0]["id"]
    for path, body in (
        (f"{_PATH}/pulls/1001/subscriptions/{channel}", None),
        (f"{_PATH}/products", {"products": ["merge_queue"]}),
        (f"{_PATH}/pulls/42/snapshot", recorded_pull(NAMES[0])),
        (f"{_PATH}/audit", {"base_ref": "main", "commit": commit(), "files": workflows()}),
    ):
        server.http.put(path, json=body).raise_for_status()
    server.key()
    items = [{"id": str(one["id"]), "kind": one["type"], "body": one} for one in bisected().items]
    page = {"items": items, "cursor": "next", "reached": "2026-09-01T00:00:00Z"}
    server.http.post(f"{_LOG}/sources/activity-log/deliveries", json=page).raise_for_status()
    wait_until(lambda: server.http.get(f"{_LOG}/events").text)
    wait_until(lambda: asyncio.run(_verdicts(server.store)))
    asyncio.run(_add_sources(server.store))


async def _verdicts(store: Store) -> list[VerdictRow]:
    """Those that are stored: the API also answers what follows from a reason alone."""
    known = await store.repository(Repository("demo", "tower"))
    assert known is not None
    return await store.read(known.id, lambda reader: read_rows(reader, known.id, VerdictRow))


async def _add_sources(store: Store) -> None:
    await add_github_app(store, _APP)
    await add_added_source(store, _ADDED)


def _removal() -> list[dict[str, Any]]:
    day = "2026-09-21T"
    events = [
        entered(f"{day}02:00:00Z", "removed", 2001),
        started(f"{day}02:00:00Z", "removed", 2001, "R", [2001]),
        reported(f"{day}02:09:00Z", "R", "unit", "failure"),
        ended(f"{day}02:10:00Z", "removed", 2001, "R", "CHECKS_FAILED"),
        left(f"{day}02:10:00Z", "removed", 2001, "CHECKS_FAILED"),
    ]
    return [{**event, "id": f"removal-{place}"} for place, event in enumerate(events)]


def test_every_table_arrives_and_comes_back(everything: Path, tmp_path: Path, database_server: str) -> None:
    url, back = new_database(database_server), tmp_path / "back"
    expected = _in_file(everything / FILE_NAME)
    assert {name for name, rows in expected.items() if not rows} <= _MAY_BE_EMPTY

    there = mergecast("store", "copy", "--to", url, data=everything)
    again = mergecast("store", "copy", "--to", back, data=tmp_path / "no", MERGECAST_DATABASE_URL=url)

    assert (0, 0) == (there.code, again.code), (there.err, again.err)
    assert expected == _in_database(url)
    assert expected == _in_file(back / FILE_NAME)


def _in_file(file: Path) -> Table:
    tables = "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'"
    with closing(sqlite3.connect(file)) as connection:
        found = {}
        for (table,) in connection.execute(tables).fetchall():
            rows = connection.execute(f'select * from "{table}"')
            found[table] = _named(rows.description or (), rows.fetchall())
    return _compared(found)


def _in_database(url: str) -> Table:
    tables = "select table_name from information_schema.tables where table_schema = 'public'"
    with psycopg.connect(url) as connection:
        found = {}
        for (table,) in connection.execute(tables).fetchall():
            rows = connection.execute(f'select * from "{table}"')
            found[table] = _named(rows.description or (), rows.fetchall())
    return _compared(found)


def _named(columns: Iterable[Any], rows: Iterable[tuple[Any, ...]]) -> list[dict[str, Any]]:
    names = [column[0] for column in columns]
    return [dict(zip(names, row, strict=True)) for row in rows]


def _compared(tables: dict[str, list[dict[str, Any]]]) -> Table:
    return {
        name: sorted(json.dumps(dict(_portable(name, row)), default=_text) for row in rows)
        for name, rows in sorted(tables.items())
        if name not in _NOT_COPIED
    }


def _portable(table: str, row: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The columns that mean the same in each store."""
    if table == "causes":
        row = row | {"document": {**json.loads(row["document"]), "stay": None}}
    for name, value in sorted(row.items()):
        is_number = name in _NUMBERS or (name == "number" and table in _NUMBERED)
        is_text = table.startswith("ci_") and name in _TEXTS
        is_of_state = table == "repository_state" and name not in _OF_STATE
        is_of_postgres = table == "repositories" and name not in {"owner", "name"}
        if not (is_number or is_text or is_of_state or is_of_postgres):
            yield name, int(value) if isinstance(value, bool) else value


def _text(value: Any) -> str:
    return bytes(value).hex() if isinstance(value, (bytes, memoryview)) else str(value)
