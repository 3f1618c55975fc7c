"""Looks at a store that no process has open, and changes nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from mergecast.queues.store.duckdb.check_files import check_files
from mergecast.queues.store.duckdb.lost_changes import explain_unreadable
from mergecast.queues.store.duckdb.migrate import last_migration
from mergecast.queues.store.errors import StoreInUse
from mergecast.queues.store.inspection import Inspection
from mergecast.queues.store.program_versions import too_new
from mergecast.queues.store.sql_files import migrations

_KNOWN = migrations("duckdb")[-1].number


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
        _KNOWN,
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


def _read(connection: duckdb.DuckDBPyConnection) -> tuple[int, int, int]:
    """The last migration, and how many repositories and events there are."""
    try:
        schema, program = last_migration(connection)
        if schema > _KNOWN:
            raise too_new("the store", schema, program, _KNOWN)
        ((repositories, events),) = connection.execute(
            "select count(*), coalesce(sum(events), 0)::bigint from repository_state"
        ).fetchall()
    except duckdb.CatalogException:  # a server was stopped before it had created the tables
        return 0, 0, 0
    return schema, repositories, events
