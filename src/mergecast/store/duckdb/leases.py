"""Leases in DuckDB. One process owns the store, so a lease only records the state of following."""

import duckdb

from mergecast.store.duckdb.statements import execute
from mergecast.store.values import Lease


def take_lease(connection: duckdb.DuckDBPyConnection, lease: Lease, now: int) -> bool:
    """Replace the lease unless another holder has it."""
    parameters = [lease.name, lease.holder, now]
    taken = execute(
        connection, "select 1 from main.leases where name = $1 and holder <> $2 and until > $3", parameters
    ).fetchall()
    if taken:
        return False
    execute(connection, "delete from main.leases where name = $1", [lease.name])
    execute(connection, "insert into main.leases values ($1, $2, $3, $4, $5)", list(lease))
    return True
