"""Opens the database file, shares it between threads, and reopens it after a fatal error."""

import errno
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb
import structlog

from mergecast.errors import Unavailable
from mergecast.queues.store.duckdb.acknowledged import log_path
from mergecast.queues.store.duckdb.buckets import Buckets, complete_buckets
from mergecast.queues.store.duckdb.check_files import check_files, explain_unreadable, keep_rejected_log
from mergecast.queues.store.duckdb.migrate import migrate
from mergecast.queues.store.duckdb.tail import Tail
from mergecast.queues.store.errors import (
    DiskFull,
    OutOfMemory,
    StoreClosed,
    StoreDamaged,
    StoreInUse,
    StoreUnreadable,
)
from mergecast.queues.store.progress import Opening

log = structlog.get_logger("mergecast.store")

_DAMAGE = ("Corrupt database file", "Could not read enough bytes")
_NO_ROOM = (os.strerror(errno.ENOSPC), os.strerror(errno.EFBIG), os.strerror(errno.EDQUOT))

ROW_GROUP = 122_880  # rows
MOST_THREADS = 2
_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "integer_division": True,
    # A query may use two cores when they are free and the store is large. The writer stores as much beside 64
    # readers as beside one (docs/measurements/answers.md), because few queries run at a time (`QUERIES`).
    "threads": MOST_THREADS,
    "memory_limit": "768MB",
    # The writer decides when to checkpoint: a checkpoint that runs out of disk space inside a commit makes
    # the whole database unusable.
    "checkpoint_threshold": "1TB",
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}


class Engine:
    """Hands out cursors. Callers wait while it reopens the file."""

    def __init__(self, path: Path, opening: Opening | None = None) -> None:
        self.path = path
        self._lock = threading.Condition()
        self._lent = 0
        self._is_reopening = False
        self._root: duckdb.DuckDBPyConnection | None = None
        self._threads: int | None = None
        self.is_damaged = False
        self._open(opening or Opening())

    def _open(self, opening: Opening) -> None:
        files = check_files(self.path)
        try:
            root = duckdb.connect(str(self.path), config=_CONFIG)
        except duckdb.Error as error:
            if "Could not set lock" in str(error):
                raise StoreInUse(f"the store {self.path} is in use by another process") from error
            raise self.unreadable(error) from error
        try:
            root.execute("pragma disable_checkpoint_on_shutdown")
            keep_rejected_log(files)
            migrate(root, opening)
            self.buckets = _settle(root)
        except duckdb.Error as error:
            root.close()
            raise _disk_full(error) or self.unreadable(error) from error
        except BaseException:
            root.close()
            raise
        self._root, self._threads = root, None

    def unreadable(self, error: duckdb.Error) -> StoreUnreadable:
        return explain_unreadable(self.path, error)

    def note_damage(self, error: duckdb.Error) -> None:
        """Remember that a part of the file cannot be read, and log what and where."""
        self.is_damaged = True
        log.error("the store is damaged", file=str(self.path), error=str(error).splitlines()[0])

    @contextmanager
    def cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        with self._lock:
            self._lock.wait_for(lambda: not self._is_reopening)
            if self._root is None:
                raise StoreClosed("the store is closed")
            cursor = self._root.cursor()
            self._lent += 1
        try:
            yield cursor
        finally:
            cursor.close()
            with self._lock:
                self._lent -= 1
                self._lock.notify_all()

    def fit_threads(self, rows: int) -> None:
        """Choose how many threads a query may use, by the rows of the largest table.

        A thread scans whole row groups. With a single one, a second thread has hardly anything to do, and
        waking it in each query takes a tenth of the CPU time. The number never falls while the file is open.
        """
        threads = MOST_THREADS if rows > ROW_GROUP else 1
        if self._threads is None or self._threads < threads:
            with self.cursor() as cursor:
                cursor.execute(f"set threads = {threads}")
            self._threads = threads

    @property
    def has_all_threads(self) -> bool:
        return self._threads == MOST_THREADS

    def reopen(self) -> None:
        """Discard the broken instance; the calling thread must not hold a cursor."""
        with self._lock:
            self._is_reopening = True
            try:
                self._shut()
                self._open(Opening())
            finally:
                self._is_reopening = False
                self._lock.notify_all()

    def close(self) -> None:
        with self._lock:
            self._shut()

    def _shut(self) -> None:
        root, self._root = self._root, None
        self._lock.wait_for(lambda: self._lent == 0)
        if root is not None:
            root.close()

    def size(self) -> int:
        """Bytes on disk, including what is not yet merged into the main file."""
        size = 0
        for path in (self.path, self.wal):
            with suppress(FileNotFoundError):  # a checkpoint may remove the log at any moment
                size += path.stat().st_size
        return size

    @property
    def wal(self) -> Path:
        return log_path(self.path)


def is_damage(error: duckdb.Error) -> bool:
    """Whether the file no longer contains what was written to it."""
    is_serialization = isinstance(error, duckdb.SerializationException)
    return is_serialization or any(reason in str(error) for reason in _DAMAGE)


def unavailable(error: duckdb.Error) -> Unavailable | None:
    """What to tell the caller when the database cannot do something; None for an internal error."""
    if (full := _disk_full(error)) is not None:
        return full
    if is_damage(error):
        return StoreDamaged()
    if isinstance(error, duckdb.OutOfMemoryException):
        return OutOfMemory()
    if isinstance(error, duckdb.FatalException):
        return Unavailable("the store cannot do this now; nothing was changed")
    return None


def _disk_full(error: duckdb.Error) -> DiskFull | None:
    if any(reason in str(error) for reason in _NO_ROOM):
        return DiskFull("the disk of the store is full; nothing was changed")
    return None


def _settle(connection: duckdb.DuckDBPyConnection) -> Buckets:
    """Complete the buckets, and move what an earlier version left in the tail; returns the buckets.

    The rows of a year may take a minute; it happens once.
    """
    complete_buckets(connection)
    buckets = Buckets(connection)
    tail = Tail(connection, buckets)
    while tail.is_too_large:
        tail.move_a_table(connection)
    return buckets
