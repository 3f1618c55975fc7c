"""`mergecast explain`."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cli.program import Ending, mergecast
from live_server import TOKEN, LiveServer, live_server
from mergecast.queues.model.instant import DAY, format_instant
from worlds.changes import queue
from worlds.events import history_of
from worlds.explained import AFTER, BEFORE
from worlds.steps import Step
from worlds.wire import wire_event
from worlds.world import World

pytestmark = [pytest.mark.server, pytest.mark.thorough]

_NAME = "acme/slower"
_WORLD = World(3, days=56, pulls_per_day=30, weekend=0.3, length_median=14, length_drift=0.02, day_noise=0.1)
_PERIOD = ("--start", format_instant(AFTER.start), "--end", format_instant(AFTER.end), "--utc")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("explained"), now=lambda: AFTER.end + DAY) as live:
        slower = replace(_WORLD, length_median=_WORLD.length_median * 1.4)
        record = Step(_WORLD, slower, AFTER.start).play(queue(2, 2))
        events = [wire_event(event) for event in history_of(_WORLD, record)]
        for first in range(0, len(events), 5000):
            live.send(events[first : first + 5000], _NAME).raise_for_status()
        yield live


def _run(server: LiveServer, *words: str) -> Ending:
    ended = mergecast("explain", *words, "--url", server.url, "--token", TOKEN, data=Path("unused"))
    # Servers of this process log to the same place.
    said = "".join(line for line in ended.err.splitlines(keepends=True) if not line.startswith("{"))
    return Ending(ended.code, ended.out, said)


def test_the_sentence_comes_first_and_a_table_with_bars_follows(server: LiveServer) -> None:
    answer = _answer(server)
    lines = _run(server, _NAME, *_PERIOD).out.splitlines()
    assert lines[:2] == [
        answer["sentence"],
        "main · 2026-08-31 to 2026-09-28, then to 2026-10-26 (UTC)",
    ]
    table = next(place for place, line in enumerate(lines) if line.startswith("time to merge, p50: "))
    assert lines[table + 1].split() == ["cause", "adds", "90%", "interval", "share"]
    rows = lines[table + 2 :]
    parts = answer["figures"][0]["parts"]
    assert [row[: len(part["words"])] for row, part in zip(rows, parts, strict=False)] == [
        part["words"] for part in parts
    ]
    assert rows[0].rstrip().endswith("█" * 24)


def test_what_is_recorded_about_a_cause_is_printed(server: LiveServer) -> None:
    (line,) = [
        line
        for line in _run(server, _NAME, *_PERIOD).out.splitlines()
        if line.startswith("CI takes longer: ")
    ]
    assert line.startswith("CI takes longer: length of passed CI runs, p50 14m → 19m")


def test_where_no_cause_is_known_none_is_named(server: LiveServer) -> None:
    """Both halves of these days are of the slower world, so what differs may be chance."""
    half = format_instant(AFTER.start + 14 * DAY)
    period = ("--start", half, "--end", format_instant(AFTER.end), "--utc")
    found = json.loads(_run(server, _NAME, *period, "--json").out)
    lines = _run(server, _NAME, *period).out.splitlines()

    assert not {"divided", "not_replayed"} & {one["state"] for one in found["figures"]}
    assert lines[2:] == [one["sentence"] for one in found["figures"]]


def test_json_is_the_answer_of_the_server(server: LiveServer) -> None:
    assert json.loads(_run(server, _NAME, *_PERIOD, "--json").out) == _answer(server)


def _answer(server: LiveServer) -> dict[str, Any]:
    periods = {
        name: {"start_at": format_instant(window.start), "end_at": format_instant(window.end)}
        for name, window in (("before", BEFORE), ("after", AFTER))
    }
    found: dict[str, Any] = server.http.post(f"/v1/repos/{_NAME}/explanation", json=periods).json()
    return found


def test_too_little_history_is_an_error(server: LiveServer) -> None:
    ended = _run(server, _NAME, "--start", "2026-10-19", "--end", "2026-10-26", "--utc")
    assert ended.code == 2
    assert "An explanation needs at least 200 merged pull requests and 14 days in each period" in ended.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--branch", "mian"), f"{_NAME} has no branch `mian`; did you mean `main`?"),
        (("--since", "400d"), "--since: must have at most 184 days"),
        (("--start", "2998-01-01", "--end", "2998-02-01"), "--end: must not be in the future"),
    ],
)
def test_what_cannot_be_explained_is_said_by_its_option(
    server: LiveServer, words: tuple[str, ...], message: str
) -> None:
    assert message in _run(server, _NAME, *words).err
