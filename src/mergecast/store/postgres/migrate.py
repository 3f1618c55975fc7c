"""Migrations, one server at a time: others wait for the lock. Also distributes tables in a Citus cluster."""

import re
from typing import NamedTuple

from mergecast.store.errors import StoreTooNew, UnusableDatabase
from mergecast.store.postgres.connections import Connection, first_connection
from mergecast.store.rows import TABLES
from mergecast.store.sql_files import migrations

_LOCK = 7_300_146_571  # any number, as long as no other program uses it
_OLDEST = re.compile(r"-- oldest program: ([0-9]+)$", re.MULTILINE)
# Small tables that every machine has a whole copy of.
_REFERENCE = ("repositories", "application_keys", "key_state", "sessions", "schema_migrations", "leases")
_DISTRIBUTED = ("repository_state", *TABLES.values())


class Migration(NamedTuple):
    number: int
    text: str
    oldest_program: int  # the last migration that a program must know to write beside this one


def all_migrations() -> list[Migration]:
    return [Migration(number, text, _oldest(number, text)) for number, text in migrations("postgres")]


def _oldest(number: int, text: str) -> int:
    found = _OLDEST.search(text)
    if found is None:
        raise ValueError(f"migration {number} does not name the oldest program that may write beside it")
    return int(found[1])


# What this program knows. A database whose migrations ask for more is not written.
PROGRAM = all_migrations()[-1].number


def migrate(connection: Connection) -> None:
    """Bring the database to this program's schema; a newer one is refused."""
    with connection.transaction():
        connection.execute("select pg_advisory_xact_lock($1)", [_LOCK])
        connection.execute(
            "create table if not exists schema_migrations "
            "(number integer primary key, oldest_program integer not null)"
        )
        done = {number for (number,) in connection.execute("select number from schema_migrations").fetchall()}
        if done and max(done) > PROGRAM:
            raise StoreTooNew(
                f"the database has schema {max(done)}, and this program knows {PROGRAM}; update mergecast"
            )
        for migration in all_migrations():
            if migration.number not in done:
                connection.execute(migration.text)
                connection.execute(
                    "insert into schema_migrations (number, oldest_program) values ($1, $2)",
                    [migration.number, migration.oldest_program],
                )


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
