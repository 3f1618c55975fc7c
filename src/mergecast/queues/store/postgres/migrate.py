"""Migrates the database, one server at a time: others wait for the lock. New tables are distributed.

Each table of a Citus cluster is on the workers by repository, everywhere, or on the coordinator. What belongs
to no repository is on the coordinator alone, so that a worker which is down affects nothing but its own
repositories: finding a repository, checking a key and signing in depend on no worker. If every machine had a
copy of these tables, each change of them would need all machines.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from mergecast import __version__
from mergecast.queues.store.errors import UnusableDatabase
from mergecast.queues.store.migrations import MIGRATIONS, Migration, statements_of, title, too_new, too_old
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
    """Whether `mergecast store distribute` was run on this database."""
    return has_citus(connection) and DISTRIBUTED[0] in placed(connection)


def spread(connection: Connection) -> None:
    """Move tables to the workers that are not there yet."""
    for step in _spreading():
        _take(connection, step)


def _spreading() -> Iterator[Step]:
    for table in REFERENCE:
        yield Step(table, "select create_reference_table($1)", (table,))
    first, *others = DISTRIBUTED
    yield Step(first, _DISTRIBUTE, (first,))
    for table in others:
        yield Step(table, _DISTRIBUTE_WITH, (table, first))


def _take(connection: Connection, step: Step) -> None:
    """Take one step in one transaction, unless another server has.

    All steps in one transaction would need more locks than a server has room for by default.
    """
    with alone(connection):
        ((exists,),) = connection.execute("select to_regclass($1) is not null", [step.table]).fetchall()
        if exists and step.table not in placed(connection):
            with named_statement(f"moving the table {step.table} to its place in the cluster"):
                connection.execute(step.statement, step.parameters)


def placed(connection: Connection) -> set[str]:
    """The tables that Citus knows: distributed, or copied to every machine."""
    rows = connection.execute("select logicalrelid::regclass::text from pg_dist_partition").fetchall()
    return {name for (name,) in rows}


# What this program knows. A database whose migrations ask for more is not written.
PROGRAM = MIGRATIONS[-1].number
# Databases from this migration on have the tables of the first one in the list.
_FIRST = 22


def migrate(connection: Connection, opening: Opening, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Bring the database to this program's schema; one that is newer, or too old, is refused.

    Then every table is where it belongs, even if an earlier start stopped before it moved some.
    """
    if _is_schema_without_rows(connection):
        raise UnusableDatabase(
            "the database has the tables of mergecast, but `schema_migrations` is empty: "
            "a dump was restored without its data; restore that too (`pg_restore --data-only`)"
        )
    is_spread = is_distributed(connection)
    opening.begin("waiting for another server to migrate the database")
    with alone(connection):
        opening.begin("opening the database")
        last = schema_of(connection, migrations)
        done = max(last, migrations[0].number) if last else 0
        missing = [migration for migration in migrations if migration.number > done]
        if is_spread and missing:
            # One connection to each worker, which sees what the statements before have done.
            connection.execute("set local citus.multi_shard_modify_mode = 'sequential'")
        for migration in opening.each_migration(missing, last):
            _run(connection, migration)
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


def schema_of(connection: Connection, migrations: Sequence[Migration] = MIGRATIONS) -> int:
    """The last migration of the database, 0 if it has none; a database that cannot be migrated is refused."""
    ((has_list,),) = connection.execute("select to_regclass('schema_migrations') is not null").fetchall()
    if not has_list:
        return 0
    ((last,),) = connection.execute("select coalesce(max(number), 0) from schema_migrations").fetchall()
    if last > migrations[-1].number:
        ((program,),) = connection.execute(
            "select program from schema_migrations where number = $1", [last]
        ).fetchall()
        raise too_new("the database", last, program, migrations[-1].number)
    if 0 < last < _FIRST:
        raise too_old("the database", last, _FIRST)
    return int(last)


def _run(connection: Connection, migration: Migration) -> None:
    for statement in statements_of(migration.postgres):
        with named_statement(f"schema {migration.number} (`{title(statement)}`)"):
            connection.execute(statement)
    with named_statement(f"schema {migration.number}"):
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
