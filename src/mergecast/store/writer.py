"""The one thread that changes the store; what arrives together is committed together."""

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

import duckdb
import structlog

from mergecast.errors import Conflict
from mergecast.store.append import Delivery, Receipt, append
from mergecast.store.catalog import Catalog, read_catalog
from mergecast.store.engine import Engine
from mergecast.store.errors import StoreClosed, unavailable
from mergecast.store.key_index import KeyIndex
from mergecast.store.write_events import Keys

T = TypeVar("T")
Work = Callable[[duckdb.DuckDBPyConnection, Catalog, Keys], T]

_EVENTS_A_COMMIT = 20_000
_CHECKPOINT_BYTES = 16 << 20
_SPARE_BYTES = 8 << 20

log = structlog.get_logger("mergecast.store")


@dataclass(frozen=True, slots=True)
class _Job:
    task: Delivery | Work[Any]
    future: Future[Any]


class Writer:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        with engine.cursor() as cursor:
            self.catalog = read_catalog(cursor)
        self._keys: Keys | None = None
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._closing = False
        self._is_broken = False
        self._thread = threading.Thread(target=self._work, name="writer")
        self._thread.start()

    def record(self, delivery: Delivery) -> Future[Receipt]:
        """Done once the delivery is durable."""
        return self._submit(delivery)

    def change(self, work: Work[T]) -> Future[T]:
        """Run `work` between two commits."""
        return self._submit(work)

    def _submit(self, task: Delivery | Work[Any]) -> Future[Any]:
        if self._closing:
            raise StoreClosed("the store is closing")
        job = _Job(task, Future())
        # A caller that goes away does not undo what it asked for.
        job.future.set_running_or_notify_cancel()
        self._jobs.put(job)
        return job.future

    def close(self) -> None:
        """Finish what was submitted, then stop."""
        self._closing = True
        self._jobs.put(None)
        self._thread.join()

    def _work(self) -> None:
        # Before anybody sends something: with millions of events this takes seconds.
        self._prepare()
        held: _Job | None = None
        while (first := held or self._jobs.get()) is not None:
            batch, held, is_last = self._batch(first)
            try:
                if self._is_broken:
                    self._recover()
                with self._engine.cursor() as cursor:
                    self._carry_out(cursor, batch)
                self._checkpoint()
            except Exception as error:  # noqa: BLE001 - it belongs to those who wait for the result
                self._fail(batch, error)
            if is_last:
                break
        self._checkpoint(longer_than=0)

    def _prepare(self) -> None:
        try:
            with self._engine.cursor() as cursor:
                self._keys = read_keys(cursor)
        except Exception as error:  # noqa: BLE001 - the first job tries again and hears of it
            log.warning("keys could not be read", error=str(error))

    def _batch(self, first: _Job) -> tuple[list[_Job], _Job | None, bool]:
        """`first` and the deliveries behind it; a job of another kind, if one came; whether to stop."""
        batch = [first]
        events = len(first.task.events) if isinstance(first.task, Delivery) else _EVENTS_A_COMMIT
        while events < _EVENTS_A_COMMIT:
            try:
                job = self._jobs.get_nowait()
            except Empty:
                break
            if job is None:
                return batch, None, True
            if not isinstance(job.task, Delivery):
                return batch, job, False
            batch.append(job)
            events += len(job.task.events)
        return batch, None, False

    def _carry_out(self, cursor: duckdb.DuckDBPyConnection, batch: list[_Job]) -> None:
        if self._keys is None:
            self._keys = read_keys(cursor)
        task = batch[0].task
        if isinstance(task, Delivery):
            deliveries = [job.task for job in batch if isinstance(job.task, Delivery)]
            results: list[Any] = list(append(cursor, self.catalog, self._keys, deliveries))
        else:
            results = [task(cursor, self.catalog, self._keys)]
        for job, result in zip(batch, results, strict=True):
            if isinstance(result, Conflict):
                job.future.set_exception(result)
            else:
                job.future.set_result(result)

    def _checkpoint(self, *, longer_than: int = _CHECKPOINT_BYTES) -> None:
        """Merge the log of commits into the main file once it is long, if there is room for that."""
        wal = self._engine.wal
        length = wal.stat().st_size if wal.exists() else 0
        if length <= longer_than or _free_bytes(wal) < 2 * length + _SPARE_BYTES:
            return
        try:
            with self._engine.cursor() as cursor:
                cursor.execute("checkpoint")
        except duckdb.TransactionException:
            # Readers are in the way; the next commit tries again.
            return
        except duckdb.Error as error:
            # What was committed is safe in the log; the next commit tries again to merge it.
            log.warning("checkpoint failed", error=str(error).splitlines()[0])
            if isinstance(error, duckdb.FatalException):
                self._is_broken = True
                self._recover()

    def _fail(self, batch: list[_Job], error: Exception) -> None:
        shown: Exception = error
        if isinstance(error, duckdb.Error):
            log.error("transaction failed", error=str(error).splitlines()[0])
            self._is_broken |= isinstance(error, duckdb.FatalException)
            shown = unavailable(error) or error
        if not isinstance(batch[0].task, Delivery):
            # Such work changes the keys; where it stopped nobody knows.
            self._keys = None
        for job in batch:
            if not job.future.done():
                job.future.set_exception(shown)

    def _recover(self) -> None:
        """The database gave up on itself: open it again, and read again what is known of it."""
        self._keys = None
        self._engine.reopen()
        with self._engine.cursor() as cursor:
            self.catalog = read_catalog(cursor)
        self._is_broken = False


def read_keys(cursor: duckdb.DuckDBPyConnection) -> Keys:
    return Keys(_read_index(cursor, "events"), _read_index(cursor, "subjects"))


def _read_index(cursor: duckdb.DuckDBPyConnection, table: str) -> KeyIndex:
    columns = cursor.execute(f"select key_high, key_low, number from {table}").fetchnumpy()  # noqa: S608
    return KeyIndex.of(columns["key_high"], columns["key_low"], columns["number"])


def _free_bytes(path: Path) -> int:
    status = os.statvfs(path.parent)
    return status.f_bavail * status.f_frsize
