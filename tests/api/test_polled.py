"""What a server polls is as old as the last question, and answers say when that was."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli.program import mergecast
from live_server import TOKEN, LiveServer, live_server
from mergecast.queues.model.delivery import LONGEST_LEASE_SECONDS, following_name
from mergecast.queues.model.instant import MINUTE, SECOND, format_instant, parse_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.values import Lease

pytestmark = pytest.mark.server

NOW = parse_instant("2026-11-19T10:56:00Z")
_ASKED, _NEXT = NOW - 3 * MINUTE, NOW + 2 * MINUTE
_POLLED = {
    "source": "github", "title": "GitHub", "asked_at": "2026-11-19T10:53:00Z",
    "next_at": "2026-11-19T10:58:00Z",
}  # fmt: skip


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    folder: Path = tmp_path_factory.mktemp("polled")
    with live_server(folder, now=lambda: NOW) as running:
        yield running


def _followed(server: LiveServer, name: str, reached: int | None = _ASKED) -> None:
    """A repository that some server follows."""
    read = None if reached is None else format_instant(reached)
    body: dict[str, Any] = {"items": [], "cursor": "{}", "reached": read}
    answer = server.http.post(f"/v1/repos/acme/{name}/sources/github/deliveries", json=body)
    assert answer.status_code == 200, answer.text

    async def follow() -> bool:
        now = await server.store.shared_now(NOW)
        lease = Lease(following_name("github", Repository("acme", name)), "other", now + 60 * SECOND, _NEXT)
        return await server.store.take_lease(lease, now, LONGEST_LEASE_SECONDS * SECOND)

    assert asyncio.run(follow())


def _polled(server: LiveServer, name: str) -> list[list[dict[str, Any]]]:
    answers = [server.http.get(f"/v1/repos/acme/{name}/{what}") for what in ("freshness", "queue")]
    return [answer.json()["polled"] for answer in answers]


def test_a_followed_source_says_when_it_was_asked(server: LiveServer) -> None:
    _followed(server, "read")
    _followed(server, "begun", None)

    assert [[_POLLED]] * 2 == _polled(server, "read")
    assert [[{**_POLLED, "asked_at": None}]] * 2 == _polled(server, "begun")


def test_a_repository_that_no_server_follows_is_not_polled(server: LiveServer) -> None:
    server.http.post("/v1/repos/acme/sent/sources/github/deliveries", json={"items": [], "cursor": "{}"})

    assert [[], []] == _polled(server, "sent")


def test_the_queue_in_a_terminal_says_it(server: LiveServer) -> None:
    _followed(server, "shown")
    ended = mergecast(
        "queue",
        "acme/shown",
        "--utc",
        data=server.folder / "none",
        MERGECAST_URL=server.url,
        MERGECAST_TOKEN=TOKEN,
    )

    assert "GitHub was asked at 2026-11-19 10:53, next at 2026-11-19 10:58" in ended.out.splitlines()
