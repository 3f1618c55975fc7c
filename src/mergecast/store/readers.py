"""Queries beside the writer: a small pool of threads, each query with a time limit."""

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

import duckdb

from mergecast.errors import Unavailable
from mergecast.store.engine import Engine
from mergecast.store.errors import AnswerTooLarge, QueryTooSlow
from mergecast.store.sql_files import sql

# 64 threads of readers starve the writer; two serve 64 clients beside a full stream of events.
_READERS = 2
MOST_ROWS = 500_000


T = TypeVar("T")


class Allowance:
    """The time that one piece of reading may take, from its first query on; then it is interrupted."""

    def __init__(self, seconds: float, loop: asyncio.AbstractEventLoop) -> None:
        self._seconds, self._loop = seconds, loop
        self._lock = threading.Lock()
        self._alarm: asyncio.TimerHandle | None = None
        self._cursor: duckdb.DuckDBPyConnection | None = None
        self._is_over = False

    def begin(self) -> None:
        """Called by the thread that reads, once it does: waiting for a reader costs nothing."""
        self._loop.call_soon_threadsafe(self._set_alarm)

    def _set_alarm(self) -> None:
        if not self._is_over:
            self._alarm = self._loop.call_later(self._seconds, self._end)

    def cancel(self) -> None:
        """Nobody waits any more: what still runs is stopped."""
        if self._alarm is not None:
            self._alarm.cancel()
        self._end()

    def _end(self) -> None:
        with self._lock:
            self._is_over = True
            if self._cursor is not None:
                self._cursor.interrupt()

    @contextmanager
    def watching(self, cursor: duckdb.DuckDBPyConnection) -> Iterator[None]:
        """While this lasts, the end of the time interrupts the cursor; too late, it never begins."""
        with self._lock:
            if self._is_over:
                raise self._too_slow()
            self._cursor = cursor
        try:
            yield
        except duckdb.InterruptException as error:
            raise self._too_slow() from error
        finally:
            with self._lock:
                self._cursor = None

    def _too_slow(self) -> QueryTooSlow:
        return QueryTooSlow(
            f"the store did not answer within {self._seconds:g} seconds; ask for a shorter period, or later"
        )


class Reader:
    """Runs the named questions of one request."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection, allowance: Allowance) -> None:
        self._cursor = cursor
        self._allowance = allowance

    def rows(self, question: str, parameters: Sequence[object]) -> list[tuple[Any, ...]]:
        """The whole answer, which has a bound: nobody reads half a million entries."""
        with self._allowance.watching(self._cursor):
            rows = self._cursor.execute(sql(question), parameters).fetchmany(MOST_ROWS + 1)
        if len(rows) > MOST_ROWS:
            raise AnswerTooLarge(MOST_ROWS)
        return rows

    def column(self, question: str, parameters: Sequence[object]) -> list[Any]:
        """The first column of an answer that may be long."""
        with self._allowance.watching(self._cursor):
            return [row[0] for row in self._cursor.execute(sql(question), parameters).fetchall()]


class Readers:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._pool = ThreadPoolExecutor(_READERS, thread_name_prefix="reader")

    async def read(self, work: Callable[[Reader], T], *, seconds: float) -> T:
        """Run `work` in a reader thread, when one is free; what then takes longer is given up."""
        loop = asyncio.get_running_loop()
        allowance = Allowance(seconds, loop)
        try:
            return await loop.run_in_executor(self._pool, self._run, work, allowance)
        finally:
            allowance.cancel()

    def _run(self, work: Callable[[Reader], T], allowance: Allowance) -> T:
        allowance.begin()
        with self._engine.cursor() as cursor:
            try:
                return work(Reader(cursor, allowance))
            except (duckdb.FatalException, duckdb.OutOfMemoryException) as error:
                raise Unavailable("the store cannot answer now; try again in a moment") from error

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)
