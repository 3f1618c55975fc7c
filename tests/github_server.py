"""An imitation of GitHub's API on 127.0.0.1: responds from a table of paths and records requests."""

import json
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import accumulate
from typing import Any, Self
from urllib.parse import parse_qsl, urlencode, urlsplit

TOKEN = "ghp_" + "t" * 36
NOT_FOUND = {"message": "Not Found", "documentation_url": "https://docs.github.com/rest", "status": "404"}


@dataclass(frozen=True)
class Asked:
    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes
    begun: float
    ended: float = 0.0


@dataclass(frozen=True)
class Reply:
    status: int
    content: Any = None  # JSON, or bytes as they are
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def body(self) -> bytes:
        return self.content if isinstance(self.content, bytes) else json.dumps(self.content).encode()


Route = Any  # a Reply, a function from Asked to a route, or content of a 200; a list is answered in pages


class GitHubServer:
    def __init__(
        self, routes: dict[str, Route] | None = None, delay: float = 0.0, rounds: tuple[int, ...] = ()
    ) -> None:
        """Replies come after a delay; those of a round wait until all its requests have arrived."""
        self.routes = routes if routes is not None else {}
        self.delay = delay
        self._ends_of_rounds = tuple(accumulate(rounds))
        self._arrived = 0
        self.prefix = ""  # of a GitHub Enterprise server
        self.asked: list[Asked] = []
        self.most_at_once = 0
        self._at_once = 0
        self._lock = threading.Condition()
        self._server = _Server(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    @property
    def host(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def url(self) -> str:
        return self.host + self.prefix

    @property
    def paths(self) -> list[str]:
        return [asked.path for asked in self.asked]

    def rounds(self) -> list[list[str]]:
        """Paths of concurrent requests; a round starts when all earlier requests have been answered."""
        found: list[list[str]] = []
        end = 0.0
        for asked in sorted(self.asked, key=lambda one: one.begun):
            if not found or asked.begun >= end:
                found.append([])
            found[-1].append(asked.path)
            end = max(end, asked.ended)
        return [sorted(one) for one in found]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True
            wbufsize = -1

            def do_GET(self) -> None:
                outer.serve(self)

            def do_POST(self) -> None:
                outer.serve(self)

            def do_PUT(self) -> None:
                outer.serve(self)

            def do_PATCH(self) -> None:
                outer.serve(self)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        return Handler

    def serve(self, handler: BaseHTTPRequestHandler) -> None:
        asked = _asked(handler)
        with self._lock:
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            self._wait_for_round()
        time.sleep(self.delay)
        reply = self._reply(asked)
        with self._lock:
            self._at_once -= 1
            self.asked.append(Asked(**{**asked.__dict__, "ended": time.perf_counter()}))
        try:
            _write(handler, reply)
        except OSError:
            handler.close_connection = True  # the client has gone

    def _wait_for_round(self) -> None:
        self._arrived += 1
        end = next((end for end in self._ends_of_rounds if self._arrived <= end), 0)
        self._lock.notify_all()
        self._lock.wait_for(lambda: self._arrived >= end, 60)

    def _reply(self, asked: Asked) -> Reply:
        path = asked.path.removeprefix(self.prefix)
        found = self.routes.get(path, Reply(404, NOT_FOUND))
        while callable(found):
            found = found(asked)
        reply = found if isinstance(found, Reply) else self._content(asked, found)
        return _conditional(asked, reply)

    def _content(self, asked: Asked, content: Any) -> Reply:
        if isinstance(content, list):
            part, links = self._page(asked, content)
            return Reply(200, part, links)
        for member in ("check_runs", "statuses"):
            if isinstance(content, dict) and isinstance(content.get(member), list):
                part, links = self._page(asked, content[member])
                return Reply(200, {**content, member: part}, links)
        return Reply(200, content)

    def _page(self, asked: Asked, items: list[Any]) -> tuple[list[Any], dict[str, str]]:
        size, page = int(asked.query.get("per_page", "30")), int(asked.query.get("page", "1"))
        last = max(1, -(-len(items) // size))
        part = items[(page - 1) * size : page * size]
        if page >= last:
            return part, {}
        targets = {"next": page + 1, "last": last}
        links = [
            f'<{self.host}{asked.path}?{urlencode({**asked.query, "page": number})}>; rel="{relation}"'
            for relation, number in targets.items()
        ]
        return part, {"Link": ", ".join(links)}


class _Server(ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore clients that close a connection: a traceback would be part of a command's output."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def _asked(handler: BaseHTTPRequestHandler) -> Asked:
    parts = urlsplit(handler.path)
    body = handler.rfile.read(int(handler.headers.get("Content-Length", "0")))
    headers = {name.lower(): value for name, value in handler.headers.items()}
    query = dict(parse_qsl(parts.query))
    return Asked(handler.command, parts.path, query, headers, body, time.perf_counter())


def _conditional(asked: Asked, reply: Reply) -> Reply:
    if reply.status != 200 or asked.method != "GET":
        return reply
    tag = f'W/"{sha256(reply.body).hexdigest()}"'
    if asked.headers.get("if-none-match") == tag:
        return Reply(304, b"", {"ETag": tag})
    return Reply(200, reply.content, {"ETag": tag, **reply.headers})


def _write(handler: BaseHTTPRequestHandler, reply: Reply) -> None:
    handler.send_response(reply.status)
    headers = {"Content-Type": "application/json; charset=utf-8", "Content-Length": str(len(reply.body))}
    for name, value in {**headers, **reply.headers}.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(reply.body)
    handler.wfile.flush()


def one_after_another(*routes: Route) -> Callable[[Asked], Route]:
    """The first request gets the first response, and so on; the last response serves all further requests."""
    left = list(routes)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]
