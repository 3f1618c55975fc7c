"""Looks at a store that no process has open, and changes nothing."""

import sqlite3
from pathlib import Path

from mergecast.queues.store.errors import StoreUnreadable
from mergecast.queues.store.inspection import COUNT_ALL, Inspection
from mergecast.queues.store.migrations import MIGRATIONS
from mergecast.queues.store.sqlite.acknowledged import read_acknowledged
from mergecast.queues.store.sqlite.check_files import (
    check_access,
    check_files,
    opened_for_reading,
    unreadable,
)
from mergecast.queues.store.sqlite.migrate import read_schema


def inspect_file(path: Path) -> Inspection | None:
    """None if there is no store; raises an error that says why it cannot be used."""
    check_access(path)
    check_files(path)
    if not path.exists():
        return None
    schema = repositories = events = 0
    try:
        with opened_for_reading(path) as connection:
            if schema := read_schema(connection, path):
                ((repositories, events),) = connection.execute(COUNT_ALL).fetchall()
            found = [words for (words,) in connection.execute("pragma quick_check(1)") if words != "ok"]
    except sqlite3.Error as error:
        raise unreadable(path, error) from error
    if found:
        raise StoreUnreadable(
            f"the store {path} is damaged: {found[0]}; restore a backup into an empty folder"
        )
    record = read_acknowledged(path)
    return Inspection(
        f"SQLite {sqlite3.sqlite_version}",
        schema,
        MIGRATIONS[-1].number,
        repositories=repositories,
        events=events,
        last_change_at=None if record is None else record.at,
    )
