"""`mergecast setup` adds a queue by options or answers; `mergecast admin sources` lists what was added."""

import json
import os
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from cli.program import Ending, mergecast
from cli.served_folder import served_folder
from mergecast.incoming.connecting.added_sources import SourceSettings
from mergecast.incoming.platform.source_hosts import SourceHosts
from pasted_lines import needs_curl, run_line
from sources.faulty_server import faulty_server
from sources.github_deliveries import clock
from sources.platforms import GitLabPlatform
from waiting import wait_until

pytestmark = pytest.mark.server
_NOW = clock(100)  # the stories of the platforms are in September 2026
_NO_TERMINAL = "standard input is not a terminal, so nothing can be asked: give"
_QUEUES = "github, activity-log, gitlab, bors, other"
_FOR_TOKENS = "--app: --as and --from-token-file are for a queue that is read with a token"
_ADDED = """\
The token may read merge trains of orbit/space/lander.
added orbit/lander (GitLab merge trains); the server imports its last 90 days, the newest first
`mergecast admin sources` shows how far it is, `mergecast summary orbit/lander` the first figures
"""


def test_without_a_terminal_every_missing_answer_is_named(tmp_path: Path) -> None:
    for words, told in (
        ((), f"{_NO_TERMINAL} one of {_QUEUES}"),
        (("gitlab",), f"{_NO_TERMINAL} --repository and --from-token-file"),
        (("github", "--repository", "a/b"), f"{_NO_TERMINAL} --from-token-file, or --app for a GitHub App"),
        (("jenkins",), f"`jenkins` is not a queue that Mergecast knows; write one of {_QUEUES}"),
        (("bors", "--app"), "--app: only GitHub has apps"),
        (("github", "--app", "--as", "a/b"), _FOR_TOKENS),
        (("github", "--app", "--from-token-file", "-"), _FOR_TOKENS),
    ):  # fmt: skip
        ending = mergecast("setup", *words, data=tmp_path)
        assert (2, "", f"mergecast: {told}\n") == (ending.code, ending.out, ending.err), words


@pytest.mark.parametrize("words", [("other", "--repository", "acme/web"), ("github", "--app")])
def test_a_page_and_a_line_need_a_server_that_keeps_running(tmp_path: Path, words: tuple[str, ...]) -> None:
    ending = mergecast("setup", *words, data=tmp_path)

    advice = "start one with `mergecast serve`, or name one with --url"
    told = f"mergecast: no server is running for the store in `{tmp_path}`; {advice}\n"
    assert (1, told) == (ending.code, ending.err)


@needs_curl
def test_the_line_for_another_queue_works(tmp_path: Path) -> None:
    with served_folder(tmp_path / "data") as folder:
        lines = mergecast("setup", "other", "--repository", "acme/own", data=folder)
        sent = run_line(lines.out)
        queue = mergecast("queue", "acme/own", data=folder).out
        _, _, leaves = _said(lines).partition("This one says that it merged:\n")
        sent_later = run_line(leaves)
        later = mergecast("queue", "acme/own", data=folder).out

    assert ['{"stored":1,"duplicates":0}'] * 2 == [sent, sent_later]
    assert "#42" in queue
    assert "#42" not in later


def test_an_app_is_created_in_a_browser(tmp_path: Path) -> None:
    """The link signs in, and leads to the form with the owner."""
    with served_folder(tmp_path / "data") as folder:
        given = ("--repository", "acme/web", "--from-url", "https://ghe.acme.example/api/v3")
        ending = mergecast("setup", "github", "--app", *given, "--json", data=folder)

    first, _, code = json.loads(ending.out)["url"].partition("#")
    assert first.endswith(
        "/sources?queue=github&repository=acme%2Fweb&url=https%3A%2F%2Fghe.acme.example%2Fapi%2Fv3"
    )
    assert code.startswith("code=")


@pytest.fixture
def gitlab() -> Iterator[str]:
    """The URL of a platform with one merge request that merged."""
    platform = GitLabPlatform()
    platform.car(1, 7, 10, 30)
    with faulty_server(platform) as server:
        yield server.url


@contextmanager
def _served(folder: Path, url: str) -> Iterator[Path]:
    """A server that may read this platform."""
    with served_folder(
        folder, sources=SourceSettings(SourceHosts().with_urls([url])), now=lambda: _NOW
    ) as path:
        yield path


def _listed(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(mergecast("admin", "sources", "--json", data=folder).out)
    return found


def _said(ended: Ending) -> str:
    """What the command printed to standard error; the server of the test writes its log there, too."""
    return "".join(line for line in ended.err.splitlines(keepends=True) if not line.startswith("{"))


def test_options_add_a_queue(tmp_path: Path, gitlab: str) -> None:
    """It is tested first; the server imports it, and it can be paused, resumed and removed."""
    asked = (
        "setup",
        "gitlab",
        "--repository",
        "orbit/space/lander",
        "--as",
        "orbit/lander",
        "--from-url",
        gitlab,
    )
    with _served(tmp_path / "data", gitlab) as folder:
        refused = mergecast(*asked, data=folder, MERGECAST_GITLAB_TOKEN="glpat-wrong")
        none = mergecast("admin", "sources", data=folder)
        added = mergecast(*asked, "--from-token-file", "-", data=folder, stdin=b"glpat-reader\n")
        (source,) = wait_until(lambda: [one for one in _listed(folder) if one["state"] == "current"])
        shown = mergecast("admin", "sources", data=folder)
        twice = mergecast(*asked, data=folder, MERGECAST_GITLAB_TOKEN="glpat-reader")
        changes = [
            mergecast("admin", "sources", option, source["id"], data=folder).out
            for option in ("--pause", "--resume", "--remove")
        ]
        unknown = mergecast("admin", "sources", "--pause", source["id"], data=folder)
        left = _listed(folder)

    assert (1, "") == (refused.code, refused.out)
    assert _said(refused).startswith("mergecast: nothing is added: GitLab")
    assert "the server reads no queue by itself; add one with `mergecast setup`\n" == none.out
    assert (0, _ADDED) == (added.code, added.out)
    (_, row) = shown.out.splitlines()
    assert [source["id"], "orbit/lander", "GitLab", "merge", "trains", "current"] == row.split()[:6]
    assert (1, "mergecast: --repository: orbit/lander has this source already\n") == (
        twice.code,
        _said(twice),
    )
    assert [
        "paused orbit/lander (GitLab merge trains)\n",
        "resumed orbit/lander (GitLab merge trains)\n",
        f"removed source {source['id']}; its events stay\n",
    ] == changes
    missing = f"the server has no source `{source['id']}`; `mergecast admin sources` shows the ids"
    assert (1, f"mergecast: {missing}\n") == (unknown.code, _said(unknown))
    assert [] == left


class _Terminal:
    """A command in a terminal of its own."""

    def __init__(self, *arguments: str, data: Path) -> None:
        self._ours, theirs = os.openpty()
        environment = {**os.environ, "MERGECAST_DATA_DIR": str(data), "TERM": "dumb", "COLUMNS": "200"}
        command = [sys.executable, "-m", "mergecast", *arguments]
        self._process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
        )
        os.close(theirs)
        self.seen = ""

    def answers(self, question: str, answer: str) -> None:
        """Wait for a question, and answer it."""
        wait_until(lambda: question in self._read())
        os.write(self._ours, f"{answer}\n".encode())

    def ends(self) -> int:
        wait_until(lambda: self._process.poll() is not None)
        self._read()
        os.close(self._ours)
        return self._process.returncode

    def _read(self) -> str:
        while select.select([self._ours], [], [], 0.1)[0]:
            try:
                self.seen += os.read(self._ours, 1 << 16).decode()
            except OSError:  # the other end is closed
                break
        return self.seen


def test_a_terminal_is_asked(tmp_path: Path, gitlab: str) -> None:
    """The same questions as on the page; a token is not shown."""
    with _served(tmp_path / "data", gitlab) as folder:
        terminal = _Terminal("setup", data=folder)
        terminal.answers("Which queue do you use?", "9")
        terminal.answers("write a number from 1 to 5", "3")
        terminal.answers("Repository (GROUP/PROJECT)", "orbit/space/lander")
        terminal.answers("Address of its API [https://gitlab.com]", gitlab)
        terminal.answers("Its name here [orbit/space-lander]", "orbit/lander")
        terminal.answers("Token (not shown)", "glpat-reader")
        code = terminal.ends()
        (source,) = _listed(folder)

    assert 0 == code, terminal.seen
    assert _ADDED in terminal.seen.replace("\r", "")
    assert "glpat-reader" not in terminal.seen
    assert "orbit/lander" == source["name"]
