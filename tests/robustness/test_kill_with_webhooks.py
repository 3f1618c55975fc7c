"""Acknowledged webhooks survive a crash before their translation."""

import hmac
import json
import time
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from local_client import local_client
from logged_secrets import remember
from mergecast.process.clock import now_in_microseconds
from postgres.server import new_store
from robustness.server_process import ServerProcess, server_process
from sources.github_deliveries import Delivery
from sources.github_stories import three_behind_each_other
from sources.github_translation import events_of

_SECRET = remember("a secret for webhooks that survive")
_EVENTS = "/v1/repos/acme-orbit/lander/events"
_SECONDS = 120.0


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_webhooks_are_translated_once_after_a_kill(
    tmp_path: Path, kind: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server is killed right after it has acknowledged the last one."""
    monkeypatch.setenv("MERGECAST_WEBHOOK_SECRETS", json.dumps([{"secret": _SECRET}]))
    url = new_store(request.getfixturevalue("database_server")) if kind == "postgres" else None
    told = three_behind_each_other().deliveries
    # The story is older than its deliveries, and some events happen when their delivery is received.
    received = [one._replace(received_at=now_in_microseconds() + place) for place, one in enumerate(told)]
    expected = sorted((event.type, event.pull_request, event.reason) for event in events_of(received))
    with server_process(tmp_path, database_url=url) as server:
        _deliver(server, told)
        server.kill()
        server.start()

        deadline = time.monotonic() + _SECONDS
        while (found := _exported(server)) != expected and time.monotonic() < deadline:
            time.sleep(0.05)

        assert expected == found
        assert {"stored": 0, "duplicates": len(told), "not_kept": 0} == _deliver(server, told)


def _deliver(server: ServerProcess, deliveries: Sequence[Delivery]) -> dict[str, int]:
    """Send webhooks, each after the answer to the one before; returns the sum of the receipts."""
    total: Counter[str] = Counter(stored=0, duplicates=0, not_kept=0)
    with local_client(server.url, timeout=_SECONDS) as http:
        for sent in deliveries:
            signature = hmac.new(_SECRET.encode(), sent.body, sha256).hexdigest()
            headers = {
                "Content-Type": "application/json",
                "X-GitHub-Event": sent.event,
                "X-GitHub-Delivery": sent.id,
                "X-Hub-Signature-256": f"sha256={signature}",
            }
            answer = http.post("/v1/hooks/github", content=sent.body, headers=headers)
            assert 202 == answer.status_code, answer.text
            total.update(answer.json())
    return dict(total)


def _exported(server: ServerProcess) -> list[tuple[str, int, str | None]]:
    with server.client() as http:
        answer = http.get(_EVENTS)
    assert 200 == answer.status_code, answer.text
    events = msgspec.json.Decoder().decode_lines(answer.content)
    return sorted(
        (event["type"], event["pull_request"], event.get("reason"))
        for event in events
        if event["type"] != "ci_check_reported"
    )
