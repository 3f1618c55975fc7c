"""Looks at a store that no process has open, and changes nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from mergecast.queues.store.duckdb.check_files import check_files, explain_unreadable
from mergecast.queues.store.duckdb.migrate import last_migration
from mergecast.queues.store.errors import StoreInUse
from mergecast.queues.store.inspection import COUNT_ALL, Inspection
from mergecast.queues.store.migrations import Plan, migrations, plan_migrations, too_new

_KNOWN = migrations("duckdb")
_NEWEST = _KNOWN[-1].number


def inspect_file(path: Path) -> Inspection | None:
    """None if there is no store; raises an error that says why it cannot be used."""
    files = check_files(path)
    if not path.exists():
        return None
    with opened_for_reading(path) as connection:
        schema, repositories, events = _read(connection)
    return Inspection(
        f"DuckDB {duckdb.__version__}",
        schema,
        _NEWEST,
        repositories=repositories,
        events=events,
        last_change_at=None if files.acknowledged is None else files.acknowledged.at,
    )


@contextmanager
def opened_for_reading(path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Opened like this, DuckDB changes no file."""
    try:
        with duckdb.connect(str(path), read_only=True) as connection:
            yield connection
    except duckdb.Error as error:
        if "Could not set lock" in str(error):
            raise StoreInUse(f"the store {path} is in use by another process") from error
        raise explain_unreadable(path, error) from error


def _schema(connection: duckdb.DuckDBPyConnection) -> int:
    """The last migration; raises an error if this program does not know it."""
    try:
        schema, program = last_migration(connection)
    except duckdb.CatalogException:  # a server was stopped before it had created the tables
        return 0
    if schema > _NEWEST:
        raise too_new("the store", schema, program, _NEWEST)
    return schema


def _read(connection: duckdb.DuckDBPyConnection) -> tuple[int, int, int]:
    """The last migration, and how many repositories and events there are."""
    schema = _schema(connection)
    try:
        ((repositories, events),) = connection.execute(COUNT_ALL).fetchall()
    except duckdb.CatalogException:  # as above
        return 0, 0, 0
    return schema, repositories, events


def plan_file(path: Path) -> Plan:
    """What the next start would do to the store."""
    if not path.exists():
        return Plan(0, _NEWEST, (), is_estimate=False)
    with opened_for_reading(path) as connection:
        schema = _schema(connection)
        missing = [migration for migration in _KNOWN if migration.number > schema] if schema else []
        planned = plan_migrations(missing, lambda table: _count(connection, table), writes_new_columns=True)
        return Plan(schema, _NEWEST, tuple(planned), is_estimate=False)


def _count(connection: duckdb.DuckDBPyConnection, table: str) -> int:
    """The rows in the tail and in all buckets."""
    schemas = connection.execute("select schema_name from duckdb_tables() where table_name = $1", [table])
    return sum(
        connection.execute(f'select count(*) from "{schema}"."{table}"').fetchall()[0][0]  # noqa: S608
        for (schema,) in schemas.fetchall()
    )
