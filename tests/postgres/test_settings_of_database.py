"""A database that cannot be used stops `serve` with a reason, and never prints the password."""

from pathlib import Path

import psycopg
import pytest

from cli.program import Ending, mergecast
from logged_secrets import remember
from postgres.server import new_database

_TOKEN = remember("an-admin-token-of-more-than-32-characters")
_SECRET = remember("hunter2-hunter2-hunter2")


def _serve(url: str, tmp_path: Path, token: str = _TOKEN) -> Ending:
    return mergecast(
        "serve",
        data=tmp_path / "data",
        MERGECAST_DATABASE_URL=url,
        MERGECAST_ADMIN_TOKEN=token,
        MERGECAST_PORT="0",
    )


def test_not_a_url(tmp_path: Path) -> None:
    ended = _serve(f"mysql://root:{_SECRET}@127.0.0.1/x", tmp_path)

    expected = "mergecast: MERGECAST_DATABASE_URL: must look like postgresql://user:password@host:5432/name\n"
    assert (2, expected) == (ended.code, ended.err)


def test_no_admin_token(tmp_path: Path, database_server: str) -> None:
    ended = _serve(database_server, tmp_path, token="")

    assert 2 == ended.code
    assert "MERGECAST_ADMIN_TOKEN" in ended.err


def test_nothing_listens(tmp_path: Path) -> None:
    ended = _serve(f"postgresql://tester:{_SECRET}@127.0.0.1:1/x", tmp_path)

    expected = "mergecast: the database cannot be reached; is it running, and are host and port right?\n"
    assert (3, expected) == (ended.code, ended.err)


def test_the_database_does_not_exist(tmp_path: Path, database_server: str) -> None:
    ended = _serve(database_server.replace("/postgres", "/nowhere"), tmp_path)

    expected = "mergecast: MERGECAST_DATABASE_URL: the database does not exist; create it with `createdb`\n"
    assert (2, expected) == (ended.code, ended.err)


def test_the_user_is_unknown(tmp_path: Path, database_server: str) -> None:
    ended = _serve(database_server.replace("tester@", f"stranger:{_SECRET}@"), tmp_path)

    expected = "mergecast: MERGECAST_DATABASE_URL: the database does not accept this user and password\n"
    assert (2, expected) == (ended.code, ended.err)


def test_no_right_to_create_tables(tmp_path: Path, database_server: str) -> None:
    url = new_database(database_server)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("drop role if exists reader")
        connection.execute("create role reader login")

    ended = _serve(url.replace("tester@", "reader@"), tmp_path)

    assert 2 == ended.code
    assert "this user may not create tables" in ended.err


def test_a_newer_schema_is_refused(tmp_path: Path, database_server: str) -> None:
    url = new_database(database_server)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("create table schema_migrations (number integer, oldest_program integer)")
        connection.execute("insert into schema_migrations values (999, 999)")

    ended = _serve(url, tmp_path)

    assert 1 == ended.code
    assert "update mergecast" in ended.err


@pytest.mark.parametrize("command", [["repos"], ["stats", "acme/widgets", "queue_size"]])
def test_commands_open_the_database_themselves(
    command: list[str], tmp_path: Path, database_server: str
) -> None:
    """Without a server and without a data folder."""
    ended = mergecast(*command, data=tmp_path / "data", MERGECAST_DATABASE_URL=new_database(database_server))

    assert ended.code in (0, 1), ended.err
    assert "internal error" not in ended.err
    assert not (tmp_path / "data" / "mergecast.duckdb").exists()


def test_distributing_plain_postgresql_is_refused(tmp_path: Path, database_server: str) -> None:
    ended = mergecast(
        "database", "distribute", data=tmp_path / "data", MERGECAST_DATABASE_URL=new_database(database_server)
    )

    assert 2 == ended.code
    assert ended.err.startswith("mergecast: this database has no Citus")
