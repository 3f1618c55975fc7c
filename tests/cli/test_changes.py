"""`mergecast changes`."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from changes.history import END, slower_from
from cli.program import Ending, mergecast
from live_server import TOKEN, LiveServer, live_server
from mergecast.queues.model.instant import format_instant

pytestmark = pytest.mark.server

_NAME = "acme/slower"
_PERIOD = ("--start", "2026-05-04", "--end", format_instant(END), "--utc")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("changes"), now=lambda: END) as live:
        live.send(slower_from(), _NAME).raise_for_status()
        live.send(slower_from(weeks=1), "acme/young").raise_for_status()
        yield live


def _run(server: LiveServer, *words: str) -> Ending:
    ended = mergecast("changes", *words, "--url", server.url, "--token", TOKEN, data=Path("unused"))
    # Servers of this process log to the same place.
    said = "".join(line for line in ended.err.splitlines(keepends=True) if not line.startswith("{"))
    return Ending(ended.code, ended.out, said)


def test_changes_are_printed_with_their_dates_and_levels(server: LiveServer) -> None:
    ended = _run(server, _NAME, *_PERIOD)
    first, _, *rows = (line.split() for line in ended.out.splitlines())
    assert " ".join(first) == "3 changes began in this period."
    row = next(row for row in rows if row[3:5] == ["length", "of"])
    assert row == [
        *("2026-07-15", "2026-07-15", "2026-07-15"),
        *("length", "of", "passed", "CI", "runs,", "p50", "15m", "23m", "+57%", "2026-07-26"),
    ]


def test_json_is_the_answer_of_the_server(server: LiveServer) -> None:
    asked = {"start_at": "2026-05-04T00:00:00Z", "end_at": format_instant(END)}
    answer = server.http.get(f"/v1/repos/{_NAME}/changes", params=asked).json()
    assert json.loads(_run(server, _NAME, *_PERIOD, "--json").out) == answer


def test_too_little_history_is_said(server: LiveServer) -> None:
    ended = _run(server, "acme/young", "--start", "2026-05-04", "--end", "2026-05-11", "--utc")
    assert ended.out.splitlines()[0] == "There is too little history to find changes: it takes 7 more days."


def test_an_unknown_queue_is_an_error(server: LiveServer) -> None:
    ended = _run(server, _NAME, *_PERIOD, "--queue", "defualt")
    assert ended.code == 1
    assert "defualt" in ended.err
