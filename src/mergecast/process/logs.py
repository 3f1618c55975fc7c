"""Structured logs: one JSON object per line, on standard error."""

import logging
import sys
from collections.abc import Callable
from contextlib import suppress

import msgspec
import structlog


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


def log_as_json(level: int = logging.INFO) -> None:
    """Log from this level on; a later call changes the level."""
    structlog.configure(
        processors=[
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
