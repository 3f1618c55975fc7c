"""Clients that begin requests and do not finish them keep no one else out."""

import hmac
import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest

from api.raw_http import connect, head_of, read_answer, status_of
from live_server import NO_LIMITS, TOKEN, LiveServer, live_server
from local_client import get
from logged_secrets import remember
from mergecast.access.webhook_secrets import WebhookSecret
from mergecast.api.request_body import VISITORS
from mergecast.api.server.connections import ConnectionLimits

_SECRET = remember("a secret of acme for webhooks")
_HOOK, _SESSION = "/v1/hooks/github", "/v1/session"
_JSON = "Content-Type: application/json"
_PROXY = ip_network("127.0.0.0/8")
_ANY = 1_000  # the application gets every request at once


@pytest.fixture
def patience_with_visitors(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may take longer to begin many requests than strangers have for one of them."""
    monkeypatch.setattr("mergecast.api.request_body.VISITORS", replace(VISITORS, seconds=3600.0))


@contextmanager
def _server(tmp_path: Path, **more: Any) -> Iterator[LiveServer]:
    secrets = (WebhookSecret(_SECRET.encode()),)
    with live_server(tmp_path, webhook_secrets=secrets, **more) as live:
        yield live


def _deliver(server: LiveServer, place: int) -> int:
    """Send a genuine webhook, as GitHub would."""
    repository = {"id": 7, "name": "widgets", "full_name": "acme/widgets", "owner": {"login": "acme"}}
    body = json.dumps({"zen": "Keep it simple", "place": place, "repository": repository}).encode()
    with server.anonymous() as http:
        answer = http.post(
            _HOOK,
            content=body,
            headers={
                "Content-Type": "application/json",
                "X-GitHub-Event": "ping",
                "X-GitHub-Delivery": f"d{place}",
                "X-Hub-Signature-256": f"sha256={hmac.digest(_SECRET.encode(), body, 'sha256').hex()}",
            },
        )
    return answer.status_code


def _begin(server: LiveServer, stack: ExitStack, path: str, length: int, *headers: str) -> socket.socket:
    """Send the head of a request and one byte of its body; the server is waiting for the rest."""
    connection = stack.enter_context(connect(server, 60))
    length_header = f"Content-Length: {length}"
    connection.sendall(head_of("POST", path, _JSON, length_header, "Expect: 100-continue", *headers))
    assert b"HTTP/1.1 100 Continue\r\n\r\n" == connection.recv(25)
    connection.sendall(b"{")
    return connection


@pytest.mark.parametrize("declared", [1 << 20, 25 << 20])
def test_announced_bodies_do_not_stop_webhooks(tmp_path: Path, declared: int) -> None:
    """Strangers announce large bodies and send one byte of each."""
    limits = ConnectionLimits(crowd=_ANY)
    with _server(tmp_path, connections=limits) as server, ExitStack() as stack:
        for _ in range(80):
            _begin(server, stack, _HOOK, declared)
        statuses = [_deliver(server, place) for place in range(20)]

    assert [202] * 20 == statuses


def test_large_bodies_do_not_stop_webhooks(tmp_path: Path) -> None:
    """Strangers send almost all of as many large bodies as fit into memory."""
    size = 25 << 20
    with _server(tmp_path) as server, ExitStack() as stack:
        for _ in range(6):
            connection = stack.enter_context(connect(server, 60))
            head = head_of("POST", _HOOK, _JSON, f"Content-Length: {size}")
            with suppress(ConnectionError):  # the server drops the first ones
                connection.sendall(head + b"x" * (size - 1))
        statuses = [_deliver(server, place) for place in range(5)]

    assert [202] * 5 == statuses


def test_a_slow_public_body_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a credential there is little time, and the response says so."""
    monkeypatch.setattr("mergecast.api.request_body.VISITORS", replace(VISITORS, seconds=0.2))
    with _server(tmp_path) as server:
        for path in (_HOOK, _SESSION):
            with connect(server, 60) as connection:
                connection.sendall(head_of("POST", path, _JSON, "Content-Length: 100") + b"{")
                answer = read_answer(connection)
            assert 408 == status_of(answer)
            assert b"the body did not arrive within 0.2 seconds" in answer


@pytest.mark.usefixtures("patience_with_visitors")
def test_unfinished_requests_behind_a_proxy(tmp_path: Path) -> None:
    """One forwarded address loses its oldest requests; another signs in, and the service stays healthy."""
    limits = ConnectionLimits(most=100, crowd=_ANY, trusted_proxies=(_PROXY,))
    policy = replace(NO_LIMITS, trusted_proxies=(_PROXY,))
    with _server(tmp_path, policy=policy, connections=limits) as server, ExitStack() as stack:
        one_place = "X-Forwarded-For: 203.0.113.9"
        begun = [_begin(server, stack, _SESSION, 1000, one_place) for _ in range(95)]
        dropped = read_answer(begun[0])
        healthy = get(f"{server.url}/healthz").status_code
        with server.anonymous() as http:
            signed_in = http.post(
                _SESSION, json={"token": TOKEN}, headers={"X-Forwarded-For": "203.0.113.10"}
            )

    assert 503 == status_of(dropped)
    assert (200, 200) == (healthy, signed_in.status_code)


@pytest.mark.usefixtures("patience_with_visitors")
def test_probes_are_answered_when_all_connections_are_taken(tmp_path: Path) -> None:
    """Nothing can be closed in favour of a new client, but a probe still gets its answer."""
    limits = ConnectionLimits(most=6, health_reserve=2, slow_seconds=3600.0, trusted_proxies=(_PROXY,))
    with _server(tmp_path, connections=limits) as server, ExitStack() as stack:
        server.http.close()
        for _ in range(6):
            _begin(server, stack, _SESSION, 1000)
        statuses = [
            get(f"{server.url}{path}").status_code
            for path in ("/healthz", "/v1/openapi.json", "/readyz", "/v1/repos")
        ]

    assert [200, 503, 200, 503] == statuses


@pytest.mark.usefixtures("patience_with_visitors")
def test_the_slowest_request_makes_room(tmp_path: Path) -> None:
    """When all connections send their bodies slowly, the first one is closed for a new client."""
    limits = ConnectionLimits(most=6, slow_seconds=0.0, trusted_proxies=(_PROXY,))
    with _server(tmp_path, connections=limits) as server, ExitStack() as stack:
        server.http.close()
        begun = [_begin(server, stack, _SESSION, 1000) for _ in range(6)]
        answered = get(f"{server.url}/v1/openapi.json").status_code
        closed = read_answer(begun[0])

    assert 200 == answered
    assert 503 == status_of(closed)
    assert b"too many connections are open; close some, or try again in a moment" in closed
