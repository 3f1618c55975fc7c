"""Checks, before the store is opened, that its files still contain everything that was acknowledged."""

import os
import shutil
from pathlib import Path

import structlog

from mergecast.queues.store.duckdb.acknowledged import (
    Acknowledged,
    acknowledged_path,
    free_name,
    log_path,
    read_acknowledged,
)
from mergecast.queues.store.duckdb.files import DatabaseFile, Log, read_database_file, read_log
from mergecast.queues.store.duckdb.lost_changes import StoreFiles, explain_loss
from mergecast.queues.store.errors import StoreUnreadable

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
