"""Queries beside the writer: a small pool of threads, each query with a time limit."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import duckdb

from mergecast.errors import Unavailable
from mergecast.store.engine import Engine
from mergecast.store.errors import QueryTooSlow
from mergecast.store.sql_files import sql

# 64 threads of readers starve the writer; two serve 64 clients beside a full stream of events.
_READERS = 2


T = TypeVar("T")


class Reader:
    """Runs the named questions of one request."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection) -> None:
        self._cursor = cursor

    def rows(self, question: str, parameters: Sequence[object]) -> list[tuple[Any, ...]]:
        return self._cursor.execute(sql(question), parameters).fetchall()


class _Allowance:
    """The time that one piece of reading may take; interrupts its query when it is over."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cursor: duckdb.DuckDBPyConnection | None = None
        self.is_over = False

    def end(self) -> None:
        with self._lock:
            self.is_over = True
            if self._cursor is not None:
                self._cursor.interrupt()

    def watch(self, cursor: duckdb.DuckDBPyConnection | None) -> None:
        with self._lock:
            self._cursor = cursor
            if self.is_over and cursor is not None:
                raise QueryTooSlow("the store is busy and did not come to this question in time")


class Readers:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._pool = ThreadPoolExecutor(_READERS, thread_name_prefix="reader")

    async def read(self, work: Callable[[Reader], T], *, seconds: float) -> T:
        """Run `work` in a reader thread; what takes longer, waiting included, is given up."""
        loop = asyncio.get_running_loop()
        allowance = _Allowance()
        alarm = loop.call_later(seconds, allowance.end)
        try:
            return await loop.run_in_executor(self._pool, self._run, work, allowance, seconds)
        finally:
            alarm.cancel()

    def _run(self, work: Callable[[Reader], T], allowance: _Allowance, seconds: float) -> T:
        with self._engine.cursor() as cursor:
            allowance.watch(cursor)
            try:
                return work(Reader(cursor))
            except duckdb.InterruptException as error:
                raise QueryTooSlow(
                    f"the query took more than {seconds:g} seconds and was stopped; ask for a shorter period"
                ) from error
            except (duckdb.FatalException, duckdb.OutOfMemoryException) as error:
                raise Unavailable("the store cannot answer now; try again in a moment") from error
            finally:
                allowance.watch(None)

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)
