"""Brings a database file to this program's schema; a newer one is refused and not touched."""

import duckdb

from mergecast import __version__
from mergecast.queues.store.duckdb.buckets import change_buckets
from mergecast.queues.store.duckdb.statements import execute
from mergecast.queues.store.errors import StatementFailed
from mergecast.queues.store.migrations import UNRECORDED, MigrationText, migrations, too_new
from mergecast.queues.store.progress import Opening


def migrate(connection: duckdb.DuckDBPyConnection, opening: Opening) -> None:
    """Apply the missing migrations, each in its own transaction, and remember which version did so."""
    execute(connection, "create table if not exists schema_migrations (number integer not null)")
    last, by = last_migration(connection)
    known = migrations("duckdb")
    if last > known[-1].number:
        raise too_new("the store", last, by, known[-1].number)
    if not _names_programs(connection):
        connection.execute(f"alter table schema_migrations add column program text default '{UNRECORDED}'")
    missing = [migration for migration in known if migration.number > last]
    with opening.interrupted_by(connection.interrupt):
        for migration in opening.each_migration(missing, last):
            _apply(connection, migration)


def _apply(connection: duckdb.DuckDBPyConnection, migration: MigrationText) -> None:
    try:
        connection.execute("begin")
        connection.execute(migration.text)
        change_buckets(connection, migration.text)
        connection.execute("insert into schema_migrations values ($1, $2)", [migration.number, __version__])
        connection.execute("commit")
    except (duckdb.OperationalError, duckdb.InternalError):
        raise  # of the file or the machine, not of this statement
    except duckdb.Error as error:
        raise StatementFailed(
            f"migration {migration.number} ({migration.name}) failed: {str(error).splitlines()[0]}; "
            "nothing of it was changed"
        ) from error


def last_migration(connection: duckdb.DuckDBPyConnection) -> tuple[int, str | None]:
    """Its number, and the version that applied it if that is recorded; 0 if there is none."""
    # Read the result to its end: otherwise its transaction stays open, and no checkpoint can succeed.
    applied = execute(connection, "select * from schema_migrations order by number desc limit 1").fetchall()
    if not applied:
        return 0, None
    number, *program = applied[0]
    return number, program[0] if program else None


def _names_programs(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether the list of migrations says which version applied each of them."""
    # duckdb_columns() would list those of all tables in all buckets: half of the time to open a store.
    columns = execute(connection, "pragma table_info('schema_migrations')").fetchall()
    return len(columns) > 1
