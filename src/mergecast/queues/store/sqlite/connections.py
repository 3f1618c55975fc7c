"""Connections to the file of a store, what they are set to, and what their errors mean."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mergecast.errors import Unavailable
from mergecast.queues.store.errors import DiskFull, OutOfMemory, StoreDamaged, StoreUnreadable
from mergecast.queues.store.sqlite.functions import bound, register

# The oldest version that the tests run on: that of Debian 12.
OLDEST = (3, 40, 0)
_MEMORY = (
    512 << 20
)  # of all connections together; sorting more ends with an error instead of filling the disk
_STATEMENTS = 400  # more than there are texts
BUSY_SECONDS = 5.0
_SETTINGS = (
    "journal_mode = wal",
    "synchronous = full",  # what is acknowledged is on the disk
    "wal_autocheckpoint = 0",  # the writer decides when
    "temp_store = memory",
    "secure_delete = on",  # what was deleted is not left in free pages
    "cell_size_check = on",
    "trusted_schema = off",
    f"hard_heap_limit = {_MEMORY}",
)
_FULL = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE}
_READ_ONLY = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_AUTH}
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def check_version() -> None:
    """Refuse a library that is older than what the statements need."""
    if sqlite3.sqlite_version_info < OLDEST:
        present, oldest = sqlite3.sqlite_version, ".".join(map(str, OLDEST))
        raise StoreUnreadable(
            f"this Python has SQLite {present}, and the embedded store needs {oldest} or newer: use a Python with "
            "a newer SQLite, or a PostgreSQL database (MERGECAST_DATABASE_URL)"
        )


def connect(path: Path, cache_bytes: int = 4 << 20) -> sqlite3.Connection:
    """A connection that any thread may use, one at a time. Every new one needs all settings again.

    Connections of one process share the index of the log in memory, and no other process can open the file:
    the index needs no room on the disk, and nobody else leaves files beside it.
    """
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?vfs=unix-excl",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=_STATEMENTS,
        detect_types=sqlite3.PARSE_COLNAMES,
    )
    try:
        for setting in (*_SETTINGS, f"cache_size = {-(cache_bytes >> 10)}"):
            connection.execute(f"pragma {setting}").fetchall()
        register(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def execute(connection: sqlite3.Connection, text: str, parameters: Sequence[object] = ()) -> sqlite3.Cursor:
    """Run a statement with numbered parameters."""
    return connection.execute(text, bound(parameters))


def fetch(
    connection: sqlite3.Connection, text: str, parameters: Sequence[object] = ()
) -> list[tuple[Any, ...]]:
    """The rows of a statement."""
    return execute(connection, text, parameters).fetchall()


def log_path(database: Path) -> Path:
    return database.with_name(f"{database.name}-wal")


def is_damage(error: sqlite3.Error) -> bool:
    """Whether the file no longer contains what was written to it."""
    return primary_code(error) in _DAMAGED


def is_full(error: sqlite3.Error) -> bool:
    """Whether there was no room on the disk."""
    return int(getattr(error, "sqlite_errorcode", 0)) in _FULL


def primary_code(error: sqlite3.Error) -> int:
    """The kind of an error, without its details; 0 for an error of the driver."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def words_of(error: sqlite3.Error) -> str:
    """What SQLite says, in one line, with the name of the error: its words are often the same."""
    name = getattr(error, "sqlite_errorname", None)
    words = str(error).partition("\n")[0]
    return words if name is None else f"{words} ({name})"


def converted_error(error: sqlite3.Error) -> Unavailable | None:
    """What an error means to a caller; None for a mistake of the program."""
    primary = primary_code(error)
    if is_full(error):
        return DiskFull("the disk of the store is full; nothing was changed")
    if primary in _DAMAGED:
        return StoreDamaged()
    if primary in _READ_ONLY:
        return Unavailable(
            "the file or the folder of the store is read-only for the server; nothing was changed", 60
        )
    if primary == sqlite3.SQLITE_NOMEM:
        return OutOfMemory()
    if primary in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL):
        return Unavailable("the store cannot do this now; nothing was changed")
    return None
