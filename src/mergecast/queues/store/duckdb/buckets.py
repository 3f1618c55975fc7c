"""Where rows are stored, so that the cost of a query depends only on its own repository.

New rows go to the tables of the schema `main`: the tail. It holds rows of all repositories, so it must stay
small. Once a bucket of repositories has many rows in the tail, they move to the tables of its own schema,
`bucket_NNN`; a delivery with many events goes there directly. The schema `view_NNN` has a view of the same
name for each of these tables, with all rows. Statements are the same for all repositories: the search path
decides what the name of a table means.

A bucket is created when it gets its first rows; until then, the tail has all rows of its repositories, and
statements read nothing else. What a migration adds to one of these tables is added in all schemas.
"""

import re
import threading
from collections import Counter
from collections.abc import Iterable
from contextlib import nullcontext

import duckdb

from mergecast.queues.store.duckdb.statements import execute
from mergecast.queues.store.migrations import statements_of

BUCKETS = 256
MAIN = "main"  # the search path of tables without a bucket
BUCKET_TABLES = (
    *("events", "subjects", "stays", "checks", "runs", "bisection_starts", "bisection_ends"),
    "deliveries",
    *("ci_checks", "ci_runs", "ci_day_sums", "ci_block_sums"),
    "verdicts",
)
_IS_BUCKET = r"schema_name like 'bucket\_%' escape '\'"
_NEW_COLUMN = re.compile(rf"alter table ({'|'.join(BUCKET_TABLES)}) (add column .+)")


def bucket_of(repository_id: int) -> int:
    return repository_id % BUCKETS


def view_path(repository_id: int) -> str:
    """The search path under which statements read all rows of a repository that has a bucket."""
    return f"view_{bucket_of(repository_id):03},main"


def bucket_schema(repository_id: int) -> str:
    return f"bucket_{bucket_of(repository_id):03}"


class Buckets:
    """Which buckets exist. All threads share it; only the writer creates buckets."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._existing = _read_buckets(connection)
        ((self._database,),) = execute(connection, "select current_database()").fetchall()
        # A reader must not miss rows because their bucket is created while it chooses its search path.
        self._lock = threading.Lock()

    def has(self, repository_id: int) -> bool:
        """Whether rows of this repository may be outside the tail."""
        return bucket_of(repository_id) in self._existing

    def path(self, repository_id: int) -> str:
        """The search path for the writer, which knows when a bucket is created."""
        return view_path(repository_id) if self.has(repository_id) else MAIN

    def begin_reading(self, connection: duckdb.DuckDBPyConnection, repository_id: int | None) -> None:
        """Begin a transaction in which statements read all rows of a repository.

        A transaction sees the data from the moment of its first use of the file on. Setting a search path is
        one if DuckDB has to look for a schema there, and for `main` alone it need not.
        """
        if repository_id is None:
            execute(connection, "begin")
            return
        with self._lock:
            path = view_path(repository_id) if self.has(repository_id) else f'"{self._database}".main'
            execute(connection, "begin")
            execute(connection, f"set search_path = '{path}'")

    def commit(self, connection: duckdb.DuckDBPyConnection, created: Iterable[int]) -> None:
        """Commit a transaction that has created the buckets of these repositories."""
        new = {bucket_of(id) for id in created}
        with self._lock if new else nullcontext():
            execute(connection, "commit")
            self._existing |= new


def create_buckets(connection: duckdb.DuckDBPyConnection, repository_ids: Iterable[int]) -> None:
    """Create the buckets of these repositories, or what they lack; part of the caller's transaction."""
    for id in {bucket_of(id): id for id in repository_ids}.values():
        bucket, view = bucket_schema(id), f"view_{bucket_of(id):03}"
        execute(connection, f"create schema if not exists {bucket}")
        execute(connection, f"create schema if not exists {view}")
        for table in BUCKET_TABLES:
            execute(connection, f"create table if not exists {bucket}.{table} as from main.{table} limit 0")
            _create_view(connection, bucket, view, table)


def complete_buckets(connection: duckdb.DuckDBPyConnection) -> None:
    """Give the buckets of an earlier version the tables that they lack."""
    # A store that needs nothing opens on a full disk too.
    if (existing := _read_buckets(connection)) and (lacking := _lacking(connection, existing)):
        connection.execute("begin")
        create_buckets(connection, lacking)
        connection.execute("commit")


def _read_buckets(connection: duckdb.DuckDBPyConnection) -> set[int]:
    names = execute(connection, f"select schema_name from duckdb_schemas() where {_IS_BUCKET}").fetchall()  # noqa: S608
    return {int(name.removeprefix("bucket_")) for (name,) in names}


def _lacking(connection: duckdb.DuckDBPyConnection, buckets: Iterable[int]) -> list[int]:
    views = Counter(
        schema for (schema,) in execute(connection, "select schema_name from duckdb_views()").fetchall()
    )
    return [bucket for bucket in buckets if views[f"view_{bucket:03}"] < len(BUCKET_TABLES)]


def change_buckets(connection: duckdb.DuckDBPyConnection, migration: str) -> None:
    """Add the new columns of a migration to the tables of every bucket; part of the caller's transaction."""
    for statement in statements_of(migration):
        if found := _NEW_COLUMN.match(statement):
            table, change = found.groups()
            for bucket in _schemas_with(connection, table):
                execute(connection, f"alter table {bucket}.{table} {change}")
                _create_view(connection, bucket, bucket.replace("bucket", "view"), table)


def _schemas_with(connection: duckdb.DuckDBPyConnection, table: str) -> list[str]:
    """The buckets that have this table: those of an earlier version get it after the migrations."""
    text = f"select schema_name from duckdb_tables() where {_IS_BUCKET} and table_name = $1 order by 1"  # noqa: S608
    return [schema for (schema,) in execute(connection, text, [table]).fetchall()]


def _create_view(connection: duckdb.DuckDBPyConnection, bucket: str, view: str, table: str) -> None:
    both = f"select * from {bucket}.{table} union all select * from main.{table}"  # noqa: S608 - constants
    execute(connection, f"create or replace view {view}.{table} as {both}")
