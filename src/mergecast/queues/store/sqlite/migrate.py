"""Brings a file to this program's schema; a newer one is refused and not touched."""

import secrets
import sqlite3
from pathlib import Path

from mergecast import __version__
from mergecast.queues.store.errors import StatementFailed, StoreUnreadable
from mergecast.queues.store.migrations import MIGRATIONS, Migration, statements_of, title, too_new
from mergecast.queues.store.progress import Opening
from mergecast.queues.store.sqlite.connections import converted_error, words_of

_IDENTITY_BYTES = 8


def migrate(connection: sqlite3.Connection, path: Path, opening: Opening) -> None:
    """Apply the missing migrations, each in its own transaction, and remember which version did so."""
    schema = read_schema(connection, path)
    missing = [migration for migration in MIGRATIONS if migration.number > schema]
    with opening.interrupted_by(connection.interrupt):
        for migration in opening.each_migration(missing, schema):
            _apply(connection, migration)


def read_schema(connection: sqlite3.Connection, path: Path) -> int:
    """The last migration; 0 if the file is new. Raises an error if this program cannot use the file."""
    ((schema,),) = connection.execute("pragma user_version").fetchall()
    tables = {name for (name,) in connection.execute("select name from sqlite_schema where type = 'table'")}
    if tables and "store_state" not in tables:
        raise StoreUnreadable(f"{path} is a database of another program; move it out of the folder")
    if schema > MIGRATIONS[-1].number:
        ((program,),) = connection.execute("select program from store_state").fetchall()
        raise too_new("the store", schema, program, MIGRATIONS[-1].number)
    return int(schema)


def _apply(connection: sqlite3.Connection, migration: Migration) -> None:
    connection.execute("begin immediate")
    try:
        for statement in statements_of(migration.sqlite):
            _run(connection, migration, statement)
        if migration is MIGRATIONS[0]:
            first = (secrets.token_hex(_IDENTITY_BYTES), 0, 0, __version__)
            connection.execute("insert into store_state values (?, ?, ?, ?)", first)
        connection.execute("update store_state set program = ?", (__version__,))
        connection.execute(f"pragma user_version = {migration.number}")
        connection.execute("commit")
    except BaseException:
        connection.rollback()
        raise


def _run(connection: sqlite3.Connection, migration: Migration, statement: str) -> None:
    try:
        connection.execute(statement)
    except sqlite3.Error as error:
        if converted_error(error) is not None:
            raise  # of the file or the machine, not of this statement
        raise StatementFailed(
            f"migration {migration.number} (`{title(statement)}`) failed: {words_of(error)}; "
            "nothing of it was changed"
        ) from error
