"""Malformed HTTP: the server rejects it and continues."""

import time
from select import select

import pytest

from api.raw_http import AUTHORIZED, EVENTS, connect, exchange, head_of, read_answer, status_of
from live_server import LiveServer

_JSON = "Content-Type: application/json"
_LIMIT = 32 << 20


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"nonsense\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\nHost: a\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET /healthz HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n",
        b"POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        b"POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
        b"POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n",
        b"POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        b"POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
    ],
    ids=["words", "no path", "version", "TLS", "header", "NUL", "negative", "letters", "digits",
         "two lengths", "length and chunks"],
)  # fmt: skip
def test_bad_requests(server: LiveServer, request_bytes: bytes) -> None:
    """The response is 400, and our application does not run."""
    assert 400 == status_of(exchange(server, request_bytes))


def test_a_huge_header(server: LiveServer) -> None:
    """The server does not buffer an endless head."""
    request = head_of("GET", "/healthz", *(f"X-{number}: {'x' * 8000}" for number in range(40)))

    assert 431 == status_of(exchange(server, request))
    assert 200 == server.http.get("/healthz").status_code


@pytest.mark.parametrize(("length", "status"), [(65_535, 422), (65_536, 414), (130_000, 414)])
def test_a_long_address(server: LiveServer, length: int, status: int) -> None:
    """The answer says what is too long, and how long it may be."""
    target = "/v1/repos?search=".ljust(length, "x")
    answer = exchange(server, head_of("GET", target, AUTHORIZED))

    assert status == status_of(answer)
    if status == 414:
        assert b'"the address is too long: path and query may have 65,535 bytes"' in answer


def test_blank_after_the_scheme(server: LiveServer) -> None:
    """A scheme without a token is not a credential."""
    assert 403 == status_of(exchange(server, head_of("GET", "/v1/repos", "Authorization: Bearer ")))


@pytest.mark.parametrize(
    ("target", "status"),
    [("http://127.0.0.1/v1/repos", 200), ("/v1/repos#part", 200), ("//v1/repos", 404), ("*", 404)],
)
def test_unusual_targets(server: LiveServer, target: str, status: int) -> None:
    """Other forms of a request target get a response, never an internal error."""
    assert status == status_of(exchange(server, head_of("GET", target, AUTHORIZED)))


def test_too_large_is_reported_before_the_body_is_sent(server: LiveServer) -> None:
    """A client that waits for 100 Continue gets 413 immediately."""
    length = f"Content-Length: {_LIMIT + 1}"

    answer = exchange(server, head_of("POST", EVENTS, AUTHORIZED, _JSON, length, "Expect: 100-continue"))

    assert 413 == status_of(answer)
    assert b"the body may be at most 32 MiB, decompressed; send it in parts" in answer


def test_an_expected_body(server: LiveServer) -> None:
    """A client that waits for 100 Continue gets it, and then its response."""
    head = head_of("POST", EVENTS, AUTHORIZED, _JSON, "Content-Length: 2", "Expect: 100-continue")
    with connect(server) as connection:
        connection.sendall(head)
        go_on = connection.recv(1000)
        connection.sendall(b"[]")
        answer = read_answer(connection)

    assert b"HTTP/1.1 100 Continue\r\n\r\n" == go_on
    assert 200 == status_of(answer)


def test_endless_chunks(server: LiveServer) -> None:
    """The server rejects a body of unknown length as soon as it exceeds the limit."""
    head = head_of("POST", EVENTS, AUTHORIZED, _JSON, "Transfer-Encoding: chunked")
    chunk = b"100000\r\n" + b" " * (1 << 20) + b"\r\n"
    sent = 0
    with connect(server) as connection:
        connection.sendall(head)
        while sent < 200 and not select([connection], [], [], 0)[0]:
            connection.sendall(chunk)
            sent += 1
        answer = read_answer(connection)

    assert sent < 80  # 32 MiB, as much again that is discarded, and what the kernel buffers
    assert 413 == status_of(answer)
    assert 200 == server.http.get("/readyz").status_code


def test_chunks_over_the_limit_get_a_response(server: LiveServer) -> None:
    """A client that stops after 33 MiB reads 413."""
    head = head_of("POST", EVENTS, AUTHORIZED, _JSON, "Transfer-Encoding: chunked")
    chunk = b"100000\r\n" + b" " * (1 << 20) + b"\r\n"

    answer = exchange(server, head + chunk * 33)

    assert 413 == status_of(answer)


@pytest.mark.parametrize(
    "body",
    [b"-2\r\n[]\r\n0\r\n\r\n", b"5\r\n[]\r\n0\r\n\r\n", b"f" * 20 + b"\r\n[]", b"2\r\n[]\r\n0\r\n \r\n\r\n"],
)
def test_malformed_chunks_get_a_response(server: LiveServer, body: bytes) -> None:
    """A client that counts wrongly reads 400, whether or not its request is being handled already."""
    head = head_of("POST", EVENTS, AUTHORIZED, _JSON, "Transfer-Encoding: chunked")
    with connect(server) as connection:
        connection.sendall(head)
        time.sleep(0.1)
        connection.sendall(body)
        later = read_answer(connection)

    assert (400, 400) == (status_of(exchange(server, head + body)), status_of(later))
    assert 200 == server.http.get("/readyz").status_code


def test_an_answer_is_not_garbled_by_what_follows_its_request(server: LiveServer) -> None:
    """The connection ends with it, or before it."""
    head = head_of("POST", EVENTS, AUTHORIZED, _JSON, "Content-Length: 2")
    chunked = head_of("POST", EVENTS, AUTHORIZED, _JSON, "Transfer-Encoding: chunked")

    with_it, before_it = (exchange(server, head + b"[]" + more) for more in (b"\0", chunked + b"-2\r\n"))

    assert (200, 1) == (status_of(with_it), with_it.count(b"HTTP/1.1 "))
    assert not before_it or (200, 1) == (status_of(before_it), before_it.count(b"HTTP/1.1 "))


def test_a_client_that_disconnects(server: LiveServer, caplog: pytest.LogCaptureFixture) -> None:
    """Half a body followed by a closed connection is not an internal error."""
    with connect(server) as connection:
        connection.sendall(head_of("POST", EVENTS, AUTHORIZED, _JSON, "Content-Length: 100") + b"[")
    time.sleep(0.2)

    assert 200 == server.http.get("/readyz").status_code
    assert [] == [record for record in caplog.records if record.exc_info]


def test_an_upgrade(server: LiveServer) -> None:
    """The server offers no WebSocket, and a request for one is not an error."""
    headers = [
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AA==",
    ]

    assert 200 == status_of(exchange(server, head_of("GET", "/healthz", *headers)))


def test_several_requests_on_one_connection(server: LiveServer) -> None:
    """A rejection keeps the connection open if the body was read."""
    with connect(server) as connection:
        for target, status in (("/nowhere", 404), ("/v1/repos?x=1", 422), ("/healthz", 200)):
            connection.sendall(head_of("GET", target, AUTHORIZED))
            assert status == status_of(read_answer(connection))
