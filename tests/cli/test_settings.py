"""`mergecast settings`, and the figures of `mergecast repos`."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from builders import entered, left
from cli.program import Ending, mergecast
from live_server import TOKEN, LiveServer, live_server
from mergecast.cli.settings_file import read_settings
from mergecast.queues.model.instant import HOUR, MINUTE, format_instant, parse_instant

pytestmark = pytest.mark.server

_NOW = parse_instant("2026-11-02T12:00:00Z")
_NAME = "acme/widgets"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """Two queues of one repository, and another repository in which one pull request waits."""
    at, soon = format_instant(_NOW - HOUR), format_instant(_NOW - 30 * MINUTE)
    with live_server(tmp_path_factory.mktemp("settings"), now=lambda: _NOW) as live:
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


_FILE = """\
thresholds:
- figure: run_too_long
  base_ref: main
  queue_name: hotfix
  value: null
- figure: failure_rate
  value: 5%
  alert: false
- figure: time_to_merge_p95
  value: 1h30m
reference_periods: []
prices:
  currency: EUR
  per_minute: '0.008'
  by_runner:
    linux-x64-16: '0.064'
notifications:
- channel: merge-queue
  rules:
  - what: removed
    queues:
    - default
  - what: digest
"""


@pytest.fixture(scope="module")
def channel(server: LiveServer) -> None:
    wanted = {"kind": "slack", "url": "https://hooks.slack.example/services/T0/B0/x", "name": "merge-queue"}
    server.http.post(f"/v1/repos/{_NAME}/channels", json={**wanted, "rules": []}).raise_for_status()


def _apply(server: LiveServer, file: Path, text: str, *more: str) -> Ending:
    file.write_text(text, encoding="utf-8")
    return _run(server, "admin", "settings", "apply", _NAME, str(file), *more)


@pytest.mark.usefixtures("channel")
def test_what_is_shown_can_be_applied(server: LiveServer, tmp_path: Path) -> None:
    """Twice changes nothing, and a dry run neither; what the file leaves out stays."""
    file = tmp_path / "mergecast.yaml"
    tried = _apply(server, file, _FILE, "--dry-run")
    before = _run(server, "admin", "settings", "show", _NAME)
    applied = [_apply(server, file, _FILE) for _ in range(2)]
    shown = _run(server, "admin", "settings", "show", _NAME)
    printed = json.loads(_run(server, "admin", "settings", "show", _NAME, "--json").out)
    answer = server.http.get(f"/v1/repos/{_NAME}/settings").json()
    partly = _apply(server, file, "prices: null\n")

    changes = [
        "thresholds: added run_too_long of hotfix on main: off",
        "thresholds: added failure_rate of all queues: above 5%, without alerts",
        "thresholds: added time_to_merge_p95 of all queues: above 1h30m",
        "prices: set to EUR 0.008 a minute, linux-x64-16 0.064",
        "notifications: merge-queue receives removed in default; digest",
    ]
    said = "".join(f"{change}\n" for change in changes)
    assert Ending(0, said, "") == applied[0]
    assert Ending(0, "nothing to change\n", "") == applied[1]
    assert (0, "".join(f"dry run: {change}\n" for change in changes)) == (tried.code, tried.out)
    assert "thresholds: []\n" == before.out[:15]
    assert Ending(0, _FILE, "") == shown
    assert answer == printed
    assert Ending(0, "prices: deleted\n", "") == partly


_WRONG_FILES = {
    "thresholds: [": ":1: this is not YAML: ",
    "- 3\n": ": must have any of thresholds, reference_periods, prices, notifications\n",
    "a: &a 1\nb: *a\n": ":2: settings have no aliases; write the value again\n",
    "prices: !!binary aGk=\n": ":1: settings have no tags; leave out !!binary\n",
    "thresholds: !!set {a}\n": ":1: settings have no tags; leave out !!set\n",
    "thresholds: " + "[" * 5000: ":1: nested deeper than 100 levels\n",
    "{thresholds: " * 5000: ":1: nested deeper than 100 levels\n",
    "prices: null\nthresholds: []\nprices: null\n": (
        ":3: `prices` is already set on line 1; keep only one of them\n"
    ),
    "thresholds:\n- figure: failure_rate\n  value: 5%\n  'value': 9%\n": (
        ":4: `value` is already set on line 3; keep only one of them\n"
    ),
    '{"prices": null, "prices": null}': ":1: `prices` is already set on line 1; keep only one of them\n",
    "threshold: []\n": ":1: threshold: is not a field of settings, did you mean thresholds? It takes ",
    "thresholds:\n- figure: failure_rate\n  value: 1h\n": (
        ":3: thresholds/0/value: `1h` is a duration, but failure_rate is a rate from 0 to 1, "
        "such as `5%` or 0.05\n"
    ),
    "thresholds:\n- figure: failure_rat\n  value: 5%\n": (
        ":2: thresholds/0/figure: failure_rat: is not a figure; did you mean failure_rate? There are "
    ),
    "# one\nprices:\n  per_minute: '0.008'\n": ":2: prices/currency: is missing\n",
    "notifications:\n- channel: merge-qeue\n  rules: []\n": (
        ":2: notifications/0/channel: there is no channel merge-qeue; did you mean merge-queue?\n"
    ),
}


@pytest.mark.usefixtures("channel")
@pytest.mark.parametrize("text", _WRONG_FILES)
def test_a_wrong_file_changes_nothing(server: LiveServer, tmp_path: Path, text: str) -> None:
    """The message names the line."""
    before = server.http.get(f"/v1/repos/{_NAME}/settings").json()
    file = tmp_path / "mergecast.yaml"
    ended = _apply(server, file, text)

    assert (2, "") == (ended.code, ended.out)
    assert ended.err.startswith(f"mergecast: {file}{_WRONG_FILES[text]}")
    assert before == server.http.get(f"/v1/repos/{_NAME}/settings").json()


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    """As an editor saves it that writes Latin-1, or on standard input."""
    content = b"prices:\n  currency: \xa4\n"
    file = tmp_path / "mergecast.yaml"
    file.write_bytes(content)
    words = ("admin", "settings", "apply", _NAME)
    where = ("--url", "http://127.0.0.1:1", "--token", TOKEN)
    read = mergecast(*words, file, *where, data=tmp_path)
    piped = mergecast(*words, "-", *where, data=tmp_path, stdin=content)

    said = "2: the file is not UTF-8: byte 0xa4\n"
    assert Ending(2, "", f"mergecast: {file}:{said}") == read
    assert Ending(2, "", f"mergecast: <stdin>:{said}") == piped


def test_settings_from_standard_input(server: LiveServer) -> None:
    words = ("admin", "settings", "apply", "acme/other", "-", "--url", server.url, "--token", TOKEN)
    ended = mergecast(
        *words, data=Path("unused"), stdin=b"thresholds:\n- {figure: run_too_long, value: 90m}\n"
    )

    assert (0, "thresholds: added run_too_long of all queues: above 1h30m\n") == (ended.code, ended.out)


def test_dates_and_words_are_text_in_a_file() -> None:
    """As in YAML 1.2: no branch is called False, and no time is a number."""
    text = "a: 2026-03-01\nb: no\nc: 1:30\nd: 1.5\ne: 3\nf: true\ng: null\nh: ~\ni:\n"

    nothing = dict.fromkeys("ghi")
    assert {
        "a": "2026-03-01",
        "b": "no",
        "c": "1:30",
        "d": 1.5,
        "e": 3,
        "f": True,
        **nothing,
    } == read_settings(text, "x").content


def test_repositories_with_figures(server: LiveServer) -> None:
    """In any order of the API, and those that match."""
    ordered = _run(server, "store", "repos", "--order", "-in_queue")
    searched = _run(server, "store", "repos", "--search", "wid", "--json")
    wrong = _run(server, "store", "repos", "--order", "size")

    assert (0, "") == (ordered.code, ordered.err)
    head, *rows = (re.split(r"  +", line) for line in ordered.out.splitlines())
    columns = ["state", "in queue", "merged, 7 days", "failures", "p50 in queue", "p95 in queue"]
    assert ["repository", *columns, "last event, UTC"] == head
    assert [
        ["acme/other", "unjudged", "1", "0", "-", "-", "-", "2026-11-02 11:00"],
        ["acme/widgets", "unjudged", "0", "2", "0.0%", "30m", "30m", "2026-11-02 11:30"],
    ] == rows
    assert ["widgets"] == [one["repository"] for one in json.loads(searched.out)]
    assert Ending(0, "no repository matches nothing\n", "") == _run(
        server, "store", "repos", "--search", "nothing"
    )
    assert (2, True) == (wrong.code, wrong.err.startswith("mergecast: --order: must be one of name, events,"))
