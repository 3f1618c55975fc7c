"""Odd requests for every route, always the same ones for the same seed."""

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple
from urllib.parse import quote

from api.signed_webhooks import signed_headers
from builders import worked_example
from live_server import DAY
from mergecast.api.routing import HOOK_PATHS, Route
from scenario_files import NAMES, recorded_pull
from soak.odd_values import ODD_BYTES, odd_json, odd_segment
from sources.activity_log_stories import STORIES as LOG_STORIES
from sources.github_stories import STORIES as GITHUB_STORIES

_SEGMENTS: Mapping[str, Sequence[str]] = {
    "owner": ("acme", "acme", "acme", "Acme", "stranger"),
    "repository": ("widgets", "widgets", "widgets", "gadgets", "nothing"),
    "number": ("42", "7", "1"),
    "page": ("queue", "pulls"),
    "source": ("github", "activity-log", "gitlab", "bors"),
    "id": ("0123456789ab",),
    "name": ("march", "april"),
    "file": ("x.js",),
    "table": ("stays", "events"),
}
_QUERY: Mapping[str, Sequence[str]] = {
    "start_at": (DAY["start_at"],),
    "end_at": (DAY["end_at"],),
    "at": (DAY["end_at"],),
    "base_ref": ("main",),
    "branch": ("main",),
    "queue_name": ("default",),
    "priority_rule_name": ("hotfix",),
    "intervals": ("7",),
    "order": ("queue_time",),
    "limit": ("20",),
    "source": ("api",),
    "before_start_at": (DAY["start_at"],),
    "before_end_at": (DAY["end_at"],),
    "after": ("20", "acme/widgets"),
    "search": ("fix",),
    "owner": ("acme",),
    "repository": ("acme/widgets", "widgets"),
    "figures": ("true",),
    "details": ("true",),
    "stored": ("true",),
    "time_zone": ("Europe/Berlin",),
    "format": ("csv", "parquet"),
    "name": ("unit",),
    "session_id": ("s1", "no-such-session"),
    "state": ("open", "ended", "all"),
    "figure": ("run_too_long",),
    "dry_run": ("true",),
}
_HEADERS = (
    "Content-Type", "Content-Encoding", "If-Match", "If-None-Match", "Accept", "Accept-Encoding", "Cookie",
    "Origin", "X-Forwarded-For", "X-Request-Id", "Range", "X-GitHub-Event", "X-GitHub-Delivery",
    "Last-Event-ID",
)  # fmt: skip
# These take long, or take most of the content away; they are asked less often.
_RARE = ("/forecast", "simulator", "/live", "/admin/", "DELETE")
_RARITY = 0.1
_ODD_HEADERS = 0.02
_COMPRESSED = 0.1


class OddRequest(NamedTuple):
    route: str
    method: str
    target: str
    headers: dict[str, str]
    body: bytes | None


@dataclass(frozen=True)
class OddRequests:
    """A generator of requests from the routes of the service and their OpenAPI description."""

    routes: Sequence[Route]
    description: Mapping[str, Any]
    secret: str  # of webhooks

    def made(self, seed: int) -> Iterator[OddRequest]:
        chance = Random(seed)
        weights = [_RARITY if any(word in str(route) for word in _RARE) else 1 for route in self.routes]
        while True:
            (route,) = chance.choices(self.routes, weights)
            yield self._request(chance, route)

    def _request(self, chance: Random, route: Route) -> OddRequest:
        # Messages of MCP are described by their own protocol; tests/tools sends odd ones.
        operation = self.description["paths"].get(route.path, {}).get(route.method.lower(), {})
        headers = {name: _odd_header(chance) for name in _HEADERS if chance.random() < _ODD_HEADERS}
        body = None
        if route.path in HOOK_PATHS:
            usual, body = _webhook(chance, self.secret)
            headers = {**usual, **headers}
        elif "requestBody" in operation:
            usual, body = _body(chance, route, operation["requestBody"]["content"])
            headers = {**usual, **headers}
        method = "HEAD" if route.method == "GET" and chance.random() < 0.05 else route.method
        return OddRequest(str(route), method, _target(chance, route, operation), headers, body)


def _target(chance: Random, route: Route, operation: Mapping[str, Any]) -> str:
    path = route.path
    for name in route.parameter_names:
        value = odd_segment(chance) if chance.random() < 0.2 else chance.choice(_SEGMENTS[name])
        path = path.replace(f"{{{name}}}", value)
    asked = [
        f"{one['name']}={_query_value(chance, one['name'])}"
        for one in operation.get("parameters", ())
        if one.get("in") == "query"
        for _ in range(chance.choice((0, 1, 1, 1, 2)))
    ]
    if chance.random() < 0.05:
        asked.append(f"{odd_segment(chance)}={odd_segment(chance)}")
    return f"{path}?{'&'.join(asked)}" if asked else path


def _query_value(chance: Random, name: str) -> str:
    if chance.random() < 0.4:
        return odd_segment(chance)
    return quote(chance.choice(_QUERY[name]), safe="")


def _body(chance: Random, route: Route, contents: Mapping[str, Any]) -> tuple[dict[str, str], bytes]:
    kind = chance.choice(sorted(contents))
    if "ndjson" in kind:
        body = b"\n".join(odd_json(chance, event) for event in chance.sample(worked_example(), 3))
    else:
        body = odd_json(chance, _example(chance, route, contents[kind]["example"]))
    if chance.random() < _COMPRESSED:
        return {"Content-Type": kind, "Content-Encoding": "gzip"}, gzip.compress(body, 1)
    return {"Content-Type": kind}, body


def _example(chance: Random, route: Route, published: Any) -> Any:
    """A valid body: the published one, or one that reaches further into the program."""
    match route.path.rpartition("/")[2]:
        case "events":
            return chance.sample(worked_example(), 4)
        case "snapshot":
            return recorded_pull(chance.choice(NAMES))
        case "deliveries":
            return {**published, **chance.choice((_log_items, _github_items))(chance)}
    return published


def _log_items(chance: Random) -> dict[str, Any]:
    items = chance.choice(LOG_STORIES)().items
    return {"items": [{"id": str(one["id"]), "kind": one["type"], "body": one} for one in items]}


def _github_items(chance: Random) -> dict[str, Any]:
    deliveries = chance.choice(GITHUB_STORIES)().deliveries
    items = [{"id": one.id, "kind": one.event, "body": json.loads(one.body)} for one in deliveries]
    return {"items": items, "repository": {"id": 700100, "full_name": "acme/widgets"}}


def _webhook(chance: Random, secret: str) -> tuple[dict[str, str], bytes]:
    """A webhook of a story, with a valid signature whatever is in it."""
    delivery = chance.choice(chance.choice(GITHUB_STORIES)().deliveries)
    payload = json.loads(delivery.body)
    payload["repository"]["full_name"] = "acme/widgets"
    body = odd_json(chance, payload)
    return signed_headers(delivery.event, str(chance.getrandbits(64)), body, secret), body


def _odd_header(chance: Random) -> str:
    """A value that HTTP allows in a header, which excludes control characters."""
    text = chance.choice(ODD_BYTES).decode("latin-1")
    return "".join(one for one in text if one >= " " and one != "\x7f").strip()
