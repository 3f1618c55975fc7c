"""A database that cannot be used stops `serve` with a reason, and never prints the password."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from cli.patient_doctor import patient_doctor
from cli.program import Ending, mergecast
from logged_secrets import remember
from mergecast import __version__
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.postgres.migrate import PROGRAM
from postgres.server import database_process, new_database, new_store
from waiting import wait_for

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


def _wait_for(connection: psycopg.Connection, question: str) -> None:
    wait_for([(True,)], lambda: connection.execute(question.encode()).fetchall())


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

    expected = (
        'mergecast: the database cannot be reached: connection to server at "127.0.0.1", port 1 failed: '
        "Connection refused; is it running, and are host and port right?\n"
    )
    assert (3, expected) == (ended.code, ended.err)


@pytest.mark.parametrize("password", ["hun@ter2", "123/hunter2", "123?hunter2", "123#hunter2"])
def test_a_password_that_is_not_escaped_is_not_taken_for_a_host(password: str, tmp_path: Path) -> None:
    """The driver would name the host, or the port, in its error."""
    ended = _serve(f"postgresql://tester:{password}@127.0.0.1:1/x", tmp_path)

    expected = (
        "mergecast: MERGECAST_DATABASE_URL is not a valid URL; it looks like "
        "postgresql://user:password@host:5432/name, with special characters of the password written as %40 "
        "and so on\n"
    )
    assert (2, expected) == (ended.code, ended.err)


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

    expected = (
        "mergecast: MERGECAST_DATABASE_URL: this user may not create or change tables; run `grant create, "
        "usage on schema public to` the user, or connect as the owner of the tables "
        "(schema 25 (`create table schema_migrations`): permission denied for schema public)\n"
    )
    assert (2, expected) == (ended.code, ended.err)


def test_a_wrong_password_and_a_refused_address(tmp_path: Path) -> None:
    with database_process() as server:
        with psycopg.connect(server.address, autocommit=True) as connection:
            connection.execute("create role careful login password 'correct'")
            connection.execute("create role far login")
            row = connection.execute("show hba_file").fetchone()
            assert row is not None
            rules = Path(row[0])
            added = "host all careful all scram-sha-256\nhost all far all reject\n"
            rules.write_text(added + rules.read_text(encoding="utf-8"), encoding="utf-8")
            connection.execute("select pg_reload_conf()")
            _wait_for(
                connection, "select count(*) = 2 from pg_hba_file_rules where user_name && '{careful,far}'"
            )
        url = server.address.replace("tester@", f"careful:{_SECRET}@")
        wrong = _serve(url, tmp_path)
        examined = patient_doctor(
            tmp_path, MERGECAST_DATABASE_URL=url, MERGECAST_PORT="0", MERGECAST_GITHUB_URL=""
        )
        far = _serve(server.address.replace("tester@", f"far:{_SECRET}@"), tmp_path)

    expected = "mergecast: MERGECAST_DATABASE_URL: the database does not accept this user and password\n"
    assert (2, expected) == (wrong.code, wrong.err)
    line = next(line for line in examined.out.splitlines() if line.startswith("error "))
    assert expected.removeprefix("mergecast: ").strip() == line.removeprefix("error    database      ")
    assert _SECRET not in examined.out
    expected = (
        "mergecast: MERGECAST_DATABASE_URL: the database refuses this connection: pg_hba.conf rejects "
        'connection for host "127.0.0.1", user "far", database "postgres", no encryption\n'
    )
    assert (2, expected) == (far.code, far.err)


def test_a_read_only_database(tmp_path: Path, database_server: str) -> None:
    url = new_database(database_server)
    with psycopg.connect(url, autocommit=True) as connection:
        name = connection.info.dbname
        connection.execute(f"alter database {name} set default_transaction_read_only = on".encode())

    ended = _serve(url, tmp_path)

    expected = (
        "mergecast: MERGECAST_DATABASE_URL: the database accepts no changes: it is a replica, or its "
        "transactions are read-only (schema 25 (`create table schema_migrations`): cannot execute CREATE "
        "TABLE in a read-only transaction)\n"
    )
    assert (2, expected) == (ended.code, ended.err)


def test_tables_of_another_program(tmp_path: Path, database_server: str) -> None:
    """The message names the statement, and says what the database says."""
    url = new_database(database_server)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("create table events (at timestamptz)")

    ended = _serve(url, tmp_path)

    expected = 'mergecast: schema 25 (`create table events`) failed: relation "events" already exists\n'
    assert (1, expected) == (ended.code, ended.err)


def test_a_migration_waits_as_long_as_it_needs(tmp_path: Path, database_server: str) -> None:
    """The time limit that an operator sets for statements is for requests."""
    url = new_database(database_server)
    with (
        psycopg.connect(url, autocommit=True) as connection,
        psycopg.connect(database_server, autocommit=True) as watching,
        ThreadPoolExecutor(1) as thread,
    ):
        name = connection.info.dbname
        connection.execute(f"alter database {name} set statement_timeout = '1s'".encode())
        connection.execute("begin")
        connection.execute("create table groups (until integer)")
        opened = thread.submit(open_store, tmp_path, url)
        _wait_for(
            watching,
            "select count(*) = 1 from pg_locks join pg_stat_activity using (pid) "
            "where not granted and clock_timestamp() - query_start > interval '2 seconds'",
        )
        connection.execute("rollback")
        opened.result().close()
        done = connection.execute("select max(number) from schema_migrations").fetchall()

    assert [(PROGRAM,)] == done


def test_a_database_of_a_newer_version_is_refused(tmp_path: Path, database_server: str) -> None:
    """Both versions are named."""
    url = new_store(database_server)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("insert into schema_migrations values (999, 999, '7.2.1')")

    ended = _serve(url, tmp_path)

    expected = (
        "mergecast: the database was last migrated by mergecast 7.2.1, to schema 999; this is mergecast "
        f"{__version__}, which knows schemas up to {PROGRAM}: install mergecast 7.2.1 or a newer version, "
        "or restore a backup made before the upgrade\n"
    )
    assert (1, expected) == (ended.code, ended.err)


@pytest.mark.parametrize("command", [["store", "repos"], ["stats", "acme/widgets", "queue_size"]])
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
        "store",
        "database",
        "distribute",
        data=tmp_path / "data",
        MERGECAST_DATABASE_URL=new_database(database_server),
    )

    assert 2 == ended.code
    assert ended.err.startswith("mergecast: this database has no Citus")
