"""Thousands of wrong requests to every endpoint that takes a body or a query; the same ones in every run.

The paths and the names of query parameters come from the OpenAPI description. Each endpoint draws from a
random generator of its own, so a new endpoint does not change the requests of the others.
"""

import gzip
import json
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, NamedTuple
from urllib.parse import quote

from api.recorded_pulls import record
from api.signed_webhooks import HOOK, signed_headers
from api.wrong_values import (
    JSON,
    MALFORMED,
    WRONG_HEADERS,
    WRONG_NAMES,
    WRONG_SEGMENTS,
    WRONG_TEXTS,
    WRONG_VALUES,
)
from builders import ended, entered, event, left, started

SECRET = "a-webhook-secret-of-more-than-32-characters"
_UNKNOWN = "/v1/repos/acme/unknown"  # nothing is stored for it, so a valid request for a forecast ends early
_KNOWN = "/v1/repos/acme/widgets"
_AT = "2026-03-02T10:00:00Z"
_SEGMENTS = {
    "owner": "acme",
    "repository": "widgets",
    "number": "7",
    "source": "github",
    "id": "0" * 16,
    "name": "march",
    "table": "stays",
}


class Sent(NamedTuple):
    """A request, and the endpoint that it is for."""

    endpoint: str
    target: str
    body: bytes = b""
    headers: Mapping[str, str] = {}

    @property
    def method(self) -> str:
        return self.endpoint.partition(" ")[0]


def wrong_requests(description: Any) -> Iterator[Sent]:
    """All requests; `description` is the OpenAPI document."""
    for path, methods in sorted(description["paths"].items()):
        if path.startswith("/v1/") and not (path.endswith(".json") or "github" in path or "oidc" in path):
            for method, operation in sorted(methods.items()):
                names = [one["name"] for one in operation["parameters"] if one["in"] == "query"]
                endpoint = f"{method.upper()} {path}"
                yield from _paths(endpoint, path)
                yield from _queries(endpoint, path.format(**_SEGMENTS), sorted(names))
    for endpoint, body in _BODIES.items():
        yield from body(endpoint)


def _paths(endpoint: str, path: str) -> Iterator[Sent]:
    random = Random(endpoint)
    names = [name for name in WRONG_SEGMENTS if f"{{{name}}}" in path]
    for name in names:
        for wrong in random.sample(WRONG_SEGMENTS[name], 3):
            yield _with_query(endpoint, path.format(**{**_SEGMENTS, name: wrong}), "")
    for _ in range(4 if names else 0):
        wrong_names = {name: random.choice(WRONG_SEGMENTS[name]) for name in names}
        yield _with_query(endpoint, path.format(**{**_SEGMENTS, **wrong_names}), "?unknown=1")


def _queries(endpoint: str, path: str, names: list[str]) -> Iterator[Sent]:
    random = Random(f"query of {endpoint}")
    lone = ["%FF=1", "unknown=%C3%28", "=", "unknown", "&".join(["x=1"] * 1001)]
    for query in lone[: 5 if names else 3]:
        yield _with_query(endpoint, path, f"?{query}")
    for name in random.sample(WRONG_NAMES, 10 if names else 4):
        yield _with_query(endpoint, path, f"?{quote(name, safe='')}=1")
    if not names or "backup" in path:
        return
    for _ in range(14):
        pairs = [(random.choice(names), random.choice(WRONG_TEXTS))]
        yield _with_query(endpoint, path, _query(pairs))
    for _ in range(10):
        given = [
            random.choice((*names, *names, random.choice(WRONG_NAMES))) for _ in range(random.randint(2, 6))
        ]
        yield _with_query(endpoint, path, _query([(name, random.choice(WRONG_TEXTS)) for name in given]))
    for name in names:
        yield _with_query(endpoint, path, _query([(name, "2026-03-02T10:00:00Z")] * 256))


def _query(pairs: list[tuple[str, str]]) -> str:
    return "?" + "&".join(f"{quote(name, safe='')}={quote(value, safe='')}" for name, value in pairs)


def _with_query(endpoint: str, path: str, query: str) -> Sent:
    """A request whose body, if it needs one, is of the right type and empty."""
    has_body = endpoint.startswith(("POST", "PUT"))
    return Sent(endpoint, path + query, b"", {"Content-Type": JSON} if has_body else {})


def _objects(
    target: str, valid: Mapping[str, Any], *names: str, times: int = 1
) -> Callable[[str], Iterator[Sent]]:
    """Wrong bodies for an endpoint that takes an object; `names` are fields that `valid` leaves out."""

    def requests(endpoint: str) -> Iterator[Sent]:
        random = Random(f"body of {endpoint}")
        yield from _texts(endpoint, target)
        for changed in _wrong_objects(random, valid, names, times):
            yield _with_json(endpoint, target, changed)

    return requests


def _texts(endpoint: str, target: str) -> Iterator[Sent]:
    """Bodies that are not JSON, and those of a wrong type or encoding."""
    for text in MALFORMED:
        yield Sent(endpoint, target, text, {"Content-Type": JSON})
    for headers in WRONG_HEADERS:
        yield Sent(endpoint, target, b"{}", headers)
    compressed = {"Content-Type": JSON, "Content-Encoding": "gzip"}
    for packed in (gzip.compress(b"{]", mtime=0), gzip.compress(b"{}", mtime=0)[:-4]):
        yield Sent(endpoint, target, packed, compressed)


def _wrong_objects(
    random: Random, valid: Mapping[str, Any], names: tuple[str, ...], times: int
) -> Iterator[dict[str, Any]]:
    known = (*valid, *names)
    for name in valid:
        yield {other: value for other, value in valid.items() if other != name}
    for name in known:
        for wrong in random.sample(WRONG_VALUES, 16 * times):
            yield {**valid, name: wrong}
    for _ in range(20 * times):
        yield {**valid, _unknown_name(random, known): random.choice(WRONG_VALUES)}
    for _ in range(40 * times):
        chosen = random.sample(known, random.randint(1, min(4, len(known))))
        changed = {**valid, **{name: random.choice(WRONG_VALUES) for name in chosen}}
        if random.random() < 0.5:
            changed[_unknown_name(random, known)] = 1
        yield changed


def _unknown_name(random: Random, known: tuple[str, ...]) -> str:
    """A known name with a mistake in it, or any other text."""
    name = random.choice(known)
    place = random.randrange(len(name))
    misspelt = (name[:place] + name[place + 1 :], name[:place] + "x" + name[place:], name.upper())
    return random.choice((*misspelt, "unknown", "", "a/b~c", "\u00e9" * 120, "a\0b"))


def _with_json(endpoint: str, target: str, body: object) -> Sent:
    return Sent(endpoint, target, json.dumps(body).encode(), {"Content-Type": JSON})


_EVENTS = (
    entered(_AT, "s", 1, id="1", head_sha="1a" * 20),
    left(_AT, "s", 1, id="2", batch_id="b", seconds_waiting_for_schedule=1, seconds_waiting_for_freeze=0.5),
    started(_AT, "s", 1, "b", [1], id="3", attempt=1),
    ended(_AT, "s", 1, "b", id="4", attempt=1),
    event("bisection_started", _AT, id="5", batch_id="b", depth=0, batch_pull_requests=[1]),
    event("bisection_ended", _AT, id="6", batch_id="b", culprit_found=True, max_failures_reached=False),
)


_WRONG_TYPES: tuple[Any, ...] = ("", "queue", "queue_left", 1, None, [])


def _events(endpoint: str) -> Iterator[Sent]:
    target, random = f"{_KNOWN}/events", Random("events")
    yield from _texts(endpoint, target)
    for text in MALFORMED:
        yield Sent(endpoint, target, b'{"id":1}\n\n%b\n[]' % text, {"Content-Type": "application/x-ndjson"})
    deliveries = []
    for valid in _EVENTS:
        wrong = [
            *_wrong_objects(random, valid, ("priority_rule_name", "source"), 1),
            *({**valid, "type": type} for type in _WRONG_TYPES),
        ]
        deliveries += wrong
        yield from (_with_json(endpoint, target, [one]) for one in random.sample(wrong, 60))
    for _ in range(40):
        several = random.sample(deliveries, random.randint(2, 5))
        yield _with_json(endpoint, target, several)
        lines = b"\n".join(json.dumps(one).encode() for one in several)
        yield Sent(endpoint, target, lines, {"Content-Type": "application/x-ndjson"})
    for members in ([2], [1, 1], [2, 2, -1], [2**63]):
        yield _with_json(endpoint, target, [{**_EVENTS[2], "batch_pull_requests": members}])
    half = json.dumps([{**_EVENTS[0], "base_ref": "\ud800"}]).encode()
    yield Sent(endpoint, target, half, {"Content-Type": JSON})
    yield _with_json(endpoint, target, [{}] * 150)
    yield _with_json(endpoint, target, [1] * 10_001)
    yield Sent(endpoint, target, b"[" + b"[]," * 30_000 + b"1]", {"Content-Type": JSON})


def _webhooks(endpoint: str) -> Iterator[Sent]:
    for text in MALFORMED:
        if len(text) < 100:
            yield Sent(endpoint, HOOK, text, signed_headers("merge_group", "guid-1", text, SECRET))
    for headers in WRONG_HEADERS:
        yield Sent(endpoint, HOOK, b"{}", {**signed_headers("push", "guid-2", b"{}", SECRET), **headers})
    for event_name, guid in (("", "g"), ("Push", "g"), ("push", ""), ("push", "x" * 101), ("p" * 61, "g")):
        yield Sent(endpoint, HOOK, b"{}", signed_headers(event_name, guid, b"{}", SECRET))
    yield Sent(endpoint, HOOK, b"{}", signed_headers("push", "guid-3", b"{}", "another secret"))
    yield Sent(endpoint, f"{HOOK}?x=1", b"{}", signed_headers("push", "guid-4", b"{}", SECRET))


def _snapshots(endpoint: str) -> Iterator[Sent]:
    target, valid = f"{_KNOWN}/pulls/7/snapshot", record()
    yield from _objects(target, valid, "files", "recorded_at", "behind", "teams", "review_decision")(endpoint)
    changes = list(_wrong_objects(Random("pull"), valid["pull"], (), 1))
    for changed in Random("some pulls").sample(changes, 200):
        yield _with_json(endpoint, target, {**valid, "pull": changed})
    yield _with_json(endpoint, f"{_KNOWN}/pulls/8/snapshot", valid)
    yield _with_json(endpoint, f"{_KNOWN}/pulls/9223372036854775808/snapshot", valid)


_ITEM = {"id": "note-7", "kind": "note", "body": {"id": 7}}
_IDENTITY = {"id": 7, "full_name": "acme/widgets"}


def _imports(endpoint: str) -> Iterator[Sent]:
    target = f"{_KNOWN}/sources/github/deliveries"
    valid: dict[str, Any] = {"items": [], "cursor": None, "reached": None}
    yield from _objects(target, valid, "repository")(endpoint)
    for item in _wrong_objects(Random("item"), _ITEM, (), 1):
        yield _with_json(endpoint, target, {"items": [_ITEM, item]})
    for identity in _wrong_objects(Random("identity"), _IDENTITY, (), 1):
        yield _with_json(endpoint, target, {"items": [], "repository": identity})
    for more in ({"repository": _IDENTITY}, {"items": [_ITEM] * 10_001}, {"cursor": "x" * (1 << 21)}):
        yield _with_json(endpoint, f"{_KNOWN}/sources/gitlab/deliveries", {**valid, **more})


_REPOSITORY = "/v1/repos/{owner}/{repository}"
_FORECAST_OPTIONS = ("queue_name", "start_at", "end_at", "seed", "baseline")
_POLICIES: tuple[Any, ...] = (
    *({"settings": 1}, {"settings": {}, "config_yml": ""}, {"config_yml": 1}, {"config_yml": None}),
    *({"config_yml": "x" * 70_000, "x": 1}, {"settings": {"x": "y" * 70_000}}, {"setting": {}}),
)
_LIMITS: tuple[Any, ...] = (
    *(
        {"time_to_merge_p95": 0},
        {"time_to_merge_p95": "1"},
        {"time_to_merge_p95": True},
        {"p50": 1},
        {"time_to_merge_p95": 1, "ci_runs_per_merge": 1},
        {"ci_runs_per_merge": -1},
    ),
)


def _products(endpoint: str) -> Iterator[Sent]:
    target = f"{_KNOWN}/products"
    yield from _objects(target, {"products": ["merge_queues"]}, times=2)(endpoint)
    known = ("merge_queue", "workflow_automation", "merge_queue", "Merge_queue", "x", "x" * 200, "")
    random = Random("products")
    for _ in range(20):
        yield _with_json(endpoint, target, {"products": [*random.sample(known, 4), "merge_protection"]})


def _sign_ins(endpoint: str) -> Iterator[Sent]:
    target = "/v1/session"
    yield from _objects(target, {"token": "x"}, "code", "replace", times=2)(endpoint)
    for body in ({"token": "x" * 9000}, {"code": "\u00e9"}, {"token": "x", "code": "x"}, {"replace": False}):
        yield _with_json(endpoint, target, body)


def _forecasts(endpoint: str) -> Iterator[Sent]:
    target, valid = f"{_UNKNOWN}/forecast", {"base_ref": "main", "candidate": {"settings": {"batch_size": 5}}}
    yield from _objects(target, valid, *_FORECAST_OPTIONS, times=2)(endpoint)
    for policy in _POLICIES:
        yield _with_json(endpoint, target, {**valid, "candidate": policy})
        yield _with_json(endpoint, target, {**valid, "baseline": policy, "seed": -1})
    for start, end in ((_AT, _AT), ("2026-03-03T00:00:00Z", _AT), ("2024-01-01T00:00:00Z", _AT), (_AT, "x")):
        yield _with_json(endpoint, target, {**valid, "start_at": start, "end_at": end, "seed": -1})


_VARIED: tuple[Any, ...] = ({"a": []}, {"a": [1] * 101}, {"a": 1}, {"a": [1], "b": None})


def _searches(endpoint: str) -> Iterator[Sent]:
    target, valid = f"{_UNKNOWN}/forecast/search", {"base_ref": "main", "vary": {"batch_size": [1, 3]}}
    yield from _objects(target, valid, *_FORECAST_OPTIONS, "limit", times=2)(endpoint)
    for limit in _LIMITS:
        yield _with_json(endpoint, target, {**valid, "limit": limit})
    for vary in _VARIED:
        yield _with_json(endpoint, target, {**valid, "vary": vary})


def _capacities(endpoint: str) -> Iterator[Sent]:
    target, valid = f"{_UNKNOWN}/forecast/capacity", {"base_ref": "main"}
    yield from _objects(target, valid, *_FORECAST_OPTIONS, "limit", "vary", times=2)(endpoint)
    for limit in _LIMITS:
        yield _with_json(endpoint, target, {**valid, "limit": limit})
    for vary in _VARIED:
        yield _with_json(endpoint, target, {**valid, "vary": vary})


_DESCRIPTION = {
    "pull_request": 7,
    "title": "Assign berths",
    "author": "ada",
    "url": "https://forge.example/7",
}


def _descriptions(endpoint: str) -> Iterator[Sent]:
    target = f"{_KNOWN}/pulls"
    yield from (Sent(endpoint, target, text, {"Content-Type": JSON}) for text in MALFORMED)
    for wrong in _wrong_objects(Random("description"), _DESCRIPTION, (), 1):
        yield _with_json(endpoint, target, [_DESCRIPTION, wrong])
    yield _with_json(endpoint, target, [_DESCRIPTION] * 10_001)


_SECTIONS: dict[str, dict[str, Any]] = {
    "thresholds": {"figure": "run_too_long", "value": 60, "queue_name": None, "alert": True},
    "reference_periods": {
        "name": "march",
        "base_ref": "main",
        "queue_name": "default",
        "start_at": _AT,
        "end_at": _AT,
    },
    "notifications": {"channel": "slack", "rules": [{"what": "alert"}]},
}


def _settings(endpoint: str) -> Iterator[Sent]:
    """Wrong sections, and wrong objects in them; a dry run changes nothing."""
    target, random = f"{_KNOWN}/settings?dry_run=true", Random("settings")
    headers = {"Content-Type": JSON, "If-Match": "*"}
    yield from (Sent(endpoint, target, text, headers) for text in MALFORMED)
    bodies = [*_wrong_objects(random, {name: [] for name in _SECTIONS}, ("prices",), 1)]
    bodies += [
        {section: [changed]}
        for section, one in _SECTIONS.items()
        for changed in _wrong_objects(random, one, (), 1)
    ]
    prices = {"currency": "USD", "per_minute": "0.008", "by_runner": {}}
    bodies += [{"prices": changed} for changed in _wrong_objects(random, prices, (), 1)]
    yield from (Sent(endpoint, target, json.dumps(body).encode(), headers) for body in bodies)
    yield _with_json(endpoint, target, {"prices": None})
    yield Sent(endpoint, target, b"{}", {"Content-Type": JSON, "If-Match": '"other"'})


_BODIES: dict[str, Callable[[str], Iterator[Sent]]] = {
    "POST /v1/keys": _objects(
        "/v1/keys",
        {"owner": "acme", "name": "a key", "expires_at": "2026-01-01T00:00:00Z"},
        "scopes",
        times=2,
    ),
    "POST /v1/session": _sign_ins,
    f"PUT {_REPOSITORY}/products": _products,
    f"POST {_REPOSITORY}/pulls": _descriptions,
    f"PUT {_REPOSITORY}/settings": _settings,
    f"PUT {_REPOSITORY}/pulls/{{number}}/snapshot": _snapshots,
    f"POST {_REPOSITORY}/sources/{{source}}/deliveries": _imports,
    f"POST {_REPOSITORY}/forecast": _forecasts,
    f"POST {_REPOSITORY}/forecast/search": _searches,
    f"POST {_REPOSITORY}/forecast/capacity": _capacities,
    f"POST {_REPOSITORY}/events": _events,
    f"POST {_REPOSITORY}/simulator": _objects(f"{_KNOWN}/simulator", {"config_yml": "x: y"}, "mergify_yml"),
    f"POST {_REPOSITORY}/configuration-simulator": _objects(
        f"{_KNOWN}/configuration-simulator", {"config_yml": "x: y"}, "mergify_yml"
    ),
    f"POST {_REPOSITORY}/pulls/{{number}}/simulator": _objects(
        f"{_KNOWN}/pulls/7/simulator", {"config_yml": "x: y"}, "mergify_yml"
    ),
    f"POST {HOOK}": _webhooks,
}
