"""A source needs a package and a place on the list: commands, settings, routes and statistics follow.

The package is `toy`, made by the recipe in CONTRIBUTING.md; `toy_program.py` puts it on the list.
"""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from local_client import local_client
from logged_secrets import remember
from mergecast.process.data_folder import DataFolder
from mergecast.queues.model.instant import HOUR, MINUTE, format_instant, parse_instant
from sources.faulty_server import FaultyServer, Reply, Request, faulty_server
from sources.toy import SOURCE
from waiting import wait_for, wait_until

pytestmark = pytest.mark.server

_PROGRAM = Path(__file__).with_name("toy_program.py")
_TESTS = Path(__file__).parents[1]
_TOKEN = remember("toy-token-of-the-platform")
_SECRET = remember("toy-secret-of-webhooks")
_NOW = time.time_ns() // 1000
_PAGE = 3
# What the reports below say: by reason, how many pull requests left the queue, and how many entered it.
_EXITS = {"SUCCESS": 6, "PR_DEQUEUED": 2, "entered": 8}


def _reports() -> list[dict[str, Any]]:
    """Eight pull requests, newest report first: each entered, passed and left; two were removed."""
    found = []
    for pull in range(1, 9):
        begun = _NOW - 10 * HOUR + pull * 10 * MINUTE
        for minutes, what in ((0, "entered"), (4, "passed"), (5, "removed" if pull > 6 else "merged")):
            at = format_instant(begun + minutes * MINUTE)
            found.append({"id": 3 * pull + minutes, "pull": pull, "branch": "main", "at": at, "what": what})
    return sorted(found, key=lambda report: str(report["at"]), reverse=True)


def _platform(request: Request) -> Reply:
    if request.headers.get("Authorization") != f"Toy {_TOKEN}":
        return Reply({"message": "who are you?"}, 403)
    before = parse_instant(request.parameter("before"))
    return Reply([report for report in _reports() if parse_instant(report["at"]) < before][:_PAGE])


def _run(*arguments: str | Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    command, own = [sys.executable, _PROGRAM, *arguments], _environment(**environment)
    return subprocess.run(command, env=own, capture_output=True, text=True, check=False)


def _environment(**more: str) -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith("MERGECAST_")}
    return {**own, "PYTHONPATH": str(_TESTS), "COLUMNS": "200", **more}


class _Server:
    """A running server of the program that has the toy source."""

    def __init__(self, url: str, token: str) -> None:
        self.url, self.token = url, token
        self.http = local_client(url, headers={"Authorization": f"Bearer {remember(token)}"})

    def exits(self, repository: str) -> dict[str, int]:
        """How many pull requests left the queue, by reason, and how many entered it."""
        counts = Counter[str]()
        for entry in self._entries(repository, "queues_pr_exit_reasons"):
            counts[entry["exit_reason"]] += entry["count"]
        for entry in self._entries(repository, "queues_entered_count"):
            counts["entered"] += entry["entered"]
        return counts

    def _entries(self, repository: str, statistic: str) -> list[dict[str, Any]]:
        groups = self.answer(repository, statistic).get("groups", [])
        return [entry for group in groups for entry in group["stats"]]

    def answer(self, repository: str, statistic: str) -> dict[str, Any]:
        """What the statistic says; nothing while nothing is known about the repository."""
        window = {"start_at": format_instant(_NOW - 24 * HOUR), "end_at": format_instant(_NOW + HOUR)}
        answer = self.http.get(f"/v1/repos/{repository}/stats/{statistic}", params=window)
        return dict(answer.json()) if answer.status_code == 200 else {}


@pytest.fixture(scope="module")
def platform() -> Iterator[FaultyServer]:
    with faulty_server(_platform) as server:
        yield server


@pytest.fixture(scope="module")
def toy_server(platform: FaultyServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[_Server]:
    """It follows acme/followed, and receives webhooks."""
    folder = tmp_path_factory.mktemp("toy")
    settings = {
        "TOY_QUEUE_URL": platform.url,
        "TOY_QUEUE_TOKEN": _TOKEN,
        "FOLLOW": json.dumps([{"source": "toy-queue", "repository": "acme/followed"}]),
        "WEBHOOK_SECRETS": json.dumps([{"secret": _SECRET, "owners": ["acme"]}]),
    }
    arguments = [sys.executable, str(_PROGRAM), "serve", "--port", "0", "--data-dir", str(folder)]
    own = _environment(**{f"MERGECAST_{name}": value for name, value in settings.items()})
    output = subprocess.DEVNULL
    with subprocess.Popen(arguments, env=own, stdout=output, stderr=output) as process:
        try:
            address = wait_until(DataFolder(folder).address, "the start of the server")
            server = _Server(address.url, address.token)
            with server.http:
                yield server
        finally:
            process.terminate()


def test_its_history_is_imported(toy_server: _Server, platform: FaultyServer) -> None:
    """By a command of its own, page by page; a second import stops after the first page."""
    command = ("import", "toy-queue", "acme/imported", "--url", toy_server.url, "--token", toy_server.token)
    where = {"MERGECAST_TOY_QUEUE_URL": platform.url, "MERGECAST_TOY_QUEUE_TOKEN": _TOKEN}

    first, second = (_run(*command, **where) for _ in range(2))

    counted = [ended.stdout.splitlines()[-1] for ended in (first, second)]
    assert ["24 new reports, 0 already known", "0 new reports, 3 already known"] == counted
    assert [(0, ""), (0, "")] == [(ended.returncode, ended.stderr) for ended in (first, second)]
    assert _EXITS == toy_server.exits("acme/imported")
    answers = [toy_server.answer("acme/imported", name) for name in SOURCE.empty_statistics]
    assert [{"started": [], "completed": []}, {"groups": []}] == answers


def test_a_server_follows_it(toy_server: _Server) -> None:
    """MERGECAST_FOLLOW knows its name, and its settings have its address and token."""
    wait_for(_EXITS, lambda: toy_server.exits("acme/followed"), pause=0.2)


def test_its_webhooks_are_received(toy_server: _Server) -> None:
    """They are authenticated and read as the source says; what they report is counted."""
    refused = _deliver(toy_server, 0, {}, **{"X-Toy-Secret": "another secret"})
    nameless = _deliver(toy_server, 0, {}, **{"X-Toy-Id": "x"})
    answers = [
        _deliver(toy_server, number, {**report, "repository": "acme/hooked"})
        for number, report in enumerate(_reports())
    ]

    assert (403, 422) == (refused.status_code, nameless.status_code)
    assert [(202, {"stored": 1, "duplicates": 0, "not_kept": 0})] * 24 == [
        (answer.status_code, answer.json()) for answer in answers
    ]
    wait_for(_EXITS, lambda: toy_server.exits("acme/hooked"), pause=0.2)


def _deliver(server: _Server, number: int, report: dict[str, Any], **headers: str) -> httpx.Response:
    given = {"Content-Type": "application/json", "X-Toy-Id": str(number), "X-Toy-Secret": _SECRET, **headers}
    return server.http.post("/v1/hooks/toy-queue", json=report, headers=given)


def test_the_command_line_knows_its_settings(tmp_path: Path) -> None:
    """They have names like those of other sources, and a misspelt one is suggested."""
    ended = _run("import", "toy-queue", "a/b", "--data-dir", tmp_path, MERGECAST_TOY_QUEUE_TOKN="x")

    assert (
        "mergecast: warning: MERGECAST_TOY_QUEUE_TOKN has no effect; "
        "did you mean MERGECAST_TOY_QUEUE_TOKEN?\n"
        "mergecast: the toy queue needs a token: set MERGECAST_TOY_QUEUE_TOKEN, "
        "or pass its file with --from-token-file\n"
    ) == ended.stderr
    assert 2 == ended.returncode


def test_the_api_describes_it(toy_server: _Server) -> None:
    """Its webhooks have a path, and it is one of the sources that a path can name."""
    described = toy_server.http.get("/v1/openapi.json").json()
    path = described["paths"]["/v1/hooks/toy-queue"]["post"]
    answer = toy_server.http.get("/v1/repos/acme/none/sources/none/cursor")

    assert "Receive a report of the toy queue" == path["summary"]
    assert "must be one of github, activity-log, gitlab, bors, toy-queue" in answer.text
