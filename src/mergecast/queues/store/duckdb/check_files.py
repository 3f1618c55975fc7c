"""Checks, before the store is opened, that its files still contain everything that was acknowledged.

If they do not, it says what is lost, what is left, and what to do.
"""

import os
import shutil
from pathlib import Path
from typing import NamedTuple

import duckdb
import structlog

from mergecast.queues.model.instant import SECOND, format_instant
from mergecast.queues.model.words import counted
from mergecast.queues.store.duckdb.acknowledged import (
    Acknowledged,
    acknowledged_path,
    free_name,
    log_path,
    read_acknowledged,
)
from mergecast.queues.store.duckdb.files import DatabaseFile, Log, read_database_file, read_log
from mergecast.queues.store.errors import StoreUnreadable


class StoreFiles(NamedTuple):
    """The files of a store and what they contain; None for what is missing or makes no sense."""

    path: Path
    acknowledged: Acknowledged | None
    log: Log | None
    database: DatabaseFile | None


def explain_loss(files: StoreFiles, what_happened: str) -> str:
    """For a store whose files lack something that was acknowledged."""
    path, record, known, found = files
    is_same_store = record is not None and found is not None and record.identity == found.identity
    left = _what_is_left(path, record if is_same_store else None)
    moved = [acknowledged_path(path)]
    if left is None or known is None or known.continues != found:
        moved.append(log_path(path))
    right, state = (
        ("the right files", f"this {path.name}") if path.exists() else (path.name, "an empty store")
    )
    sentences = [
        f"the store {path} {what_happened}",
        *([] if record is None else [_last_acknowledged(record)]),
        left or _without_log(record, found),
        "Nothing was changed",
        f"Put {right} back, or restore a backup into an empty folder",
        f"To continue with {state} instead, move {_existing(moved)} out of the folder",
    ]
    return ". ".join(sentences)


def explain_unreadable(path: Path, error: duckdb.Error) -> StoreUnreadable:
    """For a store that DuckDB cannot open."""
    record, known = read_acknowledged(acknowledged_path(path)), log_path(path)
    reason = str(error).splitlines()[0]
    advice = f"restore a backup into an empty folder, without the {known.name} of another store"
    sentences = [f"the store {path} cannot be opened: {reason}; {advice}"]
    if record is not None:
        sentences.append(_last_acknowledged(record))
    if "WAL" in str(error):
        state = "without the log" if record is None else f"with the state of {_time(record.merged_at)}"
        moved = _existing([acknowledged_path(path), known])
        sentences.append(f"To continue {state} instead, move {moved} out of the folder")
    return StoreUnreadable(". ".join(sentences))


def _existing(paths: list[Path]) -> str:
    return " and ".join(f"`{path.name}`" for path in paths if path.exists())


def _last_acknowledged(record: Acknowledged) -> str:
    held = _amount(record.repositories, record.events)
    return f"The last acknowledged change is from {_time(record.at)}, when the store had {held}"


def _time(instant: int) -> str:
    return format_instant(instant // SECOND * SECOND)


def _amount(repositories: int, events: int) -> str:
    return f"{counted(events, 'event')} in {counted(repositories, 'repository', 'repositories')}"


def _what_is_left(database: Path, record: Acknowledged | None) -> str | None:
    """How much it is, and how much less than recorded of the same store.

    None if it cannot be read. Opened only for reading, DuckDB changes no file.
    """
    if not database.exists():
        return "Nothing is left"
    try:
        with duckdb.connect(str(database), read_only=True) as connection:
            ((repositories, events),) = connection.execute(
                "select count(*), coalesce(sum(events), 0)::bigint from repository_state"
            ).fetchall()
    except duckdb.CatalogException:  # it has no tables yet
        return "Nothing is left"
    except duckdb.Error:
        return None
    amount = f"What is left has {_amount(repositories, events)}"
    return amount if record is None else f"{amount}: {_difference(record.events, events)}"


def _difference(before: int, left: int) -> str:
    """What the lost changes did to the number of events."""
    if left == before:
        others = "deliveries of sources, settings, keys or sessions"
        return f"as many events as before, so the lost changes are of something else, such as {others}"
    events = counted(abs(left - before), "event")
    return f"{events} fewer" if left < before else f"{events} more, which had been deleted"


def _without_log(record: Acknowledged | None, found: DatabaseFile | None) -> str:
    """What is left if DuckDB cannot open the store with its log."""
    if record is None or found != (record.identity, record.checkpoints):
        return "What is left cannot be read"
    return f"Without its log, the store is in the state of {_time(record.merged_at)}"


_LOST = "has lost acknowledged changes"

log = structlog.get_logger("mergecast.store")


def check_files(database: Path) -> StoreFiles:
    """Raise StoreUnreadable, and change nothing, if acknowledged changes are missing."""
    try:
        files = _read_files(database)
    except OSError as error:
        raise StoreUnreadable(f"{error.filename or database}: {error.strerror}") from error
    if found := _what_happened(files):
        raise StoreUnreadable(explain_loss(files, found))
    return files


def keep_rejected_log(files: StoreFiles) -> None:
    """Copy a log that DuckDB has rejected, and will overwrite, unless it only ends with an unfinished commit.

    To be called once DuckDB has locked the store.
    """
    known, path = files.log, log_path(files.path)
    if known is None or known.readable == known.size or (known.continues and files.acknowledged):
        return
    aside = free_name(path)
    try:
        shutil.copyfile(path, aside)
    except OSError as error:
        raise StoreUnreadable(f"cannot copy the damaged log to {aside}: {error.strerror}") from error
    unread = known.size - known.readable
    log.warning("the log of the store cannot be read to its end", bytes=unread, copy=str(aside))


def _read_files(database: Path) -> StoreFiles:
    """Read the record first: if another process still writes, the other files may only be newer than it."""
    paths = acknowledged_path(database), log_path(database), database
    for path in paths:
        _check_access(path)
    acknowledged, known = read_acknowledged(paths[0]), read_log(paths[1])
    found = read_database_file(database) if database.exists() else None
    return StoreFiles(database, acknowledged, known, found)


def _check_access(path: Path) -> None:
    if not path.exists():
        return
    if not path.is_file():
        raise StoreUnreadable(f"{path} is not a file; move it out of the folder, or restore a backup")
    if not os.access(path, os.R_OK | os.W_OK, effective_ids=True):
        raise StoreUnreadable(f"{path} is not readable and writable for this user; change its permissions")


def _what_happened(files: StoreFiles) -> str | None:
    """None if there is no sign that acknowledged changes are missing."""
    path, record, known, found = files
    if not path.exists():
        return f"{_LOST}: {path.name} is missing" if record or known else None
    if found is None:
        return None  # DuckDB says why it cannot be opened
    if record is not None:
        return _what_happened_since(record, path, known, found)
    is_strange = known is not None and known.continues is None
    return f"{_LOST}: {log_path(path).name} does not begin like a log" if is_strange else None


def _what_happened_since(
    record: Acknowledged, path: Path, known: Log | None, found: DatabaseFile
) -> str | None:
    if record.identity != found.identity:
        return "is not the one that was here before; it may be a restored backup"
    if found.checkpoints < record.checkpoints:
        return f"{_LOST}: {path.name} is an older copy"
    if found.checkpoints > record.checkpoints or not record.log_bytes:
        return None
    missing = _what_is_missing_in_log(known, found, record.log_bytes)
    return missing and f"{_LOST}: {log_path(path).name} {missing}"


def _what_is_missing_in_log(known: Log | None, found: DatabaseFile, needed: int) -> str | None:
    if known is None:
        return "is missing or empty"
    if known.continues is None:
        return "does not begin like a log"
    if known.continues != found:
        return "belongs to another state of the store"
    if known.readable >= needed:
        return None
    if known.size < needed:
        return f"has {known.size:,} bytes and had {needed:,}"
    return f"is damaged after byte {known.readable:,} of {known.size:,}"
