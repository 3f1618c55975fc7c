"""Webhooks over a real socket: what is accepted, and what changes nothing."""

import asyncio
import json
import socket
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.problem_documents import error, invalid
from api.signed_webhooks import HOOK, signed_headers
from builders import entered
from live_server import LiveServer, live_server
from logged_secrets import remember
from mergecast.access.webhook_secrets import WebhookSecret
from mergecast.queues.model.repository import Repository
from sources.github_deliveries import Delivery, Story, clock
from sources.github_stories import STORIES
from sources.github_translation import events_of
from waiting import MOST_SECONDS, wait_for

_SECRET = remember("It's a Secret to Everybody")
_OTHER = remember("another secret, for umbrella")


class _Clock:
    """The server's clock: a delivery arrives at the instant that its story gives."""

    now = clock(0)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    secrets = (
        WebhookSecret(_SECRET.encode(), frozenset({"acme-orbit"})),
        WebhookSecret(_OTHER.encode(), frozenset({"umbrella"})),
    )
    folder = tmp_path_factory.mktemp("data")
    with live_server(folder, webhook_secrets=secrets, now=lambda: _Clock.now) as live:
        yield live


def _headers(event: str, guid: str, body: bytes, secret: str = _SECRET) -> dict[str, str]:
    return signed_headers(event, guid, body, secret)


def _deliver(server: LiveServer, sent: Delivery, **changed: str) -> httpx.Response:
    headers = {**_headers(sent.event, sent.id, sent.body), **changed}
    _Clock.now = max(_Clock.now, sent.received_at)
    with server.anonymous() as http:
        return http.post(HOOK, content=sent.body, headers=headers)


def _of(repository: str, told: Story, id: int) -> list[Delivery]:
    """The deliveries of a story, for another repository."""
    ours = f'"id": {id}, "full_name": "{repository}"'.encode()
    theirs = b'"id": 700100, "full_name": "acme-orbit/lander"'
    return [one._replace(body=one.body.replace(theirs, ours)) for one in told.deliveries]


def _events(server: LiveServer, repository: str, number: int) -> list[dict[str, Any]]:
    """The events of a repository once there are so many."""
    deadline = time.monotonic() + MOST_SECONDS
    while True:
        answer = server.http.get(f"/v1/repos/{repository}/events")
        events = [json.loads(line) for line in answer.text.splitlines()] if answer.is_success else []
        if len(events) >= number or time.monotonic() > deadline:
            return events
        time.sleep(0.05)


def _listed(server: LiveServer) -> list[str]:
    """The repositories by name: how many events each has may change as long as deliveries are translated."""
    return [one["repository"] for one in server.http.get("/v1/repos").json()["repositories"]]


def _sources(server: LiveServer, repository: str) -> Any:
    return server.http.get(f"/v1/repos/{repository}/sources").json()["sources"]


def test_the_published_test_vector_is_right() -> None:
    """The key and body of GitHub's documentation."""
    expected = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"

    assert expected == _headers("ping", "1", b"Hello, World!")["X-Hub-Signature-256"]


def test_a_story_is_translated(server: LiveServer) -> None:
    """Every delivery is answered with 202, and the export has the events of the story."""
    told = STORIES[0]()

    statuses = [_deliver(server, one).status_code for one in _of("acme-orbit/first", told, 1)]

    expected = sorted(event.id for event in events_of(told.deliveries))
    checks = {"ci_check_reported"}
    assert {202} == set(statuses)
    wait_for(
        expected,
        lambda: sorted(
            event["id"] for event in _events(server, "acme-orbit/first", 1) if event["type"] not in checks
        ),
    )
    (overview,) = _sources(server, "acme-orbit/first")
    assert ("github", "webhook", len(expected)) == tuple(
        overview[name] for name in ("source", "kind", "events")
    )


def test_a_replayed_body_changes_nothing(server: LiveServer) -> None:
    """The same id, or the same body under another id, is a duplicate."""
    story = Story()
    story.enqueued(0, 7)
    (sent,) = _of("acme-orbit/replayed", story, 2)

    receipts = [
        _deliver(server, sent).json(),
        _deliver(server, sent).json(),
        _deliver(server, sent._replace(id="another")).json(),
    ]

    assert [(1, 0), (0, 1), (0, 1)] == [(one["stored"], one["duplicates"]) for one in receipts]
    assert 1 == len(_events(server, "acme-orbit/replayed", 1))


def _with_body(body: bytes) -> Delivery:
    return Delivery("merge_group", "guid-1", 0, body)


_UNRELATED = json.dumps({"action": "created", "repository": {"full_name": "acme-orbit/x", "id": 99}}).encode()


@pytest.mark.parametrize(
    ("sent", "changed", "status"),
    [
        (_with_body(b"{}"), {"X-Hub-Signature-256": "sha256=" + "0" * 64}, 403),
        (_with_body(b"{}"), {"Content-Type": "application/x-www-form-urlencoded"}, 415),
        (_with_body(b"{}"), {"Content-Encoding": "gzip"}, 415),
        (_with_body(b"{"), {}, 422),
        (_with_body(b"[]"), {}, 422),
        (_with_body(b"{}"), {"X-GitHub-Event": ""}, 422),
        (_with_body(b"{}"), {"X-GitHub-Delivery": ""}, 422),
        (_with_body(b'{"repository": {"full_name": "acme-orbit/a b"}}'), {}, 422),
        (_with_body(b'{"repository": {"full_name": "umbrella/x"}}'), {}, 403),
        (_with_body(_UNRELATED), {"X-GitHub-Event": "star"}, 202),
        (_with_body(b'{"zen": "Design for failure."}'), {"X-GitHub-Event": "ping"}, 202),
    ],
    ids=str,
)
def test_what_is_refused(server: LiveServer, sent: Delivery, changed: Mapping[str, str], status: int) -> None:
    """With the status that says why; nothing of it is stored."""
    before = _listed(server)

    answer = _deliver(server, sent, **changed)

    assert status == answer.status_code, answer.text
    assert before == _listed(server)


def test_a_secret_writes_nothing_of_another_owner(server: LiveServer) -> None:
    """Not even by taking over the id of its repository, or by a transfer."""
    story = Story()
    story.enqueued(0, 7)
    (sent,) = _of("acme-orbit/lander-2", story, 3)
    _deliver(server, sent)
    payload = json.loads(sent.body)
    payload["repository"]["full_name"] = "umbrella/stolen"
    payload["changes"] = {"owner": {"from": {"organization": {"login": "acme-orbit"}}}}
    body = json.dumps(payload).encode()

    with server.anonymous() as http:
        answer = http.post(HOOK, content=body, headers=_headers("repository", "1", body, _OTHER))

    assert 202 == answer.status_code
    assert 1 == len(_events(server, "acme-orbit/lander-2", 1))


def test_a_renamed_repository_continues_under_its_new_name(server: LiveServer) -> None:
    """Whichever delivery says the new name first; a late one with the old name follows.

    Whoever asks under the old name, or writes under it, gets the new one.
    """
    story = Story("acme-orbit/old-name")
    story.enqueued(0, 7)
    story.enqueued(1, 8)
    story.enqueued(2, 9)
    id = 700_999
    bodies = [json.loads(one.body) for one in story.deliveries]
    for payload in bodies:
        payload["repository"]["id"] = id
    bodies[1]["repository"]["full_name"] = "acme-orbit/new-name"
    for place, payload in enumerate(bodies):
        _deliver(server, Delivery("pull_request", f"rename-{place}", 0, json.dumps(payload).encode()))

    events = _events(server, "acme-orbit/new-name", 3)

    assert {7, 8, 9} == {event["pull_request"] for event in events}
    message = "the repository acme-orbit/old-name has been renamed to acme-orbit/new-name; use that name"
    old = "/v1/repos/acme-orbit/old-name"
    expected = invalid(error("path", "repository", message), status=409)
    for method, path, body in (
        ("GET", "/sources", None),
        ("GET", "/queue", None),
        ("GET", "/sources/github/cursor", None),
        ("DELETE", "", None),
        ("POST", "/events", [entered("2026-03-02T10:00:00Z", "s-1", 1)]),
        ("PUT", "/products", {"products": []}),
        ("POST", "/sources/github/deliveries", {"items": []}),
        ("POST", "/pulls/1/simulator", {"mergify_yml": "{}"}),
    ):
        assert expected == server.http.request(method, f"{old}{path}", json=body).json(), path


def test_only_callers_with_access_learn_the_new_name_of_a_repository(server: LiveServer) -> None:
    """A key of its former owner gets the same answer as for a repository that never existed."""
    server.send([entered("2026-03-02T10:00:00Z", "s-1", 1)], "acme-orbit/given-away")
    given_away = Repository("acme-orbit", "given-away"), Repository("umbrella", "received")
    asyncio.run(server.store.rename(*given_away, platform_id=700_998))
    old = "/v1/repos/acme-orbit/given-away/queue"

    refused = server.ask(server.key("acme-orbit")["key"], old)

    assert 409 == server.http.get(old).status_code
    assert (404, "the repository acme-orbit/given-away is not known here: it has no events") == (
        refused.status_code,
        refused.json()["detail"],
    )


def test_a_body_that_is_too_large_is_refused_before_it_is_read(server: LiveServer) -> None:
    """By its declared length, whatever its type."""
    host, port = server.url.removeprefix("http://").split(":")
    head = (
        f"POST {HOOK} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: {25 << 21}\r\n\r\n"
    )
    with socket.create_connection((host, int(port))) as connection:
        connection.sendall(head.encode())
        answer = connection.recv(4096)

    assert b"413" == answer.split()[1]


def test_without_secrets_there_are_no_webhooks(tmp_path: Path) -> None:
    """And the answer says how to turn them on."""
    with live_server(tmp_path) as live, live.anonymous() as http:
        answer = http.post(HOOK, json={})

    assert 404 == answer.status_code
    assert (
        "webhooks are off; the operator turns them on with MERGECAST_WEBHOOK_SECRETS"
        == answer.json()["detail"]
    )


def _unrelated(repository: str, id: int, event: str, **payload: Any) -> Delivery:
    named = {"repository": {"id": id, "full_name": repository}}
    return Delivery(event, str(time.monotonic_ns()), 0, json.dumps({**payload, **named}).encode())


def test_a_webhook_that_only_delivers_unrelated_events_is_shown(server: LiveServer) -> None:
    """Merge groups is not selected in its settings. The repository appears in no list."""
    name = "acme-orbit/without-groups"
    run = {"check_suite": {"head_branch": "feature"}, "head_sha": "5e0a"}
    for _ in range(3):
        sent = _unrelated(name, 901, "check_run", action="created", check_run=run)
        assert {"stored": 0, "duplicates": 0, "not_kept": 1} == _deliver(server, sent).json()
    _deliver(server, _unrelated(name, 901, "push", ref="refs/heads/feature", after="5e0a", before="11"))

    hint = (
        "the webhook has delivered nothing about a merge queue; if pull requests have been queued since "
        "it was created, select the events Merge groups and Pull requests in its settings on GitHub"
    )
    assert [
        {
            "source": "github", "kind": "webhook", "first_at": None, "last_at": None, "history": None,
            "deliveries": 0, "events": 0, "derived_starts": 0, "untranslated": [], "following": None,
            "hint": hint, "translating": None,
            "not_kept": [
                {"event": "check_run", "action": "created", "count": 3},
                {"event": "push", "action": "", "count": 1},
            ],
        }
    ] == _sources(server, name)  # fmt: skip
    assert name not in server.http.get("/v1/repos").text
    with server.anonymous() as http:
        assert 403 == http.get(f"/v1/repos/{name}/sources").status_code


def test_a_webhook_without_a_hint(server: LiveServer) -> None:
    """It has delivered something about a queue, besides unrelated events."""
    name = "acme-orbit/with-groups"
    _deliver(server, _unrelated(name, 903, "star", action="created"))
    told = STORIES[0]()
    for sent in _of(name, told, 903):
        _deliver(server, sent)
    _events(server, name, len(events_of(told.deliveries)))  # until nothing of it changes any more

    (source,) = _sources(server, name)
    assert (None, [{"event": "star", "action": "created", "count": 1}]) == (
        source["hint"],
        source["not_kept"],
    )


def test_more_kinds_of_unrelated_events_than_are_counted_one_by_one(server: LiveServer) -> None:
    """The name of an event is not signed, so anyone with one signed body could invent more."""
    name = "acme-orbit/many-kinds"
    for number in range(203):
        _deliver(server, _unrelated(name, 904, f"event_{number}"))

    (source,) = _sources(server, name)
    counts = {one["event"]: one["count"] for one in source["not_kept"]}
    assert (201, 3, 203) == (len(counts), counts["other"], sum(counts.values()))
