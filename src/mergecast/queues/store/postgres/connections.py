"""Connections to the database: checked once at startup, then taken from a pool (`pool.py`).

Nothing depends on a session: transactions set what they need for themselves, and no statement is prepared by
name, so that a pooler in transaction mode can stand in between.
"""

import select
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Self

import psycopg
from psycopg import RawCursor
from psycopg.abc import RV, PQGen
from psycopg.rows import TupleRow
from psycopg_pool import ConnectionPool

from mergecast.queues.store.errors import UnusableDatabase
from mergecast.queues.store.postgres.errors import SETTING, named_statement, refused
from mergecast.queues.store.postgres.reach import Reach
from mergecast.queues.store.progress import Opening
from mergecast.queues.store.sql_files import sql

_ENDS_OF_HOST = frozenset("/?#")  # where a URL continues after the user, password and host
OLDEST_SERVER = 150_000  # PostgreSQL 15
# How long to wait: for a new connection, for any connection of a pool, for the answer of an idle connection
# that is about to be used, and for the answer to a quick statement.
CONNECT_SECONDS = 10
POOL_SECONDS = 10.0
CHECK_SECONDS = 5.0
ANSWER_SECONDS = 10.0
_WAKE_SECONDS = 0.1
# A connection that worked this recently is not tried again, unless the database has closed it since.
_TRUSTED_SECONDS = 0.2
OPTIONS: dict[str, Any] = {"autocommit": True, "prepare_threshold": None}


class Connection(psycopg.Connection[TupleRow]):
    lent_at = 0.0  # by the pool, on the monotonic clock
    patience: float | None = None  # seconds to wait for one answer; None: as long as it takes

    @classmethod
    def connect(cls, conninfo: str = "", *, noted_in: Reach | None = None, **options: Any) -> Self:  # type: ignore[override]
        """Connect, and note whether that was possible."""
        try:
            connection = super().connect(conninfo, **options)
        except psycopg.Error as error:
            if noted_in is not None:
                noted_in.failed(error)
            raise
        if noted_in is not None:
            noted_in.succeeded()
        return connection

    def wait(self, gen: PQGen[RV], interval: float = _WAKE_SECONDS, timeout: float | None = None) -> RV:
        """Wait for an answer; give the connection up if none comes in time.

        Limits of the database, such as `statement_timeout`, are of no use when it is the database that hangs.
        """
        limit = self.patience if timeout is None else timeout
        begun = time.monotonic()
        try:
            return super().wait(gen, interval, limit)
        except psycopg.OperationalError:
            if limit is not None and time.monotonic() - begun >= limit:
                self.close()
            raise

    @contextmanager
    def patient(self, seconds: float) -> Iterator[None]:
        """Wait this long for each answer."""
        before, self.patience = self.patience, seconds
        try:
            yield
        finally:
            self.patience = before


def check_url(url: str) -> str:
    """Raise an error for text that is not the URL of a database; the message does not repeat it."""
    if not url.startswith(("postgresql://", "postgres://")):
        raise UnusableDatabase(f"{SETTING} must look like postgresql://user:password@host:5432/name")
    if _is_valid(url):
        return url
    raise UnusableDatabase(
        f"{SETTING} is not a valid URL; it looks like postgresql://user:password@host:5432/name, "
        "with special characters of the password written as %40 and so on"
    )


def _is_valid(url: str) -> bool:
    """Whether the driver reads it as meant: part of a password could become the host, which errors name."""
    try:
        psycopg.conninfo.conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        return False
    _, _, rest = url.partition("://")
    _, *after = rest.split("@")
    return not after or (len(after) == 1 and not _ENDS_OF_HOST & set(rest.partition("@")[0]))


@contextmanager
def first_connection(url: str) -> Iterator[Connection]:
    """A connection outside the pool, whose errors say what is wrong with the settings."""
    check_url(url)
    try:
        connection = Connection.connect(url, connect_timeout=CONNECT_SECONDS, **OPTIONS)
    except psycopg.Error as error:
        raise refused(error) from None
    with connection:
        connection.cursor_factory = RawCursor
        version = connection.info.server_version
        if version < OLDEST_SERVER:
            raise UnusableDatabase(
                f"the database is PostgreSQL {version // 10000}; "
                f"mergecast needs {OLDEST_SERVER // 10000} or newer"
            )
        with named_statement("reading the schema of the database"):
            yield connection


@contextmanager
def interruptible(connection: Connection, opening: Opening) -> Iterator[None]:
    """Whoever stops the opening cancels the statement: the database must not go on with it."""

    def cancel() -> None:
        with suppress(psycopg.Error):
            connection.cancel_safe(timeout=CHECK_SECONDS)

    with opening.interrupted_by(cancel):
        yield


def check(connection: Connection) -> None:
    """Raise an error if the database has closed the connection, or does not answer."""
    now = time.monotonic()
    if now - connection.lent_at > _TRUSTED_SECONDS or _has_something_to_read(connection):
        with connection.patient(CHECK_SECONDS):
            ConnectionPool.check_connection(connection)
    connection.lent_at = now


def _has_something_to_read(connection: Connection) -> bool:
    """An idle connection has something to read when the database has closed it."""
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))


def configure(connection: Connection) -> None:
    connection.cursor_factory = RawCursor
    connection.patience = ANSWER_SECONDS


def statement_text(name: str) -> str:
    """A statement, by the name of its file."""
    return sql(name, "postgres")
