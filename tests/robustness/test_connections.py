"""Connections: a timeout at every moment, no reading after an early response, and a limited number."""

import asyncio
import json
import resource
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from ipaddress import ip_network
from pathlib import Path
from typing import BinaryIO

import pytest

from api.raw_http import AUTHORIZED, EVENTS, connect, head_of, read_answer, status_of
from builders import entered
from empty_store import copy_empty_store
from live_server import LiveServer, live_server
from local_client import get
from logged_secrets import LOGGED
from mergecast.api.server.connections import ConnectionLimits
from mergecast.queues.model.repository import Repository
from robustness.forked_process import ForkedProcess
from robustness.server_process import HEADERS, Process, ServerProcess, server_process
from waiting import MOST_SECONDS, wait_until

_ESTABLISHED = "01"
_QUICK = ConnectionLimits(
    head_seconds=0.6,
    body_seconds=0.8,
    idle_seconds=0.3,
    discard_seconds=0.3,
    write_seconds=0.8,
    tick_seconds=0.02,
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("connections")) as live:
        yield live


@pytest.fixture(scope="module")
def quick_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server that closes every connection within a second, for tests of nothing else."""
    with live_server(tmp_path_factory.mktemp("quick"), connections=_QUICK) as live:
        yield live


def _wait_until_closed(connection: socket.socket) -> None:
    """Wait until the server closes the connection of a client that does nothing more."""
    connection.settimeout(60 * _QUICK.head_seconds)
    try:
        while connection.recv(1 << 20):
            pass
    except ConnectionError:
        pass


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
def test_no_connection_stays_open(quick_server: LiveServer, sent: bytes) -> None:
    """Whatever a client has sent before it stops, the server closes the connection."""
    with connect(quick_server) as connection:
        connection.sendall(sent)

        _wait_until_closed(connection)


def test_a_request_that_takes_too_long(tmp_path: Path) -> None:
    """A timer runs even while the application works; the server continues with other requests."""
    body = json.dumps([entered("2026-03-02T10:00:00Z", "late", 1)]).encode()
    request = head_of("POST", EVENTS, AUTHORIZED, _JSON, f"Content-Length: {len(body)}") + body
    limits = ConnectionLimits(answer_seconds=1.0, tick_seconds=0.02)
    begun, may_end = threading.Event(), threading.Event()
    with live_server(tmp_path, connections=limits) as server:
        busy = threading.Thread(target=lambda: asyncio.run(_block_the_writer(server, begun, may_end)))
        busy.start()
        try:
            assert begun.wait(60)
            with connect(server) as connection:
                sent_at = time.monotonic()
                connection.sendall(request)
                _wait_until_closed(connection)
            waited = time.monotonic() - sent_at
            alive = server.http.get("/healthz")
        finally:
            may_end.set()
            busy.join()

    assert waited >= limits.answer_seconds
    assert 200 == alive.status_code


async def _block_the_writer(server: LiveServer, begun: threading.Event, may_end: threading.Event) -> None:
    def block(_: object) -> None:
        begun.set()
        may_end.wait(60)

    await server.store.change(Repository("acme", "blocked"), block, create=True)


def test_blank_lines_do_not_keep_a_connection_open(quick_server: LiveServer) -> None:
    """Only requests do: stray bytes between requests do not restart the timer."""
    with connect(quick_server) as connection:
        connection.sendall(head_of("GET", "/healthz"))
        read_answer(connection)

        with pytest.raises(ConnectionError):
            _send_blank_lines(connection)


def _send_blank_lines(connection: socket.socket) -> None:
    for _ in range(1000):
        connection.sendall(b"\r\n")
        time.sleep(0.05)


def test_requests_keep_a_connection_open(tmp_path: Path) -> None:
    """A client that keeps sending requests can use one connection for longer than any timeout."""
    limits = replace(_QUICK, idle_seconds=1.0)
    with live_server(tmp_path, connections=limits) as server:
        # The server is right to close the connection if a busy machine kept this client from asking.
        for _ in range(20):
            answers, longest_pause = _ask_for(1.5 * limits.idle_seconds, server)
            if longest_pause < limits.idle_seconds / 2:
                break

    assert len(answers) > 2
    assert {200} == set(answers)


def _ask_for(seconds: float, server: LiveServer) -> tuple[list[int], float]:
    """The statuses of requests on one connection, 0 if it is closed, and the longest time between two."""
    answers: list[int] = []
    asked = begun = time.monotonic()
    longest = 0.0
    with connect(server) as connection, suppress(ConnectionError):
        while 0 not in answers and time.monotonic() < begun + seconds:
            connection.sendall(head_of("GET", "/healthz"))
            answer = read_answer(connection)
            answers.append(status_of(answer) if answer else 0)
            now = time.monotonic()
            longest, asked = max(longest, now - asked), now
            time.sleep(0.1)
    return answers, longest


def test_a_proxy_may_be_idle_for_longer(tmp_path: Path) -> None:
    """A webhook that a proxy sends while the server closes the connection would be lost."""
    limits = ConnectionLimits(
        idle_seconds=0.3,
        proxy_idle_seconds=600.0,
        tick_seconds=0.02,
        trusted_proxies=(ip_network("127.0.0.1"),),
    )
    with (
        live_server(tmp_path, connections=limits) as server,
        connect(server) as proxy,
        socket.create_connection(proxy.getpeername(), source_address=("127.0.0.2", 0)) as other,
    ):
        for connection in (proxy, other):
            connection.sendall(head_of("GET", "/healthz"))
            read_answer(connection)
        _wait_until_closed(other)
        proxy.sendall(head_of("GET", "/healthz"))
        assert 200 == status_of(read_answer(proxy))


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
    with connect(server) as connection:
        connection.sendall(head_of("POST", EVENTS, f"Content-Length: {1 << 40}"))
        sent = _mebibytes_taken(connection)

    assert sent < 80  # 32 MiB and what the kernel buffers


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


def test_a_client_that_does_not_read(tmp_path: Path) -> None:
    """The server closes its connection and does not keep the response in memory."""
    limits = ConnectionLimits(write_seconds=_QUICK.write_seconds, tick_seconds=_QUICK.tick_seconds)
    with live_server(tmp_path, connections=limits) as server:
        received = _received_late(server)

    assert received < 8 * 1_000_000


def _received_late(server: LiveServer) -> int:
    """Ask for much, and read what has been sent only when the server has closed the connection."""
    events = [
        entered("2026-03-02T10:00:00Z", f"long-{number}", number, base_ref=f"{number:06}" + "x" * 200)
        for number in range(6000)
    ]
    server.send(events, "acme/long").raise_for_status()
    request = head_of("GET", "/v1/repos/acme/long/events", AUTHORIZED)
    port = int(server.url.rpartition(":")[2])
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", port))
        connection.sendall(request * 8)
        own_port = connection.getsockname()[1]
        wait_until(lambda: not _keeps_open(port, own_port), "the end of the connection")
        return _received(connection)


def _keeps_open(server_port: int, client_port: int) -> bool:
    """Whether the server has not closed its end: the client learns of it only by reading what was sent."""
    ends = f"0100007F:{server_port:04X}", f"0100007F:{client_port:04X}", _ESTABLISHED
    table = Path("/proc/net/tcp").read_text(encoding="ascii")
    return any(tuple(line.split()[1:4]) == ends for line in table.splitlines())


def test_an_export_whose_repository_is_deleted_meanwhile(server: LiveServer) -> None:
    """The connection breaks before the last chunk, so that the client cannot take a part for the whole.

    Nothing is wrong with the server, so one line of its log is enough.
    """
    before = len(LOGGED.getvalue())
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
    logged = LOGGED.getvalue()[before:].decode()
    error = "the repository acme/doomed was deleted during the export"
    assert 1 == logged.count(f'"error":"{error}","event":"an answer was interrupted"')
    assert "ASGI" not in logged
    assert "Traceback" not in logged


def _rest(connection: socket.socket) -> bytes:
    """What the server sends until it closes the connection."""
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

        # Until the server has noticed that they are gone, their exports take the places of this credential.
        wait_until(lambda: http.get(EVENTS).is_success, "an answer for another client")
        assert "Traceback" not in server.logged()


def _received(connection: socket.socket) -> int:
    connection.settimeout(MOST_SECONDS)
    received = 0
    try:
        while part := connection.recv(1 << 20):
            received += len(part)
    except ConnectionError:
        pass
    return received


def test_the_limit_of_connections_per_address(tmp_path: Path) -> None:
    """The server closes the oldest idle connection to accept a new one, but no busy one."""
    limits = ConnectionLimits(most=20, most_per_address=4, idle_seconds=600.0, tick_seconds=0.02)
    with live_server(tmp_path, connections=limits) as live, ExitStack() as stack:
        busy = stack.enter_context(connect(live))
        _begin_delivery(busy)
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


def _begin_delivery(connection: socket.socket) -> None:
    """Send a head, and wait until the server asks for the body."""
    expected = "Expect: 100-continue"
    connection.sendall(head_of("POST", EVENTS, AUTHORIZED, _JSON, "Content-Length: 2", expected))
    assert b"HTTP/1.1 100 Continue\r\n\r\n" == connection.recv(1000)


def test_too_many_busy_connections(tmp_path: Path) -> None:
    """If there is no idle connection to close, the server rejects a new one."""
    limits = ConnectionLimits(most=20, most_per_address=4, tick_seconds=0.02)
    with live_server(tmp_path, connections=limits) as live, ExitStack() as stack:
        for _ in range(4):
            _begin_delivery(stack.enter_context(connect(live)))
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
    server = _FewFiles(tmp_path / "data", tmp_path / "server.log")
    copy_empty_store(server.folder)
    try:
        server.start()
        with ExitStack() as stack:
            for _ in range(200):
                attacker = stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
                attacker.sendall(sent)

            # Otherwise it would wait until the server closes connections that are silent for long.
            seconds = ConnectionLimits().head_seconds * 0.9
            assert 200 == get(f"{server.url}/healthz", timeout=seconds).status_code
    finally:
        server.end()


class _FewFiles(ServerProcess):
    """A server that may open few files; the tests need more."""

    def _start_process(self, logs: BinaryIO) -> Process:
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        return ForkedProcess(logs, serving=self._serving(), open_files=(128, hard))


@pytest.mark.parametrize("encoding", ["xchunked", "chunked, chunked", "gzip, chunked", "identity"])
def test_transfer_encodings(server: LiveServer, encoding: str) -> None:
    """Only `chunked` is supported; anything else gets 400 before the application sees the request."""
    request = head_of("POST", EVENTS, AUTHORIZED, _JSON, f"Transfer-Encoding: {encoding}")
    with connect(server) as connection:
        connection.sendall(request + b"2\r\n[]\r\n0\r\n\r\n")

        assert 400 == status_of(read_answer(connection))
