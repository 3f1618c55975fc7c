"""What is stored before the attacks: repositories that are costly to ask about, and the attackers' key."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx

from api.recorded_pulls import record
from builders import entered, started
from logged_secrets import remember
from mergecast.demo.history import demo_events
from mergecast.forecasting.replay.values import Policy, QueueRule
from soak.scene import HEAVY, OWNER, QUEUE, RECENT, WIDE
from worlds.events import history_of
from worlds.wire import wire_event
from worlds.world import World

_WORLD = World(5, days=21, pulls_per_day=60, length_median=10, weekend=0.5)
_HEAVY_EVENTS = 10_000
_WIDE_EVENTS = 2_000
_WIDE_MEMBERS = 1_000
_PER_DELIVERY = 5_000
_RECENT_WEEKS = 3
_AT = "2026-03-02T10:00:00Z"


def prepare(http: httpx.Client) -> str:
    """Store everything with the operator's client; returns the key that attackers use."""
    events = [entered(_AT, f"stay-{number}", 1, id=f"heavy-{number}") for number in range(_HEAVY_EVENTS)]
    _send(http, HEAVY, events)
    _send(http, QUEUE, _busy_queue())
    for first in range(0, _WIDE_EVENTS, 500):  # a delivery has at most 32 MiB
        _send(http, WIDE, [_wide(number) for number in range(first, first + 500)])
    send_recent(http)
    title = "a" * 60 + "!"  # slow patterns try everything before they fail
    _success(http.put(f"{QUEUE}/pulls/7/snapshot", json=record(pull={"title": title})))
    return make_key(http, OWNER)


def send_recent(http: httpx.Client) -> None:
    """The last weeks of an invented queue, until now."""
    now = datetime.now(UTC)
    monday = now.date() - timedelta(days=now.weekday(), weeks=_RECENT_WEEKS)
    _send(http, RECENT, list(demo_events(monday, now)))


def make_key(http: httpx.Client, owner: str) -> str:
    wanted = {"owner": owner, "name": "a key of the soak", "scopes": ["read", "ingest"]}
    return remember(str(_success(http.post("/v1/keys", json=wanted)).json()["key"]))


def _busy_queue() -> list[dict[str, Any]]:
    played = _WORLD.play(Policy(rules=(QueueRule(2, 2, 60_000_000),), max_parallel_checks=3))
    return [wire_event(event) for event in history_of(_WORLD, played)]


def _wide(number: int) -> dict[str, Any]:
    members = list(range(1, _WIDE_MEMBERS + 1))
    return started(_AT, f"wide-{number}", 1, f"batch-{number}", members, id=f"wide-{number}")


def _send(http: httpx.Client, path: str, events: Sequence[dict[str, Any]]) -> None:
    for first in range(0, len(events), _PER_DELIVERY):
        _success(http.post(f"{path}/events", json=events[first : first + _PER_DELIVERY]))


def _success(answer: httpx.Response) -> httpx.Response:
    assert answer.is_success, answer.text
    return answer
