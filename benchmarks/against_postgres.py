"""Compare the same SQL on the same data in our store and in PostgreSQL 15.

    .venv/bin/python benchmarks/against_postgres.py FOLDER "host=127.0.0.1 user=postgres"

Make FOLDER with big_store.py. The PostgreSQL server should run with shared_buffers = 2GB and work_mem = 64MB.
The tables are copied there once, with covering indexes, and vacuumed. Prints medians of 5 for a window of a
year, alternating between the databases. Goal: 5 times faster on total_queue_time and idle_queue_time, 3
times on queue_size.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

import psycopg

from mergecast.queues.model.instant import DAY, Window, grid_for
from mergecast.queues.store.duckdb.engine import Engine
from mergecast.queues.store.opening import FILE_NAME
from mergecast.queues.store.sql_files import sql

_ROUNDS = 5
_WANTED = {"total_queue_time": 5, "idle_queue_time": 5, "queue_size": 3}
_TABLES = ("groups", "stays")
_IDLE = "idle_capacity, idle_schedule, idle_freeze, ci_runtime"
_INDEXES = (
    f"create index on stays (repository_id, left_at) include (left_group, queue_time, {_IDLE})",
    "create index on stays (repository_id, left_at, entered_at) include (entered_group)",
    "create index on stays (repository_id, pull_request, entered_at) include (entered_group)",
    "vacuum analyze",
)


def copy(engine: Engine, postgres: psycopg.Connection) -> None:
    """Create the tables that are queried in a separate schema, and fill them."""
    postgres.execute("drop schema if exists measured cascade")
    postgres.execute("create schema measured")
    postgres.execute("set search_path = measured")
    for table in _TABLES:
        with tempfile.TemporaryDirectory() as folder, engine.cursor() as cursor:
            columns = cursor.execute(f"describe {table}").fetchall()
            postgres.execute(f"create table {table} ({', '.join(f'{one[0]} {one[1]}' for one in columns)})")
            file = Path(folder) / "rows.csv"
            cursor.execute(f"copy {table} to '{file}' (header false)")
            with (
                file.open("rb") as rows,
                postgres.cursor().copy(f"copy {table} from stdin (format csv)") as to,
            ):
                while part := rows.read(1 << 20):
                    to.write(part)
    for statement in _INDEXES:
        postgres.execute(statement)


def main() -> None:
    engine = Engine(Path(sys.argv[1]) / FILE_NAME)
    now = time.time_ns() // 1000
    window = Window(now - 365 * DAY, now)
    grid = grid_for(window)
    parameters = [1, window.start, window.end, list(range(100, 118)), grid.width, grid.shift]
    with psycopg.connect(sys.argv[2], autocommit=True) as postgres:
        copy(engine, postgres)
        asking = psycopg.RawCursor(postgres)
        for name, wanted in _WANTED.items():
            ours, theirs = [], []
            for _ in range(_ROUNDS):
                begun = time.perf_counter()
                with engine.cursor() as cursor:
                    rows = cursor.execute(sql(name), parameters).fetchall()
                ours.append(time.perf_counter() - begun)
                begun = time.perf_counter()
                assert len(rows) == len(asking.execute(sql(name), parameters).fetchall())
                theirs.append(time.perf_counter() - begun)
            fast, slow = statistics.median(ours) * 1000, statistics.median(theirs) * 1000
            print(
                f"{name}: {fast:.0f} ms, PostgreSQL {slow:.0f} ms: {slow / fast:.1f} times faster ({wanted})"
            )
    engine.close()


if __name__ == "__main__":
    main()
