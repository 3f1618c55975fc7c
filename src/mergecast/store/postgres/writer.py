"""Changes: one transaction for each, or for all deliveries to one repository that wait at the same time."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

import psycopg
from psycopg_pool import ConnectionPool

from mergecast.errors import Conflict
from mergecast.model.event import Event
from mergecast.model.repository import Repository
from mergecast.store.held_repository import HeldRepository
from mergecast.store.postgres.connections import Connection
from mergecast.store.postgres.errors import database_errors
from mergecast.store.postgres.held import hold
from mergecast.store.postgres.inserting import Insert
from mergecast.store.record import record
from mergecast.store.values import Receipt

_MOST_EVENTS_TOGETHER = 20_000

T = TypeVar("T")


class _Waiting(NamedTuple):
    events: Sequence[Event]
    answer: asyncio.Future[Receipt]


class Writers:
    def __init__(self, pool: ConnectionPool[Connection], most: int, insert: Insert) -> None:
        self._pool = pool
        self._insert = insert
        self._threads = ThreadPoolExecutor(most, thread_name_prefix="writer")
        self._waiting: defaultdict[Repository, list[_Waiting]] = defaultdict(list)
        self._recording: dict[Repository, asyncio.Task[None]] = {}

    async def record(self, name: Repository, events: Sequence[Event]) -> Receipt:
        """Store a delivery together with those to the same repository that wait as well."""
        answer: asyncio.Future[Receipt] = asyncio.get_running_loop().create_future()
        self._waiting[name].append(_Waiting(events, answer))
        if name not in self._recording:
            self._recording[name] = asyncio.create_task(self._record_waiting(name))
        return await answer

    async def _record_waiting(self, name: Repository) -> None:
        try:
            while self._waiting[name]:
                await self._record_together(name, self._taken(name))
        finally:
            del self._recording[name], self._waiting[name]

    def _taken(self, name: Repository) -> list[_Waiting]:
        """The deliveries that waited longest, as many as one transaction should hold."""
        waiting, taken, events = self._waiting[name], 0, 0
        for delivery in waiting:
            events += len(delivery.events)
            if taken and events > _MOST_EVENTS_TOGETHER:
                break
            taken += 1
        self._waiting[name] = waiting[taken:]
        return waiting[:taken]

    async def _record_together(self, name: Repository, deliveries: list[_Waiting]) -> None:
        work = _recorded([delivery.events for delivery in deliveries])
        try:
            results = await self.change(name, work, create=True)
        except Exception as error:  # noqa: BLE001 - every waiting client gets the same error
            for delivery in deliveries:
                if not delivery.answer.done():
                    delivery.answer.set_exception(error)
            return
        for delivery, result in zip(deliveries, results or [], strict=True):
            if delivery.answer.done():
                continue
            if isinstance(result, Conflict):
                delivery.answer.set_exception(result)
            else:
                delivery.answer.set_result(result)

    async def change(
        self, name: Repository, work: Callable[[HeldRepository], T], *, create: bool
    ) -> T | None:
        """Run `work` on the locked repository; what it changed is durable when this returns."""
        loop = asyncio.get_running_loop()
        future = loop.run_in_executor(self._threads, self._change, name, work, create)
        # A caller that goes away does not stop a commit half way.
        return await asyncio.shield(future)

    def _change(self, name: Repository, work: Callable[[HeldRepository], T], create: bool) -> T | None:  # noqa: FBT001
        with database_errors(), self._pool.connection() as connection, connection.transaction():
            held = hold(connection, name, self._insert, create=create)
            if held is None:
                return None
            result = work(held)
            if not held.is_saved:
                # A delivery that is refused does not create a repository.
                raise psycopg.Rollback
        return result

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Run a change that belongs to no repository in one transaction."""
        loop = asyncio.get_running_loop()
        return await asyncio.shield(loop.run_in_executor(self._threads, self._run, work))

    def _run(self, work: Callable[[Connection], T]) -> T:
        with database_errors(), self._pool.connection() as connection, connection.transaction():
            return work(connection)

    def close(self) -> None:
        self._threads.shutdown(wait=True)


def _recorded(deliveries: list[Sequence[Event]]) -> Callable[[HeldRepository], list[Receipt | Conflict]]:
    return lambda held: record(held, deliveries)
