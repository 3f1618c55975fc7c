"""While nothing starts in a queue, no surface expects a merge, and each says why."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from builders import entered
from cli.program import mergecast
from live_server import TOKEN, LiveServer, live_server
from mergecast.prediction.expected_merges import Expected, while_working
from mergecast.queues.answers.queue import ExpectedMerge
from mergecast.queues.model.instant import MINUTE, format_instant, parse_instant
from mergecast.queues.model.queue_rules import QueueRules
from mergecast.queues.stats.queue_contents import Batch, Queue
from mergecast.tools.asking import Asked, Asker, Replied
from mergecast.tools.every_tool import TOOLS, call
from signals.steady import steady_events

NOW = parse_instant("2026-11-02T12:00:00Z")
_PATH = "/v1/repos/acme/widgets"
_WHY = "No expected time: an alert about this queue is open, and nothing can be expected until it ends."


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A steady queue in which a pull request waits, and no CI run starts."""
    folder: Path = tmp_path_factory.mktemp("stuck")
    with live_server(folder, now=lambda: NOW + 46 * MINUTE) as running:
        running.send([*steady_events(NOW, weeks=3), entered(format_instant(NOW - MINUTE), "waiting", 9001)])
        running.http.get(f"{_PATH}/queue").raise_for_status()
        yield running


def test_the_api_expects_nothing(server: LiveServer) -> None:
    queue = server.http.get(f"{_PATH}/queue").json()["queues"][0]
    state = server.http.get(f"{_PATH}/pulls/9001/state").json()

    assert ("alert", None, None) == (
        queue["expected_merges"],
        queue["entries"][0]["expected_merge"],
        queue["trust"],
    )
    assert ("alert", None) == (state["expected_merges"], state["expected_merge"])
    assert {"figure": "no_run_started", "since": "2026-11-02T12:00:00Z"} == state["waiting_for"]["alert"]


def test_the_tools_say_why(server: LiveServer) -> None:
    async def send(asked: Asked) -> Replied:
        answer = server.http.get(asked.path)
        return Replied(answer.status_code, answer.content)

    def lines(tool: str, **given: object) -> list[str]:
        asker = Asker(send, lambda: NOW)
        return asyncio.run(call(TOOLS[tool], {"repository": "acme/widgets", **given}, asker)).lines

    assert "«default» of «main»: 1 pull request, 0 CI runs. First: #9001 waited 47m. " + _WHY in lines(
        "queue_status"
    )
    status = lines("pull_request_status", number=9001)
    assert _WHY in status
    assert (
        "It waits: its CI run has not started yet; no CI run has started since 2026-11-02 12:00 UTC."
        in status
    )


def test_the_command_says_why(server: LiveServer, tmp_path: Path) -> None:
    ended = mergecast("queue", "acme/widgets", "--utc", "--url", server.url, "--token", TOKEN, data=tmp_path)

    assert _WHY[0].lower() + _WHY[1:] in ended.out
    assert "95 %" not in ended.out


def test_a_queue_that_never_had_a_run_expects_nothing() -> None:
    """Until its first run has begun."""
    merges = {"a": ExpectedMerge("2026-11-02T12:31:00Z", "2026-11-02T12:51:00Z", 0.997)}
    known = Expected(NOW, "known", merges, {"new": QueueRules("new", has_runs=False)})
    empty = Queue("main", "new", (), ())
    running = Queue("main", "new", (Batch("X", 1, "2026-11-02T12:00:00Z", (1,)),), ())

    assert Expected(NOW, "no_runs", rules=known.rules) == while_working(known, empty, ())
    assert known == while_working(known, running, ())
