"""A branch may have any name: no command lets it control a terminal or turn the direction of text."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from builders import entered, left
from cli.program import mergecast
from live_server import TOKEN, LiveServer, live_server
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, WEEK, format_instant, parse_instant
from signals.steady import steady_events

pytestmark = pytest.mark.server

_NAME = "acme/hostile"
_BRANCH = "ev\x1b[2J\u202eil"
_SHOWN = "ev\\x1b[2J\\u202eil"
_NOW = parse_instant("2026-11-02T12:00:00Z")
_PERIOD = ("--start", format_instant(_NOW - 2 * WEEK), "--end", format_instant(_NOW + DAY), "--utc")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """One of two queues belongs to a branch with a hostile name, in which a pull request waits."""
    with live_server(tmp_path_factory.mktemp("hostile"), now=lambda: _NOW + 46 * MINUTE) as live:
        waiting = entered(format_instant(_NOW - MINUTE), "waiting", 9001)
        events = [event | {"base_ref": _BRANCH} for event in (*steady_events(_NOW, weeks=5), waiting)]
        other = entered(format_instant(_NOW - HOUR), "other", 9002)
        events += [other, left(format_instant(_NOW - MINUTE), "other", 9002)]
        for first in range(0, len(events), 5000):
            live.send(events[first : first + 5000], _NAME).raise_for_status()
        live.http.get(f"/v1/repos/{_NAME}/queue").raise_for_status()
        yield live


@pytest.mark.parametrize(
    "words",
    [
        ("summary", _NAME, *_PERIOD),
        ("queue", _NAME, "--utc"),
        ("alerts", _NAME, "--utc"),
        ("changes", _NAME, *_PERIOD, "--branch", _BRANCH),
        ("forecast", _NAME, *_PERIOD[:3], format_instant(_NOW), "--branch", _BRANCH, "--set", "batch_size=2"),
        ("explain", _NAME, *_PERIOD[:3], format_instant(_NOW), "--utc", "--branch", _BRANCH),
        ("verdicts", _NAME, *_PERIOD),
        ("store", "stays", _NAME, *_PERIOD),
        ("pull", f"{_NAME}#9001", "--utc"),
        ("stats", _NAME, "failure_rate", *_PERIOD),
        ("summary", _NAME, *_PERIOD, "--branch", f"{_BRANCH}s"),
    ],
    ids=lambda words: words[0],
)
def test_a_command_prints_no_character_that_controls_a_terminal(
    server: LiveServer, words: tuple[str, ...]
) -> None:
    ended = mergecast(*words, "--url", server.url, "--token", TOKEN, data=Path("unused"))
    # Servers of this process log to the same place.
    told = ended.out + "".join(
        line for line in ended.err.splitlines(keepends=True) if not line.startswith("{")
    )
    assert [line for line in told.split("\n") if not line.isprintable()] == []
    if words[0] not in {"changes", "verdicts"}:
        assert _SHOWN in told


def test_a_report_shows_the_name_as_text(server: LiveServer, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    where = ("--url", server.url, "--token", TOKEN, "-o", str(file))
    assert mergecast("report", _NAME, *_PERIOD, *where, data=tmp_path).code == 0
    page = file.read_text()
    assert not {"\x1b", "\u202e"} & set(page)
