"""Looks at a database, and changes nothing."""

import time

import psycopg

from mergecast.queues.store.inspection import COUNT_ALL, Inspection, Worker
from mergecast.queues.store.postgres.connections import Connection, first_connection
from mergecast.queues.store.postgres.migrate import PROGRAM, has_citus, schema_of

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


def _read(connection: Connection) -> tuple[int, int, int]:
    schema = schema_of(connection)
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
