"""The server as hostile clients see it: connections, requests, and a count of the answers."""

import socket
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from random import Random

# Linux answers on all of 127.0.0.0/8, so that attackers have an address of their own.
STRANGER = "127.0.0.2"
PROXY = "127.0.0.3"  # trusted by the server, with many clients behind it
MIB = 1 << 20
_CHUNK = 64 << 10


@dataclass(frozen=True)
class Target:
    port: int
    token: str
    chance: Random
    begun: threading.Event = field(default_factory=threading.Event)
    ending: threading.Event = field(default_factory=threading.Event)
    statuses: Counter[int] = field(default_factory=Counter)

    def connect(self, seconds: float = 5, source: str = STRANGER) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), seconds, (source, 0))

    def head(self, method: str, path: str, *lines: str) -> bytes:
        return request_head(method, path, f"Authorization: Bearer {self.token}", *lines)

    def post(self, path: str, body: bytes, *lines: str) -> None:
        """Send JSON with the attacker's key, and read the whole answer."""
        self.ask(self.head("POST", path, "Connection: close", *json_lines(len(body)), *lines) + body)

    def get(self, path: str) -> None:
        self.ask(self.head("GET", path, "Connection: close"))

    def ask(self, request: bytes, source: str = STRANGER) -> bytes:
        """Send a request that closes its connection; returns the beginning of the answer, and counts it."""
        with self.connect(60, source) as connection:
            with suppress(BrokenPipeError, ConnectionResetError):
                connection.sendall(request)  # the server may refuse before it has read everything
            beginning = connection.recv(_CHUNK)
            self.note(beginning)
            while connection.recv(_CHUNK):
                pass
        return beginning

    def note(self, answer: bytes) -> None:
        """Count an answer by its status."""
        status = answer[9:12]
        if answer.startswith(b"HTTP/1.1 ") and status.isdigit():
            self.statuses[int(status)] += 1


def request_head(method: str, path: str, *lines: str) -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: a", *lines, "", ""]).encode()


def json_lines(length: int) -> tuple[str, str]:
    return "Content-Type: application/json", f"Content-Length: {length}"


def repeat(target: Target, turn: Callable[[], object]) -> None:
    """Take turns until the end; the server may close any connection at any time."""
    target.begun.set()
    while not target.ending.is_set():
        with suppress(OSError):
            turn()
        target.ending.wait(0.001)


def hold(target: Target, beginning: Callable[[], bytes], connections: int, *, source: str = STRANGER) -> None:
    """Open connections, send a beginning on each, and keep them open for a while."""
    with ExitStack() as held:
        for _ in range(connections):
            with suppress(OSError):
                connection = held.enter_context(target.connect(source=source))
                connection.sendall(beginning())
        target.ending.wait(1)


def in_threads(target: Target, number: int, *turns: Callable[[], object]) -> None:
    """Repeat each turn in so many threads."""
    threads = [
        threading.Thread(target=partial(repeat, target, turn)) for turn in turns for _ in range(number)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
