"""Structured logs: one JSON object a line, on standard error."""

import logging
import sys
from contextlib import suppress

import msgspec
import structlog


def write_lines(lines: bytes) -> None:
    """Write to standard error. Who closed it does not want to know; no request fails for that."""
    with suppress(OSError, ValueError):
        sys.stderr.buffer.write(lines)
        sys.stderr.buffer.flush()


def _to_json(event: object, **_: object) -> bytes:
    return msgspec.json.encode(event, enc_hook=repr)


class _Lines:
    """The end of structlog's chain."""

    def msg(self, line: bytes) -> None:
        write_lines(line + b"\n")

    debug = info = warning = error = exception = critical = msg


class _Forward(logging.Handler):
    """What libraries log through the standard library comes out in the same form."""

    def emit(self, record: logging.LogRecord) -> None:
        logger = structlog.get_logger()
        logger.log(record.levelno, record.getMessage(), logger=record.name, exc_info=record.exc_info)


def log_as_json(level: int = logging.INFO) -> None:
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(serializer=_to_json),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=lambda *_: _Lines(),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(handlers=[_Forward()], level=logging.WARNING, force=True)
