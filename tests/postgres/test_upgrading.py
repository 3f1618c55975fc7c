"""Databases of earlier versions: one with all 22 migrations goes on working, an older one is refused."""

import json
import lzma
import subprocess
from collections.abc import Sequence
from pathlib import Path

import psycopg
import pytest

from builders import worked_example
from live_server import live_server
from mergecast import __version__
from mergecast.queues.model.instant import parse_instant
from mergecast.queues.store.errors import StatementFailed, StoreTooOld
from mergecast.queues.store.migrations import MIGRATIONS, Migration, statements_of
from mergecast.queues.store.opening import distribute_database, inspect_store, open_store
from mergecast.queues.store.postgres.connections import first_connection
from mergecast.queues.store.postgres.migrate import COORDINATOR, DISTRIBUTED, PROGRAM, REFERENCE, migrate
from mergecast.queues.store.progress import Opening
from postgres.citus import empty_cluster, imitated_cluster, placed
from postgres.server import BINARIES, new_database, new_store

pytestmark = pytest.mark.server

_EVERYWHERE = dict.fromkeys(DISTRIBUTED, "h") | dict.fromkeys(REFERENCE, "n")
# What version 0.1.0.dev24 left after 22 migrations, and what its statistics about it were.
_KEPT = Path(__file__).with_name("migrated_step_by_step.sql.xz")
_ANSWERS = Path(__file__).with_name("migrated_step_by_step.json.xz")
_NOW = parse_instant("2026-10-06T00:00:00Z")
_LATER = Migration(
    PROGRAM + 1, "colors", PROGRAM + 1, "", "alter table stays add column color text; select 1;"
)
_BROKEN = Migration(
    PROGRAM + 2, "broken", PROGRAM + 2, "", "create table more (a text);\ncreate table stays ()"
)


@pytest.fixture(params=["imitated", "citus"])
def cluster(request: pytest.FixtureRequest) -> str:
    """A database of a cluster without tables."""
    if request.param == "citus":
        return empty_cluster()
    return imitated_cluster(request.getfixturevalue("database_server"))


@pytest.fixture
def kept(database_server: str) -> str:
    url = new_database(database_server)
    command = [str(BINARIES / "psql"), "--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", url]
    subprocess.run(command, check=True, capture_output=True, input=lzma.decompress(_KEPT.read_bytes()))
    return url


def _schema(url: str) -> str:
    command = [str(BINARIES / "pg_dump"), "--schema-only", "--no-owner", "--restrict-key=mergecast", url]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _applied(url: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url) as connection:
        return connection.execute("select number, program from schema_migrations order by number").fetchall()


def _migrate(url: str, migrations: Sequence[Migration]) -> None:
    with first_connection(url) as connection:
        migrate(connection, Opening(), migrations)


def test_a_database_that_was_migrated_step_by_step_goes_on(
    kept: str, tmp_path: Path, database_server: str
) -> None:
    """It has the tables of the first migration in the list, so only those after that one are run."""
    before = _applied(kept)
    expected = json.loads(lzma.decompress(_ANSWERS.read_bytes()))
    with live_server(tmp_path, now=lambda: _NOW, database_url=kept) as server:
        answers = {path: server.http.get(path).json() for path in expected}
        sent = server.send(worked_example(), "acme/widgets")

    assert expected == answers
    assert {"stored": 12, "duplicates": 0} == sent.json()
    assert [number for number, _ in before] == list(range(1, 23))
    assert [*before, *((one.number, __version__) for one in MIGRATIONS[1:])] == _applied(kept)
    assert _schema(new_store(database_server)) == _schema(kept)


@pytest.mark.parametrize("names_programs", [False, True])
def test_an_older_database_is_refused(*, names_programs: bool, kept: str, tmp_path: Path) -> None:
    """Whether or not it names the programs that migrated it."""
    with psycopg.connect(kept, autocommit=True) as connection:
        connection.execute("delete from schema_migrations where number = 22")
        if not names_programs:
            connection.execute("alter table schema_migrations drop column program")
    before = _schema(kept)

    with pytest.raises(StoreTooOld) as opened:
        open_store(tmp_path, kept)
    with pytest.raises(StoreTooOld) as inspected:
        inspect_store(tmp_path, kept, seconds=30)

    expected = (
        f"the database has schema 21, and mergecast {__version__} reads schemas from 22 on: open it once "
        "with a program of schema 22, or import the history again into an empty one"
    )
    assert [expected] * 2 == [str(opened.value), str(inspected.value)]
    assert before == _schema(kept)


def test_later_migrations_run_once(kept: str, database_server: str) -> None:
    """On a database that was migrated step by step, and on a new one."""
    new = new_database(database_server)

    for url in (kept, new, kept, new):
        _migrate(url, [*MIGRATIONS, _LATER])

    assert (PROGRAM + 1, __version__) == _applied(kept)[-1]
    assert [(one.number, __version__) for one in [*MIGRATIONS, _LATER]] == _applied(new)
    assert "color text" in _schema(new)
    assert _schema(new) == _schema(kept)


def test_migrations_that_fail_change_nothing(kept: str) -> None:
    """Those before them in the same start are not kept either: it is one transaction."""
    before = _schema(kept), _applied(kept)

    with pytest.raises(StatementFailed) as raised:
        _migrate(kept, [*MIGRATIONS, _LATER, _BROKEN])

    number = _BROKEN.number
    expected = f'schema {number} (`create table stays ()`) failed: relation "stays" already exists'
    assert expected == str(raised.value)
    assert before == (_schema(kept), _applied(kept))


def test_a_new_database_is_distributed_once(cluster: str) -> None:
    assert [*REFERENCE, *DISTRIBUTED] == distribute_database(cluster)
    assert placed(cluster) == _EVERYWHERE
    assert [] == distribute_database(cluster)


def test_an_interrupted_distribution_is_completed(tmp_path: Path, cluster: str) -> None:
    """A server stopped before it moved every table to its place."""
    distribute_database(cluster)
    with psycopg.connect(cluster, autocommit=True) as connection:
        connection.execute("select undistribute_table('sources')")

    open_store(tmp_path, cluster).close()

    assert placed(cluster) == _EVERYWHERE


def test_a_distributed_database_is_migrated(cluster: str) -> None:
    distribute_database(cluster)

    _migrate(cluster, [*MIGRATIONS, _LATER])

    assert (PROGRAM + 1, __version__) == _applied(cluster)[-1]
    assert placed(cluster) == _EVERYWHERE


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
        sent = [statement for one in MIGRATIONS for statement in statements_of(one.postgres)]
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
