"""A body that arrives after its credential was revoked changes nothing."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.problem_documents import FORBIDDEN
from builders import worked_example
from live_server import LiveServer, live_server
from local_client import local_client
from postgres.server import new_store
from waiting import wait_until

pytestmark = pytest.mark.server

_REPOSITORY = "/v1/repos/acme/widgets"
_CHANNEL = {"kind": "slack", "url": "https://hooks.slack.example/services/T0/B0/very-secret"}


def _send_slowly(server: LiveServer, method: str, path: str, content: object, key: Any) -> httpx.Response:
    """Send a body of which the second half follows after the key was revoked."""
    body = json.dumps(content).encode()

    def halves() -> Iterator[bytes]:
        yield body[: len(body) // 2]
        # The request was admitted, and waits for its body.
        wait_until(lambda: _is_used(server, key["id"]))
        assert 204 == server.http.delete(f"/v1/keys/{key['id']}").status_code
        yield body[len(body) // 2 :]

    headers = {"Authorization": f"Bearer {key['key']}", "Content-Type": "application/json"}
    with local_client(server.url) as client:
        return client.request(method, path, content=halves(), headers=headers)


def _is_used(server: LiveServer, id: str) -> bool:
    keys = server.http.get("/v1/keys").json()["keys"]
    return any(key["id"] == id and key["last_used_at"] is not None for key in keys)


@pytest.mark.parametrize(
    ("method", "path", "content"),
    [
        ("POST", f"{_REPOSITORY}/events", worked_example()),
        ("POST", f"{_REPOSITORY}/channels", _CHANNEL),
        ("PUT", f"{_REPOSITORY}/pulls/7/snapshot", {"number": 7}),
    ],
)
def test_nothing_is_stored_for_a_key_that_was_revoked_meanwhile(
    tmp_path: Path, method: str, path: str, content: object
) -> None:
    with live_server(tmp_path) as server:
        key = server.key(scopes=["read", "ingest", "admin"])

        answer = _send_slowly(server, method, path, content, key)

        assert (403, FORBIDDEN) == (answer.status_code, answer.json())
        assert [] == server.http.get("/v1/repos").json()["repositories"]
        assert [] == server.http.get(f"{_REPOSITORY}/channels").json()["channels"]


def test_another_server_may_have_revoked_the_key(tmp_path: Path, database_server: str) -> None:
    with live_server(tmp_path, database_url=new_store(database_server)) as server:
        key = server.key(scopes=["ingest"])

        answer = _send_slowly(server, "POST", f"{_REPOSITORY}/events", worked_example(), key)

        assert (403, FORBIDDEN) == (answer.status_code, answer.json())
        assert [] == server.http.get("/v1/repos").json()["repositories"]
