"""Undo: take events out, and everything that followed from them."""

from dataclasses import dataclass, replace

import duckdb

from mergecast.model.repository import Repository
from mergecast.store.catalog import Catalog, KnownRepository
from mergecast.store.fact_tables import rewrite_facts
from mergecast.store.sql_files import sql
from mergecast.store.write_events import roll_back, save_counters

_CHUNK = 5_000
_ALL_TABLES = (
    "bisection_ends", "bisection_starts", "runs", "checks", "stays", "events", "subjects", "groups",
    "product_settings", "snapshots", "repositories",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Selection:
    """Which events of a repository; None does not restrict."""

    repository: Repository
    source: str | None = None
    start: int | None = None
    end: int | None = None


def remove_events(connection: duckdb.DuckDBPyConnection, catalog: Catalog, selection: Selection) -> int:
    """Delete the selected events in one transaction; returns how many there were."""
    known = catalog.repositories.get(selection.repository)
    if known is None:
        return 0
    chosen = [known.id, selection.source, selection.start, selection.end]
    connection.execute("begin")
    try:
        touched = [row[0] for row in connection.execute(sql("selected_subjects"), chosen).fetchall()]
        removed = _count(connection.execute(sql("delete_selected_events"), chosen))
        if removed == 0:
            connection.execute("rollback")
            return 0
        if replace(known, events=known.events - removed).is_empty:
            delete_repository(connection, known.id)
            left = None
        else:
            for start in range(0, len(touched), _CHUNK):
                rewrite_facts(connection, touched[start : start + _CHUNK])
            left = _recount(connection, catalog, known)
        connection.execute("commit")
    except duckdb.Error:
        roll_back(connection)
        raise
    if left is None:
        catalog.forget(known)
    else:
        catalog.counters.version = left.version
        catalog.repositories[selection.repository] = left
    return removed


def forget_repository(connection: duckdb.DuckDBPyConnection, catalog: Catalog, repository: Repository) -> int:
    """Delete everything that is known of a repository; returns how many events there were."""
    known = catalog.repositories.get(repository)
    if known is None:
        return 0
    connection.execute("begin")
    try:
        delete_repository(connection, known.id)
        connection.execute("commit")
    except duckdb.Error:
        roll_back(connection)
        raise
    catalog.forget(known)
    return known.events


def _count(result: duckdb.DuckDBPyConnection) -> int:
    ((rows,),) = result.fetchall()
    return int(rows)


def delete_repository(connection: duckdb.DuckDBPyConnection, repository_id: int) -> None:
    for table in _ALL_TABLES:
        connection.execute(f"delete from {table} where repository_id = $1", [repository_id])  # noqa: S608


def _recount(
    connection: duckdb.DuckDBPyConnection, catalog: Catalog, known: KnownRepository
) -> KnownRepository:
    """The repository's row after events went away, saved under a new version."""
    ((events, first_at, last_at),) = connection.execute(sql("span_of_events"), [known.id]).fetchall()
    version = catalog.counters.version + 1
    save_counters(connection, replace(catalog.counters, version=version))
    connection.execute(
        "update repositories set version = $2, events = $3, first_at = $4, last_at = $5 "
        "where repository_id = $1",
        [known.id, version, events, first_at, last_at],
    )
    return replace(known, version=version, events=events, first_at=first_at, last_at=last_at)


def rebuild_facts(
    connection: duckdb.DuckDBPyConnection, catalog: Catalog, repository: Repository, subjects: list[int]
) -> None:
    """Derive the facts of these subjects from nothing but events; remembered answers become old."""
    known = catalog.repositories.get(repository)
    if known is None:
        return
    counters = replace(catalog.counters, version=catalog.counters.version + 1)
    connection.execute("begin")
    try:
        rewrite_facts(connection, subjects)
        connection.execute(
            "update repositories set version = $2 where repository_id = $1", [known.id, counters.version]
        )
        save_counters(connection, counters)
        connection.execute("commit")
    except duckdb.Error:
        roll_back(connection)
        raise
    catalog.counters = counters
    catalog.repositories[repository] = replace(known, version=counters.version)
