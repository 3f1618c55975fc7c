"""Exports run few at a time for each credential, and end with their clients."""

import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from api.problem_documents import problem
from api.raw_http import EVENTS, connect, head_of
from builders import started
from live_server import LiveServer, live_server
from waiting import MOST_SECONDS, wait_for

_EVENTS = 3_000
_TABLE = "/v1/repos/acme/widgets/export/events?format=csv"


def _fill(server: LiveServer) -> None:
    """More events with large batches than fit into the buffers of a connection."""
    members = list(range(1, 1001))
    for first in range(0, _EVENTS, 1000):
        events = [
            started("2026-03-02T10:00:00Z", f"s{number}", 1, f"b{number}", members)
            for number in range(first, first + 1000)
        ]
        server.send(events).raise_for_status()


def _begin_export(server: LiveServer, stack: ExitStack, key: str, path: str = EVENTS) -> socket.socket:
    """Read the first bytes of an export, and nothing more."""
    connection = stack.enter_context(connect(server, MOST_SECONDS))
    connection.sendall(head_of("GET", path, f"Authorization: Bearer {key}"))
    assert b"HTTP/1.1 200 OK" == connection.recv(15)
    return connection


def test_a_credential_has_two_exports_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others wait until a client has gone, a few at most; another credential has its own."""
    monkeypatch.setattr("mergecast.api.exports.EXPORT_WAITING_SECONDS", 600.0)
    with live_server(tmp_path) as server, ExitStack() as stack, ThreadPoolExecutor(12) as pool:
        _fill(server)
        own, other = server.key("acme")["key"], server.key("acme")["key"]
        running = [_begin_export(server, stack, own, path) for path in (EVENTS, _TABLE)]
        asked = [pool.submit(server.ask, own, EVENTS) for _ in range(12)]
        wait_for(4, lambda: sum(one.done() for one in asked))
        _begin_export(server, stack, other)
        refused = [one.result() for one in asked if one.done()]
        for connection in running:
            connection.close()
        waited = [one.result() for one in asked if one.result() not in refused]

    detail = "8 requests of this credential are already waiting for the exports; wait for one"
    assert [problem(429, detail)] * 4 == [answer.json() for answer in refused]
    assert [(200, _EVENTS)] * 8 == [(one.status_code, len(one.content.splitlines())) for one in waited]
