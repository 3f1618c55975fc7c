"""Behind the proxies of docs/installing.md: TLS, cookies, addresses, new data as it comes, large bodies."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import httpx
import pytest

from builders import worked_example
from deploy.proxies import COMMANDS, Ports, program, running_proxy
from live_server import NO_LIMITS, TOKEN, LiveServer, live_server
from local_client import local_client
from logged_secrets import LOGGED
from mergecast.access.address import parse_networks
from ports import reserved_ports

pytestmark = pytest.mark.server
_LARGEST, _PART = 32 << 20, 1 << 20
_ADMIN = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="module", params=sorted(COMMANDS))
def proxied(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[LiveServer, Ports]]:
    """A server behind a proxy."""
    name = request.param
    if program(name) is None:
        pytest.skip(f"{name} is not installed (Debian: apt install {name})")
    policy = replace(NO_LIMITS, trusted_proxies=parse_networks("127.0.0.1"))
    folder = tmp_path_factory.mktemp(name)
    with reserved_ports(3) as numbers:
        ports = Ports(*numbers)
        url = f"https://127.0.0.1:{ports.https}"
        with (
            live_server(folder / "data", policy, port=ports.server, public_url=url) as server,
            running_proxy(name, folder / "proxy", ports),
        ):
            server.send(worked_example()).raise_for_status()
            yield server, ports


def _client(proxied: tuple[LiveServer, Ports], **options: Any) -> httpx.Client:
    return local_client(f"https://127.0.0.1:{proxied[1].https}", **options)


def test_cookies_are_for_https_only(proxied: tuple[LiveServer, Ports]) -> None:
    """A browser signs in over TLS and changes something; a page of another origin cannot."""
    _, ports = proxied
    with _client(proxied) as browser:
        own = {"Origin": f"https://127.0.0.1:{ports.https}"}
        signed_in = browser.post("/v1/session", json={"token": TOKEN}, headers=own)
        changed = [
            browser.put("/v1/repos/acme/widgets/products", json={"products": []}, headers=headers).status_code
            for headers in (
                own,
                {"Origin": f"http://127.0.0.1:{ports.https}"},
                {"Origin": "https://e.example"},
            )
        ]
    cookie = signed_in.headers["set-cookie"]

    assert "max-age=31536000" == signed_in.headers["strict-transport-security"]
    assert cookie.startswith("__Host-mergecast_session=")
    assert cookie.endswith("; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure")
    assert [200, 403, 403] == changed


def test_without_tls_there_is_only_a_redirect(proxied: tuple[LiveServer, Ports]) -> None:
    _, ports = proxied
    with local_client(f"http://127.0.0.1:{ports.http}") as http:
        answer = http.get("/settings?a=b")

    assert answer.status_code in {301, 308}
    assert answer.headers["location"].endswith("/settings?a=b")
    assert answer.headers["location"].startswith("https://127.0.0.1")


def test_the_address_of_a_client_cannot_be_forged(proxied: tuple[LiveServer, Ports]) -> None:
    """Audit lines have the address that the proxy saw, whatever a client claims."""
    before = len(LOGGED.getvalue())
    forged = {"X-Forwarded-For": "203.0.113.9", "Forwarded": "for=203.0.113.9", "X-Real-IP": "203.0.113.9"}
    transport = httpx.HTTPTransport(verify=False, local_address="127.0.0.2")
    with _client(proxied, transport=transport, headers=forged) as http:
        assert 403 == http.get("/v1/keys").status_code
    lines = map(json.loads, LOGGED.getvalue()[before:].splitlines())

    assert ["127.0.0.2"] == [line["address"] for line in lines if line["event"] == "refused"]


def test_new_data_arrives_at_once(proxied: tuple[LiveServer, Ports]) -> None:
    """The stream is not buffered: each version arrives while the stream goes on."""
    server, _ = proxied
    with (
        _client(proxied, headers=_ADMIN, timeout=60) as http,
        http.stream("GET", "/v1/repos/acme/widgets/live") as stream,
    ):
        lines = stream.iter_lines()
        first = next(line for line in lines if line.startswith("data:"))
        later = [{**event, "id": f"later-{event['id']}"} for event in worked_example()]
        server.send(later).raise_for_status()
        second = next(line for line in lines if line.startswith("data:"))

    assert first != second


@pytest.mark.parametrize(
    ("size", "status"), [(_LARGEST, 200), (_LARGEST + 1, 413), (_LARGEST + (8 << 20), 413)]
)
def test_large_bodies(proxied: tuple[LiveServer, Ports], size: int, status: int) -> None:
    """What the server accepts passes, and what is larger does not; its length is not sent first."""
    body = b"[" + b" " * (size - 2) + b"]"
    parts = (body[start : start + _PART] for start in range(0, size, _PART))
    with _client(proxied, headers={**_ADMIN, "Content-Type": "application/json"}) as http:
        try:
            found = http.post("/v1/repos/acme/widgets/events", content=parts).status_code
        # The proxy answered and closed the connection before the end of the body.
        except (httpx.WriteError, httpx.ReadError, httpx.RemoteProtocolError):
            found = 413

    assert status == found
