"""An HTTP server on 127.0.0.1 that imitates a platform and fails on request."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.utils import formatdate
from enum import StrEnum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from mergecast.queues.model.instant import SECOND


class Failure(StrEnum):
    PRIMARY_LIMIT = "primary limit"
    SECONDARY_LIMIT = "secondary limit"
    GRAPHQL_LIMIT = "limit with status 200"
    BAD_GATEWAY = "502"
    ERROR = "500"
    CUT = "cut connection"
    TRUNCATED = "truncated JSON"
    TOO_LONG = "Content-Length larger than the body"
    TOO_SHORT = "Content-Length smaller than the body"


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    query: Mapping[str, list[str]]
    headers: Mapping[str, str]
    body: Any

    def parameter(self, name: str, default: str = "") -> str:
        return self.query.get(name, [default])[0]


@dataclass(frozen=True)
class Reply:
    value: Any
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


_LIMIT = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1"}


class FaultyServer(ThreadingHTTPServer):
    """Each request takes the next failure of the plan; after the plan, everything works."""

    daemon_threads = True

    def __init__(self, answer: Callable[[Request], Reply]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer = answer
        self.plan: list[Failure | None] = []
        self.requests: list[Request] = []
        self.turn = threading.Lock()
        self.date: int | None = None  # the clock of the platform, in microseconds; None: it does not say

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def next_failure(self) -> Failure | None:
        with self.turn:
            return self.plan.pop(0) if self.plan else None


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 1 << 16  # head and body in one packet
    server: FaultyServer

    def do_POST(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        split = urlsplit(self.path)
        size = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(size)) if size else None
        request = Request(self.command, split.path, parse_qs(split.query), dict(self.headers.items()), body)
        self.server.requests.append(request)
        failure = self.server.next_failure()
        if failure in (Failure.PRIMARY_LIMIT, Failure.SECONDARY_LIMIT, Failure.GRAPHQL_LIMIT):
            self._limit(failure)
        elif failure is Failure.BAD_GATEWAY:
            self._send(Reply({"message": "bad gateway"}, 502))
        elif failure is Failure.ERROR:
            self._send(Reply({"message": "internal error"}, 500))
        else:
            self._send(self.server.answer(request), failure)

    def _limit(self, failure: Failure) -> None:
        if failure is Failure.GRAPHQL_LIMIT:
            self._send(Reply({"errors": [{"type": "RATE_LIMITED", "message": "exceeded"}]}, 200, _LIMIT))
        elif failure is Failure.PRIMARY_LIMIT:
            self._send(Reply({"message": "API rate limit exceeded"}, 403, _LIMIT))
        else:
            self._send(Reply({"message": "You have exceeded a secondary limit"}, 403, {"Retry-After": "7"}))

    def _send(self, reply: Reply, failure: Failure | None = None) -> None:
        body = b"" if reply.value is None else json.dumps(reply.value).encode()
        length = len(body)
        if failure is Failure.TRUNCATED:
            body = body[: len(body) // 2]
            length = len(body)
        elif failure is Failure.TOO_LONG:
            length += 100
        elif failure is Failure.TOO_SHORT:
            length //= 2
        elif failure is Failure.CUT:
            body = body[: len(body) // 2]
        self.send_response_only(reply.status)
        dated = (
            {} if self.server.date is None else {"Date": formatdate(self.server.date / SECOND, usegmt=True)}
        )
        for name, value in {**dated, **reply.headers, "Content-Length": str(length)}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        if failure in (Failure.CUT, Failure.TOO_LONG, Failure.TOO_SHORT):
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def faulty_server(answer: Callable[[Request], Reply]) -> Iterator[FaultyServer]:
    server = FaultyServer(answer)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
