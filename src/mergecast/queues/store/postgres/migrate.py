"""Migrations, one server at a time: others wait for the lock. A migration distributes what it adds.

Each table of a Citus cluster is on the workers by repository, everywhere, or on the coordinator. What belongs
to no repository is on the coordinator alone, so that a worker which is down affects nothing but its own
repositories: finding a repository, checking a key and signing in depend on no worker. If every machine had a
copy of these tables, each change of them would need all machines.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from mergecast import __version__
from mergecast.queues.store.errors import UnusableDatabase
from mergecast.queues.store.migrations import UNRECORDED, migrations, statements_of, title, too_new
from mergecast.queues.store.postgres.connections import Connection, first_connection
from mergecast.queues.store.postgres.errors import named_statement
from mergecast.queues.store.progress import Opening
from mergecast.queues.store.rows import TABLES

_LOCK = 7_300_146_571  # any number, as long as no other program uses it
# The first one decides which rows are on the same machine.
DISTRIBUTED = ("repository_state", *TABLES.values())
# Read together with rows of repositories, and written by migrations only.
REFERENCE = ("schema_migrations",)
COORDINATOR = (
    *("repositories", "application_keys", "key_state", "sessions", "leases", "channels", "notices"),
    *("audit_lines", "added_sources", "github_apps"),
)

_DISTRIBUTE = "select create_distributed_table($1, 'repository_id')"
_DISTRIBUTE_WITH = "select create_distributed_table($1, 'repository_id', colocate_with => $2)"


class Step(NamedTuple):
    """What moves a table to its place."""

    table: str
    statement: str
    parameters: tuple[str, ...]


@contextmanager
def alone(connection: Connection) -> Iterator[None]:
    """A transaction that waits until other servers have ended theirs, without a time limit."""
    with connection.transaction():
        connection.execute("set local statement_timeout = 0")
        connection.execute("select pg_advisory_xact_lock($1)", [_LOCK])
        yield


def has_citus(connection: Connection) -> bool:
    return bool(connection.execute("select 1 from pg_extension where extname = 'citus'").fetchall())


def is_distributed(connection: Connection) -> bool:
    """Whether `mergecast store database distribute` was run on this database."""
    return has_citus(connection) and DISTRIBUTED[0] in placed(connection)


def bring_to_coordinator(connection: Connection) -> None:
    """Move tables to the coordinator that an older version copied to every machine."""
    for table in COORDINATOR:
        _take(connection, Step(table, "select undistribute_table($1)", (table,)), when_placed=True)


def spread(connection: Connection) -> None:
    """Move tables to the workers that are not there yet."""
    for step in _spreading():
        _take(connection, step, when_placed=False)


def _spreading() -> Iterator[Step]:
    for table in REFERENCE:
        yield Step(table, "select create_reference_table($1)", (table,))
    first, *others = DISTRIBUTED
    yield Step(first, _DISTRIBUTE, (first,))
    for table in others:
        yield Step(table, _DISTRIBUTE_WITH, (table, first))


def _take(connection: Connection, step: Step, *, when_placed: bool) -> None:
    """Take one step in one transaction, unless another server has.

    All steps in one transaction would need more locks than a server has room for by default.
    """
    with alone(connection):
        ((exists,),) = connection.execute("select to_regclass($1) is not null", [step.table]).fetchall()
        if exists and (step.table in placed(connection)) is when_placed:
            with named_statement(f"moving the table {step.table} to its place in the cluster"):
                connection.execute(step.statement, step.parameters)


def placed(connection: Connection) -> set[str]:
    """The tables that Citus knows: distributed, or copied to every machine."""
    rows = connection.execute("select logicalrelid::regclass::text from pg_dist_partition").fetchall()
    return {name for (name,) in rows}


_OLDEST = re.compile(r"-- oldest program: ([0-9]+)$", re.MULTILINE)


class Migration(NamedTuple):
    number: int
    name: str
    statements: tuple[str, ...]
    oldest_program: int  # the last migration that a program must know to write beside this one


def all_migrations() -> list[Migration]:
    return [
        Migration(number, name, tuple(statements_of(text)), _oldest(number, text))
        for number, name, text in migrations("postgres")
    ]


def _oldest(number: int, text: str) -> int:
    found = _OLDEST.search(text)
    if found is None:
        raise ValueError(f"migration {number} does not name the oldest program that may write beside it")
    return int(found[1])


# What this program knows. A database whose migrations ask for more is not written.
PROGRAM = all_migrations()[-1].number


def migrate(connection: Connection, opening: Opening) -> None:
    """Bring the database to this program's schema; a newer one is refused.

    Then every table is where it belongs, even if an earlier migration stopped before it moved some.
    """
    if _is_schema_without_rows(connection):
        raise UnusableDatabase(
            "the database has the tables of mergecast, but `schema_migrations` is empty: "
            "a dump was restored without its data; restore that too (`pg_restore --data-only`)"
        )
    is_spread = is_distributed(connection)
    if is_spread:
        bring_to_coordinator(connection)
    _run_missing(connection, opening, is_spread=is_spread)
    if is_spread:
        spread(connection)


def _is_schema_without_rows(connection: Connection) -> bool:
    """Whether the tables were restored from a dump, but not yet their rows."""
    ((has_tables, has_list),) = connection.execute(
        "select to_regclass('repositories') is not null, to_regclass('schema_migrations') is not null"
    ).fetchall()
    if not has_tables or not has_list:
        return False
    return not connection.execute("select 1 from schema_migrations limit 1").fetchall()


def _run_missing(connection: Connection, opening: Opening, *, is_spread: bool) -> None:
    """Run the migrations that the database does not have, in one transaction."""
    opening.begin("waiting for another server to migrate the database")
    with alone(connection):
        opening.begin("opening the database")
        with named_statement("creating the table schema_migrations"):
            connection.execute(
                "create table if not exists schema_migrations "
                "(number integer primary key, oldest_program integer not null, "
                f"program text not null default '{UNRECORDED}')"
            )
        names_programs = _names_programs(connection)
        done = applied(connection)
        if done and max(done) > PROGRAM:
            raise too_new("the database", max(done), done[max(done)], PROGRAM)
        missing = [migration for migration in all_migrations() if migration.number not in done]
        if is_spread and (missing or not names_programs):
            # One connection to each worker, which sees what the statements before have done.
            connection.execute("set local citus.multi_shard_modify_mode = 'sequential'")
        if not names_programs:
            _name_programs(connection)
        for migration in opening.each_migration(missing, max(done, default=0)):
            _run(connection, migration)


def _names_programs(connection: Connection) -> bool:
    """Whether the list of migrations says which version applied each of them."""
    rows = connection.execute(
        "select 1 from pg_attribute where attrelid = 'schema_migrations'::regclass and attname = 'program'"
    )
    return bool(rows.fetchall())


def applied(connection: Connection) -> dict[int, str | None]:
    """The migrations of the database, each with the version that applied it, if that is recorded."""
    program = "program" if _names_programs(connection) else "null"
    return dict(connection.execute(f"select number, {program} from schema_migrations").fetchall())  # noqa: S608


def _name_programs(connection: Connection) -> None:
    with named_statement("adding a column to the table schema_migrations"):
        connection.execute(
            f"alter table schema_migrations add column program text not null default '{UNRECORDED}'"
        )


def _run(connection: Connection, migration: Migration) -> None:
    for statement in migration.statements:
        with named_statement(f"migration {migration.number} (`{title(statement)}`)"):
            connection.execute(statement)
    with named_statement(f"migration {migration.number}"):
        connection.execute(
            "insert into schema_migrations (number, oldest_program, program) values ($1, $2, $3)",
            [migration.number, migration.oldest_program, __version__],
        )


def distribute(url: str) -> list[str]:
    """Distribute every table by `repository_id`; returns the tables that were moved, none when run again.

    Tables that were restored without their rows are distributed as they are: their migrations are among the
    rows, and the next server that starts runs those that are missing.
    """
    with first_connection(url) as connection:
        if not has_citus(connection):
            raise UnusableDatabase(
                "this database has no Citus: run `create extension citus` on a Citus cluster, "
                "or use it as a plain PostgreSQL database, which needs no distribution"
            )
        before = placed(connection)
        if not _is_schema_without_rows(connection):
            migrate(connection, Opening())
        spread(connection)
        after = placed(connection)
        return [table for table in (*REFERENCE, *DISTRIBUTED) if table in after and table not in before]
