"""The one thread that changes the store; changes that wait at the same time are committed together.

Owners take turns, so that one with much to store does not keep the others waiting.
"""

import os
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Collection
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import duckdb
import structlog

from mergecast.errors import Conflict
from mergecast.process.clock import now_in_microseconds
from mergecast.process.interpreter import no_garbage_collection
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.duckdb.acknowledged import AcknowledgedFile, Held
from mergecast.queues.store.duckdb.catalog import read_catalog
from mergecast.queues.store.duckdb.engine import Engine, is_damage, unavailable
from mergecast.queues.store.duckdb.key_index import KeyIndexes
from mergecast.queues.store.duckdb.tail import Tail, TailLimits
from mergecast.queues.store.duckdb.transaction import Transaction
from mergecast.queues.store.errors import DiskFull, StoreClosed
from mergecast.queues.store.room import Room
from mergecast.queues.store.store import BatchedWork

T = TypeVar("T")


class Turns(Generic[T]):
    """A queue between threads; what one owner puts in comes out in the same order.

    Owners take turns: each waits for one piece of work of every other at most.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        # The owner that was served last is the last one.
        self._waiting: OrderedDict[str, deque[T]] = OrderedDict()
        self._is_closed = False

    def put(self, owner: str, job: T) -> None:
        with self._changed:
            self._waiting.setdefault(owner, deque()).append(job)
            self._changed.notify()

    def put_back(self, owner: str, job: T) -> None:
        """Make a job that was taken the next one again."""
        with self._changed:
            self._waiting.setdefault(owner, deque()).appendleft(job)
            self._waiting.move_to_end(owner, last=False)

    def close(self) -> None:
        """Say that no more jobs will be put in."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()

    def is_over(self) -> bool:
        """Whether no job waits, and none will be put in."""
        with self._changed:
            return self._is_closed and not self._waiting

    def take(self, seconds: float = 0) -> T | None:
        """The next job; None if there is none within this time, or nothing more will come."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._is_closed, seconds)
            return self._take_from(next(iter(self._waiting), None))

    def take_if(self, fits: Callable[[T], bool]) -> T | None:
        """The next job that fits and that no other job of its owner precedes, if there is one now."""
        with self._changed:
            fitting = (owner for owner, jobs in self._waiting.items() if fits(jobs[0]))
            return self._take_from(next(fitting, None))

    def _take_from(self, owner: str | None) -> T | None:
        if owner is None:
            return None
        jobs = self._waiting.pop(owner)
        job = jobs.popleft()
        if jobs:
            self._waiting[owner] = jobs
        return job


Work = Callable[[Transaction], T]

_EVENTS_PER_COMMIT = 20_000
# Of several owners: a small change does not wait for the large one of another.
_SHARED_EVENTS_PER_COMMIT = 1_000
# How long the work on a repository takes before small changes of other owners are stored in between.
_SECONDS_ALONE = 0.02
_SMALL_ITEMS = 100
_MOST_SMALL_JOBS = 10
_CHECKPOINT_BYTES = 16 << 20
# Each checkpoint writes the last row group of a table again, so that an import would write it many times.
_BULK_CHECKPOINT_BYTES = 64 << 20
_SPARE_BYTES = 8 << 20
_LEAST_FREE_BYTES = 1 << 20  # with less, the disk counts as full
_IDLE_SECONDS = 60.0
_SETTLE_SECONDS = 0.1

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
    def __init__(
        self,
        engine: Engine,
        limits: TailLimits | None = None,
        now: Callable[[], int] = now_in_microseconds,
    ) -> None:
        self._engine = engine
        self._limits = limits
        self._now = now
        self._acknowledged = AcknowledgedFile(engine.path, now)
        self._room = Room()
        self._read_catalog()
        self._indexes = KeyIndexes()
        self._jobs: Turns[_Job] = Turns()
        self._closing = False
        self._is_broken = False
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
        return not self._room.is_missing and _free_bytes(self._engine.path) >= _LEAST_FREE_BYTES

    def _run(self) -> None:
        while (first := self._next()) is not None:
            batch = self._batch(first)
            try:
                if self._is_broken:
                    self._recover()
                # The collector would take 5 % of the time of an import.
                with self._engine.cursor() as cursor, no_garbage_collection():
                    give_way = self._give_way_later({job.owner for job in batch})
                    is_bulk = self._carry_out(cursor, batch, give_way)
                self._fit_threads()
                self._settle()
                self._checkpoint(self._longest_log(is_bulk=is_bulk))
            except Exception as error:  # noqa: BLE001 - it belongs to those who wait for the result
                self._fail(batch, error)
        self._checkpoint(0)
        self._acknowledged.close()

    def _next(self) -> _Job | None:
        while not self._jobs.is_over():
            job = self._jobs.take(_IDLE_SECONDS)
            if job is not None:
                return job
            self._indexes.drop_idle()
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
            if len(owners) > 1 and size > _SHARED_EVENTS_PER_COMMIT:
                break
            batch.append(job)
        else:
            return batch
        self._jobs.put_back(job.owner, job)
        return batch

    def _give_way(self, owners: Collection[str]) -> None:
        """Store the small changes that wait, except of these owners: their repositories are being changed."""
        batch = self._small_jobs(owners)
        if not batch:
            return
        try:
            with self._engine.cursor() as cursor:
                self._carry_out(cursor, batch, give_way=None)
        except Exception as error:  # noqa: BLE001 - it belongs to those who wait for the result
            self._fail(batch, error)

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
        """Whether it fits in between: few rows of an existing repository, and no table has to be created.

        The change that gives way may itself create repositories and tables, and would not see new ones.
        """
        if not isinstance(task, Item) or task.size > _SMALL_ITEMS:
            return False
        known = self.catalog.repositories.get(task.repository)
        return known is not None and self._tail.has_place_for(
            known.id, known.deliveries + known.ci_checks + task.size
        )

    def _give_way_later(self, owners: Collection[str]) -> Callable[[], None]:
        """Gives way at most once in a while, so that small changes are still committed together."""
        alone_until = time.monotonic() + _SECONDS_ALONE

        def give_way() -> None:
            nonlocal alone_until
            if time.monotonic() >= alone_until:
                self._give_way(owners)
                alone_until = time.monotonic() + _SECONDS_ALONE

        return give_way

    def _carry_out(
        self, cursor: duckdb.DuckDBPyConnection, batch: list[_Job], give_way: Callable[[], None] | None
    ) -> bool:
        """Do the work of these jobs in one transaction; returns whether it stored very many rows."""
        self._indexes.drop_idle()
        transaction = Transaction(cursor, self.catalog, self._indexes, self._tail, give_way, now=self._now())
        try:
            results = _results(transaction, [job.task for job in batch])
            transaction.commit()
        except BaseException:
            transaction.roll_back()
            raise
        self._acknowledged.note_commit(self._held())
        if isinstance(batch[0].task, Item):
            self._room.note_stored()
        for job, result in zip(batch, results, strict=True):
            if isinstance(result, Conflict):
                job.future.set_exception(result)
            else:
                job.future.set_result(result)
        return transaction.is_bulk

    def _settle(self) -> None:
        """Move rows out of a tail that has become too large, for a short while: deliveries wait meanwhile."""
        deadline = time.monotonic() + _SETTLE_SECONDS
        try:
            while self._tail.is_too_large and time.monotonic() < deadline:
                with self._engine.cursor() as cursor:
                    self._tail.move_a_table(cursor)
        except duckdb.Error as error:
            # The rows stay where they are; the next commit tries again.
            log.warning("moving rows failed", error=str(error).splitlines()[0])
            self._is_broken |= isinstance(error, duckdb.FatalException)

    def _longest_log(self, *, is_bulk: bool) -> int:
        """How long the log of commits may become: longer during an import, unless the disk is nearly full."""
        if not is_bulk:
            return _CHECKPOINT_BYTES
        return max(_CHECKPOINT_BYTES, min(_BULK_CHECKPOINT_BYTES, _free_bytes(self._engine.wal) // 4))

    def _checkpoint(self, longest: int) -> None:
        """Merge the log of commits into the main file if it is longer than this and the disk has room."""
        wal = self._engine.wal
        length = wal.stat().st_size if wal.exists() else 0
        if length <= longest or _free_bytes(wal) < 2 * length + _SPARE_BYTES:
            return
        try:
            with self._engine.cursor() as cursor:
                cursor.execute("checkpoint")
            self._acknowledged.note_checkpoint(self._held())
        except duckdb.TransactionException:
            # Readers are in the way; the next commit tries again.
            return
        except duckdb.Error as error:
            # What was committed is safe in the log; the next commit tries again to merge it.
            log.warning("checkpoint failed", error=str(error).splitlines()[0])
            if is_damage(error):
                self._engine.note_damage(error)
            if isinstance(error, duckdb.FatalException):
                self._is_broken = True
                self._recover()

    def _fail(self, batch: list[_Job], error: Exception) -> None:
        shown: Exception = error
        if isinstance(error, duckdb.Error):
            log.error("transaction failed", error=str(error).splitlines()[0])
            self._is_broken |= isinstance(error, duckdb.FatalException)
            shown = unavailable(error) or error
            if isinstance(shown, DiskFull):
                self._room.note_full()
            if is_damage(error):
                self._engine.note_damage(error)
        for job in batch:
            if not job.future.done():
                job.future.set_exception(shown)

    def _recover(self) -> None:
        """The database is in a failed state: reopen it and read the catalog again."""
        self._indexes.drop_all()
        self._engine.reopen()
        self._read_catalog()
        self._is_broken = False

    def _read_catalog(self) -> None:
        with self._engine.cursor() as cursor:
            self.catalog = read_catalog(cursor)
            self._tail = Tail(cursor, self._engine.buckets, self._limits)
        self._acknowledged.begin(self._held())
        self._fit_threads()

    def _held(self) -> Held:
        return Held(len(self.catalog.repositories), self.catalog.events)

    def _fit_threads(self) -> None:
        if not self._engine.has_all_threads:
            self._engine.fit_threads(max(self.catalog.events, self.catalog.ci_checks))


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


def _free_bytes(path: Path) -> int:
    status = os.statvfs(path.parent)
    return status.f_bavail * status.f_frsize
