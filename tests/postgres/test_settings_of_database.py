"""A database that cannot be used stops `serve` with a reason, and never prints the password."""

import os
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from logged_secrets import remember
from postgres.server import new_database

_TOKEN = remember("an-admin-token-of-more-than-32-characters")
_SECRET = remember("hunter2-hunter2-hunter2")


def _serve(url: str, tmp_path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    variables = {
        "PATH": os.environ["PATH"],
        "MERGECAST_DATABASE_URL": url,
        "MERGECAST_ADMIN_TOKEN": _TOKEN,
        "MERGECAST_PORT": "0",
        **environment,
    }
    return subprocess.run(
        [sys.executable, "-m", "mergecast", "serve"],
        env=variables, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


def test_not_a_url(tmp_path: Path) -> None:
    ended = _serve(f"mysql://root:{_SECRET}@127.0.0.1/x", tmp_path)

    expected = "mergecast: MERGECAST_DATABASE_URL: must look like postgresql://user:password@host:5432/name\n"
    assert (2, expected) == (ended.returncode, ended.stderr)


def test_no_admin_token(tmp_path: Path, database_server: str) -> None:
    ended = _serve(database_server, tmp_path, MERGECAST_ADMIN_TOKEN="")

    assert 2 == ended.returncode
    assert "MERGECAST_ADMIN_TOKEN" in ended.stderr


def test_nothing_listens(tmp_path: Path) -> None:
    ended = _serve(f"postgresql://tester:{_SECRET}@127.0.0.1:1/x", tmp_path)

    expected = "mergecast: the database cannot be reached; is it running, and are host and port right?\n"
    assert (3, expected) == (ended.returncode, ended.stderr)


def test_the_database_does_not_exist(tmp_path: Path, database_server: str) -> None:
    ended = _serve(database_server.replace("/postgres", "/nowhere"), tmp_path)

    expected = "mergecast: MERGECAST_DATABASE_URL: the database does not exist; create it with `createdb`\n"
    assert (2, expected) == (ended.returncode, ended.stderr)


def test_the_user_is_unknown(tmp_path: Path, database_server: str) -> None:
    ended = _serve(database_server.replace("tester@", f"stranger:{_SECRET}@"), tmp_path)

    expected = "mergecast: MERGECAST_DATABASE_URL: the database does not accept this user and password\n"
    assert (2, expected) == (ended.returncode, ended.stderr)


def test_no_right_to_create_tables(tmp_path: Path, database_server: str) -> None:
    url = new_database(database_server)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("drop role if exists reader")
        connection.execute("create role reader login")

    ended = _serve(url.replace("tester@", "reader@"), tmp_path)

    assert 2 == ended.returncode
    assert "this user may not create tables" in ended.stderr


def test_a_newer_schema_is_refused(tmp_path: Path, database_server: str) -> None:
    url = new_database(database_server)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("create table schema_migrations (number integer, oldest_program integer)")
        connection.execute("insert into schema_migrations values (999, 999)")

    ended = _serve(url, tmp_path)

    assert 1 == ended.returncode
    assert "update mergecast" in ended.stderr


@pytest.mark.parametrize("command", [["repos"], ["stats", "acme/widgets", "queue_size"]])
def test_commands_open_the_database_themselves(
    command: list[str], tmp_path: Path, database_server: str
) -> None:
    """Without a server and without a data folder."""
    variables = {"PATH": os.environ["PATH"], "MERGECAST_DATABASE_URL": new_database(database_server)}
    ended = subprocess.run(
        [sys.executable, "-m", "mergecast", *command],
        env=variables, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip

    assert ended.returncode in (0, 1), ended.stderr
    assert "internal error" not in ended.stderr
    assert not (tmp_path / "data" / "mergecast.duckdb").exists()


def test_distributing_plain_postgresql_is_refused(tmp_path: Path, database_server: str) -> None:
    variables = {"PATH": os.environ["PATH"], "MERGECAST_DATABASE_URL": new_database(database_server)}
    ended = subprocess.run(
        [sys.executable, "-m", "mergecast", "database", "distribute"],
        env=variables, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip

    assert 2 == ended.returncode
    assert ended.stderr.startswith("mergecast: this database has no Citus")
