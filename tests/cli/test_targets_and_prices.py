"""`mergecast targets`, `mergecast prices`, and the figures of `mergecast repos`."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from builders import entered, left
from cli.program import Ending, mergecast
from live_server import TOKEN, LiveServer, live_server
from mergecast.queues.model.instant import HOUR, MINUTE, format_instant, parse_instant

pytestmark = pytest.mark.server

_NOW = parse_instant("2026-11-02T12:00:00Z")
_NAME = "acme/widgets"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """Two queues of one repository, and another repository in which one pull request waits."""
    at, soon = format_instant(_NOW - HOUR), format_instant(_NOW - 30 * MINUTE)
    with live_server(tmp_path_factory.mktemp("targets"), now=lambda: _NOW) as live:
        hotfix = {"queue_name": "hotfix"}
        stays = [entered(at, "one", 1), left(soon, "one", 1)]
        stays += [entered(at, "two", 2, **hotfix), left(soon, "two", 2, **hotfix)]
        live.send(stays, _NAME).raise_for_status()
        live.send([entered(at, "three", 3)], "acme/other").raise_for_status()
        yield live


def _run(server: LiveServer, *words: str) -> Ending:
    ended = mergecast(*words, "--url", server.url, "--token", TOKEN, data=Path("unused"))
    lines = (f"{line.rstrip()}\n" for line in ended.out.splitlines())
    # Servers of this process log to the same place.
    said = "".join(line for line in ended.err.splitlines(keepends=True) if not line.startswith("{"))
    return Ending(ended.code, "".join(lines), said)


def test_targets_are_set_listed_and_deleted(server: LiveServer) -> None:
    """One after the other, each in its own words; those of other queues stay."""
    none = _run(server, "targets", "list", _NAME)
    first = _run(server, "targets", "set", _NAME, "time_in_queue_p95=1h", "failure_rate=5%")
    _run(server, "targets", "set", _NAME, "ci_runs_per_merge=2", "--branch", "main", "--queue", "hotfix")
    both = _run(server, "targets", "set", _NAME, "ci_runs_per_merge=1.3", "failure_rate=0.025")

    head = "branch        queue       p95 in queue  failures  CI runs per merge\n"
    assert Ending(0, f"{_NAME} has no targets\n", "") == none
    assert Ending(0, f"{head}all branches  all queues  1h00m         5.0%      -\n", "") == first
    assert (
        f"{head}"
        "all branches  all queues  1h00m         2.5%      1.30\n"
        "main          hotfix      -             -         2.00\n"
    ) == _run(server, "targets", "list", _NAME).out
    assert 0 == both.code
    listed = json.loads(_run(server, "targets", "list", _NAME, "--json").out)
    assert server.http.get(f"/v1/repos/{_NAME}/targets").json()["targets"] == listed

    deleted = [_run(server, "targets", "delete", _NAME) for _ in range(2)]
    assert [
        "deleted 3 limits of all branches · all queues\n",
        "deleted 0 limits of all branches · all queues\n",
    ] == [one.out for one in deleted]
    last = _run(server, "targets", "delete", _NAME, "--branch", "main", "--queue", "hotfix")
    assert Ending(0, "deleted 1 limit of main · hotfix\n", "") == last
    assert [] == server.http.get(f"/v1/repos/{_NAME}/targets").json()["targets"]


_EXAMPLES = "time_in_queue_p95=1h, failure_rate=5% or ci_runs_per_merge=1.3"
_FIELDS = "base_ref, queue_name, time_in_queue_p95, failure_rate or ci_runs_per_merge"
_WRONG_TARGETS = {
    ("failure_rate",): f"`failure_rate` is not a figure and a limit; write {_EXAMPLES}",
    ("failure_rate=5 percent",): f"`failure_rate=5 percent` is not a figure and a limit; write {_EXAMPLES}",
    ("failure_rate=nan",): f"`failure_rate=nan` is not a figure and a limit; write {_EXAMPLES}",
    ("failure_rate=inf%",): f"`failure_rate=inf%` is not a figure and a limit; write {_EXAMPLES}",
    ("ci_runs_per_merge=1e999",): f"`ci_runs_per_merge=1e999` is not a figure and a limit; write {_EXAMPLES}",
    ("failure_rate=5",): "failure_rate: must be a rate from 0 to 1, or null",
    ("time_in_queue_p95=0",): "time_in_queue_p95: must be a number of seconds from 1 to 10,000,000, or null",
    ("ci_runs_per_merge=-1",): "ci_runs_per_merge: must be a number from 0.001 to 1,000, or null",
    (
        "failure_rat=5%",
    ): f"LIMIT failure_rat: is not a field of a target, did you mean failure_rate? It takes {_FIELDS}",
    ("failure_rate=5%", "--queue", "hotfx"): "--queue: there is no queue hotfx; did you mean hotfix?",
    ("failure_rate=5%", "--branch", "mian"): "--branch: there is no branch mian; did you mean main?",
}


@pytest.mark.parametrize("words", _WRONG_TARGETS)
def test_wrong_targets(server: LiveServer, words: tuple[str, ...]) -> None:
    """They change nothing."""
    path = f"/v1/repos/{_NAME}/targets"
    before = server.http.get(path).json()
    ended = _run(server, "targets", "set", _NAME, *words)

    assert Ending(2, "", f"mergecast: {_WRONG_TARGETS[words]}\n") == ended
    assert before == server.http.get(path).json()


def test_prices_are_set_listed_and_deleted(server: LiveServer) -> None:
    """What is not given stays; a runner without a price gets that of all others."""
    none = _run(server, "prices", "list", "acme/other")
    runner = ("--runner", "linux-x64-16=0.064", "--runner", "mac=0.08")
    first = _run(server, "prices", "set", "acme/other", "--currency", "EUR", "--per-minute", "0.008", *runner)
    second = _run(server, "prices", "set", "acme/other", "--per-minute", "0.01", "--runner", "mac=")

    assert Ending(0, "acme/other has no prices; set them with `mergecast prices set`\n", "") == none
    assert (
        Ending(
            0,
            "runner        EUR per minute\nlinux-x64-16  0.064\nmac           0.08\nany other     0.008\n",
            "",
        )
        == first
    )
    assert Ending(0, "runner        EUR per minute\nlinux-x64-16  0.064\nany other     0.01\n", "") == second
    assert second == _run(server, "prices", "list", "acme/other")
    listed = json.loads(_run(server, "prices", "list", "acme/other", "--json").out)
    assert server.http.get("/v1/repos/acme/other/prices").json()["prices"] == listed

    deleted = [_run(server, "prices", "delete", "acme/other") for _ in range(2)]
    assert [
        Ending(0, "deleted 2 prices of acme/other\n", ""),
        Ending(0, "deleted 0 prices of acme/other\n", ""),
    ] == deleted
    assert none == _run(server, "prices", "list", "acme/other")


_PRICE = 'must be a price as a string such as "0.008": up to 6 digits, and up to 9 decimals'
_WRONG_PRICES = {
    (): "there is nothing to set; pass --per-minute, --currency or --runner",
    ("--per-minute", "0.008"): "--currency: is missing",
    ("--per-minute", "cheap", "--currency", "USD"): f"--per-minute: {_PRICE}",
    ("--per-minute", "1", "--currency", "dollar"): "--currency: must be three capital letters such as USD",
    ("--runner", "mac"): "--runner: `mac` is not a kind and a price; write linux-x64-16=0.064",
    ("--per-minute", "1", "--currency", "USD", "--runner", "mac=x"): f"--runner: 'mac' {_PRICE}",
}


@pytest.mark.parametrize("words", _WRONG_PRICES)
def test_wrong_prices(server: LiveServer, words: tuple[str, ...]) -> None:
    """They change nothing."""
    assert Ending(2, "", f"mergecast: {_WRONG_PRICES[words]}\n") == _run(
        server, "prices", "set", _NAME, *words
    )
    assert {"prices": None} == server.http.get(f"/v1/repos/{_NAME}/prices").json()


def test_repositories_with_figures(server: LiveServer) -> None:
    """In any order of the API, and those that match."""
    ordered = _run(server, "repos", "--order", "-in_queue")
    searched = _run(server, "repos", "--search", "wid", "--json")
    wrong = _run(server, "repos", "--order", "size")

    head, *rows = (re.split(r"  +", line) for line in ordered.out.splitlines())
    columns = ["state", "in queue", "merged, 7 days", "failures", "p50 in queue", "p95 in queue"]
    assert ["repository", *columns, "last event, UTC"] == head
    assert [
        ["acme/other", "fine", "1", "0", "-", "-", "-", "2026-11-02 11:00"],
        ["acme/widgets", "fine", "0", "2", "0.0%", "30m", "30m", "2026-11-02 11:30"],
    ] == rows
    assert ["widgets"] == [one["repository"] for one in json.loads(searched.out)]
    assert Ending(0, "no repository matches nothing\n", "") == _run(server, "repos", "--search", "nothing")
    assert (2, True) == (wrong.code, wrong.err.startswith("mergecast: --order: must be one of name, events,"))
