"""`mergecast simulate`: with files only, and with a server."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from api.recorded_pulls import record
from cli.program import Ending, mergecast
from forge.widgets import ROOT, pull, routes
from github_server import TOKEN as PLATFORM_TOKEN
from github_server import GitHubServer, Reply
from live_server import TOKEN, LiveServer, live_server
from mergecast.app import platform_of
from mergecast.cli.connection import connect
from mergecast.queues.model.repository import DOCUMENT_PATHS
from mergecast.settings import Settings

pytestmark = pytest.mark.server

_DOCUMENT = """\
pull_request_rules:
  - name: greet
    conditions: [base = main]
    actions: {comment: {message: "Hello {{ author }}"}}
"""
_EXPANDING = """\
pull_request_rules:
  - {name: x, conditions: [], actions: {comment: {message: "{{ 'a' * 10 ** 9 }}"}}}
"""
_INVALID = "queue_rules:\n  - name: default\n    batch_size: 0\n"
_ERROR = """\
mergecast: a.yml is invalid: 1 error
a.yml:3:17: error: Input should be greater than or equal to 1, found the number 0
    3 |     batch_size: 0
      |                 ^
"""
_TEXT = """\
1 rule matches

Planned actions
  • greet: Would post the comment: Hello ann

Rule: greet (comment)
  ✅ Matches
  ✓ base = main
"""
_OVERVIEW = """\
1 of 1 open pull request would be affected

Overview
  1 rule:
  • greet: when 'base = main', posts a comment

Open pull requests
  Pull request      Matching rules  Queue  Blocked by
  #7 Fix the queue  'greet'         —      —
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Commands run in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _simulate(*arguments: str | Path, stdin: bytes = b"") -> Ending:
    ended = mergecast("simulate", *arguments, data=Path("nowhere"), stdin=stdin)
    # A server that other tests left running in this process may log meanwhile.
    lines = [
        line for line in ended.err.splitlines(keepends=True) if not line.startswith('{"event":"request"')
    ]
    return Ending(ended.code, ended.out, "".join(lines))


def _write(name: str, content: str | dict[str, Any]) -> Path:
    file = Path(name)
    file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return file


def test_a_pull_request_in_a_file(folder: Path) -> None:
    """The command needs no server and creates no data folder."""
    document, pull = _write("a.yml", _DOCUMENT), _write("7.json", record())

    assert Ending(0, _TEXT, "") == _simulate("acme/engine#7", "-f", document, "--snapshot", pull)
    assert ["7.json", "a.yml"] == sorted(os.listdir(folder))  # noqa: PTH208


def test_a_document_at_a_usual_path() -> None:
    """Without -f, the command finds the document at its usual paths; `-` is standard input."""
    pull = _write("7.json", record())
    nothing = _simulate("acme/engine#7", "--snapshot", pull)
    _write(".mergify.yml", _DOCUMENT)

    found = _simulate("acme/engine#7", "--snapshot", pull)
    piped = _simulate("acme/engine#7", "--snapshot", pull, "-f", "-", stdin=_DOCUMENT.encode())

    assert (1, "") == (nothing.code, nothing.out)
    assert (
        f"mergecast: no document found in {', '.join(DOCUMENT_PATHS)}; "
        "name one: mergecast simulate OWNER/REPO#NUMBER -f FILE\n"
    ) == nothing.err
    assert Ending(0, _TEXT, "") == found == piped


def test_several_documents_at_usual_paths() -> None:
    """The command fails, lists them and names the one that is read; with -f it simulates."""
    pull = _write("7.json", record())
    for path in (".mergify.yaml", ".mergify.yml"):
        _write(path, _DOCUMENT)

    ended = _simulate("acme/engine#7", "--snapshot", pull)

    assert (1, "") == (ended.code, ended.out)
    assert (
        "mergecast: several configuration documents are in place: `.mergify.yml` and `.mergify.yaml`; "
        "only `.mergify.yml` is read, so remove the other one, "
        "or name one: mergecast simulate OWNER/REPO#NUMBER -f FILE\n"
    ) == ended.err
    assert 0 == _simulate("acme/engine#7", "--snapshot", pull, "-f", ".mergify.yaml").code


def test_open_pull_requests_in_files() -> None:
    """Closed pull requests are left out."""
    closed = record(8, pull={"state": "closed", "closed_at": "2026-11-15T12:00:00Z"})
    pulls = [_write("7.json", record()), _write("8.json", closed)]
    document = _write("a.yml", _DOCUMENT)

    ended = _simulate("acme/engine", "-f", document, "--snapshot", pulls[0], "--snapshot", pulls[1])

    assert Ending(0, _OVERVIEW, "") == ended


def test_json_in_files() -> None:
    """The output is the same object that the endpoint returns."""
    document, pull = _write("a.yml", _DOCUMENT), _write("7.json", record())

    ended = _simulate("acme/engine#7", "-f", document, "--snapshot", pull, "--json")

    assert 0 == ended.code
    answer = json.loads(ended.out)
    assert ["title", "summary", "deprecations"] == list(answer)
    assert ("1 rule matches", []) == (answer["title"], answer["deprecations"])
    assert answer["summary"].startswith("### Planned actions\n")


def test_with_a_server(server: LiveServer) -> None:
    """The output is the same as from files; JSON is what the endpoint returns."""
    document = _write("a.yml", _DOCUMENT)
    path = "/v1/repos/acme/engine/pulls/7"
    server.http.put(f"{path}/snapshot", json=record()).raise_for_status()
    at = ("-f", document, "--url", server.url, "--token", TOKEN)

    one, all_open = _simulate("acme/engine#7", *at), _simulate("acme/engine", *at)
    as_json = _simulate("acme/engine#7", *at, "--json")

    assert (0, _TEXT) == (one.code, one.out)
    assert (0, _OVERVIEW) == (all_open.code, all_open.out)
    answer = server.http.post(f"{path}/simulator", json={"config_yml": _DOCUMENT}).json()
    assert answer == json.loads(as_json.out)


def test_in_a_data_folder(tmp_path: Path) -> None:
    """Without a running server, the command starts one for itself."""
    store = tmp_path / "data"
    with connect(store, None, None, may_create=True, quiet=True) as client:
        client.record("acme/engine", 7, json.dumps(record()).encode())

    ended = mergecast("simulate", "acme/engine", "-f", _write("a.yml", _DOCUMENT), data=store)

    assert (0, _OVERVIEW) == (ended.code, ended.out)


def test_an_invalid_document(server: LiveServer) -> None:
    """Every mode prints the errors with their lines, as `check` does."""
    document, pull = _write("a.yml", _INVALID), _write("7.json", record())

    endings = [
        _simulate("acme/engine#7", "-f", document, "--snapshot", pull),
        _simulate("acme/engine", "-f", document, "--snapshot", pull),
        _simulate("acme/engine#7", "-f", document, "--url", server.url, "--token", TOKEN),
        _simulate("acme/engine", "-f", document, "--url", server.url, "--token", TOKEN),
    ]

    assert [1] * 4 == [ended.code for ended in endings]
    assert [_ERROR] * 4 == [ended.err for ended in endings]


def test_several_errors() -> None:
    """Each error has its place."""
    document = _write("a.yml", "queue_rules:\n  - batch_size: 0\n    nme: default\n")

    ended = _simulate("acme/engine#7", "-f", document, "--snapshot", _write("7.json", record()))

    assert 1 == ended.code
    first, *others = ended.err.splitlines()
    assert "mergecast: a.yml is invalid: 3 errors" == first
    assert 3 == sum(line.startswith("a.yml:") for line in others)


def test_a_file_that_is_not_text() -> None:
    """A file in another encoding is not a document."""
    Path("a.yml").write_bytes(b"# caf\xe9\n")

    ended = _simulate("acme/engine#7", "-f", "a.yml", "--snapshot", _write("7.json", record()))

    assert Ending(1, "", "mergecast: a.yml is invalid: the file is not UTF-8: byte 0xe9\n") == ended


def test_an_unknown_pull_request(server: LiveServer) -> None:
    """The message says why nothing is known about it."""
    document = _write("a.yml", _DOCUMENT)

    ended = _simulate("acme/nothing#7", "-f", document, "--url", server.url, "--token", TOKEN)

    assert (1, "") == (ended.code, ended.out)
    assert (
        "mergecast: pull request 7 of acme/nothing is not known here: no snapshot of it is recorded, and "
        "the service has no access to the code-hosting platform\n"
    ) == ended.err


def test_no_server() -> None:
    """An unreachable server has its own exit code."""
    document = _write("a.yml", _DOCUMENT)

    ended = _simulate("acme/engine#7", "-f", document, "--url", "http://127.0.0.1:1", "--token", TOKEN)

    assert 3 == ended.code


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["acme#7"],
            "`acme` is not a repository; write it as OWNER/REPO, such as acme/widgets",
        ),
        (
            ["acme/engine#seven"],
            "`acme/engine#seven` is not a pull request; write OWNER/REPO#NUMBER, such as acme/widgets#42",
        ),
        (
            ["acme/engine#"],
            "`acme/engine#` is not a pull request; write OWNER/REPO#NUMBER, such as acme/widgets#42",
        ),
        (
            ["acme/engine#7", "--snapshot", "7.json", "--url", "http://a.example", "--token", TOKEN],
            "--snapshot needs no server; remove --url",
        ),
        (
            ["acme/engine#7", "--snapshot", "7.json", "--snapshot", "8.json"],
            "a pull request has one --snapshot; omit #NUMBER to simulate several",
        ),
        (["acme/engine#7", "--snapshot", "none.json"], "none.json: No such file or directory"),
        (
            ["acme/engine#7", "--snapshot", "cut.json"],
            "cut.json is not valid JSON: Input data was truncated",
        ),
        (
            ["acme/engine", "--snapshot", "empty.json"],
            "empty.json is not a recorded pull request: pull.number is missing",
        ),
        (
            ["acme/engine#7", "--snapshot", "empty.json"],
            "empty.json is not a recorded pull request:\n* /pull: is missing; it is an object",
        ),
        (
            ["acme/engine#9", "--snapshot", "7.json"],
            "7.json is a record of pull request #7, not of #9",
        ),
    ],
)
def test_wrong_usage(arguments: list[str], message: str) -> None:
    """Each message says what is right."""
    _write(".mergify.yml", _DOCUMENT)
    _write("7.json", record())
    _write("cut.json", "{")
    _write("empty.json", "{}")

    assert Ending(2, "", f"mergecast: {message}\n") == _simulate(*arguments)


def test_a_record_with_many_errors() -> None:
    """The first hundred are listed, the others counted."""
    pull = _write("7.json", record(files=[{"filename": 1, "status": "added"}] * 150))

    ended = _simulate("acme/engine#7", "-f", _write("a.yml", _DOCUMENT), "--snapshot", pull)

    lines = ended.err.splitlines()
    assert (2, "mergecast: 7.json is not a recorded pull request:") == (ended.code, lines[0])
    assert "* and 50 more" == lines[-1]
    assert 102 == len(lines)


def test_with_only_a_github_token(tmp_path: Path) -> None:
    """Without a server or store, the command asks GitHub, and leaves no files behind."""
    document = tmp_path / "candidate.yml"
    document.write_text("pull_request_rules: [{name: a, conditions: [label = ui], actions: {close: }}]\n")
    with GitHubServer(routes()) as github:
        ending = mergecast(
            *("simulate", "Acme/Widgets#12", "-f", document),
            data=tmp_path / "data",
            MERGECAST_GITHUB_URL=github.url,
            MERGECAST_GITHUB_TOKEN=PLATFORM_TOKEN,
        )

    assert (0, "") == (ending.code, ending.err)
    assert ending.out.startswith("1 rule matches — merge protections fail\n")
    assert [document] == list(tmp_path.iterdir())


def _live(current: str) -> dict[str, Any]:
    """GitHub shows one open pull request, and this document on the default branch."""
    raw = {"Content-Type": "application/vnd.github.raw+json; charset=utf-8"}
    return routes() | {
        f"{ROOT}/pulls": [pull()],
        f"{ROOT}/contents/.mergify.yml": Reply(200, current.encode(), raw),
    }


def _simulate_live(github: GitHubServer, document: Path, place: str = "Acme/Widgets") -> Ending:
    return mergecast(
        *("simulate", place, "-f", document),
        data=Path("nowhere"),
        MERGECAST_GITHUB_URL=github.url,
        MERGECAST_GITHUB_TOKEN=PLATFORM_TOKEN,
    )


@pytest.mark.parametrize("current", ["#" * 1_048_577, _EXPANDING], ids=["length", "memory"])
def test_a_current_document_beyond_the_limits(current: str) -> None:
    """There is no comparison, and a note says why."""
    with GitHubServer(_live(current)) as github:
        ended = _simulate_live(github, _write("a.yml", "pull_request_rules: []\n"))

    assert (0, "") == (ended.code, ended.err)
    assert ended.out.startswith("1 of 1 open pull request would be affected\n")
    note = "The current document exceeds the limits, so there is no comparison with it"
    assert ended.out.endswith(f"\nNotes\n  • {note}\n")


@pytest.mark.parametrize("current", [_DOCUMENT, "extends: shared\n", _INVALID, "#" * 1_048_577])
def test_a_server_compares_in_the_same_way(tmp_path: Path, current: str) -> None:
    """With and without a server, the report about the open pull requests is the same."""
    document = "pull_request_rules: [{name: a, conditions: [label = ui], actions: {close: }}]\n"
    with GitHubServer(_live(current)) as github:
        ended = _simulate_live(github, _write("a.yml", document))
        platform = platform_of(Settings(github_url=github.url, github_token=PLATFORM_TOKEN))
        with live_server(tmp_path / "data", platform=platform) as server:
            path, accept = "/v1/repos/Acme/Widgets/simulator", {"Accept": "text/plain"}
            answer = server.http.post(path, json={"config_yml": document}, headers=accept)

    assert (0, answer.text) == (ended.code, ended.out)


def test_an_answer_of_github_that_cannot_be_read() -> None:
    """The command fails and says what GitHub's answer should have."""
    wrong = {**pull(), "title": None}
    with GitHubServer(routes() | {f"{ROOT}/pulls/{wrong['number']}": wrong}) as github:
        document = _write("a.yml", _DOCUMENT)
        ended = _simulate_live(github, document, f"Acme/Widgets#{wrong['number']}")

    reason = "GitHub's answer cannot be read: /pull/title: must be a text, not null"
    assert (1, "") == (ended.code, ended.out)
    assert f"mergecast: Acme/Widgets#{wrong['number']} is not simulated: {reason}\n" == ended.err


def test_markdown() -> None:
    """A title and a summary, for a comment or the summary of a workflow step."""
    document, pull = _write("a.yml", _DOCUMENT), _write("7.json", record())

    ended = _simulate("acme/engine#7", "-f", document, "--snapshot", pull, "--format", "markdown")

    assert 0 == ended.code
    assert ended.out.startswith("## 1 rule matches\n\n### Planned actions\n")


def test_hostile_titles() -> None:
    """Characters that control a terminal are escaped."""
    document = _write("a.yml", _DOCUMENT)
    pull = _write("7.json", record(pull={"title": "a\x1b[31mb\u202ec"}))

    ended = _simulate("acme/engine", "-f", document, "--snapshot", pull)

    assert 0 == ended.code
    assert "#7 a" in ended.out
    assert not {"\x1b", "\u202e"} & set(ended.out)
