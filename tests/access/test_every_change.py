"""No handler can forget the audit: every route that is not only read is asked to change something."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from api.recorded_pulls import record
from builders import entered
from live_server import LiveServer, live_server
from mergecast.api.routes import all_routes
from mergecast.api.services import Services
from mergecast.incoming.connecting.added_sources import SourceSettings
from mergecast.incoming.platform.source_hosts import SourceHosts
from mergecast.queues.model.instant import DAY, format_instant, parse_instant
from mergecast.queues.store.added_sources import GitHubAppRow, add_github_app
from signals.two_an_hour import merges
from sources.faulty_server import FaultyServer, faulty_server
from sources.platforms import ActivityLog

_MONDAY = parse_instant("2026-03-02T00:00:00Z")
_NOW = _MONDAY + 14 * DAY
_REPOSITORY = "/v1/repos/{owner}/{repository}"
_PRICES = {"currency": "USD", "per_minute": "0.008", "by_runner": {}}
_THRESHOLD = {"figure": "everyone_fails", "value": 900}
_WEEK = {"start_at": format_instant(_MONDAY), "end_at": format_instant(_MONDAY + 7 * DAY)}
_SLACK = {"name": "ops", "kind": "slack", "url": "https://hooks.slack.example/services/T0/B0/secret-part"}
_ADDED = {"source": "activity-log", "repository": "acme/log", "as": "Acme/Widgets", "token": "log-key"}
_APP = GitHubAppRow("1000", "mergecast-acme", "acme", "https://api.github.com", "", False, "[]", _MONDAY)
_KINDS = {"/v1/keys": "key", "/v1/sources": "source", "/v1/github-apps": "app"}
_KEY = {"owner": "acme", "name": "CI", "scopes": ["read"]}

_DOCUMENTED = (Path(__file__).parents[2] / "docs/operating.md").read_text()

# Routes that delete nothing and change no setting.
_READ = ("reference-periods/preview", "thresholds/preview", "configuration-simulator", "simulator")
_READING = {
    *(f"POST {_REPOSITORY}/forecast{more}" for more in ("", "/search", "/capacity")),
    f"POST {_REPOSITORY}/explanation",
    *(f"POST {_REPOSITORY}/{name}" for name in _READ),
    f"POST {_REPOSITORY}/pulls/{{number}}/simulator",
    "POST /v1/sources/test",
    "POST /mcp",
}
_RECEIVING = {
    f"POST {_REPOSITORY}/events",
    f"POST {_REPOSITORY}/pulls",
    f"POST {_REPOSITORY}/sources/{{source}}/deliveries",
    f"PUT {_REPOSITORY}/pulls/{{number}}/snapshot",
    f"PUT {_REPOSITORY}/audit",
    "POST /v1/hooks/github",
}
_COMPUTING_AGAIN = {f"POST {_REPOSITORY}/sources/{{source}}/translate", "POST /v1/admin/rebuild"}
# Whoever has begun still has to confirm it on GitHub.
_BEGINNING = {"POST /v1/github-apps/begin"}
_SENDING_A_SAMPLE = {
    f"POST {_REPOSITORY}/channels/{{id}}/test",
    "POST /v1/owners/{owner}/channels/{id}/test",
}
# The log has lines about these. Who signs in again and again must not fill the store.
_SIGNING_IN = {"POST /v1/session", "DELETE /v1/session", "POST /v1/session/codes"}
_OTHERS = _READING | _RECEIVING | _COMPUTING_AGAIN | _SENDING_A_SAMPLE | _SIGNING_IN | _BEGINNING

Ids = dict[str, str]
Change = tuple[dict[str, Any], Callable[[Ids], dict[str, Any]]]


def _line(event: str, details: dict[str, Any]) -> Callable[[Ids], dict[str, Any]]:
    return lambda _: {"event": event, "owner": "Acme", "repository": "Widgets", "details": details}


def _channel(event: str, repository: str | None) -> Callable[[Ids], dict[str, Any]]:
    return lambda ids: {
        "event": event,
        "owner": "acme",
        "repository": repository,
        "details": {"channel": ids["channel"], "name": "ops", "kind": "slack"},
    }


def _subscription(event: str) -> Callable[[Ids], dict[str, Any]]:
    return lambda ids: {
        "event": event,
        "owner": "Acme",
        "repository": "Widgets",
        "details": {"pull_request": 7, "channel": ids["channel"], "name": "ops"},
    }


def _key(event: str, **more: Any) -> Callable[[Ids], dict[str, Any]]:
    return lambda ids: {
        "event": event,
        "owner": "acme",
        "repository": None,
        "details": {"key": ids["key"], "name": "CI", **more},
    }


def _source(event: str, **more: Any) -> Callable[[Ids], dict[str, Any]]:
    return lambda ids: {
        "event": event,
        "owner": "Acme",
        "repository": "Widgets",
        "details": {
            "source": "activity-log",
            "id": ids["source"],
            "at": "acme/log",
            **{name: ids[value] for name, value in more.items()},
        },
    }


# What to send to each other route, and the line that it leaves. The last one deletes the repository.
_CHANGES: dict[str, Change] = {
    f"PUT {_REPOSITORY}/products": (
        {"json": {"products": ["merge_queue"]}},
        _line("products changed", {"products": ["merge_queue"]}),
    ),
    f"PUT {_REPOSITORY}/settings": (
        {"json": {"thresholds": [_THRESHOLD], "prices": _PRICES}, "headers": {"If-Match": "*"}},
        _line(
            "settings changed",
            {
                "changes": [
                    "thresholds: added everyone_fails of all queues: above 900",
                    "prices: set to USD 0.008 a minute",
                ]
            },
        ),
    ),
    f"DELETE {_REPOSITORY}/pulls/{{number}}/snapshot": ({}, _line("snapshot deleted", {"number": 7})),
    f"POST {_REPOSITORY}/channels": ({"json": _SLACK}, _channel("channel created", "widgets")),
    f"PUT {_REPOSITORY}/channels/{{id}}": ({"json": {}}, _channel("channel changed", "widgets")),
    f"PUT {_REPOSITORY}/pulls/{{number}}/subscriptions/{{id}}": ({}, _subscription("subscription added")),
    f"DELETE {_REPOSITORY}/pulls/{{number}}/subscriptions/{{id}}": (
        {},
        _subscription("subscription deleted"),
    ),
    f"DELETE {_REPOSITORY}/channels/{{id}}": ({}, _channel("channel deleted", "widgets")),
    "POST /v1/owners/{owner}/channels": ({"json": _SLACK}, _channel("channel created", None)),
    "PUT /v1/owners/{owner}/channels/{id}": ({"json": {}}, _channel("channel changed", None)),
    "DELETE /v1/owners/{owner}/channels/{id}": ({}, _channel("channel deleted", None)),
    "POST /v1/keys": ({"json": _KEY}, _key("key created", scopes=["read"], expires_at=None)),
    "DELETE /v1/keys/{id}": ({}, _key("key revoked")),
    "POST /v1/sources": ({"json": _ADDED}, _source("source added", url="platform")),
    "PUT /v1/sources/{id}": ({"json": {"is_paused": True}}, _source("source paused")),
    "DELETE /v1/sources/{id}": ({}, _source("source deleted")),
    "DELETE /v1/github-apps/{id}": (
        {},
        lambda ids: {
            "event": "GitHub App deleted",
            "owner": "acme",
            "repository": None,
            "details": {"app": ids["app"], "slug": "mergecast-acme"},
        },
    ),
    f"DELETE {_REPOSITORY}/events": (
        {"params": {"source": "api", **_WEEK}},
        _line("events deleted", {"source": "api", **_WEEK, "deleted": 1344}),
    ),
    f"DELETE {_REPOSITORY}": ({}, _line("repository deleted", {"deleted": 1})),
}


@pytest.fixture
def platform() -> Iterator[FaultyServer]:
    with faulty_server(ActivityLog("acme/log")) as running:
        yield running


@pytest.fixture
def server(tmp_path: Path, platform: FaultyServer) -> Iterator[LiveServer]:
    """A repository with a week of merges and a snapshot, and a GitHub App."""
    sources = SourceSettings(SourceHosts().with_urls([platform.url]), {"activity-log": platform.url})
    with live_server(tmp_path, now=lambda: _NOW, sources=sources) as live:
        live.send(merges(_MONDAY, 7), "Acme/Widgets").raise_for_status()
        again = entered(format_instant(_NOW - DAY), "again", 7)
        live.send([again], "Acme/Widgets").raise_for_status()
        live.http.put("/v1/repos/Acme/Widgets/pulls/7/snapshot", json=record()).raise_for_status()
        asyncio.run(add_github_app(live.store, _APP))
        yield live


def _send(server: LiveServer, route: str, ids: Ids, more: dict[str, Any]) -> httpx.Response:
    method, _, path = route.partition(" ")
    kind = next((kind for part, kind in _KINDS.items() if part in path), "channel")
    names = {"owner": "Acme", "repository": "Widgets", "name": "march", "number": "7", "id": ids.get(kind)}
    answer = server.http.request(method, path.format_map(names), **more)
    if method == "POST":
        ids[kind] = answer.json()["id"]
    return answer


def test_every_route_is_known() -> None:
    """A new route that is not only read belongs to one of the two lists above."""
    routes = {str(route) for route in all_routes(cast("Services", None), Path()) if route.method != "GET"}

    assert routes == _CHANGES.keys() | _OTHERS
    assert not _CHANGES.keys() & _OTHERS


def test_the_table_of_events_is_complete() -> None:
    events = {line(defaultdict(str))["event"] for _, line in _CHANGES.values()}

    assert [] == sorted(event for event in events if f"`{event}`" not in _DOCUMENTED)


def test_every_change_leaves_a_line(server: LiveServer, platform: FaultyServer) -> None:
    """It says who did what and from which address, has no secret, and outlives the repository."""
    ids: Ids = {"platform": platform.url, "app": _APP.id}
    expected = []
    for route, (more, line) in _CHANGES.items():
        answer = _send(server, route, ids, more)
        assert answer.is_success, (route, answer.text)
        expected.append({**line(ids), "who": "admin token", "address": "127.0.0.1"})

    answer = server.http.get("/v1/log")

    lines = answer.json()["lines"]
    assert expected == [{name: line[name] for name in line if name != "at"} for line in reversed(lines)]
    assert {format_instant(_NOW)[:19]} == {line["at"][:19] for line in lines}
    assert "secret-part" not in answer.text


def test_what_changes_nothing_leaves_no_line(server: LiveServer) -> None:
    """Neither an invalid request nor one about something that is not there."""
    path = "/v1/repos/acme/widgets"
    answers = [
        server.http.put(f"{path}/products", json={"products": ["queue"]}),
        server.http.put(f"{path}/settings", json={"prices": _PRICES}),
        server.http.delete("/v1/repos/acme/unknown"),
        server.http.delete(f"{path}/events"),
        server.http.put(f"{path}/settings", json={"prices": None}, headers={"If-Match": "*"}),
        server.ask("nonsense", path, "DELETE"),
    ]

    assert [422, 428, 404, 422, 200, 403] == [answer.status_code for answer in answers]
    assert {"lines": [], "next": None} == server.http.get("/v1/log").json()
