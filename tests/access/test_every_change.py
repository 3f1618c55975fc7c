"""No handler can forget the audit: every route that is not only read is asked to change something."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from api.recorded_pulls import record
from live_server import LiveServer, live_server
from mergecast.api.routes import all_routes
from mergecast.api.services import Services
from mergecast.queues.model.instant import DAY, format_instant, parse_instant
from signals.two_an_hour import merges

_MONDAY = parse_instant("2026-03-02T00:00:00Z")
_NOW = _MONDAY + 14 * DAY
_REPOSITORY = "/v1/repos/{owner}/{repository}"
_PRICES = {"currency": "USD", "per_minute": "0.008", "by_runner": {}}
_LEVELS = {"base_ref": "main", "queue_name": "default", "levels": {"nothing_merges": 900.0}}
_WEEK = {"start_at": format_instant(_MONDAY), "end_at": format_instant(_MONDAY + 7 * DAY)}
_SLACK = {"kind": "slack", "url": "https://hooks.slack.example/services/T0/B0/secret-part"}
_KEY = {"owner": "acme", "name": "CI", "scopes": ["read"]}

# Routes that delete nothing and change no setting.
_READING = {
    *(f"POST {_REPOSITORY}/forecast{more}" for more in ("", "/search", "/capacity")),
    *(f"POST {_REPOSITORY}/{name}" for name in ("baseline-preview", "configuration-simulator", "simulator")),
    f"POST {_REPOSITORY}/pulls/{{number}}/simulator",
    "POST /mcp",
}
_RECEIVING = {
    f"POST {_REPOSITORY}/events",
    f"POST {_REPOSITORY}/sources/{{source}}/deliveries",
    f"PUT {_REPOSITORY}/pulls/{{number}}/snapshot",
    "POST /v1/hooks/github",
}
_COMPUTING_AGAIN = {f"POST {_REPOSITORY}/sources/{{source}}/translate", "POST /v1/admin/rebuild"}
_SENDING_A_SAMPLE = {
    f"POST {_REPOSITORY}/channels/{{id}}/test",
    "POST /v1/owners/{owner}/channels/{id}/test",
}
# The log has lines about these. Who signs in again and again must not fill the store.
_SIGNING_IN = {"POST /v1/session", "DELETE /v1/session", "POST /v1/session/codes"}
_OTHERS = _READING | _RECEIVING | _COMPUTING_AGAIN | _SENDING_A_SAMPLE | _SIGNING_IN

Ids = dict[str, str]
Change = tuple[dict[str, Any], Callable[[Ids], dict[str, Any]]]


def _line(event: str, details: dict[str, Any]) -> Callable[[Ids], dict[str, Any]]:
    return lambda _: {"event": event, "owner": "Acme", "repository": "Widgets", "details": details}


def _channel(event: str, repository: str | None) -> Callable[[Ids], dict[str, Any]]:
    return lambda ids: {
        "event": event,
        "owner": "acme",
        "repository": repository,
        "details": {"channel": ids["channel"], "kind": "slack"},
    }


def _key(event: str, **more: Any) -> Callable[[Ids], dict[str, Any]]:
    return lambda ids: {
        "event": event,
        "owner": "acme",
        "repository": None,
        "details": {"key": ids["key"], "name": "CI", **more},
    }


# What to send to each other route, and the line that it leaves. The last one deletes the repository.
_CHANGES: dict[str, Change] = {
    f"PUT {_REPOSITORY}/products": (
        {"json": {"products": ["merge_queue"]}},
        _line("products changed", {"products": ["merge_queue"]}),
    ),
    f"PUT {_REPOSITORY}/targets": (
        {"json": {"targets": [{"time_in_queue_p95": 3600}]}},
        _line("targets changed", {"targets": 1}),
    ),
    f"PUT {_REPOSITORY}/prices": ({"json": _PRICES}, _line("prices changed", {"prices": _PRICES})),
    f"DELETE {_REPOSITORY}/prices": ({}, _line("prices changed", {"prices": {}})),
    f"PUT {_REPOSITORY}/thresholds": ({"json": _LEVELS}, _line("thresholds changed", _LEVELS)),
    f"DELETE {_REPOSITORY}/thresholds": (
        {},
        _line("thresholds changed", {"base_ref": None, "queue_name": None, "levels": {}}),
    ),
    f"PUT {_REPOSITORY}/baselines/{{name}}": (
        {"json": {**_WEEK, "base_ref": "main", "queue_name": "default"}},
        _line("baseline pinned", {"baseline": "march"}),
    ),
    f"DELETE {_REPOSITORY}/baselines/{{name}}": ({}, _line("baseline deleted", {"baseline": "march"})),
    f"DELETE {_REPOSITORY}/pulls/{{number}}/snapshot": ({}, _line("snapshot deleted", {"number": 7})),
    f"POST {_REPOSITORY}/channels": ({"json": _SLACK}, _channel("channel created", "widgets")),
    f"DELETE {_REPOSITORY}/channels/{{id}}": ({}, _channel("channel deleted", "widgets")),
    "POST /v1/owners/{owner}/channels": ({"json": _SLACK}, _channel("channel created", None)),
    "DELETE /v1/owners/{owner}/channels/{id}": ({}, _channel("channel deleted", None)),
    "POST /v1/keys": ({"json": _KEY}, _key("key created", scopes=["read"], expires_at=None)),
    "DELETE /v1/keys/{id}": ({}, _key("key revoked")),
    f"DELETE {_REPOSITORY}/events": (
        {"params": {"source": "api", **_WEEK}},
        _line("events deleted", {"source": "api", **_WEEK, "deleted": 1344}),
    ),
    f"DELETE {_REPOSITORY}": ({}, _line("repository deleted", {"deleted": 0})),
}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    """A repository with a week of merges and a snapshot."""
    with live_server(tmp_path, now=lambda: _NOW) as live:
        live.send(merges(_MONDAY, 7), "Acme/Widgets").raise_for_status()
        live.http.put("/v1/repos/Acme/Widgets/pulls/7/snapshot", json=record()).raise_for_status()
        yield live


def _send(server: LiveServer, route: str, ids: Ids, more: dict[str, Any]) -> httpx.Response:
    method, _, path = route.partition(" ")
    kind = "key" if "/keys" in path else "channel"
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


def test_every_change_leaves_a_line(server: LiveServer) -> None:
    """It says who did what and from which address, has no secret, and outlives the repository."""
    ids: Ids = {}
    expected = []
    for route, (more, line) in _CHANGES.items():
        answer = _send(server, route, ids, more)
        assert answer.is_success, (route, answer.text)
        expected.append({**line(ids), "who": "admin token", "address": "127.0.0.1"})

    answer = server.http.get("/v1/audit")

    lines = answer.json()["lines"]
    assert expected == [{name: line[name] for name in line if name != "at"} for line in reversed(lines)]
    assert {format_instant(_NOW)[:19]} == {line["at"][:19] for line in lines}
    assert "secret-part" not in answer.text


def test_what_changes_nothing_leaves_no_line(server: LiveServer) -> None:
    """Neither an invalid request nor one about something that is not there."""
    path = "/v1/repos/acme/widgets"
    answers = [
        server.http.put(f"{path}/products", json={"products": ["queue"]}),
        server.http.delete(f"{path}/baselines/april"),
        server.http.delete("/v1/repos/acme/unknown"),
        server.http.delete(f"{path}/events"),
        server.http.delete(f"{path}/prices"),
        server.ask("nonsense", path, "DELETE"),
    ]

    assert [422, 404, 404, 422, 200, 403] == [answer.status_code for answer in answers]
    assert {"lines": [], "next": None} == server.http.get("/v1/audit").json()
