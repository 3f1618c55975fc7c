"""`mergecast config record`: save a pull request from the platform to a file, the terminal or a store."""

import json
from pathlib import Path

import pytest

from cli.program import Ending, mergecast
from forge.widgets import ROOT, moved_head, pull, routes
from github_server import TOKEN, GitHubServer, Reply, one_after_another
from mergecast.queues.model.recorded import read_snapshot

pytestmark = pytest.mark.server

ADMIN = "a" * 32
_NO_TOKEN = "GitHub needs a token: set MERGECAST_GITHUB_TOKEN, or pass its file with --token-file"


def _record(server: GitHubServer, *arguments: str | Path, data: Path, stdin: bytes = b"") -> Ending:
    return mergecast(
        *("config", "record", "Acme/Widgets#12", *arguments),
        data=data,
        stdin=stdin,
        MERGECAST_GITHUB_URL=server.url,
        MERGECAST_GITHUB_TOKEN=TOKEN,
    )


def test_to_the_terminal(tmp_path: Path) -> None:
    """Only the document goes to standard output, indented for reading."""
    with GitHubServer(routes()) as server:
        ending = _record(server, data=tmp_path)

    document = json.loads(ending.out)
    assert (0, "saved pull request 12 of Acme/Widgets to standard output\n") == (ending.code, ending.err)
    assert ending.out.startswith('{\n  "pull": {\n')
    assert 12 == read_snapshot(document, number=12, now=0).pull.number


def test_to_a_file(tmp_path: Path) -> None:
    """The message names what GitHub did not return."""
    file = tmp_path / "pull.json"
    with GitHubServer({**routes(), "/graphql": Reply(403, {}), f"{ROOT}/activity": Reply(404, {})}) as server:
        ending = _record(server, "--output", file, data=tmp_path)

    missing = "GitHub did not return review_threads, review_decision, head_history"
    assert (0, "") == (ending.code, ending.out)
    assert f"saved pull request 12 of Acme/Widgets to {file}; {missing}\n" == ending.err
    assert pull() == json.loads(file.read_bytes())["pull"]


def test_to_a_server(tmp_path: Path) -> None:
    """The snapshot is sent with the token of the service, not that of the platform."""
    path = "/v1/repos/Acme/Widgets/pulls/12/snapshot"
    with GitHubServer(routes()) as server, GitHubServer({path: Reply(204, b"")}) as service:
        ending = _record(server, "--send", "--url", service.url, "--token", ADMIN, data=tmp_path)

    (asked,) = service.asked
    assert (0, "saved pull request 12 of Acme/Widgets to the store\n") == (ending.code, ending.err)
    assert ("PUT", path, f"Bearer {ADMIN}") == (asked.method, asked.path, asked.headers["authorization"])
    assert "application/json" == asked.headers["content-type"]
    assert pull() == json.loads(asked.body)["pull"]
    assert {f"Bearer {TOKEN}"} == {asked.headers["authorization"] for asked in server.asked}


@pytest.mark.parametrize("from_stdin", [True, False])
def test_a_token_from_a_file(tmp_path: Path, from_stdin: bool) -> None:  # noqa: FBT001 - a case
    """It takes precedence over the token from the settings."""
    other = "github_pat_" + "o" * 40
    file = tmp_path / "token"
    file.write_text(f"{other}\n", encoding="ascii")
    with GitHubServer(routes()) as server:
        name = "-" if from_stdin else file
        ending = _record(server, "--token-file", name, data=tmp_path, stdin=f"{other}\n".encode())

    assert 0 == ending.code
    assert {f"Bearer {other}"} == {asked.headers["authorization"] for asked in server.asked}
    assert other not in ending.out + ending.err


@pytest.mark.parametrize(
    ("route", "code", "message"),
    [
        (Reply(404, {}), 1, "the platform shows no pull request 12 of Acme/Widgets to this token"),
        (
            one_after_another(pull(), moved_head()),
            1,
            "number: pull request 12 changed while it was being read; try again",
        ),
        (Reply(401, {}), 3, "the code-hosting platform does not accept the token; it may have expired"),
        (
            Reply(403, {}, {"Retry-After": "90"}),
            3,
            f"the code-hosting platform is limiting requests (request for {ROOT}/pulls/12)",
        ),
    ],
)
def test_exit_codes(route: object, code: int, message: str, tmp_path: Path) -> None:
    """1 if the pull request is missing or changes, 3 if the platform fails; nothing is written."""
    file = tmp_path / "pull.json"
    with GitHubServer({**routes(), f"{ROOT}/pulls/12": route}) as server:
        ending = _record(server, "--output", file, data=tmp_path)

    assert (code, "", f"mergecast: {message}\n") == (ending.code, ending.out, ending.err)
    assert not file.exists()


@pytest.mark.parametrize(
    ("arguments", "environment", "message"),
    [
        (["--send", "-o", "x"], {}, "--send and --output cannot be used together"),
        (
            [],
            {"MERGECAST_GITHUB_TOKEN": ""},
            _NO_TOKEN,
        ),
        (
            [],
            {"MERGECAST_GITHUB_TOKEN": "two words"},
            "MERGECAST_GITHUB_TOKEN: a GitHub token has visible ASCII characters only, and no spaces",
        ),
        (
            ["--token-file", "-"],
            {},
            "--token-file: standard input has no token; it must be one line of visible ASCII characters",
        ),
        (["--token-file", "absent"], {}, "absent: No such file or directory"),
        (
            [],
            {"MERGECAST_GITHUB_URL": ""},
            "MERGECAST_GITHUB_URL is empty, so there is no GitHub to record from",
        ),
    ],
)
def test_wrong_usage(arguments: list[str], environment: dict[str, str], message: str, tmp_path: Path) -> None:
    """The exit code is 2, and the platform gets no request."""
    given = {"MERGECAST_GITHUB_URL": "http://127.0.0.1:1", "MERGECAST_GITHUB_TOKEN": TOKEN, **environment}
    ending = mergecast("config", "record", "Acme/Widgets#12", *arguments, data=tmp_path, stdin=b"", **given)

    assert (2, "", f"mergecast: {message}\n") == (ending.code, ending.out, ending.err)
    assert "two words" not in ending.err


def test_an_unreachable_platform(tmp_path: Path) -> None:
    """The exit code is 3."""
    given = {"MERGECAST_GITHUB_URL": "http://127.0.0.1:1", "MERGECAST_GITHUB_TOKEN": TOKEN}
    ending = mergecast("config", "record", "Acme/Widgets#12", data=tmp_path, stdin=b"", **given)

    assert 3 == ending.code
    assert ending.err.startswith(f"mergecast: the request to the code-hosting platform for {ROOT}/pulls/12")
    assert TOKEN not in ending.err
