"""A repository of which nothing has been heard for long does not look healthy anywhere."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from builders import entered, left
from cli.program import mergecast
from live_server import TOKEN, LiveServer, live_server
from mergecast.queues.model.instant import DAY, HOUR, format_instant, parse_instant
from mergecast.tools.asking import Asked, Asker, Replied
from mergecast.tools.every_tool import TOOLS, call

pytestmark = pytest.mark.server

NOW = parse_instant("2026-11-02T12:00:00Z")
_DEAD = "No event has arrived for 731d: what is shown may be out of date."


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    folder: Path = tmp_path_factory.mktemp("silent")
    with live_server(folder, now=lambda: NOW) as running:
        for name, end in (("dead", NOW - 731 * DAY), ("weekend", NOW - 2 * DAY), ("live", NOW - HOUR)):
            stay = [entered(format_instant(end - HOUR), "a", 1), left(format_instant(end), "a", 1)]
            running.send(stay, f"acme/{name}").raise_for_status()
        yield running


@pytest.mark.parametrize("command", ["queue", "alerts"])
@pytest.mark.parametrize(
    ("name", "said", "code"),
    [
        ("dead", _DEAD, 1),
        ("weekend", "No event has arrived for 2d: what is shown may be out of date.", 0),
        ("live", "", 0),
    ],
)
def test_commands_say_it_and_the_check_fails(
    server: LiveServer, tmp_path: Path, *, command: str, name: str, said: str, code: int
) -> None:
    access = ("--url", server.url, "--token", TOKEN)
    ended = mergecast(command, f"acme/{name}", "--check", *access, data=tmp_path)

    assert (code, bool(said)) == (ended.code, "No event has arrived" in ended.out)
    assert said in ended.out


def test_tools_say_it(server: LiveServer) -> None:
    async def send(asked: Asked) -> Replied:
        answer = server.http.get(asked.path, params=asked.query)
        return Replied(answer.status_code, answer.content)

    def lines(tool: str) -> list[str]:
        return asyncio.run(call(TOOLS[tool], {"repository": "acme/dead"}, Asker(send, lambda: NOW))).lines

    assert ["No alert.", _DEAD, "All queues are empty."] == lines("queue_status")[:3]
    assert _DEAD in lines("what_changed")
