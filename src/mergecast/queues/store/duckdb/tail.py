"""The tail: where new rows go, and when they move to the bucket of their repository."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import duckdb

from mergecast.queues.store.duckdb.buckets import (
    BUCKET_TABLES,
    BUCKETS,
    Buckets,
    bucket_of,
    bucket_schema,
    create_buckets,
)
from mergecast.queues.store.duckdb.statements import execute
from mergecast.queues.store.rows import SUBJECT_COLUMNS


class TailLimits(NamedTuple):
    """How many events one bucket, and all together, may have in the tail before rows are moved."""

    bucket: int = 10_000
    total: int = 200_000
    direct: int = 1_000  # from this many new events of one repository on, they do not go to the tail
    deliveries: int = 100  # a repository with more of them gets a bucket


class _Move(NamedTuple):
    """The bucket whose rows move, how many it had at the beginning, and the tables that still have some."""

    bucket: int
    rows: int
    tables: tuple[str, ...]


class Tail:
    """How many events each bucket has in the tail, and what follows from that. For the writer thread."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, buckets: Buckets, limits: TailLimits | None = None
    ) -> None:
        self.buckets = buckets
        self._limits = limits or TailLimits()
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

    def takes_deliveries(self, repository_id: int, deliveries: int) -> bool:
        """Whether the deliveries of a repository with this many go to the tail.

        If there is a bucket, they go there: they are large, and moving them would write them twice.
        """
        return not self.buckets.has(repository_id) and deliveries <= self._limits.deliveries

    def has_place_for(self, repository_id: int, deliveries: int) -> bool:
        """Whether a repository that gets this many deliveries needs no new bucket."""
        return self.buckets.has(repository_id) or deliveries <= self._limits.deliveries

    def add(self, repository_id: int, rows: int) -> None:
        self._rows[bucket_of(repository_id)] += rows

    def note_settled(self, repository_id: int, last_subject: int) -> None:
        """Rows of the subjects up to this one went to the bucket directly."""
        self._last_settled[repository_id] = last_subject

    def delete_facts(
        self, connection: duckdb.DuckDBPyConnection, table: str, subjects_of: Mapping[int, list[int]]
    ) -> None:
        """Delete the rows of subjects of each repository, wherever they are."""
        if len(subjects_of) == 1:
            ((owner, subjects),) = subjects_of.items()
            _delete_facts_of_one(connection, f"main.{table}", owner, subjects)
        elif subjects_of:
            _delete_facts_of_many(connection, f"main.{table}", subjects_of)
        for owner, subjects in subjects_of.items():
            if settled := self._settled(owner, subjects):
                _delete_facts_of_one(connection, f"{bucket_schema(owner)}.{table}", owner, settled)

    def _settled(self, repository_id: int, subjects: Iterable[int]) -> list[int]:
        """The subjects whose facts may be in the bucket; the facts of the others are in the tail."""
        last = self._last_settled.get(repository_id, 0) if self.buckets.has(repository_id) else 0
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
        created = () if self.buckets.has(bucket) else (bucket,)
        execute(connection, "begin")
        try:
            create_buckets(connection, created)
            chosen = f"from main.{table} where repository_id % {BUCKETS} = {bucket}"
            execute(connection, f"insert into bucket_{bucket:03}.{table} select * {chosen}")
            execute(connection, f"delete {chosen}")
            self.buckets.commit(connection, created)
        except BaseException:
            execute(connection, "rollback")
            raise
        self._move = _Move(bucket, rows, tuple(rest)) if rest else None
        if self._move is None:
            self._rows[bucket] -= rows


def _last_subjects(connection: duckdb.DuckDBPyConnection) -> dict[int, int]:
    return dict(execute(connection, "select repository_id, last_subject from repository_state").fetchall())


def _delete_facts_of_one(
    connection: duckdb.DuckDBPyConnection, table: str, owner: int, subjects: list[int]
) -> None:
    column = SUBJECT_COLUMNS[table.partition(".")[2]]
    execute(
        connection,
        f"delete from {table} where repository_id = $1 "  # noqa: S608 - constants
        f"and {column} in (select unnest($2::bigint[]))",
        [owner, subjects],
    )


def _delete_facts_of_many(
    connection: duckdb.DuckDBPyConnection, table: str, subjects_of: Mapping[int, list[int]]
) -> None:
    """With one statement, however many repositories there are."""
    column = SUBJECT_COLUMNS[table.partition(".")[2]]
    pairs = [(owner, subject) for owner, subjects in subjects_of.items() for subject in subjects]
    execute(
        connection,
        f"delete from {table} as facts "  # noqa: S608 - constants
        "using (select unnest($1::integer[]) as owner, unnest($2::bigint[]) as subject) as listed "
        f"where facts.repository_id = listed.owner and facts.{column} = listed.subject",
        [list(values) for values in zip(*pairs, strict=True)],
    )
