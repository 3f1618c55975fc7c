"""Connections: a timeout at every moment, no reading after an early response, and a limited number."""

import asyncio
import json
import resource
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from ipaddress import ip_network
from pathlib import Path

import pytest

from api.raw_http import AUTHORIZED, EVENTS, connect, head_of, read_answer, status_of
from builders import entered
from live_server import LiveServer, live_server
from local_client import get
from mergecast.connection import ConnectionLimits
from mergecast.model.repository import Repository
from robustness.server_process import HEADERS, server_process

_QUICK = ConnectionLimits(
    head_seconds=0.6,
    body_seconds=0.8,
    idle_seconds=0.3,
    discard_seconds=0.3,
    write_seconds=0.8,
    tick_seconds=0.02,
)
_PATIENCE_SECONDS = 8.0


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("connections"), connections=_QUICK) as live:
        yield live


def _seconds_until_closed(connection: socket.socket) -> float:
    """How long the server keeps a connection open to a client that does nothing more."""
    connection.settimeout(_PATIENCE_SECONDS)
    begun = time.monotonic()
    try:
        while connection.recv(1 << 20):
            pass
    except ConnectionError:
        pass
    return time.monotonic() - begun


_JSON = "Content-Type: application/json"
_SENT = {
    "nothing": b"",
    "half a head": b"GET /healthz HTTP/1.1\r\nHo",
    "a blank line": b"\r\n",
    "a request, then a blank line": head_of("GET", "/healthz") + b"\r\n",
    "a request, then blank lines": head_of("GET", "/healthz") + b"\r\n" * 50,
    "a request, then half a head": head_of("GET", "/healthz") + b"GET /healthz HT",
    "a refused body, begun": head_of("POST", EVENTS, "Content-Length: 100") + b"[",
    "a refused body, not begun": head_of("POST", EVENTS, "Content-Length: 100"),
    "chunks of a GET": head_of("GET", "/healthz", "Transfer-Encoding: chunked") + b"5\r\nab",
    "an accepted body, begun": head_of("POST", EVENTS, AUTHORIZED, _JSON, "Content-Length: 100") + b"[",
    "chunks, begun": head_of("POST", EVENTS, AUTHORIZED, _JSON, "Transfer-Encoding: chunked") + b"5\r\n[",
    "trailers, begun": head_of("GET", "/healthz", "Transfer-Encoding: chunked") + b"0\r\nX: y\r\n",
}


@pytest.mark.parametrize("sent", _SENT.values(), ids=_SENT.keys())
def test_no_connection_stays_open(server: LiveServer, sent: bytes) -> None:
    """Whatever a client has sent before it stops, the server closes the connection."""
    with connect(server) as connection:
        connection.sendall(sent)

        assert _seconds_until_closed(connection) < 4


def test_a_request_that_takes_too_long(tmp_path: Path) -> None:
    """A timer runs even while the application works; the server continues with other requests."""
    body = json.dumps([entered("2026-03-02T10:00:00Z", "late", 1)]).encode()
    request = head_of("POST", EVENTS, AUTHORIZED, _JSON, f"Content-Length: {len(body)}") + body
    with live_server(tmp_path, connections=replace(_QUICK, answer_seconds=1.0)) as server:
        busy = threading.Thread(target=lambda: asyncio.run(_block_the_writer(server, seconds=4)))
        busy.start()
        with connect(server) as connection:
            time.sleep(0.3)
            connection.sendall(request)
            seconds = _seconds_until_closed(connection)
        alive = server.http.get("/healthz")
        busy.join()

    assert 0.9 < seconds < 3
    assert 200 == alive.status_code


async def _block_the_writer(server: LiveServer, seconds: float) -> None:
    await server.store.change(Repository("acme", "blocked"), lambda _: time.sleep(seconds), create=True)


def test_blank_lines_do_not_keep_a_connection_open(server: LiveServer) -> None:
    """Only requests do: stray bytes between requests do not restart the timer."""
    with connect(server) as connection:
        connection.sendall(head_of("GET", "/healthz"))
        read_answer(connection)
        begun = time.monotonic()
        with pytest.raises(ConnectionError):
            _send_blank_lines(connection)

        assert time.monotonic() - begun < 4


def _send_blank_lines(connection: socket.socket) -> None:
    for _ in range(200):
        connection.sendall(b"\r\n")
        time.sleep(0.05)


def test_requests_keep_a_connection_open(server: LiveServer) -> None:
    """A client that keeps sending requests can use one connection for longer than any timeout."""
    with connect(server) as connection:
        for _ in range(12):
            connection.sendall(head_of("GET", "/healthz"))
            assert 200 == status_of(read_answer(connection))
            time.sleep(0.1)


def test_an_early_answer_announces_the_close(server: LiveServer) -> None:
    """A client that is rejected before it has sent its body reads the rejection and `Connection: close`."""
    with connect(server) as connection:
        connection.sendall(head_of("POST", EVENTS, "Content-Length: 1000000") + b"[" * 1000)
        answer = read_answer(connection)

    assert 403 == status_of(answer)
    assert b"\r\nconnection: close\r\n" in answer.lower()


@pytest.mark.parametrize("rest", [b"x", b"]" * 1000, b"GET / HTTP/1.1\r\nbad header\r\n\r\n"])
def test_a_body_longer_than_announced(server: LiveServer, rest: bytes) -> None:
    """The request gets its response, also if another one follows it before; then the connection closes."""
    head = head_of("POST", EVENTS, AUTHORIZED, _JSON, "Content-Length: 2")
    for requests in (1, 2):
        with connect(server) as connection:
            connection.sendall((head + b"[]") * requests + rest)
            received = b"".join(iter(lambda: connection.recv(65536), b""))

        assert requests == received.count(b"HTTP/1.1 200 OK")
        assert requests == received.count(b'{"stored":0,"duplicates":0}')
        assert 1 == received.lower().count(b"connection: close")


def test_no_body_is_read_after_the_answer(server: LiveServer) -> None:
    """After a rejection the server discards at most one body of the largest size, then disconnects."""
    begun = time.monotonic()
    with connect(server) as connection:
        connection.sendall(head_of("POST", EVENTS, f"Content-Length: {1 << 40}"))
        sent = _mebibytes_taken(connection)

    assert sent < 80  # 32 MiB and what the kernel buffers
    assert time.monotonic() - begun < 5


def _mebibytes_taken(connection: socket.socket) -> int:
    for sent in range(1000):
        try:
            connection.sendall(b" " * (1 << 20))
        except ConnectionError:
            return sent
    return 1000


def test_a_rejected_upload_gets_its_response(server: LiveServer) -> None:
    """A client that writes its whole body first still gets the response, not a reset connection."""
    with server.anonymous() as http:
        answers = [http.post(EVENTS, content=b" " * (4 << 20)).status_code for _ in range(3)]

    assert [403] * 3 == answers


def test_a_client_that_does_not_read(server: LiveServer) -> None:
    """The server closes its connection and does not keep the response in memory."""
    events = [
        entered("2026-03-02T10:00:00Z", f"long-{number}", number, base_ref=f"{number:06}" + "x" * 200)
        for number in range(6000)
    ]
    server.send(events, "acme/long").raise_for_status()
    request = head_of("GET", "/v1/repos/acme/long/events", AUTHORIZED)
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", int(server.url.rpartition(":")[2])))
        connection.sendall(request * 8)
        time.sleep(4)
        received = _received(connection)

    assert received < 8 * 1_000_000


def test_an_export_whose_repository_is_deleted_meanwhile(server: LiveServer) -> None:
    """The connection breaks before the last chunk, so that the client cannot take a part for the whole."""
    path = "/v1/repos/acme/doomed/events"
    for start in range(0, 30_000, 10_000):
        events = [
            entered("2026-03-02T10:00:00Z", f"s{number}", number, base_ref="x" * 200)
            for number in range(start, start + 10_000)
        ]
        server.send(events, "acme/doomed").raise_for_status()
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", int(server.url.rpartition(":")[2])))
        connection.sendall(head_of("GET", path, AUTHORIZED))
        begin = connection.recv(1000)
        deleted = server.http.delete("/v1/repos/acme/doomed")
        received = begin + _rest(connection)

    assert b"HTTP/1.1 200 OK" in begin
    assert {"deleted": 30_000} == deleted.json()
    assert not received.endswith(b"0\r\n\r\n")
    assert received.count(b'"id":') < 30_000


def _rest(connection: socket.socket) -> bytes:
    """What the server sends until it closes the connection."""
    connection.settimeout(_PATIENCE_SECONDS)
    parts = []
    try:
        while part := connection.recv(1 << 20):
            parts.append(part)
    except ConnectionError:
        pass
    return b"".join(parts)


def test_clients_that_disconnect_during_their_responses(tmp_path: Path) -> None:
    """The server logs no error for them and serves other clients as before."""
    events = [entered("2026-03-02T10:00:00Z", f"stay-{number}", 1) for number in range(10_000)]
    with server_process(tmp_path) as server, server.client() as http:
        http.post(EVENTS, json=events).raise_for_status()
        request = head_of("GET", EVENTS, f"Authorization: {HEADERS['Authorization']}") * 5
        with ExitStack() as clients:
            for _ in range(20):
                connection = clients.enter_context(socket.socket())
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                connection.connect(("127.0.0.1", server.port))
                connection.sendall(request)
            time.sleep(0.5)

        assert http.get(EVENTS).is_success
        assert "Traceback" not in server.logged()


def _received(connection: socket.socket) -> int:
    connection.settimeout(_PATIENCE_SECONDS)
    received = 0
    try:
        while part := connection.recv(1 << 20):
            received += len(part)
    except ConnectionError:
        pass
    return received


def test_the_limit_of_connections_per_address(tmp_path: Path) -> None:
    """The server closes the oldest idle connection to accept a new one, but no busy one."""
    limits = ConnectionLimits(most=20, most_per_address=4, tick_seconds=0.02)
    with live_server(tmp_path, connections=limits) as live, ExitStack() as stack:
        busy = stack.enter_context(connect(live))
        busy.sendall(head_of("POST", EVENTS, AUTHORIZED, _JSON, "Content-Length: 2"))
        idle = [stack.enter_context(connect(live)) for _ in range(3)]
        for connection in idle:
            connection.sendall(head_of("GET", "/healthz"))
            read_answer(connection)

        new = stack.enter_context(connect(live))
        new.sendall(head_of("GET", "/healthz"))

        assert 200 == status_of(read_answer(new))
        assert b"" == idle[0].recv(100)
        busy.sendall(b"[]")
        assert 200 == status_of(read_answer(busy))
        idle[1].sendall(head_of("GET", "/healthz"))
        assert 200 == status_of(read_answer(idle[1]))


def test_too_many_busy_connections(tmp_path: Path) -> None:
    """If there is no idle connection to close, the server rejects a new one."""
    limits = ConnectionLimits(most=20, most_per_address=4, tick_seconds=0.02)
    with live_server(tmp_path, connections=limits) as live, ExitStack() as stack:
        for _ in range(4):
            busy = stack.enter_context(connect(live))
            busy.sendall(head_of("POST", EVENTS, AUTHORIZED, _JSON, "Content-Length: 2"))
        time.sleep(0.3)
        answer = read_answer(stack.enter_context(connect(live)))

    assert 503 == status_of(answer)
    assert b"too many connections are open; close some, or try again in a moment" in answer


def test_a_trusted_proxy_has_no_connection_limit(tmp_path: Path) -> None:
    """All its clients come from one address."""
    proxies = (ip_network("127.0.0.0/8"),)
    limits = ConnectionLimits(most=40, most_per_address=2, trusted_proxies=proxies)
    with live_server(tmp_path, connections=limits) as live, ExitStack() as stack:
        connections = [stack.enter_context(connect(live)) for _ in range(10)]
        for connection in connections:
            connection.sendall(head_of("GET", "/healthz"))

        assert [200] * 10 == [status_of(read_answer(connection)) for connection in connections]


@pytest.mark.parametrize("sent", [b"", head_of("GET", "/healthz") + b"\r\n"], ids=["silent", "blank line"])
def test_a_low_limit_of_open_files(tmp_path: Path, sent: bytes) -> None:
    """With at most 128 open files, 200 silent connections do not lock other clients out."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (128, hard))
    try:
        with server_process(tmp_path) as server:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
            with ExitStack() as stack:
                for _ in range(200):
                    attacker = stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
                    attacker.sendall(sent)
                begun = time.monotonic()

                assert 200 == get(f"{server.url}/healthz", timeout=10).status_code
                assert time.monotonic() - begun < 3
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize("encoding", ["xchunked", "chunked, chunked", "gzip, chunked", "identity"])
def test_transfer_encodings(server: LiveServer, encoding: str) -> None:
    """Only `chunked` is supported; anything else gets 400 before the application sees the request."""
    request = head_of("POST", EVENTS, AUTHORIZED, _JSON, f"Transfer-Encoding: {encoding}")
    with connect(server) as connection:
        connection.sendall(request + b"2\r\n[]\r\n0\r\n\r\n")

        assert 400 == status_of(read_answer(connection))
