"""Environment variables, help, completion and the list of repositories."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from builders import worked_example
from cli.program import mergecast
from live_server import TOKEN, LiveServer
from local_http import Reply, local_server
from logged_secrets import remember
from mergecast.cli.command_tree import program
from mergecast.cli.environment import SERVER_VARIABLES, unknown_variables
from mergecast.client.client import Client
from mergecast.client.errors import Unreachable
from mergecast.settings import Settings


def test_url_and_token_from_the_environment(server: LiveServer, tmp_path: Path) -> None:
    """Any command uses them; --data-dir wins."""
    server.send(worked_example()).raise_for_status()

    remote = mergecast(
        "store", "repos", data=tmp_path / "none", MERGECAST_URL=server.url, MERGECAST_TOKEN=TOKEN
    )
    local = mergecast(
        "store",
        "repos",
        "--data-dir",
        tmp_path / "none",
        data=tmp_path / "none",
        MERGECAST_URL=server.url,
        MERGECAST_TOKEN=TOKEN,
    )

    assert (0, 1) == (remote.code, local.code)
    assert "there is no store in" in local.err


def test_repositories_are_listed(server: LiveServer, tmp_path: Path) -> None:
    """With their events; an empty store says what to do."""
    empty = mergecast(
        "store", "repos", data=tmp_path / "none", MERGECAST_URL=server.url, MERGECAST_TOKEN=TOKEN
    )
    server.send(worked_example()).raise_for_status()

    listed = mergecast(
        "store", "repos", data=tmp_path / "none", MERGECAST_URL=server.url, MERGECAST_TOKEN=TOKEN
    )
    as_json = mergecast(
        "store", "repos", "--json", data=tmp_path / "none", MERGECAST_URL=server.url, MERGECAST_TOKEN=TOKEN
    )

    assert (0, "no repository yet; send events, or try `mergecast demo`\n") == (empty.code, empty.out)
    header, row = listed.out.splitlines()
    assert ["repository", "events", "first", "event", "last", "event,", "UTC"] == header.split()
    assert ["acme/widgets", "12", "2026-03-02", "10:00", "2026-03-02", "11:03"] == row.split()
    (one,) = json.loads(as_json.out)
    assert ("acme", "widgets", 12) == (one["owner"], one["repository"], one["events"])


def test_unknown_variables() -> None:
    """A misspelt setting is not ignored silently."""
    given = {"MERGECAST_TOKN": "x", "MERGECAST_COLOUR_OF_THE_SKY": "x", "MERGECAST_PORT": "1", "PATH": "x"}

    assert [
        "MERGECAST_COLOUR_OF_THE_SKY has no effect",
        "MERGECAST_TOKN has no effect; did you mean MERGECAST_TOKEN?",
    ] == unknown_variables(given)


def test_the_warning_goes_to_standard_error(tmp_path: Path) -> None:
    """The command runs nevertheless."""
    file = tmp_path / "a.yml"
    file.write_text("queue_rules: []\n")

    ended = mergecast("check", file, data=tmp_path, MERGECAST_PROT="1")

    message = "mergecast: warning: MERGECAST_PROT has no effect; did you mean MERGECAST_PORT?\n"
    assert (0, message) == (ended.code, ended.err)


def test_the_variables_of_the_server_are_known() -> None:
    """Commands list them without importing the settings, which is slow."""
    assert set(Settings.model_fields) == set(SERVER_VARIABLES)


@pytest.mark.parametrize(
    "command",
    [
        (),
        ("stats",),
        (
            "admin",
            "key",
        ),
        ("admin", "key", "make"),
        ("import", "events"),
    ],
)
def test_short_help(command: tuple[str, ...], tmp_path: Path) -> None:
    """-h and --help are the same."""
    short, long = (mergecast(*command, option, data=tmp_path) for option in ("-h", "--help"))

    assert short == long
    assert "Usage: mergecast" in short.out


@pytest.mark.parametrize(
    "command", ["summary", "forecast", "serve", "check", "admin key make", "import github"]
)
def test_help_shows_the_whole_text_of_each_option(command: str, tmp_path: Path) -> None:
    """Text in brackets is not taken for markup, and flags have no type."""
    shown = " ".join(mergecast(*command.split(), "-h", data=tmp_path).out.replace("│", " ").split())

    found: Any = program()
    for name in command.split():
        found = found.commands[name]
    assert [] == [option.help for option in found.params if option.help not in shown]
    assert "<bool>" not in shown


@pytest.mark.parametrize(
    ("words", "completions"),
    [
        ("mergecast st", {"stats", "store"}),
        ("mergecast stats acme/widgets queue_s", {"queue_size"}),
        ("mergecast check --str", {"--strict"}),
    ],
)
def test_completion(words: str, completions: set[str]) -> None:
    """Commands, statistics and options complete in a shell."""
    asked = {
        **os.environ,
        "_MERGECAST_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }

    program = Path(sys.executable).with_name("mergecast")
    ended = subprocess.run([program], env=asked, capture_output=True, text=True, check=False)

    assert (0, completions) == (ended.returncode, set(ended.stdout.split()))


def test_a_quick_command_imports_no_slow_library() -> None:
    """The table of commands loads without the libraries that make other commands slow."""
    libraries = ("sqlite3", "numpy", "uvicorn", "pydantic", "httpx", "structlog", "msgspec", "rich.console")
    slow = (*libraries, "asyncio", "ssl")
    code = f"import sys, mergecast.cli.main; print([name for name in {slow!r} if name in sys.modules])"

    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "[]\n" == ended.stdout


_KEY = remember("a-key-that-no-line-may-show")


@pytest.mark.parametrize("command", [("store", "repos"), ("mcp",)])
@pytest.mark.parametrize("place", ["--token", "MERGECAST_TOKEN", "MERGECAST_ADMIN_TOKEN"])
def test_a_token_that_cannot_be_sent_is_refused_and_not_shown(
    place: str, command: tuple[str, ...], tmp_path: Path
) -> None:
    """No server is asked."""
    message = "a token of a server has visible ASCII characters only, and no spaces"
    for end in (" ", "\r", "\n", "\u00e9"):
        options = (place, _KEY + end) if place == "--token" else ()
        variables: Any = {} if options else {place: _KEY + end}
        ending = mergecast(*command, "--url", "http://127.0.0.1:1", *options, data=tmp_path, **variables)
        assert (2, "", f"mergecast: {place}: {message}\n") == (ending.code, ending.out, ending.err)


def test_what_a_library_says_about_a_request_that_cannot_be_sent_is_not_shown() -> None:
    """It contains the token."""
    with (
        local_server(lambda _: Reply(200)) as server,
        Client(server.url, f"{_KEY}\r") as client,
        pytest.raises(Unreachable) as raised,
    ):
        client.repositories()

    message = f"the request to {server.url} cannot be sent: its token or path is not valid"
    assert message == str(raised.value)


def test_a_key_in_the_place_of_the_url_is_not_shown(tmp_path: Path) -> None:
    ending = mergecast("store", "repos", "--url", _KEY, "--token", "x", data=tmp_path)

    message = "--url: this is not the URL of a server, which starts with http:// or https://"
    assert (2, "", f"mergecast: {message}\n") == (ending.code, ending.out, ending.err)
