"""What the next start would do to a store that no process has open; changes nothing."""

from pathlib import Path

import duckdb

from mergecast.queues.store.duckdb.inspect_file import opened_for_reading
from mergecast.queues.store.duckdb.migrate import last_migration
from mergecast.queues.store.migration_plan import Plan, plan_migrations
from mergecast.queues.store.program_versions import too_new
from mergecast.queues.store.sql_files import migrations


def plan_file(path: Path) -> Plan:
    known = migrations("duckdb")
    newest = known[-1].number
    if not path.exists():
        return Plan(0, newest, (), is_estimate=False)
    with opened_for_reading(path) as connection:
        try:
            schema, program = last_migration(connection)
        except duckdb.CatalogException:  # a server was stopped before it had created the tables
            schema, program = 0, None
        if schema > newest:
            raise too_new("the store", schema, program, newest)
        missing = [migration for migration in known if migration.number > schema] if schema else []
        planned = plan_migrations(missing, lambda table: _count(connection, table), writes_new_columns=True)
        return Plan(schema, newest, tuple(planned), is_estimate=False)


def _count(connection: duckdb.DuckDBPyConnection, table: str) -> int:
    """The rows in the tail and in all buckets."""
    schemas = connection.execute("select schema_name from duckdb_tables() where table_name = $1", [table])
    return sum(
        connection.execute(f'select count(*) from "{schema}"."{table}"').fetchall()[0][0]  # noqa: S608
        for (schema,) in schemas.fetchall()
    )
