"""Checks, when the store is opened, that its files still contain everything that was acknowledged.

If they do not, it says how much is missing and what to do, and changes nothing.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from mergecast.queues.model.instant import SECOND, format_instant
from mergecast.queues.model.words import counted
from mergecast.queues.store.errors import StoreUnreadable
from mergecast.queues.store.sqlite.acknowledged import Acknowledged, acknowledged_path, read_acknowledged
from mergecast.queues.store.sqlite.connections import is_full, log_path, words_of


class Found(NamedTuple):
    """Which store the files hold, and how many changes of it."""

    identity: str
    commits: int


def check_files(database: Path) -> None:
    """Raise StoreUnreadable if acknowledged changes are missing."""
    record = read_acknowledged(database)
    if not database.exists():
        if record is not None or log_path(database).exists():
            raise _lost(database, record, f"{database.name} is missing", "an empty store", with_log=True)
        return
    if record is None:
        return
    try:
        try:
            with opened_for_reading(database, "immutable=1") as connection:
                in_file = find(connection)
        except sqlite3.DatabaseError as error:
            in_file = None
            _check_together(database, error)
        else:
            _check_file(database, record, in_file)
        with opened_for_reading(database) as connection:
            in_all = find(connection)
    except sqlite3.Error as error:
        if is_full(error):
            return  # it is checked once it is open
        raise unreadable(database, error) from error
    check_all(database, record, in_all, in_file.commits if in_file else 0)


def _check_together(database: Path, error: sqlite3.DatabaseError) -> None:
    """Raise the error of the file alone, unless it is whole with the log: merging them was interrupted."""
    with opened_for_reading(database) as connection:
        if connection.execute("pragma quick_check(1)").fetchall() != [("ok",)]:
            raise error


def _check_file(database: Path, record: Acknowledged, found: Found | None) -> None:
    """What the file itself has, without the log."""
    if found is None:
        what = f"{database.name} is empty"
    elif found.identity != record.identity:
        what = f"{database.name} is that of another store"
    elif found.commits < record.merged:
        what = f"{database.name} is an older copy: {_missing(record, found.commits)}"
    else:
        return
    raise _lost(database, record, what, f"this {database.name}", with_log=True)


def check_all(database: Path, record: Acknowledged, found: Found | None, in_file: int = 0) -> None:
    """What the file and the log have together; `in_file` is what the file has."""
    log = log_path(database)
    commits = in_file if found is None or found.identity != record.identity else found.commits
    if commits < record.commits:
        why = "is damaged, incomplete or of another store" if log.exists() else "is missing"
        what = f"{_missing(record, commits)}, because {log.name} {why}"
        raise _lost(database, record, what, "what is left", with_log=commits <= in_file)


def _missing(record: Acknowledged, commits: int) -> str:
    missing = record.commits - commits
    return f"{counted(missing, 'change')} of {record.commits:,} {'is' if missing == 1 else 'are'} missing"


def find(connection: sqlite3.Connection) -> Found | None:
    """None if the file has no tables yet."""
    tables = connection.execute("select 1 from sqlite_schema where name = 'store_state'").fetchall()
    rows = connection.execute("select identity, commits from store_state").fetchall() if tables else []
    return Found(*rows[0]) if rows else None


@contextmanager
def opened_for_reading(database: Path, how: str = "mode=ro") -> Iterator[sqlite3.Connection]:
    """A connection that neither changes the log nor merges it; without the log if the file is `immutable`."""
    beside = (log_path(database), database.with_name(f"{database.name}-shm"))
    made = [path for path in beside if not path.exists()]
    connection = sqlite3.connect(f"{database.absolute().as_uri()}?{how}", uri=True)
    try:
        yield connection
    finally:
        connection.close()
        for path in made:
            path.unlink(missing_ok=True)


def _lost(
    database: Path, record: Acknowledged | None, what: str, left: str, *, with_log: bool
) -> StoreUnreadable:
    """`left` is what a store without these files would continue with."""
    paths = [acknowledged_path(database), *([log_path(database)] if with_log else [])]
    moved = " and ".join(f"`{path.name}`" for path in paths if path.exists())
    last = "" if record is None else f". {_last(record)}"
    return StoreUnreadable(
        f"the store {database} has lost acknowledged changes: {what}{last}. Nothing was changed. Put the "
        f"right files back, or restore a backup into an empty folder. To continue with {left} instead, "
        f"move {moved} out of the folder"
    )


def _last(record: Acknowledged) -> str:
    instant = format_instant(record.at // SECOND * SECOND)
    return f"The last acknowledged change, number {record.commits:,}, is from {instant}"


def unreadable(database: Path, error: sqlite3.Error) -> StoreUnreadable:
    """For a file that SQLite cannot open."""
    record = read_acknowledged(database)
    last = "" if record is None else f". {_last(record)}"
    return StoreUnreadable(
        f"the store {database} cannot be opened: {words_of(error)}; restore a backup into an empty folder, "
        f"without the {log_path(database).name} of another store{last}"
    )


def check_access(database: Path) -> None:
    """Raise StoreUnreadable if this user may not use the files."""
    for path in (database, log_path(database), acknowledged_path(database)):
        if path.exists() and not path.is_file():
            raise StoreUnreadable(f"{path} is not a file; move it out of the folder, or restore a backup")
        if path.exists() and not os.access(path, os.R_OK | os.W_OK, effective_ids=True):
            raise StoreUnreadable(
                f"{path} is not readable and writable for this user; change its permissions"
            )
