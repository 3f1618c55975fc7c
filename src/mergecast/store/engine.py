"""The database file: opened, shared between threads, opened again after a fatal error."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb

from mergecast.store.errors import StoreClosed, StoreInUse, StoreUnreadable
from mergecast.store.migrate import migrate

_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "integer_division": True,
    # A query may use two cores when they are free. Beside 64 readers the writer stores as much as with
    # one (docs/performance.md), because only two queries run at a time.
    "threads": 2,
    "memory_limit": "768MB",
    # The writer decides when to checkpoint: a checkpoint that fails for want of room inside a commit
    # makes the whole database unusable.
    "checkpoint_threshold": "1TB",
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}


class Engine:
    """Hands out cursors; while it opens the file anew, nobody holds one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Condition()
        self._lent = 0
        self._is_reopening = False
        self._root: duckdb.DuckDBPyConnection | None = None
        self._open()

    def _open(self) -> None:
        try:
            root = duckdb.connect(str(self.path), config=_CONFIG)
        except duckdb.Error as error:
            if "Could not set lock" in str(error):
                raise StoreInUse(f"the store {self.path} is in use by another process") from error
            raise StoreUnreadable(
                f"the store {self.path} cannot be opened: {str(error).splitlines()[0]}; "
                f"a backup belongs into an empty folder, where no {self.wal.name} of another store lies"
            ) from error
        try:
            root.execute("pragma disable_checkpoint_on_shutdown")
            migrate(root)
        except BaseException:
            root.close()
            raise
        self._root = root

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

    def reopen(self) -> None:
        """Throw the faulty instance away; called with no cursor in the calling thread."""
        with self._lock:
            self._is_reopening = True
            try:
                self._shut()
                self._open()
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
        """Bytes on disk, with what is not yet merged into the main file."""
        size = 0
        for path in (self.path, self.wal):
            with suppress(FileNotFoundError):  # a checkpoint may take the log away at any moment
                size += path.stat().st_size
        return size

    @property
    def wal(self) -> Path:
        return self.path.with_name(self.path.name + ".wal")
