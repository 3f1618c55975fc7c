"""Which answers a server keeps: one about a period that ends now is another one a second later."""

import asyncio
import gc
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import Response

from builders import entered
from live_server import LiveServer, live_server
from mergecast.api import responses
from mergecast.api.responses import Answers
from mergecast.queues.model.instant import DAY, SECOND, format_instant, parse_instant
from tools.messages import call

_NOW = parse_instant("2026-03-02T12:00:00Z")
_MOST_KEPT = 10
_ASKED = 15
_PATHS = ("stats/queue_size", "summary", "ci-checks", "stays", "changes")


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LiveServer]:
    """One that keeps few answers about now, and whose clock goes on by a second each time that it is read."""
    monkeypatch.setattr(responses, "PASSING_BYTES", _MOST_KEPT * 1000)
    seconds = count()
    with live_server(tmp_path, now=lambda: _NOW + next(seconds) * SECOND) as live:
        live.send([entered(format_instant(_NOW - DAY), "a", 7)])
        yield live


def _kept() -> int:
    """The answers with an ETag that this process has."""
    gc.collect()
    return sum(isinstance(one, Response) and "etag" in one.headers for one in gc.get_objects())


def test_answers_about_now_do_not_pile_up(server: LiveServer) -> None:
    before = _kept()
    for path in _PATHS * _ASKED:
        server.http.get(f"/v1/repos/acme/widgets/{path}").raise_for_status()

    assert _MOST_KEPT >= _kept() - before


def test_calls_of_tools_do_not_pile_up(server: LiveServer) -> None:
    before = _kept()
    for _ in range(_ASKED):
        assert not call(server, "what_changed", repository="acme/widgets")["isError"]

    assert _MOST_KEPT >= _kept() - before


def test_an_answer_about_the_past_is_kept_beside_those_about_now() -> None:
    async def scenario() -> tuple[Any, ...]:
        answers = Answers()

        async def make() -> bytes:
            return b" " * 500_000

        past = await answers.get("past", make)
        for number in range(100):
            last = await answers.get(str(number), make, is_passing=True)
        return past is answers.cached("past"), last is answers.cached("99"), answers.cached("0")

    assert (True, True, None) == asyncio.run(scenario())
