"""The open file of a store: who may use it, whether it is still there, and its connections for reading."""

import os
import sqlite3
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import structlog

from mergecast.errors import MergecastError, Unavailable
from mergecast.queues.store.errors import StoreClosed, StoreInUse
from mergecast.queues.store.progress import Opening
from mergecast.queues.store.sqlite.acknowledged import AcknowledgedFile, read_acknowledged
from mergecast.queues.store.sqlite.check_files import check_access, check_all, check_files, find, unreadable
from mergecast.queues.store.sqlite.connections import (
    check_version,
    connect,
    converted_error,
    is_damage,
    log_path,
    primary_code,
    words_of,
)
from mergecast.queues.store.sqlite.migrate import migrate

_WRITER_CACHE = 32 << 20

log = structlog.get_logger("mergecast.store")


class FileReplaced(Unavailable):
    """The file that is open is not the one in the folder: what is written to it would be lost."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"the file {path.name} of the store was replaced or deleted while the server runs; nothing was "
            "changed, and the operator has to restart the server",
            60,
        )


class DatabaseFile:
    def __init__(self, path: Path, opening: Opening) -> None:
        check_version()
        self.path = path
        self.is_damaged = False
        self._is_closed = False
        self._is_missed = False
        self._idle: deque[sqlite3.Connection] = deque()  # for reading
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        check_access(path)
        self.acknowledged = AcknowledgedFile(path)
        try:
            check_files(path)
            self.writing = self._open(opening)
        except BaseException:
            self.acknowledged.give_up()
            raise
        self._identities = {file: _identity(file) for file in (path, log_path(path))}

    def _open(self, opening: Opening) -> sqlite3.Connection:
        """The connection of the writer."""
        # SQLite would let others read a file that it makes.
        os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        try:
            connection = connect(self.path, _WRITER_CACHE)
        except sqlite3.Error as error:
            raise self.unreadable(error) from error
        try:
            if record := read_acknowledged(self.path):
                check_all(self.path, record, find(connection))
            migrate(connection, self.path, opening)
        except sqlite3.Error as error:
            connection.close()
            raise self.unreadable(error) from error
        except BaseException:
            connection.close()
            raise
        return connection

    def unreadable(self, error: sqlite3.Error) -> MergecastError:
        """Why the store cannot be opened."""
        if primary_code(error) == sqlite3.SQLITE_BUSY:
            return StoreInUse(f"the store {self.path} is in use by another process")
        shown = converted_error(error)
        return unreadable(self.path, error) if shown is None or is_damage(error) else shown

    def check_present(self) -> None:
        """Raise an error unless the files in the folder are those that are open."""
        for file, identity in self._identities.items():
            if _identity(file) != identity:
                if not self._is_missed:
                    log.error(
                        "a file of the store was replaced or deleted; restart the server", file=str(file)
                    )
                self._is_missed = True
                raise FileReplaced(file)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection for one thread; what it reads is of one moment."""
        if self._is_closed:
            raise StoreClosed("the store is closed")
        self.check_present()
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = connect(self.path)
        try:
            connection.execute("begin")
            yield connection
        finally:
            with suppress(sqlite3.Error):
                connection.rollback()
            self._idle.append(connection)

    def note_damage(self, error: sqlite3.Error) -> None:
        """Remember that a part of the file cannot be read, and log what SQLite says."""
        if is_damage(error):
            self.is_damaged = True
            log.error("the store is damaged", file=str(self.path), error=words_of(error))

    @property
    def log_bytes(self) -> int:
        """The length of the log of commits that are not in the file yet."""
        try:
            return log_path(self.path).stat().st_size
        except OSError:
            return 0

    def size(self) -> int:
        """Bytes on disk, including what is not yet merged into the main file."""
        return self.path.stat().st_size + self.log_bytes

    def close(self) -> None:
        """The last connection merges the log and deletes it. A closed file stays closed."""
        if self._is_closed:
            return
        self._is_closed = True
        while self._idle:
            self._idle.pop().close()
        self.writing.close()
        self.acknowledged.close()


def _identity(file: Path) -> tuple[int, int] | None:
    """Which file it is. Opening it here would end the locks that SQLite has on it."""
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
