"""Clusters with workers that can be stopped: a real one, and one that PostgreSQL itself can imitate.

In the imitation every table that would be distributed is partitioned by `repository_id`, and its partitions
are foreign tables on other servers. A statement about one repository then reaches one server, and any other
statement all of them. A server that is down makes exactly these statements fail.
"""

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest

from mergecast.queues.store.opening import distribute_database, open_store
from mergecast.queues.store.postgres.migrate import DISTRIBUTED
from postgres.citus import empty_cluster
from postgres.server import database_process, new_database

_STOP, _START = "MERGECAST_TEST_CITUS_STOP", "MERGECAST_TEST_CITUS_START"
_WORKERS = 2


class Cluster(NamedTuple):
    url: str
    stop_worker: Callable[[], object]
    start_worker: Callable[[], object]


@contextmanager
def imitated_workers(server: str) -> Iterator[Cluster]:
    """A database on this server whose growing tables are on two other servers."""
    with ExitStack() as stack:
        workers = [stack.enter_context(database_process()) for _ in range(_WORKERS)]
        url = new_database(server)
        for address in (url, *(worker.address for worker in workers)):
            open_store(Path(), address).close()
        with psycopg.connect(url, autocommit=True) as connection:
            _move_tables(connection, [worker.address for worker in workers])
        yield Cluster(url, workers[0].kill, workers[0].start)


def _move_tables(connection: psycopg.Connection, workers: list[str]) -> None:
    connection.execute("create extension postgres_fdw")
    for number, address in enumerate(workers):
        at = psycopg.conninfo.conninfo_to_dict(address)
        connection.execute(
            f"create server worker_{number} foreign data wrapper postgres_fdw "
            f"options (host '{at['host']}', port '{at['port']}', dbname '{at['dbname']}')".encode()
        )
        connection.execute(
            f"create user mapping for current_user server worker_{number} options (user 'tester')".encode()
        )
    for table in DISTRIBUTED:
        connection.execute(f"alter table {table} rename to here".encode())
        connection.execute(f"create table {table} (like here) partition by hash (repository_id)".encode())
        connection.execute("drop table here")
        for number in range(len(workers)):
            connection.execute(
                f"create foreign table {table}_{number} partition of {table} for values "
                f"with (modulus {len(workers)}, remainder {number}) "
                f"server worker_{number} options (table_name '{table}')".encode()
            )


@contextmanager
def real_workers() -> Iterator[Cluster]:
    """The cluster that the environment names, with the commands that stop and start one of its workers."""
    stop, start = os.environ.get(_STOP), os.environ.get(_START)
    if not stop or not start:
        pytest.skip(f"{_STOP} and {_START} are not set: the commands that stop and start a Citus worker")
    url = empty_cluster()
    distribute_database(url)
    try:
        yield Cluster(url, lambda: _run(stop), lambda: _run(start))
    finally:
        _run(start)


def _run(command: str) -> None:
    subprocess.run(command, shell=True, check=True)
