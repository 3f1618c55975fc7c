"""Hostile bodies cost little memory and do not delay other clients."""

import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from select import select

import httpx
import pytest

from builders import worked_example
from cpu_time import cpu_time
from mergecast.api.request_body import CALLER_LIMIT
from robustness.delivery_stream import DAY, REPOSITORY, delivery
from robustness.hostile_bodies import HOSTILE_BODIES, MIB, Hostile
from robustness.other_client import other_client
from robustness.server_process import TOKEN, ServerProcess, server_process

_MOST_MEMORY = 1536 * MIB
_MOST_CPU_TIME = 2.0
_MOST_WORK = 10.0


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with server_process(tmp_path_factory.mktemp("memory")) as started:
        with started.client() as http:
            http.post(f"{REPOSITORY}/events", json=worked_example()).raise_for_status()
        yield started


@pytest.mark.parametrize("hostile", HOSTILE_BODIES.values(), ids=HOSTILE_BODIES.keys())
def test_one_hostile_body(server: ServerProcess, hostile: Hostile) -> None:
    """It is rejected after ten seconds of CPU time at most; other clients wait for two at most."""
    body = hostile.make()
    server.reset_peak_memory()

    with other_client(server, _ask) as waits:
        begun = cpu_time(server.process.pid)
        answer = _post(server, body, hostile.headers())
        used = cpu_time(server.process.pid) - begun

    assert (hostile.status, "application/problem+json") == (
        answer.status_code,
        answer.headers["content-type"],
    )
    assert server.peak_memory() < _MOST_MEMORY
    assert max(waits) < _MOST_CPU_TIME
    assert used < _MOST_WORK


@pytest.mark.parametrize("name", ["one string", "strings", "lines of numbers"])
def test_sixteen_hostile_bodies_at_once(server: ServerProcess, name: str) -> None:
    """Bodies within the caller's share are judged, the others get 429; other clients are not delayed."""
    hostile = HOSTILE_BODIES[name]
    body = hostile.make()
    server.reset_peak_memory()

    with other_client(server, _ask) as waits, ThreadPoolExecutor(16) as pool:
        sent = [pool.submit(_post, server, body, hostile.headers()) for _ in range(16)]
        answers = [future.result() for future in sent]

    judged = [answer for answer in answers if answer.status_code == hostile.status]
    others = [answer for answer in answers if answer.status_code != hostile.status]
    assert len(judged) >= CALLER_LIMIT // max(len(body), 32 << 20)
    assert all((429, "1") == (answer.status_code, answer.headers["retry-after"]) for answer in others)
    assert server.peak_memory() < _MOST_MEMORY
    assert max(waits) < _MOST_CPU_TIME


def test_bodies_that_trickle(server: ServerProcess) -> None:
    """Eight clients that send large bodies slowly do not delay a delivery of 300 KiB."""
    with (
        _trickling(server, clients=8) as connections,
        other_client(server, _ask) as waits,
        server.client() as http,
    ):
        answer = http.post(f"{REPOSITORY}/events", json=delivery(1, 1200))
        # The server still waits for the others: it has neither answered nor disconnected them.
        ended = select(connections, [], [], 0)[0]

    assert (200, []) == (answer.status_code, ended)
    assert int(answer.request.headers["content-length"]) > 256 << 10
    assert max(waits) < _MOST_CPU_TIME


def test_the_server_works_afterwards(server: ServerProcess) -> None:
    """Afterwards the server still stores and answers, and has logged no error."""
    with server.client() as http:
        stored = http.post(f"{REPOSITORY}/events", json=delivery(2, 100))
        read = http.get(f"{REPOSITORY}/stats/queue_size", params=DAY)

    assert {"stored": 100, "duplicates": 0} == stored.json()
    assert 200 == read.status_code
    assert "Traceback" not in server.logged()


def _post(server: ServerProcess, body: bytes, headers: dict[str, str]) -> httpx.Response:
    with server.client() as http:
        return http.post("/v1/repos/acme/hostile/events", content=body, headers=headers)


def _ask(http: httpx.Client) -> None:
    """Send one request of each kind that a well-behaved client sends."""
    http.get("/readyz").raise_for_status()
    http.get(f"{REPOSITORY}/stats/queues", params=DAY).raise_for_status()
    http.post(f"{REPOSITORY}/events", json=[]).raise_for_status()


@contextmanager
def _trickling(server: ServerProcess, clients: int) -> Iterator[list[socket.socket]]:
    """Open connections that have announced 20 MiB each and sent a few bytes."""
    head = [
        f"POST {REPOSITORY}/events HTTP/1.1",
        "Host: 127.0.0.1",
        f"Authorization: Bearer {TOKEN}",
        "Content-Type: application/json",
        f"Content-Length: {20 * MIB}",
    ]
    connections = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(clients)]
    try:
        for connection in connections:
            connection.sendall("\r\n".join([*head, "", "["]).encode())
        time.sleep(0.3)
        yield connections
    finally:
        for connection in connections:
            connection.close()
