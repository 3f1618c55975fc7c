"""A new version starts on a database that any earlier version left, distributed or not."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from builders import worked_example
from live_server import live_server
from mergecast import __version__
from mergecast.queues.store.migrations import statements_of
from mergecast.queues.store.opening import distribute_database, open_store
from mergecast.queues.store.postgres.migrate import (
    COORDINATOR,
    DISTRIBUTED,
    PROGRAM,
    REFERENCE,
    all_migrations,
)
from mergecast.queues.store.store import Store
from postgres.citus import empty_cluster, imitated_cluster, placed
from postgres.old_schemas import FORMER_NAME, NUMBERS, OLD, PLATFORM_ID, make_old
from postgres.server import new_database

_EVERYWHERE = dict.fromkeys(DISTRIBUTED, "h") | dict.fromkeys(REFERENCE, "n")


@pytest.fixture(params=["imitated", "citus"])
def cluster(request: pytest.FixtureRequest) -> str:
    """A database of a cluster without tables."""
    if request.param == "citus":
        return empty_cluster()
    return imitated_cluster(request.getfixturevalue("database_server"))


def _upgraded(folder: Path, url: str, look: Callable[[Store], object]) -> object:
    store = open_store(folder, url)
    try:
        return look(store)
    finally:
        store.close()


def _found(store: Store) -> list[object]:
    """How many events the repository has, however it is found."""

    async def find() -> list[object]:
        with_id = await store.repositories_with_platform_id(PLATFORM_ID)
        known = [
            await store.repository(OLD),
            with_id[0] if with_id else None,
            await store.repository_formerly_named(FORMER_NAME),
        ]
        return [one and one.events for one in known]

    return asyncio.run(find())


def _programs(url: str) -> list[str]:
    """Which version applied each migration."""
    with psycopg.connect(url) as connection:
        rows = connection.execute("select program from schema_migrations order by number").fetchall()
    return [program for (program,) in rows]


@pytest.mark.parametrize("number", NUMBERS)
def test_a_database_of_any_age_is_upgraded(number: int, tmp_path: Path, database_server: str) -> None:
    url = new_database(database_server)
    make_old(url, number)

    found = _upgraded(tmp_path, url, _found)

    assert [40, 40, 40] == found if number > 1 else [40, None, None] == found
    assert _programs(url) == ["before 0.1.0"] * number + [__version__] * (PROGRAM - number)
    with live_server(tmp_path / "data", database_url=url) as live:
        assert {"stored": 12, "duplicates": 0} == live.send(worked_example()).json()
        assert 52 == len(live.http.get("/v1/repos/acme/widgets/events").text.splitlines())


@pytest.mark.parametrize("number", NUMBERS)
def test_a_distributed_database_of_any_age_is_upgraded(number: int, tmp_path: Path, cluster: str) -> None:
    """Every table ends in its place, those that the migrations add included."""
    make_old(cluster, number, is_distributed=True)

    found = _upgraded(tmp_path, cluster, _found)

    assert [40, 40, 40] == found if number > 1 else [40, None, None] == found
    assert placed(cluster) == _EVERYWHERE
    assert [] == distribute_database(cluster)


def test_an_interrupted_upgrade_is_completed(tmp_path: Path, cluster: str) -> None:
    """A server stopped after the migration and before it moved what that added."""
    make_old(cluster, NUMBERS[0], is_distributed=True)
    _upgraded(tmp_path, cluster, _found)
    with psycopg.connect(cluster, autocommit=True) as connection:
        connection.execute("select undistribute_table('sources')")

    _upgraded(tmp_path, cluster, _found)

    assert placed(cluster) == _EVERYWHERE


def test_a_new_database_is_distributed_once(cluster: str) -> None:
    assert [*REFERENCE, *DISTRIBUTED] == distribute_database(cluster)
    assert placed(cluster) == _EVERYWHERE
    assert [] == distribute_database(cluster)


def test_every_table_has_a_place(tmp_path: Path, database_server: str) -> None:
    """A migration that adds a table must say where it is on a cluster."""
    url = new_database(database_server)
    open_store(tmp_path, url).close()
    with psycopg.connect(url) as connection:
        rows = connection.execute("select tablename from pg_tables where schemaname = 'public'").fetchall()

    assert sorted((*DISTRIBUTED, *REFERENCE, *COORDINATOR)) == sorted(name for (name,) in rows)


def test_every_row_on_a_worker_has_an_identity(tmp_path: Path, database_server: str) -> None:
    """Without one Citus cannot move a shard while rows of it are changed."""
    url = new_database(database_server)
    open_store(tmp_path, url).close()
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and ("
            "relreplident = 'f' or relreplident = 'd' and exists ("
            "select from pg_index where indrelid = pg_class.oid and indisprimary))"
        ).fetchall()

    identified = {name for (name,) in rows}
    assert [] == [table for table in (*DISTRIBUTED, *REFERENCE) if table not in identified]


def test_the_database_takes_each_statement_of_a_migration_alone(database_server: str) -> None:
    """It is sent as a prepared statement, which must not hold two."""
    with psycopg.connect(new_database(database_server)) as connection:
        sent = [statement for migration in all_migrations() for statement in migration.statements]
        for statement in sent:
            connection.execute(statement.encode(), binary=True)

    assert len(sent) > 60


@pytest.mark.parametrize(
    ("text", "statements"),
    [
        ("", []),
        ("-- only; a comment\n", []),
        ("select 1", ["select 1"]),
        ("select 1;; select 2;", ["select 1", "select 2"]),
        ("-- first;\n/* second; */ select 1; -- third", ["select 1"]),
        ("select ';' -- not here;\n, 'it''s;';select 2", ["select ';' -- not here;\n, 'it''s;'", "select 2"]),
        ('select 1 as "a;b"; select 2', ['select 1 as "a;b"', "select 2"]),
        ("do $$ begin; end; $$; select 2", ["do $$ begin; end; $$", "select 2"]),
        ("do $a$ $$; $$ $a$; select $1 - 2", ["do $a$ $$; $$ $a$", "select $1 - 2"]),
    ],
)
def test_a_text_is_split_into_statements(text: str, statements: list[str]) -> None:
    assert statements == list(statements_of(text))
