"""What the next start would do to a database; changes nothing."""

from mergecast.queues.store.migration_plan import Plan, plan_migrations
from mergecast.queues.store.postgres.connections import Connection, first_connection
from mergecast.queues.store.postgres.inspect_database import applied_migrations
from mergecast.queues.store.postgres.migrate import PROGRAM
from mergecast.queues.store.postgres.placement import has_citus, placed
from mergecast.queues.store.sql_files import migrations


def plan_database(url: str) -> Plan:
    with first_connection(url) as connection:
        done = applied_migrations(connection)
        missing = [one for one in migrations("postgres") if one.number not in done] if done else []
        elsewhere = placed(connection) if has_citus(connection) else set()
        planned = plan_migrations(
            missing,
            lambda table: None if table in elsewhere else _estimate(connection, table),
            writes_new_columns=False,
        )
        return Plan(max(done, default=0), PROGRAM, tuple(planned), is_estimate=True)


def _estimate(connection: Connection, table: str) -> int:
    """What `analyze` or `vacuum` found last, which is free; a table that neither has seen yet is counted."""
    ((rows,),) = connection.execute(
        "select reltuples::bigint from pg_class where oid = $1::regclass", [table]
    ).fetchall()
    if rows < 0:
        ((rows,),) = connection.execute(f"select count(*) from {table}").fetchall()  # noqa: S608
    return int(rows)
