"""Structured logs: one JSON object per line, on standard error."""

import logging
import sys
import threading
from collections.abc import Callable
from contextlib import suppress

import msgspec
import structlog
from structlog.typing import EventDict

from mergecast.process.clock import passed_in_microseconds

_MINUTE = 60_000_000  # microseconds
_MOST_REMEMBERED = 1_000


def write_to_stderr(lines: bytes) -> None:
    """Ignore a closed stderr: no request fails because its log line is lost."""
    with suppress(OSError, ValueError):
        sys.stderr.buffer.write(lines)
        sys.stderr.buffer.flush()


_write: Callable[[bytes], None] = write_to_stderr


def log_to(write: Callable[[bytes], None]) -> None:
    """Send all log lines of this process to `write`."""
    global _write  # noqa: PLW0603 - a process has one log
    _write = write


def write_lines(lines: bytes) -> None:
    _write(lines)


def _to_json(event: object, **_: object) -> bytes:
    return msgspec.json.encode(event, enc_hook=repr)


class _Lines:
    """The last step of structlog's chain."""

    def msg(self, line: bytes) -> None:
        write_lines(line + b"\n")

    debug = info = warning = error = exception = critical = msg


class _Forward(logging.Handler):
    """Send what libraries log through the standard library down the same chain."""

    def emit(self, record: logging.LogRecord) -> None:
        logger = structlog.get_logger()
        logger.log(record.levelno, record.getMessage(), logger=record.name, exc_info=record.exc_info)


class _Repeats:
    """Drops a warning about an error that was logged less than a minute ago, and counts how often.

    What runs in the background tries again every second; while a database is down, that says nothing new.
    """

    def __init__(self, passed: Callable[[], int]) -> None:
        self._passed = passed
        self._lock = threading.Lock()
        self._logged: dict[bytes, tuple[int, int]] = {}  # when, and how often it was dropped since

    def __call__(self, _: object, level: str, event: EventDict) -> EventDict:
        if level != "warning" or "error" not in event:
            return event
        key, now = _to_json(event), self._passed()
        with self._lock:
            at, dropped = self._logged.get(key, (now - _MINUTE, 0))
            if now - at < _MINUTE:
                self._logged[key] = (at, dropped + 1)
                raise structlog.DropEvent
            if len(self._logged) >= _MOST_REMEMBERED:
                self._logged.clear()
            self._logged[key] = (now, 0)
        return {**event, "repeated": dropped} if dropped else event


def log_as_json(level: int = logging.INFO, passed: Callable[[], int] = passed_in_microseconds) -> None:
    """Log from this level on; a later call changes the level."""
    structlog.configure(
        processors=[
            _Repeats(passed),
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(serializer=_to_json),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=lambda *_: _Lines(),
        cache_logger_on_first_use=False,  # a cached logger keeps the level of its first use
    )
    logging.basicConfig(handlers=[_Forward()], level=logging.WARNING, force=True)
