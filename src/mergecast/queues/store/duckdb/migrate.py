"""Brings a database file to this program's schema; a newer one is refused and not touched."""

import duckdb

from mergecast import __version__
from mergecast.queues.store.duckdb.buckets import change_buckets
from mergecast.queues.store.duckdb.statements import execute
from mergecast.queues.store.program_versions import UNRECORDED, too_new
from mergecast.queues.store.sql_files import migrations


def migrate(connection: duckdb.DuckDBPyConnection) -> None:
    """Apply the missing migrations, each in its own transaction, and remember which version did so."""
    execute(connection, "create table if not exists schema_migrations (number integer not null)")
    names_programs = _names_programs(connection)
    last, by = last_migration(connection)
    known = migrations("duckdb")
    if last > known[-1][0]:
        raise too_new("the store", last, by, known[-1][0])
    if not names_programs:
        connection.execute(f"alter table schema_migrations add column program text default '{UNRECORDED}'")
    for number, text in known:
        if number > last:
            connection.execute("begin")
            connection.execute(text)
            change_buckets(connection, number)
            connection.execute("insert into schema_migrations values ($1, $2)", [number, __version__])
            connection.execute("commit")


def last_migration(connection: duckdb.DuckDBPyConnection) -> tuple[int, str | None]:
    """Its number, and the version that applied it if that is recorded; 0 if there is none."""
    program = "program" if _names_programs(connection) else "null"
    # Read the result to its end: otherwise its transaction stays open, and no checkpoint can succeed.
    applied = execute(
        connection,
        f"select number, {program} from schema_migrations order by number desc limit 1",  # noqa: S608
    ).fetchall()
    return applied[0] if applied else (0, None)


def _names_programs(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether the list of migrations says which version applied each of them."""
    found = execute(
        connection,
        "select 1 from duckdb_columns() where schema_name = 'main' "
        "and table_name = 'schema_migrations' and column_name = 'program'",
    ).fetchall()
    return bool(found)
