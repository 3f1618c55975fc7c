"""Which products are enabled on a repository."""

from dataclasses import replace

import duckdb

from mergecast.model.repository import Repository
from mergecast.store.catalog import Catalog, KnownRepository
from mergecast.store.write_events import roll_back, save_counters


def set_products(
    connection: duckdb.DuckDBPyConnection,
    catalog: Catalog,
    repository: Repository,
    products: tuple[str, ...],
) -> None:
    """Replace the setting in one transaction; a repository that was not known becomes known."""
    counters = replace(catalog.counters)
    known = catalog.repositories.get(repository)
    connection.execute("begin")
    try:
        if known is None:
            counters.repository_id += 1
            counters.version += 1
            known = KnownRepository(counters.repository_id, repository, counters.version)
            _insert_repository(connection, known)
            save_counters(connection, counters)
        connection.execute("delete from product_settings where repository_id = $1", [known.id])
        connection.execute("insert into product_settings values ($1, $2)", [known.id, ",".join(products)])
        connection.execute("commit")
    except duckdb.Error:
        roll_back(connection)
        raise
    catalog.counters = counters
    catalog.repositories[repository] = replace(known, products=products)


def _insert_repository(connection: duckdb.DuckDBPyConnection, known: KnownRepository) -> None:
    connection.execute(
        "insert into repositories (repository_id, owner, name, version, events) values ($1, $2, $3, $4, 0)",
        [known.id, known.repository.owner, known.repository.name, known.version],
    )
