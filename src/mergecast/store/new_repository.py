"""A repository that becomes known by something else than an event."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import duckdb

from mergecast.model.repository import Repository
from mergecast.store.catalog import Catalog, KnownRepository
from mergecast.store.write_events import roll_back, save_counters


@contextmanager
def of_known(
    connection: duckdb.DuckDBPyConnection, catalog: Catalog, repository: Repository
) -> Iterator[KnownRepository]:
    """One transaction about a repository, which is known in it; raises with nothing stored."""
    counters = replace(catalog.counters)
    known = catalog.repositories.get(repository)
    connection.execute("begin")
    try:
        if known is None:
            counters.repository_id += 1
            counters.version += 1
            known = KnownRepository(counters.repository_id, repository, counters.version)
            _insert(connection, known)
            save_counters(connection, counters)
        yield known
        connection.execute("commit")
    except duckdb.Error:
        roll_back(connection)
        raise
    catalog.counters = counters


def _insert(connection: duckdb.DuckDBPyConnection, known: KnownRepository) -> None:
    connection.execute(
        "insert into repositories (repository_id, owner, name, version, events) values ($1, $2, $3, $4, 0)",
        [known.id, known.repository.owner, known.repository.name, known.version],
    )
