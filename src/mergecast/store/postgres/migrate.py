"""Migrations, one server at a time: others wait for the lock and then find nothing to do."""

import re
from typing import NamedTuple

from mergecast.store.errors import StoreTooNew
from mergecast.store.postgres.connections import Connection
from mergecast.store.sql_files import migrations

_LOCK = 7_300_146_571  # any number, as long as no other program uses it
_OLDEST = re.compile(r"-- oldest program: ([0-9]+)$", re.MULTILINE)


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
