"""Answers about periods of which something was deleted because of its age say so."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from builders import entered, left, worked_example
from live_server import LiveServer, live_server
from mergecast.queues.model.instant import DAY, parse_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.stats.published import STATISTICS
from mergecast.queues.store.expire_events import drop_old_events

_BEGIN = parse_instant("2026-03-02T12:00:00Z")
_KEEP = 20 * DAY
_LIMIT = "2026-03-11T00:00:00Z"
_NEW = [entered("2026-03-20T10:00:00Z", "c", 3), left("2026-03-20T11:00:00Z", "c", 3)]


@dataclass
class _Clock:
    now: int = _BEGIN

    def __call__(self) -> int:
        return self.now


@dataclass
class _Aged:
    server: LiveServer
    counted: list[str]  # before anything was deleted
    old: list[dict[str, Any]]
    clock: _Clock


@pytest.fixture(scope="module")
def aged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[_Aged]:
    """A server that got events of two days, of which one was deleted."""
    clock = _Clock()
    folder: Path = tmp_path_factory.mktemp("aged")
    with live_server(folder, now=clock, events_keep=_KEEP) as server:
        old = worked_example()
        server.send(old).raise_for_status()
        counted = _counters(server)
        clock.now = _BEGIN + 29 * DAY
        server.send(_NEW).raise_for_status()
        asyncio.run(drop_old_events(server.store, Repository("acme", "widgets"), clock(), _KEEP))
        yield _Aged(server, counted, old, clock)


def _counters(server: LiveServer) -> list[str]:
    text = server.http.get("/v1/metrics").text
    return [line for line in text.splitlines() if "widgets" in line and "_total" in line]


@pytest.mark.parametrize("name", STATISTICS)
def test_a_period_that_begins_earlier_says_so(aged: _Aged, name: str) -> None:
    if name == "time_to_merge":
        earlier, later = {"at": "2026-03-17T00:00:00Z"}, {"at": "2026-03-18T00:00:00Z"}
    else:
        end = {"end_at": "2026-03-21T00:00:00Z"}
        earlier, later = {"start_at": "2026-03-10T23:59:59Z", **end}, {"start_at": _LIMIT, **end}

    said, silent = (aged.server.stats(name, **window) for window in (earlier, later))

    if name == "time_to_merge":
        (said,), (silent,) = said, silent
    assert _LIMIT == said.pop("kept_since")
    assert silent.keys() == said.keys()


def test_a_summary_looks_at_the_period_it_compares_with(aged: _Aged) -> None:
    """Figures are not compared with those of a period that is not whole."""
    path, end = "/v1/repos/acme/widgets/summary", {"end_at": "2026-03-21T00:00:00Z"}

    said = aged.server.http.get(path, params={"start_at": "2026-03-14T00:00:00Z", **end}).json()
    silent = aged.server.http.get(path, params={"start_at": "2026-03-18T00:00:00Z", **end}).json()

    assert (_LIMIT, None) == (said["kept_since"], said["all"]["merged_per_day"]["change"])
    assert "kept_since" not in silent


def test_lists_say_so(aged: _Aged) -> None:
    stays = aged.server.http.get("/v1/repos/acme/widgets/stays", params={"start_at": "2026-03-01T00:00:00Z"})
    (listed,) = aged.server.http.get("/v1/repos").json()["repositories"]
    history = aged.server.http.get("/v1/repos/acme/widgets/pulls/3/history").json()

    assert (_LIMIT, ["c"]) == (
        stays.json()["kept_since"],
        [stay["session_id"] for stay in stays.json()["stays"]],
    )
    assert (_LIMIT, "2026-03-02T10:00:00Z", 2) == (
        listed["kept_since"],
        listed["first_event_at"],
        listed["events"],
    )
    assert _LIMIT == history["kept_since"]


def test_exports_and_badges_say_so_in_a_header(aged: _Aged) -> None:
    """A badge only if the last 7 days begin earlier, and then also in its title."""
    http, path = aged.server.http, "/v1/repos/acme/widgets"
    exports = [f"{path}/events", *(f"{path}/export/stays?format={format}" for format in ("csv", "parquet"))]

    assert {_LIMIT} == {
        answer.headers["Mergecast-Kept-Since"]
        for one in exports
        for answer in (http.get(one), http.head(one))
    }
    now = aged.clock.now
    names = ("total_queue_time", "queue_size", "failure_rate")
    silent = [http.get(f"{path}/badges/{name}.svg") for name in names]
    aged.clock.now = parse_instant("2026-03-15T00:00:00Z")
    said = [http.get(f"{path}/badges/{name}.svg") for name in names]
    aged.clock.now = now
    assert [None] * 3 == [answer.headers.get("Mergecast-Kept-Since") for answer in silent]
    assert [_LIMIT] * 3 == [answer.headers["Mergecast-Kept-Since"] for answer in said]
    note = f"; what ended before {_LIMIT} is not kept</title>"
    assert ([False] * 3, [True] * 3) == tuple([note in one.text for one in each] for each in (silent, said))


def test_counters_do_not_fall(aged: _Aged) -> None:
    assert len(aged.counted) > 3
    assert aged.counted == _counters(aged.server)


def test_what_was_deleted_is_counted_as_expired(aged: _Aged) -> None:
    answer = aged.server.send([*aged.old, *_NEW])

    sources = aged.server.http.get("/v1/repos/acme/widgets/sources").json()["sources"]
    assert {"stored": 0, "duplicates": 2, "expired": 12} == answer.json()
    assert [("api", "api", 12)] == [(one["source"], one["kind"], one["expired"]) for one in sources]
