"""Runs changes: one transaction each, or one for all waiting changes of a kind to a repository.

Half of the threads are never taken by the same owner, so that others' changes find a free one.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, NamedTuple, TypeVar
from weakref import WeakValueDictionary

import psycopg

from mergecast.errors import Conflict, Unavailable
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.errors import DiskFull
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.postgres.connections import Connection
from mergecast.queues.store.postgres.errors import database_errors
from mergecast.queues.store.postgres.held import Insert, hold
from mergecast.queues.store.postgres.pool import Pool
from mergecast.queues.store.room import Room
from mergecast.queues.store.store import QUERY_SECONDS, BatchedWork
from mergecast.queues.store.threads import Threads

_MOST_EVENTS_TOGETHER = 20_000

T = TypeVar("T")
R = TypeVar("R")


class _Waiting(NamedTuple):
    content: Any
    size: int
    answer: asyncio.Future[Any]


# Items of the same work on the same repository are taken together.
_Key = tuple[Repository, BatchedWork[Any, Any]]


class Writers:
    def __init__(self, pool: Pool, most: int, insert: Insert, now: Callable[[], int]) -> None:
        self._pool = pool
        self._now = now
        self._insert = insert
        self.room = Room()
        self._threads = Threads(most, thread_name_prefix="writer")
        self._waiting: defaultdict[_Key, list[_Waiting]] = defaultdict(list)
        self._working: dict[_Key, asyncio.Task[None]] = {}
        self._most_of_owner = max(1, most // 2)
        self._shares: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    async def run_batched(self, name: Repository, work: BatchedWork[T, R], item: T, size: int) -> R:
        """Do the work for the item together with waiting items for the same repository."""
        answer: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        key = (name, work)
        self._waiting[key].append(_Waiting(item, size, answer))
        if key not in self._working:
            self._working[key] = asyncio.create_task(self._work_off(key))
        return await answer

    async def _work_off(self, key: _Key) -> None:
        try:
            while self._waiting[key]:
                await self._do_together(key, self._taken(key))
        finally:
            del self._working[key], self._waiting[key]

    def _taken(self, key: _Key) -> list[_Waiting]:
        """The items that waited longest, as many as one transaction should hold."""
        waiting, taken, size = self._waiting[key], 0, 0
        for item in waiting:
            size += item.size
            if taken and size > _MOST_EVENTS_TOGETHER:
                break
            taken += 1
        self._waiting[key] = waiting[taken:]
        return waiting[:taken]

    async def _do_together(self, key: _Key, items: list[_Waiting]) -> None:
        name, work = key
        contents = [item.content for item in items]
        try:
            results = await self.change(name, lambda held: work(held, contents), create=True)
            self.room.note_stored()
        except Exception as error:  # noqa: BLE001 - every waiting client gets the same error
            for item in items:
                if not item.answer.done():
                    item.answer.set_exception(error)
            return
        for item, result in zip(items, results or [], strict=True):
            if item.answer.done():
                continue
            if isinstance(result, Conflict):
                item.answer.set_exception(result)
            else:
                item.answer.set_result(result)

    async def change(
        self, name: Repository, work: Callable[[HeldRepository], T], *, create: bool
    ) -> T | None:
        """Run `work` on the locked repository; what it changed is durable when this returns."""
        async with self._share(name.owner.lower()):
            return await self._threads.run(QUERY_SECONDS, self._change, name, work, create)

    @asynccontextmanager
    async def _share(self, owner: str) -> AsyncIterator[None]:
        """One of the places of this owner, unless none is free for too long."""
        share = self._shares.get(owner)
        if share is None:
            share = self._shares[owner] = asyncio.Semaphore(self._most_of_owner)
        try:
            async with asyncio.timeout(QUERY_SECONDS):
                await share.acquire()
        except TimeoutError:
            raise Unavailable("the store is busy; try again in a moment") from None
        try:
            yield
        finally:
            share.release()

    def _change(self, name: Repository, work: Callable[[HeldRepository], T], create: bool) -> T | None:  # noqa: FBT001
        with self._transaction() as connection:
            held = hold(connection, name, self._insert, self._now(), create=create)
            if held is None:
                return None
            result = work(held)
            if not held.is_saved:
                # A delivery that is refused does not create a repository.
                raise psycopg.Rollback
            held.write_state()
        return result

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Run a change that belongs to no repository in one transaction."""
        return await self._threads.run(QUERY_SECONDS, self._run, work)

    def _run(self, work: Callable[[Connection], T]) -> T:
        with self._transaction() as connection:
            return work(connection)

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """Statements may wait for other changes, so they get more time than lookups."""
        try:
            with (
                database_errors(),
                self._pool.connection() as connection,
                connection.patient(QUERY_SECONDS),
                connection.transaction(),
            ):
                yield connection
        except DiskFull:
            self.room.note_full()
            raise

    def close(self) -> None:
        self._threads.shutdown(wait=True)
