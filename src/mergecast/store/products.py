"""Which products are enabled on a repository."""

from dataclasses import replace

import duckdb

from mergecast.model.repository import Repository
from mergecast.store.catalog import Catalog
from mergecast.store.new_repository import of_known


def set_products(
    connection: duckdb.DuckDBPyConnection,
    catalog: Catalog,
    repository: Repository,
    products: tuple[str, ...],
) -> None:
    """Replace the setting in one transaction; a repository that was not known becomes known."""
    with of_known(connection, catalog, repository) as known:
        connection.execute("delete from product_settings where repository_id = $1", [known.id])
        connection.execute("insert into product_settings values ($1, $2)", [known.id, ",".join(products)])
    catalog.repositories[repository] = replace(known, products=products)
