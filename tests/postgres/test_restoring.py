"""The documented ways to restore a dump, with the real `pg_dump` and `pg_restore`."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from builders import worked_example
from cli.program import mergecast
from live_server import live_server
from postgres.citus import empty_cluster, imitated_cluster, placed
from postgres.server import BINARIES, new_database

_TOKEN = "an-admin-token-of-more-than-32-characters"


def _run(program: str, *arguments: str | Path) -> None:
    done = subprocess.run([BINARIES / program, *arguments], capture_output=True, text=True, check=False)
    assert (0, "") == (done.returncode, done.stderr)


def _answers(folder: Path, url: str) -> Sequence[str]:
    with live_server(folder, database_url=url) as live:
        paths = ("/v1/repos", "/v1/repos/acme/widgets/events", "/v1/keys")
        return [live.http.get(path).raise_for_status().text for path in paths]


@pytest.fixture
def dump(tmp_path: Path, database_server: str) -> tuple[Path, Sequence[str]]:
    """A dump of a database with events and a key, and what a server on that database answers."""
    url = new_database(database_server)
    with live_server(tmp_path / "first", database_url=url) as live:
        live.send(worked_example()).raise_for_status()
        live.key()
    file = tmp_path / "mergecast.dump"
    _run("pg_dump", "--format=custom", "--table=public.*", f"--file={file}", url)
    return file, _answers(tmp_path / "again", url)


def test_into_an_empty_database(
    dump: tuple[Path, Sequence[str]], tmp_path: Path, database_server: str
) -> None:
    file, answers = dump
    url = new_database(database_server)

    _run("pg_restore", "--no-owner", f"--dbname={url}", file)

    assert answers == _answers(tmp_path / "restored", url)


@pytest.mark.parametrize("kind", ["imitated", "citus"])
def test_into_a_cluster(
    dump: tuple[Path, Sequence[str]], kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Its tables first, which are distributed while they are empty, then its rows."""
    file, answers = dump
    url = empty_cluster() if kind == "citus" else imitated_cluster(request.getfixturevalue("database_server"))
    arguments = ("--no-owner", "--no-privileges", f"--dbname={url}", file)

    _run("pg_restore", "--schema-only", *arguments)
    ended = mergecast("store", "distribute", data=tmp_path / "data", MERGECAST_DATABASE_URL=url)
    assert (0, "") == (ended.code, ended.err)
    assert "distributed events\n" in ended.out
    _run("pg_restore", "--data-only", *arguments)

    assert answers == _answers(tmp_path / "restored", url)
    assert "h" == placed(url)["events"]


def test_a_server_on_tables_without_rows(
    dump: tuple[Path, Sequence[str]], tmp_path: Path, database_server: str
) -> None:
    """Only the first half of a restore was done."""
    file, _ = dump
    url = new_database(database_server)
    _run("pg_restore", "--schema-only", "--no-owner", f"--dbname={url}", file)

    ended = mergecast(
        "serve", data=tmp_path / "data", MERGECAST_DATABASE_URL=url, MERGECAST_ADMIN_TOKEN=_TOKEN
    )

    expected = (
        "mergecast: the database has the tables of mergecast, but `schema_migrations` is empty: "
        "a dump was restored without its data; restore that too (`pg_restore --data-only`)\n"
    )
    assert (2, expected) == (ended.code, ended.err)
