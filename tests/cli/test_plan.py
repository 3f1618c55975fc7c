"""`mergecast store database plan` says what the next start would do to the schema, and changes nothing."""

from pathlib import Path
from typing import Any

import psycopg
import pytest

from cli.program import Ending, mergecast
from empty_store import copy_empty_store
from mergecast import __version__
from mergecast.process.data_folder import DataFolder
from mergecast.queues.store.migrations import migrations
from mergecast.queues.store.opening import FILE_NAME
from postgres.old_schemas import make_old
from postgres.server import new_database
from upgrade.dumps import restore_duckdb
from upgrade.make_stores import STORES

pytestmark = pytest.mark.server

_KNOWN = {store: migrations(store)[-1].number for store in ("duckdb", "postgres")}
_BACKUP = "There is no way back except a backup: make one first"


def _plan(folder: Path, **environment: Any) -> Ending:
    return mergecast("store", "database", "plan", data=folder, **environment)


def _lines(ended: Ending) -> list[str]:
    return [" ".join(line.split()) for line in ended.out.splitlines()]


def test_an_old_store(tmp_path: Path) -> None:
    """A new column is written for every row, so the number of rows says how long it takes."""
    restore_duckdb(STORES / "before-0.1.0" / "duckdb.sql", tmp_path / FILE_NAME)
    before = (tmp_path / FILE_NAME).read_bytes()

    ended = _plan(tmp_path)

    number, lines = _KNOWN["duckdb"], _lines(ended)
    assert (0, "") == (ended.code, ended.err)
    assert lines[0] == (
        f"the store in `{tmp_path}` has schema 15: the next start of mergecast {__version__} runs "
        f"{number - 15} migrations, to schema {number}"
    )
    assert lines[1:5] == [
        "number name tables that it rewrites",
        "16 translations threads (7 rows)",
        "17 retention repository_state (3 rows)",
        "18 ci blocks none",
    ]
    assert _BACKUP == lines[-1]
    assert before == (tmp_path / FILE_NAME).read_bytes()


def test_an_old_database(tmp_path: Path, database_server: str) -> None:
    """Estimates: what the database knows about the size of its tables."""
    url = new_database(database_server)
    make_old(url, 4)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("analyze stays")

    ended = _plan(tmp_path, MERGECAST_DATABASE_URL=url)

    number, lines = _KNOWN["postgres"], _lines(ended)
    assert lines[0] == (
        f"the database has schema 4: the next start of mergecast {__version__} runs "
        f"{number - 4} migrations, to schema {number}"
    )
    assert lines[2] == "5 plans stays (about 40 rows)"
    assert lines[3] == (
        "6 identities stays (about 40 rows), repository_state (about 1 row), repositories (about 1 row)"
    )
    assert lines[4] == "7 notices none"
    assert _BACKUP == lines[-1]
    with psycopg.connect(url) as connection:
        assert [(4,)] == connection.execute("select max(number) from schema_migrations").fetchall()


def test_a_store_of_this_version(tmp_path: Path) -> None:
    copy_empty_store(tmp_path)

    ended = _plan(tmp_path)

    expected = (
        f"the store in `{tmp_path}` has schema {_KNOWN['duckdb']}, like mergecast {__version__}: "
        "no migration would run\n"
    )
    assert (0, expected) == (ended.code, ended.out)


def test_no_store_yet(tmp_path: Path, database_server: str) -> None:
    for what, store, environment in (
        (f"the store in `{tmp_path}`", "duckdb", {}),
        ("the database", "postgres", {"MERGECAST_DATABASE_URL": new_database(database_server)}),
    ):
        ended = _plan(tmp_path, **environment)

        expected = f"{what} has no tables yet: the first start creates them, with schema {_KNOWN[store]}\n"
        assert (0, expected) == (ended.code, ended.out)
        assert [] == list(tmp_path.iterdir())


def test_a_store_that_is_in_use(tmp_path: Path) -> None:
    copy_empty_store(tmp_path)
    folder = DataFolder(tmp_path)
    assert folder.take()
    try:
        ended = _plan(tmp_path)
    finally:
        folder.release()

    expected = (
        f"mergecast: the store in `{tmp_path}` is in use by another process: stop it first, or look at "
        "a backup in a folder of its own\n"
    )
    assert (1, expected) == (ended.code, ended.err)
