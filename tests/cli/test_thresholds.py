"""`mergecast thresholds`, `mergecast alerts` and `mergecast products`."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from builders import entered
from cli.program import Ending, mergecast
from live_server import TOKEN, LiveServer, live_server
from local_http import Reply, local_server
from mergecast.queues.model.instant import MINUTE, format_instant, parse_instant
from waiting import wait_until

pytestmark = pytest.mark.server

_NOW = parse_instant("2026-11-02T12:00:00Z")
_NAME = "acme/widgets"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A pull request has waited for a CI run for ten minutes."""
    with live_server(tmp_path_factory.mktemp("thresholds"), now=lambda: _NOW) as live:
        live.send([entered(format_instant(_NOW - 10 * MINUTE), "waiting", 9001)]).raise_for_status()
        yield live


def _run(server: LiveServer, *words: str) -> Ending:
    ended = mergecast(*words, "--url", server.url, "--token", TOKEN, data=Path("unused"))
    # Servers of this process log to the same place.
    said = "".join(line for line in ended.err.splitlines(keepends=True) if not line.startswith("{"))
    return Ending(ended.code, ended.out, said)


def _trimmed(out: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in out.splitlines())


def test_thresholds_are_set_and_deleted(server: LiveServer) -> None:
    """One after the other; values are written and shown as people write them."""
    endings = [
        _run(server, "admin", "thresholds", "set", _NAME, "run_too_long=90m", "failure_rate=5%"),
        _run(
            server,
            "admin",
            "thresholds",
            "set",
            _NAME,
            "everyone_fails=5",
            "--queue",
            "default",
            "--no-alert",
        ),
        _run(server, "admin", "thresholds", "set", _NAME, "run_too_long=off", "--branch", "main"),
        _run(server, "admin", "thresholds", "set", _NAME, "failure_rate=5%"),
    ]
    listed = _run(server, "admin", "thresholds", "list", _NAME)
    deleted = [
        _run(server, "admin", "thresholds", "delete", _NAME, "run_too_long"),
        _run(server, "admin", "thresholds", "delete", _NAME),
        _run(server, "admin", "thresholds", "delete", _NAME),
        _run(server, "admin", "thresholds", "delete", _NAME, "--queue", "default"),
        _run(server, "admin", "thresholds", "delete", _NAME, "--branch", "main"),
    ]

    assert [
        (
            "thresholds: added run_too_long of all queues: above 1h30m\n"
            "thresholds: added failure_rate of all queues: above 5%\n"
        ),
        "thresholds: added everyone_fails of default: above 5, without alerts\n",
        "thresholds: added run_too_long of all queues on main: off\n",
        "nothing to change\n",
    ] == [ended.out for ended in endings]
    rows = [line.split("  ") for line in _trimmed(listed.out).splitlines()]
    cells = [[cell.strip() for cell in row if cell.strip()] for row in rows]
    assert ["branch", "queue", "figure", "origin", "threshold", "alert begins"] == cells[0]
    assert ["main", "default", "run_too_long", "set", "off", "-"] in cells
    assert ["main", "default", "everyone_fails", "set", "5 runs, no alert", "-"] in cells
    rate = "when failure rate is above 5% for an hour, over 24 hours, or over 7 days if fewer than 20 left"
    assert ["main", "default", "failure_rate", "set", "5.0%", rate] in cells
    assert (
        "main · default: too little history to learn from: 0 CI runs in the last 8 weeks, 200 are needed"
        == _trimmed(listed.out).splitlines()[-1]
    )
    assert [
        "thresholds: deleted run_too_long of all queues: above 1h30m\n",
        "thresholds: deleted failure_rate of all queues: above 5%\n",
        "nothing to change\n",
        "thresholds: deleted everyone_fails of default: above 5, without alerts\n",
        "thresholds: deleted run_too_long of all queues on main: off\n",
    ] == [ended.out for ended in deleted]


def test_learned_thresholds_are_rounded_as_in_the_sentence_beside_them() -> None:
    """What people set is shown as it was set."""
    row = {"figure": "runs_slow", "words": "CI runs slow", "unit": "times as long"}
    rows = [
        {**row, "origin": "learned", "value": 2.68825},
        {**row, "origin": "set", "value": 2.25, "set": 2.25},
    ]
    queue = {"base_ref": "main", "queue_name": "default", "missing": None, "thresholds": rows}
    answer = json.dumps({"queues": [queue], "set": []}).encode()
    with local_server(lambda _: Reply(200, answer)) as local:
        where = ("--url", local.url, "--token", TOKEN)
        listed = mergecast("admin", "thresholds", "list", _NAME, *where, data=Path("unused"))

    assert ["2.7 times as long", "2.25 times as long"] == re.findall("[0-9.]+ times as long", listed.out)


def test_a_threshold_that_was_not_set_cannot_be_deleted(server: LiveServer) -> None:
    """A misspelt name, or another place: whoever types it would believe that the threshold is gone."""
    _run(server, "admin", "thresholds", "set", _NAME, "run_too_long=90m", "--queue", "default")
    delete = ("admin", "thresholds", "delete", _NAME)
    misspelt = _run(server, *delete, "run_to_long", "--queue", "default")
    elsewhere = _run(server, *delete, "run_too_long", "--branch", "main")
    deleted = _run(server, *delete, "run_too_long", "--queue", "default")

    unknown = f"{_NAME} has no threshold run_to_long of default that was set; did you mean run_too_long?"
    set_elsewhere = (
        f"{_NAME} has no threshold run_too_long of all queues on main that was set; "
        f"`mergecast admin settings show {_NAME}` shows what is set"
    )
    assert (1, f"mergecast: {unknown}\n") == (misspelt.code, misspelt.err)
    assert (1, f"mergecast: {set_elsewhere}\n") == (elsewhere.code, elsewhere.err)
    assert 0 == deleted.code


_EXAMPLES = "time_to_merge_p95=1h, failure_rate=5% or run_too_long=off"
_WRONG = {
    ("run_too_long",): f"`run_too_long` is not a figure and a value; write {_EXAMPLES}",
    ("run_too_long=nan",): "`nan` is not a number, a duration or a percentage; run_too_long is a duration, ",
    ("everyone_fails=1h",): "`1h` is a duration, but everyone_fails is a number (runs), such as 4",
    ("failure_rate=0",): "must be above 0: any failure rate would be beyond a threshold of 0",
    ("run_to_long=60",): "run_to_long: is not a figure; did you mean run_too_long? There are no_run",
    ("run_too_long=60", "--queue", "defalt"): "--queue: there is no queue defalt; did you mean default?",
    ("run_too_long=60", "--branch", "mian"): "--branch: there is no branch mian; did you mean main?",
}


@pytest.mark.parametrize(("words", "message"), _WRONG.items())
def test_a_wrong_threshold(server: LiveServer, words: tuple[str, ...], message: str) -> None:
    ended = _run(server, "admin", "thresholds", "set", _NAME, *words)

    assert (2, "") == (ended.code, ended.out)
    assert ended.err.startswith(f"mergecast: {message}")


def test_an_alert_is_shown_while_it_is_open(server: LiveServer) -> None:
    """With when it began; --check makes the command fail meanwhile."""
    before = _run(server, "alerts", _NAME, "--check")
    _run(server, "admin", "thresholds", "set", _NAME, "no_run_started=5m")

    def checked() -> Ending | None:
        ended = _run(server, "alerts", _NAME, "--check", "--utc")
        return ended if ended.code else None

    found = wait_until(checked)
    since = _run(server, "alerts", _NAME, "--since", "1h", "--all")
    _run(server, "admin", "thresholds", "delete", _NAME)

    assert (0, "no open alerts; --all shows past ones\n") == (before.code, before.out)
    assert (
        "since 2026-11-02 11:50, main: `default` is stuck: nothing has run on `main` for 10m; 1 waits\n"
        "  Look at the CI provider's runners and status page, and whether the queue is paused.\n"
        "  No channel has received it.\n"
    ) == found.out
    assert (
        2,
        "mergecast: --all shows every alert; it cannot be combined with --since, --start or --end\n",
    ) == (since.code, since.err)


def test_what_a_threshold_would_have_raised(server: LiveServer) -> None:
    """As the API says it; nothing is set."""
    asked = {"figure": "time_to_merge_p95", "base_ref": "main", "queue_name": "default", "value": "1h"}
    ended = _run(server, "admin", "thresholds", "preview", _NAME, "time_to_merge_p95=1h")
    answer = server.http.post(f"/v1/repos/{_NAME}/thresholds/preview", json=asked).json()
    wrong = _run(server, "admin", "thresholds", "preview", _NAME, "failure_rate=1h")

    assert Ending(0, f"{answer['sentence']}\n", "") == ended
    assert (2, True) == (wrong.code, "`1h` is a duration, but failure_rate is a rate" in wrong.err)
    assert [] == server.http.get(f"/v1/repos/{_NAME}/settings").json()["thresholds"]


def test_what_a_period_would_have_raised(server: LiveServer) -> None:
    """The request is that of the API, which says what is wrong with a period of a queue without merges."""
    command = ("admin", "thresholds", "preview", _NAME, "failure_rate", "--utc")
    dates = ("--start", "2026-10-05", "--end", "2026-10-26")
    few = _run(server, *command, *dates, "--limit", "1.5")
    wrong = _run(server, *command, *dates, "--limit", "1")
    alone = _run(server, *command, "--limit", "1.5")
    both = _run(server, *command[:-2], "failure_rate=5%", "--utc", *dates)
    period = {"start_at": "2026-10-05T00:00:00Z", "end_at": "2026-10-26T00:00:00Z", "limit": 1.5}
    asked = {"figure": "failure_rate", "base_ref": "main", "queue_name": "default", "reference": period}
    answer = server.http.post(f"/v1/repos/{_NAME}/thresholds/preview", json={**asked, "value": None})
    (error,) = answer.json()["errors"]

    assert [few.code, wrong.code, alone.code, both.code] == [2, 2, 2, 2]
    assert f"mergecast: --start: {error['message']}\n" == few.err
    told = "must be a number from 1.05 to 100: 1.5 allows 50 % more than in the period"
    assert f"mergecast: --limit: {told}\n" == wrong.err
    assert "mergecast: --limit needs a period: add --start and --end\n" == alone.err
    assert "mergecast: cannot be combined with a value\n" == both.err


def test_products_are_set(server: LiveServer) -> None:
    ended = [
        _run(server, "config", "products", "list", _NAME),
        _run(server, "config", "products", "set", _NAME, "merge_queue"),
        _run(server, "config", "products", "list", _NAME),
        _run(server, "config", "products", "set", _NAME, "merge_que"),
    ]

    never = "the products were never set; until they are, a simulation does not report unused sections\n"
    assert [(0, never), (0, "merge_queue\n"), (0, "merge_queue\n"), (2, "")] == [
        (one.code, one.out) for one in ended
    ]
    assert "did you mean merge_queue?" in ended[-1].err
