"""On SIGTERM the server finishes running requests and ends in time."""

import signal
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http.client import HTTPConnection, IncompleteRead
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from robustness.delivery_stream import REPOSITORY, delivery
from robustness.server_process import HEADERS, TOKEN, ServerProcess, server_process
from waiting import MOST_SECONDS, wait_until

_EVENTS = 10_000
_SECONDS = 1
_Request = tuple[str, str, bytes | None, dict[str, str]]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server that waits for running requests as long as they take."""
    with server_process(tmp_path, shutdown_seconds=3600) as started:
        yield started


@pytest.fixture
def hasty_server(tmp_path: Path) -> Iterator[ServerProcess]:
    with server_process(tmp_path, shutdown_seconds=_SECONDS) as started:
        yield started


def test_running_requests_are_finished(server: ServerProcess) -> None:
    """Requests sent before SIGTERM get 200, the process exits with 0, and the next one has all events."""
    with server.client() as http:
        assert 200 == http.post(f"{REPOSITORY}/events", json=delivery(1, _EVENTS)).status_code
    path, headers = f"{REPOSITORY}/events", {**HEADERS, "Content-Type": "application/json"}
    requests: list[_Request] = [
        *(("POST", path, msgspec.json.encode(delivery(number, _EVENTS)), headers) for number in range(2, 6)),
        ("POST", "/v1/admin/rebuild", None, HEADERS),
        ("GET", path, None, HEADERS),
    ]
    with ThreadPoolExecutor(len(requests)) as pool:
        connections = list(pool.map(partial(_send, server), requests))
    _wait_until_read(server)

    server.terminate()
    answers = [_answer(connection) for connection in connections]
    server.process.wait(MOST_SECONDS)
    code = server.process.returncode
    server.start()

    assert [(200, {"stored": _EVENTS, "duplicates": 0})] * 4 == answers[:4]
    assert [200, 200] == [status for status, _ in answers[4:]]
    assert 0 == code
    assert "Traceback" not in server.logged()
    with server.client() as http:
        assert 5 * _EVENTS == http.get("/v1/repos").json()["repositories"][0]["events"]


def test_requests_during_the_shutdown_are_not_errors(server: ServerProcess) -> None:
    """Clients that keep sending during the shutdown get responses or a closed port, never a 500."""
    statuses: set[int] = set()
    ending = threading.Event()
    with ThreadPoolExecutor(4) as pool:
        for number in range(4):
            pool.submit(_ask_until, server, number, statuses, ending)
        try:
            wait_until(lambda: 200 in statuses, "the first answer")
            server.terminate()
            server.process.wait(MOST_SECONDS)
        finally:
            ending.set()

    assert statuses <= {200, 503}
    assert 0 == server.process.returncode
    assert "Traceback" not in server.logged()


def test_a_stuck_client_does_not_delay_the_shutdown(hasty_server: ServerProcess) -> None:
    """The server gives up on an unfinished body when the time is over, without a traceback."""
    with socket.create_connection(("127.0.0.1", hasty_server.port), timeout=MOST_SECONDS) as stuck:
        stuck.sendall(_half_a_delivery())
        _wait_until_read(hasty_server)

        waited = _seconds_to_end(hasty_server)
        answer = stuck.recv(10_000)

    assert waited >= _SECONDS
    assert 0 == hasty_server.process.returncode
    assert answer.startswith(b"HTTP/1.1 503 ")
    assert b'"detail":"the service is stopping; try again in a moment"' in answer
    assert "Traceback" not in hasty_server.logged()


@pytest.mark.parametrize("again", [signal.SIGTERM, signal.SIGINT])
def test_a_second_signal_does_not_wait_for_requests(server: ServerProcess, again: signal.Signals) -> None:
    """The application is closed like after one signal: nothing is logged about it, and the exit code is 0."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=MOST_SECONDS) as stuck:
        stuck.sendall(_half_a_delivery())
        _wait_until_read(server)
        server.terminate()
        wait_until(lambda: _refuses(server), "the end of listening")
        server.process.send_signal(again)
        server.process.wait(MOST_SECONDS)

    assert 0 == server.process.returncode
    assert [] == [line for line in server.logged().splitlines() if '"level":"info"' not in line]


def _refuses(server: ServerProcess) -> bool:
    try:
        socket.create_connection(("127.0.0.1", server.port), timeout=MOST_SECONDS).close()
    except ConnectionRefusedError:
        return True
    return False


def test_an_unread_answer_does_not_delay_the_shutdown(hasty_server: ServerProcess) -> None:
    """The server breaks off a stream that its client does not read, without a traceback."""
    with hasty_server.client() as http:
        for number in range(2):
            # Long names, so that the answer is larger than all buffers between the server and its client.
            events = [{**event, "base_ref": "x" * 200} for event in delivery(number, _EVENTS)]
            assert 200 == http.post(f"{REPOSITORY}/events", json=events).status_code
    unread = _connection(hasty_server, receive_buffer=4096)
    unread.request("GET", f"{REPOSITORY}/events", headers=HEADERS)
    answer = unread.getresponse()

    waited = _seconds_to_end(hasty_server)

    assert waited >= _SECONDS
    assert 0 == hasty_server.process.returncode
    with pytest.raises(IncompleteRead):
        answer.read()
    unread.close()
    assert "Traceback" not in hasty_server.logged()


def test_an_idle_connection_does_not_delay_the_shutdown(server: ServerProcess) -> None:
    """The server closes idle connections, and those with an unfinished head, immediately."""
    with server.client() as http, socket.create_connection(("127.0.0.1", server.port)) as half:
        assert 200 == http.get("/readyz").status_code
        half.sendall(_half_a_delivery()[:60])
        _wait_until_read(server)

        _seconds_to_end(server)

    assert 0 == server.process.returncode


def _wait_until_read(server: ServerProcess) -> None:
    """Wait until the server has read what was sent to it before: it answers a request that arrives later."""
    with server.client() as http:
        assert 200 == http.get("/healthz").status_code


def _connection(server: ServerProcess, receive_buffer: int | None = None) -> HTTPConnection:
    """A connection that the server has already accepted."""
    connection = HTTPConnection("127.0.0.1", server.port, timeout=MOST_SECONDS)
    if receive_buffer is not None:
        connection.sock = socket.socket()
        connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        connection.sock.settimeout(MOST_SECONDS)
        connection.sock.connect(("127.0.0.1", server.port))
    connection.request("GET", "/healthz")
    connection.getresponse().read()
    return connection


def _send(server: ServerProcess, request: _Request) -> HTTPConnection:
    """At once after connecting: the server closes a connection that stays idle for some seconds."""
    connection = _connection(server)
    connection.request(*request)
    return connection


def _answer(connection: HTTPConnection) -> tuple[int, Any]:
    answer = connection.getresponse()
    status, content = answer.status, answer.read()
    connection.close()
    return status, content if b"\n" in content else msgspec.json.decode(content)


def _ask_until(server: ServerProcess, number: int, statuses: set[int], ending: threading.Event) -> None:
    with server.client() as http:
        while not ending.is_set():
            try:
                statuses.add(http.post(f"{REPOSITORY}/events", json=delivery(number, 20)).status_code)
                statuses.add(http.get(f"{REPOSITORY}/stats/queue_size").status_code)
            except httpx.TransportError:
                time.sleep(0.01)


def _half_a_delivery() -> bytes:
    head = [
        f"POST {REPOSITORY}/events HTTP/1.1",
        "Host: 127.0.0.1",
        f"Authorization: Bearer {TOKEN}",
        "Content-Type: application/json",
        "Content-Length: 1000",
    ]
    return "\r\n".join([*head, "", '[{"id": "half"']).encode()


def _seconds_to_end(server: ServerProcess) -> float:
    """Stop the server; how long it takes."""
    begun = time.monotonic()
    server.terminate()
    server.process.wait(MOST_SECONDS)
    return time.monotonic() - begun
