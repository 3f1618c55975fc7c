"""HTTP servers on 127.0.0.1 that imitate other services: a function answers, and requests are recorded."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self


@dataclass(frozen=True)
class Asked:
    path: str
    headers: Mapping[str, str]
    method: str = "GET"
    body: bytes = b""


@dataclass(frozen=True)
class Reply:
    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


class _Server(ThreadingHTTPServer):
    request_queue_size = 128


class LocalServer:
    def __init__(self, answer: Callable[[Asked], Reply]) -> None:
        self.asked: list[Asked] = []
        self.answer = answer
        self._server = _Server(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def encrypt(self, context: ssl.SSLContext) -> None:
        """Speak TLS from now on."""
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
                asked = Asked(self.path, dict(self.headers.items()), self.command, body)
                outer.asked.append(asked)
                reply = outer.answer(asked)
                self.send_response(reply.status)
                for name, value in {"Content-Length": str(len(reply.body)), **reply.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(reply.body)

            def do_POST(self) -> None:
                self.do_GET()

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        return Handler

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._server.server_close()

    def stop(self) -> None:
        """Refuse connections from now on; the port stays taken, so that no other server gets it."""
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
            self._server.socket.shutdown(socket.SHUT_RDWR)


@contextmanager
def refusing_url() -> Iterator[str]:
    """The URL of a server that is down: its port is taken, but nothing listens there."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"


@contextmanager
def local_server(answer: Callable[[Asked], Reply]) -> Iterator[LocalServer]:
    with LocalServer(answer) as server:
        yield server
