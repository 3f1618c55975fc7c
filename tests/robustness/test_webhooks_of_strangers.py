"""Strangers with large bodies do not delay those who send events."""

import threading
from pathlib import Path

import httpx

from builders import entered
from live_server import live_server
from local_client import local_client
from logged_secrets import remember
from mergecast.access.webhook_secrets import WebhookSecret

_STRANGERS = 30
_BODY = b"x" * (25 << 20)
# If events waited for the strangers, only the first would be stored meanwhile.
_LEAST_STORED = 3


def test_strangers_with_large_bodies_do_not_delay_events(tmp_path: Path) -> None:
    """They are refused for their signature, or because too much arrives at once or too slowly."""
    secrets = (WebhookSecret(remember("a secret of the operator").encode()),)
    statuses: list[int] = []

    def stranger(url: str) -> None:
        with local_client(url) as http:
            try:
                answer = http.post(
                    "/v1/hooks/github", content=_BODY, headers={"Content-Type": "application/json"}
                )
            except httpx.TransportError:  # refused before the whole body was sent
                return
            statuses.append(answer.status_code)

    with live_server(tmp_path, webhook_secrets=secrets) as live:
        live.send([entered("2026-03-02T10:00:00Z", "warm", 1)]).raise_for_status()
        threads = [threading.Thread(target=stranger, args=(live.url,)) for _ in range(_STRANGERS)]
        for thread in threads:
            thread.start()
        stored = 0
        while any(thread.is_alive() for thread in threads):
            live.send([entered("2026-03-02T10:00:00Z", f"s{stored}", 2)]).raise_for_status()
            stored += 1
        for thread in threads:
            thread.join()

    assert set() < set(statuses) <= {403, 408, 429, 503}
    assert stored >= _LEAST_STORED
