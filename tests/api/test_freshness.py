"""How old the newest event is, what is usual, and what a queue expects when nothing is heard of it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from api.changed_settings import put_settings
from api.problem_documents import unknown_repository
from builders import entered, left
from live_server import LiveServer, live_server
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, format_instant, parse_instant
from signals.steady import steady_events
from waiting import wait_until

NOW = parse_instant("2026-11-02T12:00:00Z")
PATH = "/v1/repos/acme/widgets"


class Clock:
    now = NOW

    def __call__(self) -> int:
        return self.now


@pytest.fixture(scope="module")
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, clock: Clock) -> Iterator[LiveServer]:
    """A queue that something happens in every half hour, and one with a single event."""
    folder: Path = tmp_path_factory.mktemp("freshness")
    with live_server(folder, now=clock) as running:
        running.send([*steady_events(NOW, weeks=3)])
        running.send([entered(format_instant(NOW - MINUTE), "waiting", 9001)])
        running.send([entered(format_instant(NOW - MINUTE), "only", 1)], "acme/small")
        yield running


def test_a_silence_that_is_unusual(server: LiveServer, clock: Clock) -> None:
    """For a steady queue that is less than a day, and the queue expects nothing then."""
    clock.now = NOW
    fresh = server.http.get(f"{PATH}/freshness").json()
    queue = server.http.get(f"{PATH}/queue").json()
    assert ("2026-11-02T12:00:00Z", "2026-11-02T11:59:00Z", False) == (
        fresh["at"],
        fresh["newest_event_at"],
        fresh["is_quiet"],
    )
    assert fresh["newest_event_at"] == queue["newest_event_at"]
    assert fresh["quiet_after"] == queue["quiet_after"]
    assert HOUR // 2 < parse_instant(fresh["quiet_after"]) - NOW < DAY
    assert queue["queues"][0]["expected_merges"] in ("pending", "known")

    clock.now = parse_instant(fresh["quiet_after"]) + MINUTE
    later, queue = server.http.get(f"{PATH}/freshness").json(), server.http.get(f"{PATH}/queue").json()
    assert (True, fresh["quiet_after"]) == (later["is_quiet"], later["quiet_after"])
    assert "silent" == queue["queues"][0]["expected_merges"]
    assert [None] == [entry["expected_merge"] for entry in queue["queues"][0]["entries"]]
    waiting = server.http.get(f"{PATH}/pulls/9001/history").json()["waiting_for"]
    assert ("no_data", None) == (waiting["reason"], waiting["evidence"]["expected_merge"])


def test_without_history_a_day_is_usual(server: LiveServer, clock: Clock) -> None:
    clock.now = NOW
    fresh = server.http.get("/v1/repos/acme/small/freshness").json()

    assert {
        "at": "2026-11-02T12:00:00Z",
        "newest_event_at": "2026-11-02T11:59:00Z",
        "quiet_after": "2026-11-03T11:59:00Z",
        "is_quiet": False,
        "polled": [],
        "version": fresh["version"],
        "alerts": 0,
    } == fresh


def test_open_alerts_are_counted(server: LiveServer, clock: Clock) -> None:
    """As many as the queue answers: here a threshold that was set is exceeded."""
    clock.now, path = NOW, "/v1/repos/acme/stuck"
    server.send([entered(format_instant(NOW - MINUTE), "stuck", 1)], "acme/stuck").raise_for_status()
    threshold = {"figure": "no_run_started", "value": 600}
    put_settings(server, "acme/stuck", thresholds=[threshold]).raise_for_status()
    before = server.http.get(f"{path}/freshness").json()

    def alerts() -> list[object]:
        clock.now += 2 * MINUTE  # it is measured once a minute
        found: list[object] = server.http.get(f"{path}/queue").json()["alerts"]
        return found

    found = wait_until(alerts, "the alert")
    assert (0, len(found)) == (before["alerts"], server.http.get(f"{path}/freshness").json()["alerts"])


def test_an_event_of_a_clock_that_is_ahead_is_new_now(server: LiveServer, clock: Clock) -> None:
    """It is not in the future, and silence is not counted from a time that has not come."""
    clock.now = NOW
    server.send([entered(format_instant(NOW + 8 * MINUTE), "ahead", 1)], "acme/ahead").raise_for_status()

    found = []
    for minutes in (0, 5, 20):
        clock.now = NOW + minutes * MINUTE
        fresh = server.http.get("/v1/repos/acme/ahead/freshness").json()
        found.append((fresh["newest_event_at"], fresh["quiet_after"], fresh["is_quiet"]))

    assert [
        ("2026-11-02T12:00:00Z", "2026-11-03T12:00:00Z", False),
        ("2026-11-02T12:05:00Z", "2026-11-03T12:05:00Z", False),
        ("2026-11-02T12:08:00Z", "2026-11-03T12:08:00Z", False),
    ] == found


def test_the_version_is_the_one_of_the_stream(server: LiveServer, clock: Clock) -> None:
    """A client sees in it whether something arrived before the stream began."""
    clock.now = NOW

    def versions() -> tuple[int, int]:
        asked = server.http.get("/v1/repos/acme/small/freshness").json()["version"]
        with server.http.stream("GET", "/v1/repos/acme/small/live") as stream:
            data = next(line for line in stream.iter_lines() if line.startswith("data: "))
        return asked, json.loads(data.removeprefix("data: "))["version"]

    (first, announced), _ = versions(), server.send([left(format_instant(NOW), "only", 1)], "acme/small")
    later, then_announced = versions()
    assert (first, later) == (announced, then_announced)
    assert first < later


def test_an_unknown_repository(server: LiveServer) -> None:
    answer = server.http.get("/v1/repos/acme/unknown/freshness")

    assert (404, unknown_repository("acme/unknown")) == (answer.status_code, answer.json())
