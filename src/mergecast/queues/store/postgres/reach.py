"""Whether the database can be reached: what the last attempt to connect says."""

import threading
from collections.abc import Callable

import psycopg
import structlog

from mergecast.process.clock import passed_in_microseconds
from mergecast.queues.model.instant import MINUTE
from mergecast.queues.store.postgres.errors import words_of

log = structlog.get_logger("mergecast.store")

_RETRY_SECONDS = 1.0


class Reach:
    """After a failure it tries again in the background, so that no request has to wait for an attempt."""

    def __init__(self, attempt: Callable[["Reach"], None]) -> None:
        """`attempt` connects, and reports here how that ended."""
        self._attempt = attempt
        self._lock = threading.Lock()
        self._is_closed = threading.Event()
        self._is_trying = False
        self._logged_at: int | None = None
        self._is_failure_logged = False
        self.is_down = False

    def failed(self, error: psycopg.Error) -> None:
        with self._lock:
            self.is_down = True
            self._log_failure(error)
            if not self._is_trying:
                self._is_trying = True
                threading.Thread(target=self._try_again, name="reconnecting", daemon=True).start()

    def succeeded(self) -> None:
        with self._lock:
            self.is_down = False
            if self._is_failure_logged:
                self._is_failure_logged = False
                log.info("the database can be reached again")

    def close(self) -> None:
        self._is_closed.set()

    def _log_failure(self, error: psycopg.Error) -> None:
        """At most once a minute."""
        now = passed_in_microseconds()
        if self._logged_at is None or now - self._logged_at >= MINUTE:
            self._logged_at, self._is_failure_logged = now, True
            log.error("the database cannot be reached", error=words_of(error))

    def _try_again(self) -> None:
        while not self._is_closed.wait(_RETRY_SECONDS):
            with self._lock:
                if not self.is_down:
                    self._is_trying = False
                    return
            self._attempt(self)
