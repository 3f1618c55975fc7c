"""`mergecast doctor` with a database: reachable or not, its schema, its encoding and its workers."""

from pathlib import Path

import psycopg
import pytest

from cli.patient_doctor import patient_doctor
from logged_secrets import remember
from mergecast.queues.store.postgres.migrate import PROGRAM
from postgres.citus import imitated_cluster
from postgres.server import new_database, new_store

_SECRET = remember("hunter2-hunter2-hunter2")
# What the imitation of a cluster lacks: its list of machines, of which one does not answer.
_MACHINES = """
set allow_system_table_mods = on;
create table pg_catalog.pg_dist_node (
    groupid integer, nodename text, nodeport integer, noderole text, isactive boolean
);
insert into pg_dist_node values (0, 'coordinator', 5432, 'primary', true),
    (1, 'one', 5432, 'primary', true), (2, 'two', 5432, 'primary', true);
create function pg_catalog.citus_check_connection_to_node(name text, port integer) returns boolean
    language sql as $$ select name = 'one' $$;
"""


def _lines(url: str, folder: Path) -> tuple[int, list[str]]:
    ended = patient_doctor(
        folder,
        MERGECAST_DATABASE_URL=url,
        MERGECAST_PORT="0",
        MERGECAST_GITHUB_URL="",
        MERGECAST_WEBHOOK_SECRETS='[{"secret": "1234567890123456"}]',
    )
    assert _SECRET not in ended.out + ended.err
    lines = [" ".join(line.split()) for line in ended.out.splitlines()]
    return ended.code, [line for line in lines if line.split(" ")[1] in ("database", "clock")]


def test_a_database_that_is_fine(database_server: str, tmp_path: Path) -> None:
    code, lines = _lines(new_store(database_server), tmp_path)

    with psycopg.connect(database_server) as connection:
        version = connection.info.server_version
    software = f"PostgreSQL {version // 10000}.{version % 10000}"
    assert (0, 2) == (code, len(lines))
    assert [
        f"ok database {software}, schema {PROGRAM}, 0 repositories, 0 events",
        "ok clock agrees with the database",
    ] == lines


def test_a_database_without_tables(database_server: str, tmp_path: Path) -> None:
    """It stays without them."""
    url = new_database(database_server)
    code, (line, _) = _lines(url, tmp_path)

    assert 0 == code
    assert line.endswith(", no tables yet: `mergecast serve` creates them, 0 repositories, 0 events")
    with psycopg.connect(url) as connection:
        assert [] == connection.execute("select from pg_tables where schemaname = 'public'").fetchall()


def test_a_newer_schema(database_server: str, tmp_path: Path) -> None:
    url = new_store(database_server)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("insert into schema_migrations values (%s, 1, '9.8.7')", [PROGRAM + 1])

    code, (line, _) = _lines(url, tmp_path)

    assert 1 == code
    assert line.startswith(
        f"error database the database was last migrated by mergecast 9.8.7, to schema {PROGRAM + 1}; this is "
    )


def test_a_database_that_is_down(tmp_path: Path) -> None:
    code, (line, _) = _lines(f"postgresql://tester:{_SECRET}@127.0.0.1:1/x", tmp_path)

    assert 1 == code
    assert (
        'error database the database cannot be reached: connection to server at "127.0.0.1", port 1 failed: '
        "Connection refused; is it running, and are host and port right?"
    ) == line


def test_another_encoding(database_server: str, tmp_path: Path) -> None:
    name = "latin_of_doctor"
    with psycopg.connect(database_server, autocommit=True) as connection:
        connection.execute(f"drop database if exists {name}".encode())
        options = "encoding 'LATIN1' locale_provider libc locale 'C' template template0"
        connection.execute(f"create database {name} {options}".encode())

    code, lines = _lines(f"{database_server.removesuffix('/postgres')}/{name}", tmp_path)

    assert 1 == code
    assert (
        "error database its encoding is LATIN1, which cannot store all characters; create another with "
        "`createdb --encoding=UTF8 --template=template0`, and copy the data to it"
    ) == lines[1]


@pytest.mark.parametrize("is_up", [True, False])
def test_workers(is_up: bool, database_server: str, tmp_path: Path) -> None:  # noqa: FBT001 - a parameter of the test
    url = imitated_cluster(database_server)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(_MACHINES.encode())
        if is_up:
            connection.execute("delete from pg_dist_node where nodename = 'two'")

    code, (_, line, _) = _lines(url, tmp_path)

    if is_up:
        assert (0, "ok database all 1 Citus workers answer") == (code, line)
    else:
        assert 1 == code
        assert (
            "error database no answer from two:5432, of 2 Citus workers; the repositories there cannot be "
            "read or changed; start these workers, or see what they log"
        ) == line
