"""Looks at a database, and changes nothing."""

import time

import psycopg

from mergecast.queues.store.inspection import COUNT_ALL, Inspection, Worker
from mergecast.queues.store.migrations import Plan, migrations, plan_migrations, too_new
from mergecast.queues.store.postgres.connections import Connection, first_connection
from mergecast.queues.store.postgres.migrate import PROGRAM, applied, has_citus, placed

_WORKERS = (
    "select nodename || ':' || nodeport, "
    "isactive and coalesce(citus_check_connection_to_node(nodename, nodeport), false) "
    "from pg_dist_node where groupid > 0 and noderole = 'primary' order by 1"
)


def inspect_database(url: str, seconds: float) -> Inspection:
    """Every answer may take this long. Errors say what is wrong with the settings or the database."""
    with first_connection(url) as connection, connection.patient(seconds):
        ((encoding, database_time),) = connection.execute(
            "select current_setting('server_encoding'), extract(epoch from clock_timestamp())::float8"
        ).fetchall()
        ahead = database_time - time.time()
        version = connection.info.server_version
        is_cluster = has_citus(connection)
        schema, repositories, events = _read(connection)
        return Inspection(
            f"PostgreSQL {version // 10000}.{version % 10000}",
            schema,
            PROGRAM,
            repositories=repositories,
            events=events,
            encoding=encoding,
            ahead_seconds=ahead,
            has_citus=is_cluster,
            workers=_workers(connection) if is_cluster else (),
        )


def _applied_migrations(connection: Connection) -> frozenset[int]:
    """Raises an error if this program does not know one of them."""
    ((has_list,),) = connection.execute("select to_regclass('schema_migrations') is not null").fetchall()
    if not has_list:
        return frozenset()
    known = applied(connection)
    schema = max(known, default=0)
    if schema > PROGRAM:
        raise too_new("the database", schema, known[schema], PROGRAM)
    return frozenset(known)


def _read(connection: Connection) -> tuple[int, int, int]:
    schema = max(_applied_migrations(connection), default=0)
    if schema == 0:
        return 0, 0, 0
    try:
        ((repositories, events),) = connection.execute(COUNT_ALL).fetchall()
    except psycopg.OperationalError:  # a worker does not answer; the list of workers says which
        return schema, 0, 0
    return schema, repositories, events


def _workers(connection: Connection) -> tuple[Worker, ...]:
    return tuple(
        Worker(address, answers) for address, answers in connection.execute(_WORKERS.encode()).fetchall()
    )


def plan_database(url: str) -> Plan:
    """What the next start would do to the database."""
    with first_connection(url) as connection:
        done = _applied_migrations(connection)
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
