"""Queries: the statements of one piece of work run in one transaction and see the same data."""

import asyncio
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import psycopg

from mergecast.queues.model.event import Group
from mergecast.queues.store.errors import AnswerTooLarge, QueryTooSlow
from mergecast.queues.store.postgres.connections import Connection, statement_text
from mergecast.queues.store.postgres.errors import database_errors
from mergecast.queues.store.postgres.pool import Pool
from mergecast.queues.store.reader import MOST_ROWS
from mergecast.queues.store.rows import STATE_COLUMNS, state_from_row
from mergecast.queues.store.threads import Threads
from mergecast.queues.store.values import KnownRepository

_CHUNK = 10_000
_CANCEL_SECONDS = 5.0
_GRACE_SECONDS = 1.0
# Statements join lists and groups with rows, all of them in one pass: never one by one, whatever the planner
# expects. None runs long enough to be worth compiling.
_PLANNING = "set local enable_nestloop = off; set local jit = off"
_STATE = f"select {', '.join(STATE_COLUMNS)} from repository_state where repository_id = $1"  # noqa: S608

T = TypeVar("T")


class PostgresReader:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def rows(self, statement: str, parameters: Sequence[object]) -> list[tuple[Any, ...]]:
        rows = self._streamed(statement, parameters, MOST_ROWS + 1)
        if len(rows) > MOST_ROWS:
            raise AnswerTooLarge(MOST_ROWS)
        return rows

    def column(self, statement: str, parameters: Sequence[object]) -> list[Any]:
        return [row[0] for row in self._connection.execute(statement_text(statement), parameters)]

    def groups(self, repository_id: int) -> Mapping[int, Group]:
        rows = self._connection.execute(
            "select group_id, base_ref, queue_name, priority_rule_name from groups where repository_id = $1",
            [repository_id],
        )
        return {group_id: Group(*names) for group_id, *names in rows}

    def current(self, known: KnownRepository) -> KnownRepository | None:
        row = self._connection.execute(_STATE, [known.id]).fetchone()
        return None if row is None else state_from_row(known.repository, row)

    def _streamed(self, statement: str, parameters: Sequence[object], most: int) -> list[tuple[Any, ...]]:
        """The first rows of an answer, without holding the rest of it in memory."""
        rows: list[tuple[Any, ...]] = []
        with self._connection.cursor() as cursor:
            for row in cursor.stream(statement_text(statement), parameters, size=_CHUNK):
                rows.append(row)
                if len(rows) == most:
                    break
        return rows


class _Cancel:
    """Stops the statements of one piece of work after its time limit, or when its result is not needed."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._connection: Connection | None = None
        self._is_over = False

    def watch(self, connection: Connection | None) -> None:
        with self._lock:
            if self._is_over and connection is not None:
                raise QueryTooSlow(self._seconds)
            self._connection = connection

    def end(self) -> None:
        with self._lock:
            self._is_over = True
            if self._connection is not None:
                # A database that hangs does not answer; the statement then ends at its time limit.
                with suppress(psycopg.Error):
                    self._connection.cancel_safe(timeout=_CANCEL_SECONDS)


@contextmanager
def _view(connection: Connection, seconds: float) -> Iterator[None]:
    """A transaction whose statements see the same data; it begins with one round trip instead of three."""
    milliseconds = max(1, round(seconds * 1000))
    connection.execute(
        f"begin isolation level repeatable read, read only; set local statement_timeout = {milliseconds}; "
        + _PLANNING
    )
    try:
        yield
    finally:
        connection.rollback()


class Readers:
    def __init__(self, pool: Pool, most: int) -> None:
        self._pool = pool
        self._threads = Threads(most, thread_name_prefix="reader")

    async def read(self, work: Callable[[PostgresReader], T], *, seconds: float) -> T:
        """Run `work` in a reader thread once one is free; stop it when the caller goes away."""
        cancel = _Cancel(seconds)
        try:
            waiting = max(seconds, self._pool.timeout)
            return await self._threads.run(waiting, self._run, work, seconds, cancel)
        except asyncio.CancelledError:
            # Cancelling opens another connection; it must not block the event loop.
            asyncio.get_running_loop().run_in_executor(None, cancel.end)
            raise

    def _run(self, work: Callable[[PostgresReader], T], seconds: float, cancel: _Cancel) -> T:
        with database_errors(seconds), self._pool.connection() as connection, _view(connection, seconds):
            cancel.watch(connection)
            try:
                # The database itself stops a statement at the limit, unless it hangs.
                with connection.patient(seconds + _GRACE_SECONDS):
                    return work(PostgresReader(connection))
            finally:
                cancel.watch(None)

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Run a few quick statements outside a transaction."""
        return await self._threads.run(self._pool.timeout, self._run_plainly, work)

    def _run_plainly(self, work: Callable[[Connection], T]) -> T:
        with database_errors(), self._pool.connection() as connection:
            return work(connection)

    def close(self) -> None:
        self._threads.shutdown(wait=True, cancel_futures=True)
