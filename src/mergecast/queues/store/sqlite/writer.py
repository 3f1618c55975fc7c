"""The one thread that changes the store; changes that wait at the same time are committed together.

Owners take turns, so that one with much to store does not keep the others waiting.
"""

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Collection
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import structlog

from mergecast.errors import Conflict
from mergecast.process.interpreter import no_garbage_collection
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.errors import DiskFull, StoreClosed
from mergecast.queues.store.room import Room
from mergecast.queues.store.sqlite.acknowledged import Acknowledged
from mergecast.queues.store.sqlite.catalog import read_catalog
from mergecast.queues.store.sqlite.connections import BUSY_SECONDS, converted_error, words_of
from mergecast.queues.store.sqlite.database_file import DatabaseFile, FileReplaced
from mergecast.queues.store.sqlite.transaction import Transaction
from mergecast.queues.store.sqlite.turns import Turns
from mergecast.queues.store.store import BatchedWork

T = TypeVar("T")
Work = Callable[[Transaction], T]

_EVENTS_PER_COMMIT = 10_000
# Of several owners: a small change does not wait for the large one of another.
_SHARED_EVENTS_PER_COMMIT = 1_000
# How long the work on a repository takes before small changes of other owners are stored in between.
_SECONDS_ALONE = 0.02
_SMALL_ITEMS = 100
_MOST_SMALL_JOBS = 10
_LEAST_FREE_BYTES = 1 << 20  # with less, the disk counts as full
# How long the log may become before it is merged into the file, and after how long without work it is merged.
_LOG_BYTES = 16 << 20
_IDLE_SECONDS = 1.0
_LOOK_SECONDS = 5.0  # how often an idle writer looks whether its files are still there
_LONG_LOG_BYTES = 256 << 20

log = structlog.get_logger("mergecast.store")


class Item(NamedTuple):
    """Work on a repository, done together with waiting items of the same kind."""

    repository: Repository
    work: BatchedWork[Any, Any]
    content: Any
    size: int


@dataclass(frozen=True, slots=True)
class _Job:
    owner: str
    task: Item | Work[Any]
    future: Future[Any]


class Writer:
    def __init__(self, file: DatabaseFile, now: Callable[[], int]) -> None:
        self._file = file
        self._now = now
        self._room = Room()
        self.catalog = read_catalog(file.writing)
        self._merged = 0  # how many commits are in the file without the log
        self._next_merge = _LOG_BYTES  # the length of the log
        self._merge()
        self._jobs: Turns[_Job] = Turns()
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="writer")
        self._thread.start()

    def run_batched(self, item: Item) -> Future[Any]:
        """Returns once the work is durable."""
        return self._submit(item.repository.owner, item)

    def change(self, owner: str, work: Work[T]) -> Future[T]:
        """Run `work` in its own transaction; returns once that is durable."""
        return self._submit(owner, work)

    def _submit(self, owner: str, task: Item | Work[Any]) -> Future[Any]:
        if self._closing:
            raise StoreClosed("the store is closing")
        job = _Job(owner.lower(), task, Future())
        # The change is made even if its caller disconnects.
        job.future.set_running_or_notify_cancel()
        self._jobs.put(job.owner, job)
        return job.future

    def close(self) -> None:
        """Finish what was submitted, then stop."""
        self._closing = True
        self._jobs.close()
        self._thread.join()

    @property
    def has_room(self) -> bool:
        """Whether changes find room on the disk, as far as is known."""
        status = os.statvfs(self._file.path.parent)
        return not self._room.is_missing and status.f_bavail * status.f_frsize >= _LEAST_FREE_BYTES

    def _run(self) -> None:
        while (first := self._next()) is not None:
            batch = self._batch(first)
            # The collector would take 5 % of the time of an import.
            with no_garbage_collection():
                self._carry_out(batch, self._give_way_later({job.owner for job in batch}))
            self._merge_if_long(self._next_merge)
        self._merge_if_long(0)

    def _next(self) -> _Job | None:
        """The next job; merges the log while there is none."""
        while not self._jobs.is_over():
            has_log = self._file.log_bytes > 0
            job = self._jobs.take(_IDLE_SECONDS if has_log else _LOOK_SECONDS)
            if job is not None:
                return job
            with suppress(FileReplaced):
                self._file.check_present()  # which logs what it finds
            self._merge_if_long(0)
        return None

    def _batch(self, first: _Job) -> list[_Job]:
        """`first` with the items that join it.

        Different work on a repository needs transactions of its own: it would not see what the other inserts.
        Items of several owners are committed together only if they are small.
        """
        batch = [first]
        if not isinstance(first.task, Item):
            return batch
        works, owners = {first.task.repository: first.task.work}, {first.owner}
        size = first.task.size
        while size < _EVENTS_PER_COMMIT and (job := self._jobs.take()) is not None:
            task = job.task
            if not isinstance(task, Item) or works.setdefault(task.repository, task.work) != task.work:
                break
            owners.add(job.owner)
            size += task.size
            if size > (_EVENTS_PER_COMMIT if len(owners) == 1 else _SHARED_EVENTS_PER_COMMIT):
                break
            batch.append(job)
        else:
            return batch
        self._jobs.put_back(job.owner, job)
        return batch

    def _give_way_later(self, owners: Collection[str]) -> Callable[[], None]:
        """Stores small changes, except of these owners: their repositories are being changed.

        At most once in a while, so that small changes are still committed together.
        """
        alone_until = time.monotonic() + _SECONDS_ALONE

        def give_way() -> None:
            nonlocal alone_until
            if time.monotonic() >= alone_until:
                if batch := self._small_jobs(owners):
                    self._carry_out(batch, None)
                alone_until = time.monotonic() + _SECONDS_ALONE

        return give_way

    def _small_jobs(self, owners: Collection[str]) -> list[_Job]:
        """One small job of each of a few other owners."""
        jobs: list[_Job] = []
        served = set(owners)
        while len(jobs) < _MOST_SMALL_JOBS:
            job = self._jobs.take_if(lambda job: job.owner not in served and self._is_small(job.task))
            if job is None:
                break
            served.add(job.owner)
            jobs.append(job)
        return jobs

    def _is_small(self, task: Item | Work[Any]) -> bool:
        """Few rows of an existing repository: the change that gives way may itself create repositories."""
        return (
            isinstance(task, Item)
            and task.size <= _SMALL_ITEMS
            and task.repository in self.catalog.repositories
        )

    def _carry_out(self, batch: list[_Job], give_way: Callable[[], None] | None) -> None:
        """Do the work of these jobs in one transaction."""
        transaction = Transaction(self._file.writing, self.catalog, give_way, self._now())
        try:
            results = _results(transaction, [job.task for job in batch])
            self._file.check_present()
            if transaction.commit():
                self._note()
        except Exception as error:  # noqa: BLE001 - it belongs to those who wait for the result
            transaction.roll_back()
            self._fail(batch, error)
            return
        if isinstance(batch[0].task, Item):
            self._room.note_stored()
        for job, result in zip(batch, results, strict=True):
            if isinstance(result, Conflict):
                job.future.set_exception(result)
            else:
                job.future.set_result(result)

    def _note(self) -> None:
        """Before anyone learns of a commit."""
        catalog = self.catalog
        self._file.acknowledged.note(
            Acknowledged(catalog.commits, self._merged, self._now(), catalog.identity)
        )

    def _fail(self, batch: list[_Job], error: Exception) -> None:
        shown = error
        if isinstance(error, sqlite3.Error):
            log.error("transaction failed", error=words_of(error))
            self._file.note_damage(error)
            shown = converted_error(error) or error
            if isinstance(shown, DiskFull):
                self._room.note_full()
                self._merge_if_long(0)  # which makes room for the next change
        for job in batch:
            job.future.set_exception(shown)

    def _merge_if_long(self, longest: int) -> None:
        """Merge the log into the file, unless it is at most this long."""
        length = self._file.log_bytes
        if length <= longest:
            return
        with suppress(FileReplaced):
            self._file.check_present()
            if self._merge():
                self._next_merge = _LOG_BYTES
                return
            self._next_merge = length + _LOG_BYTES
            if length > _LONG_LOG_BYTES:
                log.warning("the log of the store is long: a reader keeps it from being merged", bytes=length)

    def _merge(self) -> bool:
        """Move what the log has into the file; returns whether that was everything.

        Readers of an earlier moment keep a part of it back.
        """
        connection = self._file.writing
        connection.execute("pragma busy_timeout = 0")
        try:
            ((is_busy, *_),) = connection.execute("pragma wal_checkpoint(truncate)").fetchall()
        except sqlite3.Error as error:
            # What was committed is safe in the log; the next commit tries again to merge it.
            log.warning("checkpoint failed", error=words_of(error))
            self._file.note_damage(error)
            is_busy = True
        finally:
            connection.execute(f"pragma busy_timeout = {round(BUSY_SECONDS * 1_000)}")
        if not is_busy:
            self._merged = self.catalog.commits
            self._note()
        return not is_busy


def _results(transaction: Transaction, tasks: list[Item | Work[Any]]) -> list[Any]:
    """The result of each task: a single piece of work, or items done together."""
    items = [task for task in tasks if isinstance(task, Item)]
    if not items:
        return [task(transaction) for task in tasks if not isinstance(task, Item)]
    results: list[Any] = [None] * len(items)
    places: dict[tuple[Repository, BatchedWork[Any, Any]], list[int]] = {}
    for place, item in enumerate(items):
        places.setdefault((item.repository, item.work), []).append(place)
    for (repository, work), own in places.items():
        held = transaction.create_or_hold(repository)
        for place, result in zip(own, work(held, [items[place].content for place in own]), strict=True):
            results[place] = result
    return results
