"""A release that observes more: a server reads the bodies again that an earlier version stored."""

import csv
import json
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from api.signed_webhooks import post_webhook
from live_server import LiveServer, live_server
from logged_secrets import remember
from mergecast.access.webhook_secrets import WebhookSecret
from mergecast.incoming.intake.packing import pack_together, unpack
from mergecast.incoming.sources.registry import SOURCES
from mergecast.incoming.sources.translation import Translator
from mergecast.queues.model.delivery import IMPORT, Delivery
from postgres.server import new_store
from sources.activity_log_pages import LogStory
from sources.bors_queue import BorsQueue
from sources.github_deliveries import Story, sha
from waiting import wait_until

A, B = sha("a"), sha("b")
_PATH = "/v1/repos/acme-orbit/lander"
_SECRET = remember("a-secret-of-reading-again")
_PERIOD = {"start_at": "2026-09-14T00:00:00Z", "end_at": "2026-09-15T00:00:00Z"}


def _earlier_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """A version that saw no commits, and no checks in replies of bors."""
    for module in ("github.webhook", "activity_log.entry", "bors.observation"):
        monkeypatch.setattr(f"mergecast.incoming.sources.{module}.commit_of", lambda _: None)
    monkeypatch.setattr("mergecast.incoming.sources.bors.observation.listed_checks", lambda _: ())
    for name, source in list(SOURCES.items()):
        translator = source.translator()
        earlier = translator._replace(version=translator.version - 1)
        monkeypatch.setitem(SOURCES, name, replace(source, translator=partial(_same, earlier)))


def _same(translator: Translator) -> Translator:
    return translator


def test_a_block_that_would_fill_the_memory_is_not_unpacked() -> None:
    """Whoever has an ingest key can import long items that take hardly any space."""
    short, long = (
        pack_together([Delivery("bors", IMPORT, f"{size}", b"", "comment", "", 0, b" " * size, "7")] * 20)[-1]
        for size in (1 << 19, 1 << 20)
    )

    assert [1 << 19, None] == [
        body and len(body)
        for one in (short, long)
        for body in [unpack(one.body or b"", one.dictionary or "", one.new_dictionary or b"")]
    ]


Start = Callable[[], AbstractContextManager[LiveServer]]


@pytest.fixture(params=["sqlite", "postgres"])
def start(request: pytest.FixtureRequest, tmp_path: Path) -> Start:
    serving: dict[str, Any] = {"webhook_secrets": (WebhookSecret(_SECRET.encode()),)}
    if request.param == "postgres":
        serving["database_url"] = new_store(request.getfixturevalue("database_server"))
    return lambda: live_server(tmp_path, **serving)


def _send_webhooks(server: LiveServer, story: Story) -> None:
    for sent in story.deliveries:
        answer = post_webhook(server, sent.event, json.loads(sent.body), _SECRET, sent.id)
        assert 202 == answer.status_code, answer.text


def _import(server: LiveServer, source: str, items: Iterable[dict[str, Any]]) -> None:
    body = {"items": list(items)}
    server.http.post(f"{_PATH}/sources/{source}/deliveries", json=body).raise_for_status()


def _commits(server: LiveServer, expected: int) -> list[str]:
    """The commits of entries and exits in the exported events, once there are as many as expected."""

    def found() -> list[str]:
        lines = server.http.get(f"{_PATH}/export/events").text.splitlines()
        rows = [row for row in csv.DictReader(lines) if row["type"] in ("queue_entered", "queue_left")]
        rows.sort(key=lambda row: (row["at"], row["type"]))
        return [row["head_sha"] for row in rows] if len(rows) == expected else []

    commits: list[str] = wait_until(found, "the events of all stays")
    return commits


def _translated(server: LiveServer) -> bool:
    return all(
        source["translating"] is None for source in server.http.get(f"{_PATH}/sources").json()["sources"]
    )


def _upgraded(
    start: Start, monkeypatch: pytest.MonkeyPatch, fill: Callable[[LiveServer], None], stays: int
) -> Any:
    """What exports show before and after an upgrade, and which checks failed afterwards."""
    with monkeypatch.context() as earlier:
        _earlier_version(earlier)
        with start() as server:
            fill(server)
            before = _commits(server, stays)
    with start() as server:
        wait_until(lambda: _translated(server), "translating again")
        failed = server.http.get(f"{_PATH}/ci-checks", params=_PERIOD).json()["checks"]
        return before, _commits(server, stays), {one["name"]: one["failed"] for one in failed}


def test_a_thread_that_gets_a_webhook_first_is_read_again_later(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Translating what is new does not make it up to date."""
    story = Story(heads={1: "a"})
    story.enqueued(0, 1)
    later = Story(heads={1: "b"})
    later.dequeued(20, 1, "CI_FAILURE")
    later.deliveries[0] = later.deliveries[0]._replace(id="later")
    with monkeypatch.context() as earlier:
        _earlier_version(earlier)
        with start() as server:
            _send_webhooks(server, story)
            assert [""] == _commits(server, 1)
    with start() as server:
        _send_webhooks(server, later)
        assert B == _commits(server, 2)[1]
        wait_until(lambda: _translated(server), "translating again")

        assert [A, B] == _commits(server, 2)


def test_webhooks(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those about entries and exits were kept, and name the commit."""
    story = Story(heads={1: "a"})
    story.enqueued(0, 1)
    story.group(1, 1, "group")
    story.dequeued(20, 1, "CI_FAILURE")
    story.heads[1] = "b"
    story.enqueued(40, 1)
    story.merged(60, 1)

    before, after, _ = _upgraded(start, monkeypatch, lambda server: _send_webhooks(server, story), 4)

    assert ([""] * 4, [A, A, B, B]) == (before, after)


def test_imported_items(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are compressed together."""
    log = LogStory()
    log.enter(0, 1, "s")
    log.leave(20, 1, "s", "CHECKS_FAILED", head=A)
    queue = BorsQueue()
    queue.says(7, 30, "bors r+")
    queue.replies(50, "Build failed:\n  * unit", 7)
    queue.commits(7, (-5, B))

    def fill(server: LiveServer) -> None:
        _import(
            server,
            "activity-log",
            ({"id": str(one["id"]), "kind": one["type"], "body": one} for one in log.items),
        )
        _import(server, "bors", ({"id": one.id, "kind": one.kind, "body": one.body} for one in queue.items()))

    before, after, failed = _upgraded(start, monkeypatch, fill, 4)

    assert ([""] * 4, ["", A, B, B], {"unit": 1}) == (before, after, failed)
