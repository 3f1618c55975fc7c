"""`mergecast verdicts`, and what `mergecast pull` says about a removal."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from builders import entered, left
from cli.program import Ending, mergecast
from live_server import TOKEN, LiveServer, live_server
from mergecast.queues.model.instant import HOUR, MINUTE, format_instant, parse_instant
from waiting import wait_until

pytestmark = pytest.mark.server

_NOW = parse_instant("2026-11-02T12:00:00Z")
_NAME = "acme/widgets"
_PERIOD = ("--start", "2026-11-02", "--end", "2026-11-02T12:00:00Z", "--utc")
_SHA = "a1" * 20


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """The queue was reset; one of the two that left came back unchanged, and merged."""
    with live_server(tmp_path_factory.mktemp("verdicts"), now=lambda: _NOW) as live:
        events = [
            event
            for number, name in enumerate("ab", start=61)
            for event in (
                entered(format_instant(_NOW - 3 * HOUR), name, number, head_sha=_SHA),
                left(format_instant(_NOW - 2 * HOUR), name, number, "MERGE_QUEUE_RESET", head_sha=_SHA),
            )
        ]
        events.append(entered(format_instant(_NOW - HOUR), "c", 61, head_sha=_SHA))
        events.append(left(format_instant(_NOW - MINUTE), "c", 61))
        live.send(events).raise_for_status()
        wait_until(lambda: live.http.get(f"/v1/repos/{_NAME}/pulls/62/verdict").is_success)
        yield live


def _run(server: LiveServer, *words: str) -> Ending:
    ended = mergecast(*words, "--url", server.url, "--token", TOKEN, data=Path("unused"))
    # Servers of this process log to the same place.
    said = "".join(line for line in ended.err.splitlines(keepends=True) if not line.startswith("{"))
    return Ending(ended.code, ended.out, said)


def test_the_record_of_a_queue_is_printed(server: LiveServer) -> None:
    ended = _run(server, "verdicts", _NAME, *_PERIOD)
    lines = [line.rstrip() for line in ended.out.splitlines()]
    assert [
        (
            "default → main: 2 removals. Of all unchanged returns 100 % merged: 1 of 1 merged after "
            "“Queue it again” or “Wait”. 0 came back changed, which proves nothing; 0 never came back."
        ),
        "Whose fault: the queue (2).",
        (
            "said         times  came back and merged  failed again  came back changed  did not return"
            "  not known yet  as said"
        ),
        (
            "queue_again  2      1                     0             0                  0             "
            "  1              1 of 1"
        ),
        (
            "all of them  2      1                     0             0                  0             "
            "  1              -"
        ),
    ] == lines
    assert 0 == ended.code


def test_all_of_it_is_printed_as_json(server: LiveServer) -> None:
    found = json.loads(_run(server, "verdicts", _NAME, *_PERIOD, "--json").out)
    assert {"start_at", "end_at", "queues"} == found.keys()
    assert 2 == found["queues"][0]["removal_causes"]["queue"]


def test_a_pull_request_begins_with_the_sentence_of_its_removal(server: LiveServer) -> None:
    said = server.http.get(f"/v1/repos/{_NAME}/pulls/62/verdict").json()["sentence"]
    assert "The queue was reset; this was not about #62. Queue it again." == said
    assert said in _run(server, "pull", f"{_NAME}#62").out.splitlines()


def test_what_came_of_a_removal_stands_before_what_was_said_then(server: LiveServer) -> None:
    lines = _run(server, "pull", f"{_NAME}#61").out.splitlines()
    place = lines.index("It came back unchanged and merged.")
    assert "The queue was reset; this was not about #61. Queue it again." == lines[place + 1]
