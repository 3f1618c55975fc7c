"""Commands say that a part of the period was deleted because of its age."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from builders import entered, left, worked_example
from cli.program import mergecast
from forecast.answers import forecast_answer
from live_server import TOKEN, LiveServer, live_server
from local_http import Reply, local_server
from mergecast.queues.model.instant import DAY, parse_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.expire_events import drop_old_events

pytestmark = pytest.mark.server

_NOW = parse_instant("2026-03-31T12:00:00Z")
_PERIOD = ("--start", "2026-03-01T00:00:00Z", "--end", "2026-03-22T00:00:00Z", "--utc")
_EMPTY = ("--start", "2026-03-05T00:00:00Z", "--end", "2026-03-12T00:00:00Z", "--utc")
_LINE = "what ended before 2026-03-11 00:00, UTC, was deleted because of its age"


@pytest.fixture(scope="module")
def aged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server that kept one stay of two days."""
    with live_server(tmp_path_factory.mktemp("aged"), now=lambda: _NOW, events_keep=20 * DAY) as server:
        stay = [entered("2026-03-20T10:00:00Z", "c", 3), left("2026-03-20T11:00:00Z", "c", 3)]
        server.send([*worked_example(), *stay]).raise_for_status()
        asyncio.run(drop_old_events(server.store, Repository("acme", "widgets"), _NOW, 20 * DAY))
        yield server


@pytest.mark.parametrize(
    "words",
    [
        ("summary", "acme/widgets", *_PERIOD),
        ("stats", "acme/widgets", "queue_size", *_PERIOD),
        ("stats", "acme/widgets", "time_to_merge", "--at", "2026-03-17T00:00:00Z", "--utc"),
        ("summary", "acme/widgets", *_EMPTY),
        ("store", "stays", "acme/widgets", *_EMPTY),
        ("store", "stays", "acme/widgets", *_PERIOD),
        ("pull", "acme/widgets#3", "--utc"),
    ],
)
def test_a_text_says_so(aged: LiveServer, words: tuple[str, ...]) -> None:
    ended = mergecast(*words, "--url", aged.url, "--token", TOKEN, data=Path("unused"))

    assert 1 == ended.out.splitlines().count(_LINE)
    assert "kept_since" not in ended.out


def test_a_report_says_so(aged: LiveServer, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    place = ("--url", aged.url, "--token", TOKEN)
    mergecast("report", "acme/widgets", *_PERIOD, "-o", file, *place, data=Path("unused"))

    assert _LINE in file.read_text(encoding="utf-8")


@pytest.mark.parametrize("words", [(), ("--format", "csv", "--table", "stays")])
def test_an_export_says_so_beside_the_file(aged: LiveServer, words: tuple[str, ...]) -> None:
    ended = mergecast(
        "store", "export", "acme/widgets", *words, "--url", aged.url, "--token", TOKEN, data=Path("unused")
    )

    assert (0, True, False) == (ended.code, _LINE in ended.err.splitlines(), _LINE in ended.out)


def test_a_forecast_says_so(tmp_path: Path) -> None:
    window = {"start_at": "2026-01-01T00:00:00Z", "end_at": "2026-03-02T00:00:00Z"}
    head = {"base_ref": "main", "queue_name": None, "window": window, "kept_since": "2026-03-11T00:00:00Z"}
    answer = {**forecast_answer("good"), **head}
    with local_server(lambda _: Reply(200, json.dumps(answer).encode())) as server:
        place = ("--url", server.url, "--token", "t")
        ended = mergecast(
            "forecast",
            "acme/widgets",
            "--branch",
            "main",
            "--set",
            "batch_size=5",
            *place,
            data=tmp_path / "none",
        )

    assert (0, True) == (ended.code, _LINE in ended.out.splitlines())
