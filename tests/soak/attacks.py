"""Hostile clients, one kind per run, in a separate process.

python -m soak.attacks NAME PORT TOKEN SEED: attacks until standard input is closed.
"""

import json
import os
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from random import Random

from robustness.hostile_documents import HOSTILE_DOCUMENTS

HEAVY = "/v1/repos/umbrella/heavy"
_MIB = 1 << 20


@dataclass(frozen=True)
class Target:
    port: int
    token: str
    chance: Random
    ending: threading.Event

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=5)

    def head(self, method: str, path: str, *lines: str) -> bytes:
        start = (f"{method} {path} HTTP/1.1", "Host: a", f"Authorization: Bearer {self.token}")
        return "\r\n".join([*start, *lines, "", ""]).encode()


def _repeat(target: Target, turn: Callable[[], None]) -> None:
    """Take turns until the end; the server may close any connection at any time."""
    while not target.ending.is_set():
        with suppress(OSError):
            turn()
        target.ending.wait(0.001)


def _hold(target: Target, beginning: Callable[[], bytes], connections: int) -> None:
    """Open connections, send a beginning on each, and keep them open for a while."""
    with ExitStack() as held:
        for _ in range(connections):
            with suppress(OSError):
                connection = held.enter_context(target.connect())
                connection.sendall(beginning())
        target.ending.wait(1)


def _idle_connections(target: Target) -> None:
    beginnings = (
        b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n\r\n",
        b"POST /v1/repos/a/b/events HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1",
        b"GET /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
        b"GET /heal",
    )
    _repeat(target, lambda: _hold(target, lambda: target.chance.choice(beginnings), 100))


def _unfinished_bodies(target: Target) -> None:
    lines = ("Content-Type: application/json", f"Content-Length: {32 * _MIB}")
    body = target.head("POST", f"{HEAVY}/events", *lines) + b" " * (32 * _MIB - 1)
    _in_threads(target, 16, lambda: _hold(target, lambda: body, 1))


def _heavy_query(target: Target, numbers: "count[int]") -> bytes:
    end = f"2026-03-03T00:00:00.{next(numbers) % 1_000_000:06}Z"
    return target.head("GET", f"{HEAVY}/stats/queue_size?start_at=2026-03-02T00:00:00Z&end_at={end}")


def _heavy_queries(target: Target) -> None:
    numbers: count[int] = count(1)

    def turn() -> None:
        with target.connect() as connection:
            connection.settimeout(60)
            connection.sendall(_heavy_query(target, numbers))
            connection.recv(1 << 16)

    _in_threads(target, 4, turn)


def _abandoned_queries(target: Target) -> None:
    numbers: count[int] = count(500_000)

    def turn() -> None:
        with target.connect() as connection:
            connection.sendall(_heavy_query(target, numbers))

    _in_threads(target, 2, turn)


def _unread_answers(target: Target) -> None:
    _repeat(target, lambda: _hold(target, lambda: target.head("GET", f"{HEAVY}/events") * 5, 30))


def _hostile_documents(target: Target) -> None:
    def turn() -> None:
        document = HOSTILE_DOCUMENTS[target.chance.choice(sorted(HOSTILE_DOCUMENTS))]()
        body = json.dumps({"config_yml": document}).encode()
        lines = ("Content-Type: application/json", f"Content-Length: {len(body)}")
        with target.connect() as connection:
            connection.settimeout(30)
            connection.sendall(target.head("POST", f"{HEAVY}/configuration-simulator", *lines) + body)
            connection.recv(1 << 16)

    _in_threads(target, 3, turn)


def _garbage(target: Target) -> None:
    def turn() -> None:
        with target.connect() as connection:
            connection.sendall(target.chance.randbytes(target.chance.randrange(1, 5000)))
            connection.recv(1 << 16)

    _in_threads(target, 4, turn)


def _in_threads(target: Target, number: int, turn: Callable[[], None]) -> None:
    threads = [threading.Thread(target=partial(_repeat, target, turn)) for _ in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


ATTACKS: dict[str, Callable[[Target], None]] = {
    "idle connections": _idle_connections,
    "unfinished bodies": _unfinished_bodies,
    "heavy queries": _heavy_queries,
    "abandoned queries": _abandoned_queries,
    "unread answers": _unread_answers,
    "hostile documents": _hostile_documents,
    "garbage": _garbage,
}


def _main(name: str, port: str, token: str, seed: str) -> None:
    os.nice(10)  # real attackers use their own machines
    target = Target(int(port), token, Random(seed), threading.Event())
    threading.Thread(target=partial(ATTACKS[name], target)).start()
    sys.stdin.read()
    os._exit(0)  # some threads wait for answers that never come


if __name__ == "__main__":
    _main(*sys.argv[1:])
