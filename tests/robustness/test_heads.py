"""The server cuts off endless request heads before they cost memory or time."""

import socket
from collections.abc import Iterator

import httpx
import pytest

from robustness.other_client import other_client
from robustness.server_process import TOKEN, ServerProcess, server_process
from waiting import MOST_SECONDS

_MIB = 1 << 20
_SENT = 24 * _MIB
_PART = 1 << 16
_MOST_GROWTH = 16 * _MIB
_MOST_CPU_TIME = 2.0

_BEGINNINGS = {
    "target": b"GET /",
    "value of a header": b"GET /healthz HTTP/1.1\r\nHost: a\r\nX: ",
    "name of a header": b"GET /healthz HTTP/1.1\r\nHost: a\r\nX",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with server_process(tmp_path_factory.mktemp("heads")) as started:
        yield started


@pytest.mark.parametrize("beginning", _BEGINNINGS.values(), ids=_BEGINNINGS.keys())
def test_an_endless_target_or_header(server: ServerProcess, beginning: bytes) -> None:
    """The server does not buffer a target or header of 24 MiB, and other clients do not wait."""
    server.reset_peak_memory()
    before = server.peak_memory()

    with other_client(server, _is_ready) as waits:
        _send_endlessly(server, beginning, b"x" * _PART)

    assert server.peak_memory() - before < _MOST_GROWTH
    assert max(waits) < _MOST_CPU_TIME


def test_endless_headers(server: ServerProcess) -> None:
    """The server does not buffer an endless number of headers."""
    server.reset_peak_memory()
    before = server.peak_memory()

    with other_client(server, _is_ready) as waits:
        _send_endlessly(server, b"GET /healthz HTTP/1.1\r\nHost: a\r\n", b"X: y\r\n" * (_PART // 6))

    assert server.peak_memory() - before < _MOST_GROWTH
    assert max(waits) < _MOST_CPU_TIME


_CHUNKED = b"GET /v1/repos HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"


@pytest.mark.parametrize("part", [b"X: y\r\n" * (_PART // 6), b"X" * _PART], ids=["many", "one"])
def test_endless_trailers(server: ServerProcess, part: bytes) -> None:
    """The limit also covers trailers."""
    server.reset_peak_memory()
    before = server.peak_memory()

    with other_client(server, _is_ready) as waits:
        _send_endlessly(server, _CHUNKED, part)

    assert server.peak_memory() - before < _MOST_GROWTH
    assert max(waits) < _MOST_CPU_TIME


def test_a_credential_in_a_trailer(server: ServerProcess) -> None:
    """A credential in a trailer does not count."""
    request = _CHUNKED + f"Authorization: Bearer {TOKEN}\r\n\r\n".encode()
    with socket.create_connection(("127.0.0.1", server.port), timeout=MOST_SECONDS) as connection:
        connection.sendall(request)

        assert connection.recv(1000).startswith(b"HTTP/1.1 403 ")


def _send_endlessly(server: ServerProcess, beginning: bytes, part: bytes) -> None:
    """Send 24 MiB, or until the server closes the connection."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=MOST_SECONDS) as connection:
        try:
            connection.sendall(beginning)
            for _ in range(_SENT // len(part)):
                connection.sendall(part)
        except (ConnectionError, TimeoutError):
            return


def _is_ready(http: httpx.Client) -> None:
    http.get("/readyz").raise_for_status()
