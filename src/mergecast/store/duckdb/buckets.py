"""Where rows are stored, so that the cost of a query depends only on its own repository.

New rows go to the tables of the schema `main`: the tail. It holds rows of all repositories, so it must stay
small. Once a bucket of repositories has many rows in the tail, they move to the tables of its own schema,
`bucket_NNN`; a delivery with many events goes there directly. The schema `view_NNN` has a view of the same
name for each of these tables, with all rows. Statements are the same for all repositories: the search path
decides what the name of a table means.

A bucket is created with its first repository, before that has any row, so that the search path of a
repository never changes. A migration that changes one of these tables must change it in all schemas.
"""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import duckdb

from mergecast.store.duckdb.statements import execute

BUCKETS = 256
BUCKET_TABLES = (
    *("events", "subjects", "stays", "checks", "runs", "bisection_starts", "bisection_ends"),
    "deliveries",
)
# What some migrations do to the tables of every bucket.
_CHANGES = {6: "alter table {bucket}.events add column thread bigint"}


def bucket_of(repository_id: int) -> int:
    return repository_id % BUCKETS


def view_path(repository_id: int) -> str:
    """The search path under which statements read all rows of a repository."""
    return f"view_{bucket_of(repository_id):03},main"


def bucket_schema(repository_id: int) -> str:
    return f"bucket_{bucket_of(repository_id):03}"


def create_buckets(connection: duckdb.DuckDBPyConnection, repository_ids: Iterable[int]) -> None:
    """Create the buckets of these repositories that do not exist yet; part of the caller's transaction."""
    for id in {bucket_of(id): id for id in repository_ids}.values():
        bucket, view = bucket_schema(id), f"view_{bucket_of(id):03}"
        execute(connection, f"create schema if not exists {bucket}")
        execute(connection, f"create schema if not exists {view}")
        for table in BUCKET_TABLES:
            execute(connection, f"create table if not exists {bucket}.{table} as from main.{table} limit 0")
            _create_view(connection, bucket, view, table)


def without_buckets(connection: duckdb.DuckDBPyConnection, repository_ids: Iterable[int]) -> list[int]:
    """Those of these repositories whose bucket does not exist, or lacks a table of a later version."""
    views = Counter(
        schema for (schema,) in execute(connection, "select schema_name from duckdb_views()").fetchall()
    )
    return [id for id in repository_ids if views[f"view_{bucket_of(id):03}"] < len(BUCKET_TABLES)]


def change_buckets(connection: duckdb.DuckDBPyConnection, migration: int) -> None:
    """Apply the part of a migration that concerns buckets; part of the caller's transaction."""
    if migration not in _CHANGES:
        return
    schemas = execute(
        connection,
        "select schema_name from information_schema.schemata where schema_name like 'bucket\\_%' escape '\\'",
    ).fetchall()
    for (bucket,) in schemas:
        execute(connection, _CHANGES[migration].format(bucket=bucket))
        view = bucket.replace("bucket", "view")
        _create_view(connection, bucket, view, "events")


def _create_view(connection: duckdb.DuckDBPyConnection, bucket: str, view: str, table: str) -> None:
    both = f"select * from {bucket}.{table} union all select * from main.{table}"  # noqa: S608 - constants
    execute(connection, f"create or replace view {view}.{table} as {both}")


class TailLimits(NamedTuple):
    """How many events one bucket, and all together, may have in the tail before rows are moved."""

    bucket: int = 10_000
    total: int = 200_000
    direct: int = 1_000  # from this many new events of one repository on, they do not go to the tail


class _Move(NamedTuple):
    """The bucket whose rows move, how many it had at the beginning, and the tables that still have some."""

    bucket: int
    rows: int
    tables: tuple[str, ...]


class Tail:
    """How many events each bucket has in the tail, and what follows from that. For the writer thread."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, limits: TailLimits) -> None:
        self._limits = limits
        self._rows: Counter[int] = Counter()
        self._move: _Move | None = None
        # The last subject of each repository whose facts may be in its bucket.
        self._last_settled = _last_subjects(connection)
        for id, rows in execute(
            connection, "select repository_id, count(*) from main.events group by repository_id"
        ).fetchall():
            self.add(id, rows)

    def takes(self, events: int) -> bool:
        """Whether this many new events of one repository go to the tail; otherwise they go to its bucket."""
        return events < self._limits.direct

    def add(self, repository_id: int, rows: int) -> None:
        self._rows[bucket_of(repository_id)] += rows

    def note_settled(self, repository_id: int, last_subject: int) -> None:
        """Rows of the subjects up to this one went to the bucket directly."""
        self._last_settled[repository_id] = last_subject

    def settled(self, repository_id: int, subjects: Iterable[int]) -> list[int]:
        """Those of these subjects whose facts may be in the bucket; facts of the others are in the tail."""
        last = self._last_settled.get(repository_id, 0)
        return [subject for subject in subjects if subject <= last]

    @property
    def is_too_large(self) -> bool:
        """Whether there is something to move."""
        fullest = max(self._rows.values(), default=0)
        is_full = fullest >= self._limits.bucket or self._rows.total() >= self._limits.total
        return self._move is not None or is_full

    def move_a_table(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Move the rows that one table has of the fullest bucket, in one transaction.

        Deliveries may come between the tables of a bucket. A row is always in exactly one of both tables,
        whenever the process is killed.
        """
        if self._move is None:
            ((fullest, rows),) = self._rows.most_common(1)
            self._move = _Move(fullest, rows, BUCKET_TABLES)
        bucket, rows, (table, *rest) = self._move
        last_subjects = _last_subjects(connection)
        self._last_settled |= {id: last for id, last in last_subjects.items() if bucket_of(id) == bucket}
        execute(connection, "begin")
        try:
            chosen = f"from main.{table} where repository_id % {BUCKETS} = {bucket}"
            execute(connection, f"insert into bucket_{bucket:03}.{table} select * {chosen}")
            execute(connection, f"delete {chosen}")
            execute(connection, "commit")
        except BaseException:
            execute(connection, "rollback")
            raise
        self._move = _Move(bucket, rows, tuple(rest)) if rest else None
        if self._move is None:
            self._rows[bucket] -= rows


def _last_subjects(connection: duckdb.DuckDBPyConnection) -> dict[int, int]:
    return dict(execute(connection, "select repository_id, last_subject from repository_state").fetchall())
