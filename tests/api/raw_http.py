"""Raw requests that no client library would send."""

import socket

from live_server import TOKEN, LiveServer
from waiting import MOST_SECONDS

EVENTS = "/v1/repos/acme/widgets/events"
AUTHORIZED = f"Authorization: Bearer {TOKEN}"


def exchange(server: LiveServer, request: bytes, *, seconds: float = MOST_SECONDS) -> bytes:
    """Send these bytes and read until the server closes the connection or has sent a complete response."""
    with connect(server, seconds) as connection:
        connection.sendall(request)
        return read_answer(connection)


def connect(server: LiveServer, seconds: float = MOST_SECONDS) -> socket.socket:
    host, _, port = server.url.removeprefix("http://").partition(":")
    return socket.create_connection((host, int(port)), timeout=seconds)


def read_answer(connection: socket.socket) -> bytes:
    """The head and body of one response."""
    received = b""
    while part := connection.recv(65536):
        received += part
        head, _, body = received.partition(b"\r\n\r\n")
        length = head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
        if length and len(body) >= int(length):
            break
    return received


def head_of(method: str, target: str, *headers: str) -> bytes:
    return "\r\n".join([f"{method} {target} HTTP/1.1", "Host: 127.0.0.1", *headers, "", ""]).encode("latin-1")


def status_of(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])
