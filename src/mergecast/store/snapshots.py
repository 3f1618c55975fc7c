"""What was recorded of pull requests: kept as text, replaced and taken away as a whole."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import accumulate

import duckdb

from mergecast.model.repository import Repository
from mergecast.store.catalog import Catalog, KnownRepository
from mergecast.store.new_repository import of_known
from mergecast.store.readers import Reader
from mergecast.store.removal import delete_repository
from mergecast.store.write_events import roll_back


@dataclass(frozen=True, slots=True)
class RecordedSnapshot:
    """The recorded document of one pull request, in JSON."""

    number: int
    is_open: bool
    document: str


@dataclass(frozen=True, slots=True)
class OpenSnapshots:
    """The recorded documents of open pull requests, the newest first, and how many were left out."""

    records: tuple[tuple[int, bytes], ...]
    not_looked_at: int


def put_snapshot(
    connection: duckdb.DuckDBPyConnection,
    catalog: Catalog,
    repository: Repository,
    snapshot: RecordedSnapshot,
) -> None:
    """Replace what was recorded of the pull request; a repository that was not known becomes known."""
    with of_known(connection, catalog, repository) as known:
        replaced = _delete(connection, known.id, snapshot.number)
        connection.execute(
            "insert into snapshots values ($1, $2, $3, $4)",
            [known.id, snapshot.number, snapshot.is_open, snapshot.document],
        )
    catalog.repositories[repository] = _changed(known, 1 - replaced)


def remove_snapshot(
    connection: duckdb.DuckDBPyConnection, catalog: Catalog, repository: Repository, number: int
) -> int:
    """Delete what was recorded, and the repository with its last trace; returns how many there were."""
    known = catalog.repositories.get(repository)
    if known is None:
        return 0
    connection.execute("begin")
    try:
        removed = _delete(connection, known.id, number)
        left = _changed(known, -removed)
        if left.is_empty:
            delete_repository(connection, known.id)
        connection.execute("commit")
    except duckdb.Error:
        roll_back(connection)
        raise
    if left.is_empty:
        catalog.forget(known)
    else:
        catalog.repositories[repository] = left
    return removed


def _changed(known: KnownRepository, more: int) -> KnownRepository:
    return replace(known, snapshots=known.snapshots + more, recordings=known.recordings + 1)


def _delete(connection: duckdb.DuckDBPyConnection, repository_id: int, number: int) -> int:
    ((removed,),) = connection.execute(
        "delete from snapshots where repository_id = $1 and number = $2", [repository_id, number]
    ).fetchall()
    return int(removed)


def read_document(reader: Reader, known: KnownRepository, number: int) -> bytes | None:
    rows = reader.rows("snapshot", [known.id, number])
    return rows[0][0].encode() if rows else None


def read_open(reader: Reader, known: KnownRepository, most: int, most_bytes: int) -> OpenSnapshots:
    """The newest snapshots: at most `most`, and together at most `most_bytes`."""
    sizes = reader.rows("sizes_of_open_snapshots", [known.id])
    kept = count_fitting((size for _, size in sizes[:most]), most_bytes)
    rows = reader.rows("open_snapshots", [known.id, [number for number, _ in sizes[:kept]]])
    records = tuple((number, document.encode()) for number, document in rows)
    return OpenSnapshots(records, len(sizes) - len(records))


def count_fitting(sizes: Iterable[int], limit: int) -> int:
    """How many of the first sizes fit into the limit together."""
    return sum(total <= limit for total in accumulate(sizes))
