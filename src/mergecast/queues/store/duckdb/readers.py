"""Runs queries beside the writer: a small pool of threads, and a time limit for each piece of work."""

import asyncio
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import duckdb

from mergecast.errors import Unavailable
from mergecast.queues.model.event import Group
from mergecast.queues.store.duckdb.catalog import Catalog
from mergecast.queues.store.duckdb.engine import Engine, is_damage
from mergecast.queues.store.duckdb.statements import execute
from mergecast.queues.store.errors import AnswerTooLarge, QueryTooSlow, StoreDamaged
from mergecast.queues.store.reader import MOST_ROWS
from mergecast.queues.store.rows import STATE_COLUMNS, state_from_row
from mergecast.queues.store.sql_files import sql
from mergecast.queues.store.store import QUERIES
from mergecast.queues.store.threads import Threads
from mergecast.queues.store.values import KnownRepository

T = TypeVar("T")

_GROUPS = (
    "select group_id, base_ref, queue_name, priority_rule_name from main.groups where repository_id = $1"
)
_STATE = f"select {', '.join(STATE_COLUMNS)} from main.repository_state where repository_id = $1"  # noqa: S608


class Allowance:
    """The time limit of one piece of work, from its first query on; then it is interrupted."""

    def __init__(self, seconds: float, loop: asyncio.AbstractEventLoop) -> None:
        self._seconds, self._loop = seconds, loop
        self._lock = threading.Lock()
        self._alarm: asyncio.TimerHandle | None = None
        self._cursor: duckdb.DuckDBPyConnection | None = None
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
            if self._cursor is not None:
                self._cursor.interrupt()

    @contextmanager
    def watching(self, cursor: duckdb.DuckDBPyConnection) -> Iterator[None]:
        """Interrupt the cursor at the end of the time; raise at once if it has passed."""
        with self._lock:
            if self._is_over:
                raise QueryTooSlow(self._seconds)
            self._cursor = cursor
        try:
            yield
        except duckdb.InterruptException as error:
            raise QueryTooSlow(self._seconds) from error
        finally:
            with self._lock:
                self._cursor = None


class CatalogView:
    """The catalog as it was before a transaction began.

    Memory is read while nothing has been committed since, because a statement takes a hundred times as long.
    """

    def __init__(self, catalog: Catalog) -> None:
        self._catalog, self._changes = catalog, catalog.changes

    def groups(self, repository_id: int) -> Mapping[int, Group] | None:
        """None if the transaction may see others."""
        found = self._catalog.groups(repository_id)
        return found if self._is_current else None

    def state(self, known: KnownRepository) -> KnownRepository | None:
        """None if the transaction may see another one, or if the repository has another name by now."""
        found = self._catalog.repositories.get(known.repository)
        return found if self._is_current and found is not None and found.id == known.id else None

    @property
    def _is_current(self) -> bool:
        return self._changes % 2 == 0 and self._catalog.changes == self._changes


class DuckDBReader:
    """Runs the statements of one piece of work inside one transaction, so that they see the same data."""

    def __init__(
        self, cursor: duckdb.DuckDBPyConnection, allowance: Allowance, view: CatalogView | None
    ) -> None:
        self._cursor, self._allowance, self._view = cursor, allowance, view

    def rows(self, statement: str, parameters: Sequence[object]) -> list[tuple[Any, ...]]:
        with self._allowance.watching(self._cursor):
            rows = execute(self._cursor, sql(statement), parameters).fetchmany(MOST_ROWS + 1)
        if len(rows) > MOST_ROWS:
            raise AnswerTooLarge(MOST_ROWS)
        return rows

    def column(self, statement: str, parameters: Sequence[object]) -> list[Any]:
        return [row[0] for row in self._all(sql(statement), parameters)]

    def groups(self, repository_id: int) -> Mapping[int, Group]:
        found = None if self._view is None else self._view.groups(repository_id)
        if found is not None:
            return found
        return {group_id: Group(*names) for group_id, *names in self._all(_GROUPS, [repository_id])}

    def current(self, known: KnownRepository) -> KnownRepository | None:
        found = None if self._view is None else self._view.state(known)
        if found is not None:
            return found
        rows = self._all(_STATE, [known.id])
        return state_from_row(known.repository, rows[0]) if rows else None

    def _all(self, text: str, parameters: Sequence[object]) -> list[tuple[Any, ...]]:
        with self._allowance.watching(self._cursor):
            return execute(self._cursor, text, parameters).fetchall()


class Readers:
    def __init__(self, engine: Engine, catalog: Callable[[], Catalog]) -> None:
        self._engine, self._catalog = engine, catalog
        # The additional thread is for short reads that take no turn, of snapshots and cursors for example.
        self._pool = Threads(QUERIES + 1, thread_name_prefix="reader")
        # Reads without a repository, such as `ping`, are short and never wait behind queries.
        self._short_pool = Threads(1, thread_name_prefix="short-reader")

    async def read(
        self, repository_id: int | None, work: Callable[[DuckDBReader], T], *, seconds: float
    ) -> T:
        """Run `work` in a reader thread once one is free; interrupt it when it takes longer."""
        loop = asyncio.get_running_loop()
        allowance = Allowance(seconds, loop)
        try:
            pool = self._short_pool if repository_id is None else self._pool
            return await loop.run_in_executor(pool, self._run, repository_id, work, allowance)
        finally:
            allowance.cancel()

    def _run(self, repository_id: int | None, work: Callable[[DuckDBReader], T], allowance: Allowance) -> T:
        allowance.begin()
        with self._engine.cursor() as cursor:
            try:
                # Without a repository, a transaction sees the data of its first statement, not of its begin.
                view = None if repository_id is None else CatalogView(self._catalog())
                self._engine.buckets.begin_reading(cursor, repository_id)
                return work(DuckDBReader(cursor, allowance, view))
            except (duckdb.FatalException, duckdb.OutOfMemoryException) as error:
                raise Unavailable("the store cannot answer now; try again in a moment") from error
            except duckdb.Error as error:
                if not is_damage(error):
                    raise
                self._engine.note_damage(error)
                raise StoreDamaged from error

    def close(self) -> None:
        for pool in (self._pool, self._short_pool):
            pool.shutdown(wait=True, cancel_futures=True)
