"""Distributes the tables over the machines of a Citus cluster, once."""

from mergecast.store.errors import UnusableDatabase
from mergecast.store.postgres.connections import Connection, first_connection
from mergecast.store.postgres.migrate import migrate
from mergecast.store.rows import TABLES

# Small tables that every machine has a whole copy of.
_REFERENCE = ("repositories", "application_keys", "key_state", "sessions", "schema_migrations", "leases")
_DISTRIBUTED = ("repository_state", *TABLES.values())


def distribute(url: str) -> list[str]:
    """Distribute every table by `repository_id`; returns what was done, nothing when run again."""
    with first_connection(url) as connection:
        migrate(connection)
        if not connection.execute("select 1 from pg_extension where extname = 'citus'").fetchall():
            raise UnusableDatabase(
                "this database has no Citus: run `create extension citus` on a Citus cluster, "
                "or use it as a plain PostgreSQL database, which needs no distribution"
            )
        done = _distributed(connection)
        steps = [
            *((name, "select create_reference_table($1)", [name]) for name in _REFERENCE),
            *(_distribution(name) for name in _DISTRIBUTED),
        ]
        for name, statement, parameters in steps:
            if name not in done:
                connection.execute(statement, parameters)
        return [name for name, _, _ in steps if name not in done]


def _distribution(name: str) -> tuple[str, str, list[str]]:
    """Rows of one repository are on the same machine, whatever table they are in."""
    if name == _DISTRIBUTED[0]:
        return name, "select create_distributed_table($1, 'repository_id')", [name]
    statement = "select create_distributed_table($1, 'repository_id', colocate_with => $2)"
    return name, statement, [name, _DISTRIBUTED[0]]


def _distributed(connection: Connection) -> set[str]:
    rows = connection.execute("select logicalrelid::regclass::text from pg_dist_partition").fetchall()
    return {name for (name,) in rows}
