"""Acknowledged deliveries survive a crash at any moment."""

import time
from collections import defaultdict
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
import pytest

from postgres.server import database_process, new_store
from robustness.delivery_stream import DAY, REPOSITORY, DeliveryStream, Wire, delivery
from robustness.server_process import server_process
from waiting import wait_until

_KILLS = 10
_KILLS_WHILE_STARTING = 5
_DATABASE_KILLS = 4
_MOST_EVENTS = 10_000
_STATISTICS = (
    "total_queue_time",
    "idle_queue_time",
    "queue_size",
    "average_ci_runtime",
    "queues_merged_count",
)


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest) -> str | None:
    """Where the killed server keeps its data: in its folder, or in a database."""
    if request.param == "sqlite":
        return None
    return new_store(request.getfixturevalue("database_server"))


def test_kill_at_random_moments(tmp_path: Path, database_url: str | None) -> None:
    """After 16 kills each delivery is stored whole or not at all, and each acknowledged one exactly once."""
    chance = Random(20260302)
    with server_process(tmp_path, database_url=database_url) as server:
        with DeliveryStream(server, clients=3) as stream:
            for _ in range(_KILLS):
                stream.wait_for_acknowledgement()
                time.sleep(chance.uniform(0.02, 0.25))
                server.kill()
                server.start()
            for _ in range(_KILLS_WHILE_STARTING):
                server.kill()
                server.start_without_waiting()
                time.sleep(chance.uniform(0.02, 0.3))  # opening the store takes about 0.2 s
            server.kill()
            server.start()
            stream.wait_for_acknowledgement()

        with server.client() as http:
            assert [] == stream.refusals
            assert stream.cut_off >= _KILLS // 2
            _nothing_lost_doubled_or_split(http, stream)


def test_kill_the_database(tmp_path: Path) -> None:
    """While it is down the server responds with 503; once the database is back, the server recovers."""
    chance = Random(20260303)
    with database_process() as database, server_process(tmp_path, database_url=database.address) as server:
        with DeliveryStream(server, clients=3, expects_outages=True) as stream:
            for _ in range(_DATABASE_KILLS):
                stream.wait_for_acknowledgement()
                time.sleep(chance.uniform(0.2, 0.8))
                database.kill()
                time.sleep(chance.uniform(0.0, 0.5))
                database.start()
            stream.wait_for_acknowledgement()

        with server.client() as http:
            assert [] == stream.refusals
            wait_until(lambda: http.get("/readyz").is_success, "the connection to the database")
            _nothing_lost_doubled_or_split(http, stream)


def _nothing_lost_doubled_or_split(http: httpx.Client, stream: DeliveryStream) -> None:
    stored = _stored_by_delivery(http)

    assert {} == _incomplete(stored)
    assert set() == stream.acknowledged - set(stored)
    assert stored.keys() <= stream.sent
    _resend(http, stream.sent, {number for number in stream.sent if number not in stored})
    assert stream.sent == _stored_by_delivery(http).keys()
    _facts_follow_from_events(http)


def _stored_by_delivery(http: httpx.Client) -> dict[int, list[Wire]]:
    """All exported events by the number of their delivery."""
    answer = http.get(f"{REPOSITORY}/events")
    found: dict[int, list[Wire]] = defaultdict(list)
    for event in msgspec.json.Decoder().decode_lines(answer.content):
        found[int(event["id"].partition(".")[0])].append(event)
    return found


def _incomplete(stored: dict[int, list[Wire]]) -> dict[int, int]:
    """Deliveries that are not stored exactly as sent, with the number of events stored."""
    return {
        number: len(events)
        for number, events in stored.items()
        if sorted(events, key=_place) != delivery(number)
    }


def _place(event: Wire) -> int:
    return int(event["id"].partition(".")[2])


def _resend(http: httpx.Client, sent: set[int], missing: set[int]) -> None:
    """Send everything again: nothing conflicts, and only missing events are new."""
    parcel: list[Wire] = []
    expected = sum(len(delivery(number)) for number in missing)
    stored = 0
    for number in sorted(sent):
        content = delivery(number)
        if len(parcel) + len(content) > _MOST_EVENTS:
            stored += _stored(http, parcel)
            parcel = []
        parcel += content
    stored += _stored(http, parcel)

    assert expected == stored


def _stored(http: httpx.Client, events: list[Wire]) -> int:
    answer = http.post(f"{REPOSITORY}/events", json=events)
    assert 200 == answer.status_code, answer.text
    return int(answer.json()["stored"])


def _facts_follow_from_events(http: httpx.Client) -> None:
    """A rebuild changes no answer."""
    before = _answers(http)

    rebuilt = http.post("/v1/admin/rebuild")

    assert 200 == rebuilt.status_code
    assert before == _answers(http)


def _answers(http: httpx.Client) -> dict[str, Any]:
    return {name: http.get(f"{REPOSITORY}/stats/{name}", params=DAY).json() for name in _STATISTICS}
