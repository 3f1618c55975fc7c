"""Checks, before the store is opened, that its files still contain everything that was acknowledged.

If they do not, it says how much is missing and what to do, and changes nothing.
"""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from mergecast.queues.model.instant import SECOND, format_instant
from mergecast.queues.model.words import counted
from mergecast.queues.store.errors import StoreUnreadable
from mergecast.queues.store.sqlite.acknowledged import Acknowledged, acknowledged_path, read_acknowledged
from mergecast.queues.store.sqlite.connections import index_path, log_path, words_of


class Found(NamedTuple):
    """Which store the files hold, and how many changes of it."""

    identity: str
    commits: int


def check_files(database: Path) -> None:
    """Raise StoreUnreadable if acknowledged changes are missing."""
    for path in (database, log_path(database), acknowledged_path(database)):
        _check_access(path)
    record = read_acknowledged(database)
    if not database.exists():
        if record is not None or log_path(database).exists():
            raise _lost(database, record, f"{database.name} is missing", has_log=True, left="an empty store")
        return
    if record is None or not database.stat().st_size:
        return
    try:
        in_file, in_all = _find(database, "immutable=1"), _find_with_log(database)
    except sqlite3.Error as error:
        raise unreadable(database, error) from error
    for found in (in_file, in_all):
        if found is not None and found.identity != record.identity:
            whose = f"{database.name} is not the one" if found is in_file else f"{log_path(database).name} is not that"
            raise _lost(database, record, f"{whose} of the store that was here before", has_log=True)
    in_file_only = 0 if in_file is None else in_file.commits
    if in_file_only < record.merged:
        older = counted(record.merged - in_file_only, "change")
        raise _lost(database, record, f"{database.name} is an older copy, which lacks {older}", has_log=True)
    missing = record.commits - (0 if in_all is None else in_all.commits)
    if missing > 0:
        lacks = f"{counted(missing, 'acknowledged change')} of {record.commits:,} are missing"
        state = "is damaged or incomplete" if log_path(database).exists() else "is missing"
        raise _lost(database, record, f"{lacks}, because {log_path(database).name} {state}", has_log=False)


def _lost(
    database: Path, record: Acknowledged | None, what: str, *, has_log: bool, left: str = ""
) -> StoreUnreadable:
    """`has_log` says that what is left does not go with the log; `left` is what is left without these files."""
    paths = [acknowledged_path(database), *([log_path(database)] if has_log else [])]
    moved = " and ".join(f"`{path.name}`" for path in paths if path.exists())
    at = "" if record is None else f". {_last(record)}"
    return StoreUnreadable(
        f"the store {database} has lost acknowledged changes: {what}{at}. Nothing was changed. Put the right files "
        f"back, or restore a backup into an empty folder. To continue with {left or 'what is left'} instead, "
        f"move {moved} out of the folder"
    )


def _last(record: Acknowledged) -> str:
    instant = format_instant(record.at // SECOND * SECOND)
    return f"The last acknowledged change, number {record.commits:,}, is from {instant}"


def unreadable(database: Path, error: sqlite3.Error) -> StoreUnreadable:
    """For a file that SQLite cannot open."""
    record = read_acknowledged(database)
    advice = f"restore a backup into an empty folder, without the {log_path(database).name} of another store"
    at = "" if record is None else f". {_last(record)}"
    return StoreUnreadable(f"the store {database} cannot be opened: {words_of(error)}; {advice}{at}")


def _find_with_log(database: Path) -> Found | None:
    index = index_path(database)
    has_index = index.exists()
    try:
        return _find(database, "mode=ro")
    finally:
        if not has_index:
            index.unlink(missing_ok=True)


def _find(database: Path, how: str) -> Found | None:
    """None if the file has no tables yet."""
    with closing(open_for_reading(database, how)) as connection:
        tables = connection.execute("select 1 from sqlite_schema where name = 'store_state'").fetchall()
        rows = connection.execute("select identity, commits from store_state").fetchall() if tables else []
        return Found(*rows[0]) if rows else None


def open_for_reading(database: Path, how: str = "mode=ro") -> sqlite3.Connection:
    """A connection that neither changes the log nor merges it; without the log if the file is `immutable`."""
    return sqlite3.connect(f"{database.absolute().as_uri()}?{how}", uri=True)


def _check_access(path: Path) -> None:
    if not path.exists():
        return
    if not path.is_file():
        raise StoreUnreadable(f"{path} is not a file; move it out of the folder, or restore a backup")
    if not os.access(path, os.R_OK | os.W_OK, effective_ids=True):
        raise StoreUnreadable(f"{path} is not readable and writable for this user; change its permissions")
