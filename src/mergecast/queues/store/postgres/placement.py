"""Where each table of a Citus cluster is: on the workers by repository, everywhere, or on the coordinator.

What belongs to no repository is on the coordinator alone, so that a worker which is down affects nothing but
its own repositories: finding a repository, checking a key and signing in depend on no worker. If every
machine had a copy of these tables, each change of them would need all machines.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from mergecast.queues.store.postgres.connections import Connection
from mergecast.queues.store.postgres.errors import named_statement
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
