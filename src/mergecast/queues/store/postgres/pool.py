"""Lends connections. While the database cannot be reached, it says so at once."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock

import psycopg
from psycopg_pool import ConnectionPool, PoolTimeout

from mergecast.queues.store.postgres import connections
from mergecast.queues.store.postgres.connections import OPTIONS, Connection, check, configure
from mergecast.queues.store.postgres.errors import UNREACHABLE, DatabaseUnreachable
from mergecast.queues.store.postgres.reach import Reach

# How often a request that waits for a connection looks whether the database can be reached.
_LOOK_SECONDS = 0.2
# The pool tries twice, with this pause; then `Reach` does, so that no attempt is minutes away.
_SECOND_ATTEMPT_SECONDS = 1.0
_LOGGED_BY_REACH = ("error connecting in", "reconnection attempt in")

logging.getLogger("psycopg.pool").addFilter(lambda record: not str(record.msg).startswith(_LOGGED_BY_REACH))


def watched(url: str) -> Reach:
    """Whether the database at this URL can be reached."""

    def attempt(reach: Reach) -> None:
        with suppress(psycopg.Error):
            Connection.connect(url, noted_in=reach, connect_timeout=connections.CONNECT_SECONDS).close()

    return Reach(attempt)


class Pool:
    """Connections are tried before they are lent, so that one that was lost costs no request."""

    def __init__(self, url: str, most: int, reach: Reach) -> None:
        self.timeout = connections.POOL_SECONDS
        self._reach = reach
        self._lock = Lock()
        self._lent, self._changed_at = 0, 0.0
        self._pool = ConnectionPool(
            url,
            min_size=1,
            max_size=most,
            timeout=self.timeout,
            reconnect_timeout=_SECOND_ATTEMPT_SECONDS,
            open=True,
            connection_class=Connection,
            check=check,
            configure=configure,
            kwargs={**OPTIONS, "connect_timeout": connections.CONNECT_SECONDS, "noted_in": reach},
        )

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """A connection, which is committed or rolled back at the end."""
        lent = self._take()
        self._count(1)
        try:
            with lent:
                yield lent
        finally:
            self._pool.putconn(lent)
            self._count(-1)

    def _take(self) -> Connection:
        until = time.monotonic() + self.timeout
        while not (self._reach.is_down and self._has_none()):
            try:
                return self._pool.getconn(min(_LOOK_SECONDS, self.timeout))
            except PoolTimeout as error:
                if time.monotonic() >= until:
                    # There are as many connections as threads, so it is not others that keep them.
                    if self._has_none():
                        self._reach.failed(error)
                    raise
        raise DatabaseUnreachable(UNREACHABLE)

    def _has_none(self) -> bool:
        """Whether there is no connection that one could wait for: none is lent, or was a moment ago."""
        is_idle = not self._lent and time.monotonic() - self._changed_at > _LOOK_SECONDS
        return is_idle and not self._pool.get_stats()["pool_available"]

    def _count(self, change: int) -> None:
        with self._lock:
            self._lent += change
            self._changed_at = time.monotonic()

    def close(self) -> None:
        self._pool.close()
