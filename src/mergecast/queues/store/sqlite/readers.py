"""Runs queries beside the writer: a small pool of threads, and a time limit for each piece of work."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from mergecast.queues.model.event import Group
from mergecast.queues.store.errors import AnswerTooLarge, QueryTooSlow
from mergecast.queues.store.reader import MOST_ROWS
from mergecast.queues.store.rows import STATE_COLUMNS, state_from_row
from mergecast.queues.store.sql_files import sql
from mergecast.queues.store.sqlite.connections import converted_error, execute, fetch, primary_code
from mergecast.queues.store.sqlite.database_file import DatabaseFile
from mergecast.queues.store.store import QUERIES
from mergecast.queues.store.threads import Threads
from mergecast.queues.store.values import KnownRepository

T = TypeVar("T")

_GROUPS = "select group_id, base_ref, queue_name, priority_rule_name from groups where repository_id = $1"
_STATE = f"select {', '.join(STATE_COLUMNS)} from repository_state where repository_id = $1"  # noqa: S608


class Allowance:
    """The time limit of one piece of work, from its first query on; then it is interrupted."""

    def __init__(self, seconds: float, loop: asyncio.AbstractEventLoop) -> None:
        self._seconds, self._loop = seconds, loop
        self._lock = threading.Lock()
        self._alarm: asyncio.TimerHandle | None = None
        self._connection: sqlite3.Connection | None = None
        self._is_over = False

    def begin(self) -> None:
        """Called by the reader thread when it begins: waiting for a thread does not count."""
        self._loop.call_soon_threadsafe(self._set_alarm)

    def _set_alarm(self) -> None:
        if not self._is_over:
            self._alarm = self._loop.call_later(self._seconds, self._end)

    def cancel(self) -> None:
        """Stop what still runs, because its result is not needed."""
        if self._alarm is not None:
            self._alarm.cancel()
        self._end()

    def _end(self) -> None:
        with self._lock:
            self._is_over = True
            if self._connection is not None:
                self._connection.interrupt()

    @contextmanager
    def watching(self, connection: sqlite3.Connection) -> Iterator[None]:
        """Interrupt the connection at the end of the time; raise at once if it has passed."""
        with self._lock:
            if self._is_over:
                raise QueryTooSlow(self._seconds)
            self._connection = connection
        try:
            yield
        except sqlite3.OperationalError as error:
            if primary_code(error) == sqlite3.SQLITE_INTERRUPT:
                raise QueryTooSlow(self._seconds) from error
            raise
        finally:
            with self._lock:
                self._connection = None


class SQLiteReader:
    """Runs the statements of one piece of work inside one transaction, so that they see the same data."""

    def __init__(self, connection: sqlite3.Connection, allowance: Allowance) -> None:
        self._connection, self._allowance = connection, allowance

    def rows(self, statement: str, parameters: Sequence[object]) -> list[tuple[Any, ...]]:
        with self._allowance.watching(self._connection):
            cursor = execute(self._connection, sql(statement, "sqlite"), parameters)
            rows = cursor.fetchmany(MOST_ROWS + 1)
            cursor.close()  # otherwise the rest of a long answer keeps the transaction open
        if len(rows) > MOST_ROWS:
            raise AnswerTooLarge(MOST_ROWS)
        return rows

    def column(self, statement: str, parameters: Sequence[object]) -> list[Any]:
        return [row[0] for row in self._all(sql(statement, "sqlite"), parameters)]

    def groups(self, repository_id: int) -> Mapping[int, Group]:
        return {group_id: Group(*names) for group_id, *names in self._all(_GROUPS, [repository_id])}

    def current(self, known: KnownRepository) -> KnownRepository | None:
        rows = self._all(_STATE, [known.id])
        return state_from_row(known.repository, rows[0]) if rows else None

    def _all(self, text: str, parameters: Sequence[object]) -> list[tuple[Any, ...]]:
        with self._allowance.watching(self._connection):
            return fetch(self._connection, text, parameters)


class Readers:
    def __init__(self, file: DatabaseFile) -> None:
        self._file = file
        # The additional thread is for short reads that take no turn, of snapshots and cursors for example.
        self._pool = Threads(QUERIES + 1, thread_name_prefix="reader")
        # Reads without a repository, such as `ping`, are short and never wait behind queries.
        self._short_pool = Threads(1, thread_name_prefix="short-reader")

    async def read(
        self, repository_id: int | None, work: Callable[[SQLiteReader], T], *, seconds: float
    ) -> T:
        """Run `work` in a reader thread once one is free; interrupt it when it takes longer."""
        loop = asyncio.get_running_loop()
        allowance = Allowance(seconds, loop)
        try:
            pool = self._short_pool if repository_id is None else self._pool
            return await loop.run_in_executor(pool, self._run, work, allowance)
        finally:
            allowance.cancel()

    def _run(self, work: Callable[[SQLiteReader], T], allowance: Allowance) -> T:
        allowance.begin()
        try:
            with self._file.reading() as connection:
                return work(SQLiteReader(connection, allowance))
        except sqlite3.Error as error:
            self._file.note_damage(error)
            converted = converted_error(error)
            if converted is None:
                raise
            raise converted from error

    def close(self) -> None:
        for pool in (self._pool, self._short_pool):
            pool.shutdown(wait=True, cancel_futures=True)
