"""Leases in PostgreSQL: one row per name, which one server holds until it expires."""

from mergecast.store.postgres.connections import Connection
from mergecast.store.values import Lease


def take_lease(connection: Connection, lease: Lease, now: int) -> bool:
    """Insert the lease, or replace it unless another holder has it."""
    taken = connection.execute(
        "insert into leases (name, holder, until, next_at, error) values ($1, $2, $3, $4, $5) "
        "on conflict (name) do update set "
        "holder = excluded.holder, until = excluded.until, next_at = excluded.next_at, "
        "error = excluded.error where leases.holder = excluded.holder or leases.until <= $6",
        [*lease, now],
    )
    return taken.rowcount > 0
