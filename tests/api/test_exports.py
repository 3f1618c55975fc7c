"""Exports run few at a time for each credential, and end with their clients."""

import socket
from contextlib import ExitStack
from pathlib import Path

import httpx

from api.problem_documents import problem
from api.raw_http import EVENTS, connect, head_of
from builders import started
from live_server import LiveServer, live_server
from waiting import MOST_SECONDS, wait_until


def _fill(server: LiveServer) -> None:
    """More events with large batches than fit into the buffers of a connection."""
    members = list(range(1, 1001))
    for first in range(0, 6000, 1000):
        events = [
            started("2026-03-02T10:00:00Z", f"s{number}", 1, f"b{number}", members)
            for number in range(first, first + 1000)
        ]
        server.send(events).raise_for_status()


def _begin_export(server: LiveServer, stack: ExitStack, key: str) -> socket.socket:
    """Read the first bytes of an export, and nothing more."""
    connection = stack.enter_context(connect(server, MOST_SECONDS))
    connection.sendall(head_of("GET", EVENTS, f"Authorization: Bearer {key}"))
    assert b"HTTP/1.1 200 OK" == connection.recv(15)
    return connection


def _allowed(server: LiveServer, key: str) -> httpx.Response | None:
    answer = server.ask(key, EVENTS)
    return None if answer.status_code == 429 else answer.raise_for_status()


def test_a_credential_has_two_exports_at_a_time(tmp_path: Path) -> None:
    """A third one is refused, another credential has its own, and a client that goes away frees its place."""
    with live_server(tmp_path) as server, ExitStack() as stack:
        _fill(server)
        own, other = server.key("acme")["key"], server.key("acme")["key"]
        open_ones = [_begin_export(server, stack, own) for _ in range(2)]
        refused = server.ask(own, EVENTS)
        _begin_export(server, stack, other)
        open_ones[0].close()
        again = wait_until(lambda: _allowed(server, own), "the end of the export whose client has gone")

    detail = "2 exports of this credential are open; close one first"
    assert (429, problem(429, detail)) == (refused.status_code, refused.json())
    assert 6000 == len(again.content.splitlines())
