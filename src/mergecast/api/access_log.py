"""The access log: one line per request, written cheaply.

The general logger costs 40 µs per line, a third of what a cached answer costs. These lines are all alike:
they are collected, then formatted and written together, at most a tenth of a second later.
"""

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec

_DELAY_SECONDS = 0.1


class _Request(NamedTuple):
    ended_at: float
    method: str
    route: str
    status: int
    seconds: float


class AccessLog:
    def __init__(self, write: Callable[[bytes], None]) -> None:
        self._write = write
        self._noted: list[_Request] = []

    def note(self, method: str, route: str, status: int, seconds: float) -> None:
        if not self._noted:
            asyncio.get_running_loop().call_later(_DELAY_SECONDS, self.flush)
        self._noted.append(_Request(time.time(), method, route, status, seconds))

    def flush(self) -> None:
        noted, self._noted = self._noted, []
        self._write(msgspec.json.Encoder().encode_lines([_line(request) for request in noted]))


def _line(request: _Request) -> dict[str, object]:
    return {
        "event": "request",
        "method": request.method,
        "route": request.route,
        "status": request.status,
        "ms": round(request.seconds * 1000, 2),
        "level": "info",
        "timestamp": datetime.fromtimestamp(request.ended_at, UTC).isoformat(),
    }
