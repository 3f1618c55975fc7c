"""A forecast that takes too long or too much memory costs its process; the server and statistics continue."""

import json
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from builders import entered
from live_server import TOKEN, LiveServer, live_server
from local_client import local_client
from mergecast.client.client import Client
from mergecast.client.errors import ErrorResponse
from mergecast.forecasting.replay.values import Policy, QueueRule
from mergecast.judge.pools import FORECASTS
from mergecast.queues.model.instant import format_instant
from mergecast.sandbox.fork_server import ForkServer
from mergecast.sandbox.pool import Pool
from robustness.answers_beside import MANY, answers_beside
from robustness.server_process import ServerProcess, server_process
from shared_fork_servers import FOR_FORECASTS, PATIENT
from worlds.events import history_of
from worlds.wire import wire_event
from worlds.world import START, World

WORLD = World(5, days=30, pulls_per_day=60, length_median=10, weekend=0.5)
WINDOW = {"start_at": format_instant(START), "end_at": format_instant(WORLD.end)}
ASKED = {"base_ref": "main", **WINDOW, "candidate": {"settings": {"batch_size": 1}}}
SMALL, BREAKING = (
    (sys.executable, "-I", str(Path(__file__).parents[1] / "judge" / f"{name}_forecaster.py"))
    for name in ("small", "breaking")
)
PATH = "/v1/repos/acme/widgets"
_PATIENT = partial(Pool, FORECASTS, patience=PATIENT)


@pytest.fixture(scope="module")
def events() -> list[dict[str, Any]]:
    record = WORLD.play(Policy(rules=(QueueRule(2, 2, 60_000_000),), max_parallel_checks=3))
    return [wire_event(event) for event in history_of(WORLD, record)]


@contextmanager
def _serving(
    folder: Path, events: list[dict[str, Any]], forecaster: Callable[[], Pool]
) -> Iterator[LiveServer]:
    with live_server(folder, forecaster=forecaster) as server:
        for first in range(0, len(events), 5000):
            assert server.send(events[first : first + 5000]).status_code < 300
        yield server


def test_a_forecast_that_takes_too_long(tmp_path: Path, events: list[dict[str, Any]]) -> None:
    """It is refused with what to do, each time; statistics are answered afterwards."""
    with _serving(tmp_path, events, partial(_PATIENT, 1, FOR_FORECASTS, 0.3)) as server:
        refused = [server.http.post(f"{PATH}/forecast", json=ASKED) for _ in range(2)]
        answered = server.http.get(f"{PATH}/stats/queue_size", params=WINDOW)

    expected = (
        "this takes more than 0.3 seconds, the time limit; choose a shorter period, or fewer combinations"
    )
    assert [(one.status_code, one.json()["detail"]) for one in refused] == [(422, expected)] * 2
    assert answered.status_code == 200


def test_a_forecast_that_takes_too_much_memory(tmp_path: Path, events: list[dict[str, Any]]) -> None:
    """It is refused with what to do; statistics are answered afterwards."""
    with _serving(tmp_path, events, partial(_PATIENT, 1, ForkServer(SMALL), 60.0)) as server:
        refused = server.http.post(f"{PATH}/forecast", json=ASKED)
        answered = server.http.get(f"{PATH}/stats/queue_size", params=WINDOW)

    # Libraries that find no memory end the process; others raise an error.
    reasons = (
        "this takes more memory than a forecast may use",
        "the forecasting process ended without an answer, perhaps because it ran out of memory",
    )
    assert refused.status_code == 422
    reason, _, advice = refused.json()["detail"].partition("; ")
    assert reason in reasons
    assert advice == "choose a shorter period, or fewer combinations"
    assert answered.status_code == 200


def test_a_search_that_breaks_off(tmp_path: Path) -> None:
    """The last line is the error, for clients that have read the first ones."""
    with _serving(tmp_path, [], partial(_PATIENT, 1, ForkServer(BREAKING), 60.0)) as server:
        server.send([entered("2026-03-02T10:00:00Z", "a", 1)]).raise_for_status()
        asked = {"base_ref": "main", **WINDOW, "vary": {"batch_size": [1, 2]}}
        with Client(server.url, TOKEN) as client:
            lines = client.replayed("acme/widgets", "forecast/search", asked, object)
            first = next(lines).raw
            with pytest.raises(ErrorResponse) as broken_off:
                list(lines)

    assert first == {"progress": {"settings": {"batch_size": 1}}}
    assert broken_off.value.status == 422
    assert str(broken_off.value) == (
        "the forecasting process ended without an answer, perhaps because it ran out of memory; "
        "choose a shorter period, or fewer combinations"
    )


@pytest.fixture
def busy(tmp_path: Path, events: list[dict[str, Any]]) -> Iterator[ServerProcess]:
    with server_process(tmp_path) as started:
        with started.client() as http:
            for first in range(0, len(events), 5000):
                sent = http.post(f"{PATH}/events", json=events[first : first + 5000])
                sent.raise_for_status()
            # The forecasting process starts with the first question, which may be a short one.
            two_weeks = ASKED | {"end_at": "2026-09-14T00:00:00Z"}
            http.post(f"{PATH}/forecast", json=two_weeks).raise_for_status()
        yield started


def test_statistics_beside_a_forecast(busy: ServerProcess) -> None:
    """While the server computes one forecast, statistics are answered many times."""

    def ask(http: httpx.Client, number: int) -> None:
        # No query is repeated, so that the cache answers none.
        window = WINDOW | {"end_at": f"2026-09-29T00:00:00.{number:06}Z"}
        http.get(f"{PATH}/stats/queue_size", params=window).raise_for_status()

    def forecast() -> None:
        with busy.client() as http:
            http.post(f"{PATH}/forecast", json=ASKED).raise_for_status()

    assert answers_beside(busy, ask, forecast) >= MANY


def test_a_forecast_beside_a_search(tmp_path: Path, events: list[dict[str, Any]]) -> None:
    """One key searches for long; another one gets its short forecast before the search has ended."""
    sizes = list(range(1, 6))
    search = {"base_ref": "main", **WINDOW, "vary": {"batch_size": sizes, "max_parallel_checks": sizes}}
    two_weeks = ASKED | {"end_at": "2026-09-14T00:00:00Z"}
    begun, lines = threading.Event(), []

    def read_search(url: str, key: str) -> None:
        headers = {"Authorization": f"Bearer {key}", "Accept": "application/x-ndjson"}
        with (
            local_client(url, timeout=600) as http,
            http.stream("POST", f"{PATH}/forecast/search", json=search, headers=headers) as answer,
        ):
            for line in answer.iter_lines():
                lines.append(json.loads(line))
                begun.set()

    with _serving(tmp_path, events, partial(_PATIENT, 4, FOR_FORECASTS, 600.0)) as server:
        greedy, modest = (server.key("acme")["key"] for _ in range(2))
        searching = threading.Thread(target=read_search, args=(server.url, greedy))
        searching.start()
        assert begun.wait(600)
        forecast = server.ask(modest, f"{PATH}/forecast", "POST", json=two_weeks)
        before = len(lines)
        searching.join()

    assert 200 == forecast.status_code
    assert before < len(lines), "the search had not ended"
    assert 25 == len(lines[-1]["combinations"])
