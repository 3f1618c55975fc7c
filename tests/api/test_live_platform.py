"""The simulators with the code-hosting platform behind them: our server, and GitHub's API on 127.0.0.1."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from forge.widgets import ROOT, moved_head, pull, routes
from github_server import TOKEN, GitHubServer, Reply
from live_server import LiveServer, live_server
from mergecast.api.platform_access import Access, MayRead
from mergecast.app import platform_of
from mergecast.forge.live import LiveForge
from mergecast.model.repository import Repository
from mergecast.model.snapshot import Needs
from mergecast.platform.github import GitHub
from mergecast.settings import Settings

_HOTFIX = "queue_rules: [{name: hotfix}]\n"
_EXTENDING = """\
extends: shared
pull_request_rules:
  - {name: urgent, conditions: [label = ui], actions: {queue: {name: hotfix}}}
"""
_SHARED = "/repos/Acme/shared/contents/.mergify.yml"


@dataclass
class Stage:
    server: LiveServer
    github: GitHubServer

    def post(self, path: str, document: str) -> httpx.Response:
        return self.server.http.post(f"/v1/repos/Acme/Widgets/{path}", json={"config_yml": document})


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with GitHubServer(routes()) as github:
        settings = Settings(github_url=github.url, github_token=TOKEN)
        with live_server(tmp_path, platform=platform_of(settings)) as server:
            yield Stage(server, github)


def _raw(text: str) -> Reply:
    return Reply(200, text.encode(), {"Content-Type": "application/vnd.github.raw+json; charset=utf-8"})


def test_a_repository_that_only_the_platform_knows(stage: Stage) -> None:
    """Nothing was ever sent here about it, and its document can be judged all the same."""
    stage.github.routes[ROOT] = {"full_name": "Acme/Widgets"}

    answer = stage.post("configuration-simulator", _HOTFIX)

    assert {
        "message": "The configuration is valid",
        "deprecations": [],
        "unused_sections": None,
    } == answer.json()


def test_a_repository_that_nobody_knows(stage: Stage) -> None:
    """The platform does not show it either."""
    path = "/v1/repos/Acme/Gone/configuration-simulator"

    assert 404 == stage.server.http.post(path, json={"config_yml": _HOTFIX}).status_code


def test_what_is_extended_is_read_from_the_platform(stage: Stage) -> None:
    """With it the queue is there, and nothing is noted."""
    stage.github.routes |= {ROOT: {"full_name": "Acme/Widgets"}, _SHARED: _raw(_HOTFIX)}

    message = stage.post("configuration-simulator", _EXTENDING).json()["message"]
    simulated = stage.post("pulls/12/simulator", _EXTENDING).json()

    assert "The configuration is valid" == message
    assert "Queue `hotfix`" in simulated["summary"]
    assert "could not be read" not in simulated["summary"]


def test_what_is_extended_is_invalid(stage: Stage) -> None:
    """That is an error of the candidate, which names the other repository."""
    stage.github.routes |= {ROOT: {"full_name": "Acme/Widgets"}, _SHARED: _raw("queue_rules: 3\n")}

    answer = stage.post("configuration-simulator", _EXTENDING)

    assert 422 == answer.status_code
    assert answer.json()["errors"][0]["path"] == ["extends"]
    assert answer.json()["errors"][0]["message"].startswith("the configuration of shared is invalid: ")


def test_what_is_extended_is_not_for_this_caller() -> None:
    """The service's own token shows more than a caller may see through it."""

    async def ask(github: GitHub) -> dict[str, str]:
        access = Access(LiveForge(github, lambda: 0), TOKEN, 10, lambda _: False)
        try:
            return await access.remotes("Acme", "shared")
        finally:
            await github.close()

    with GitHubServer({_SHARED: _raw(_HOTFIX)}) as server:
        assert {} == asyncio.run(ask(GitHub(server.url, lambda: 0)))
        assert [] == server.asked


def test_a_pull_request_of_the_platform(stage: Stage) -> None:
    """What would happen to it, from the platform's own answers."""
    document = (
        "pull_request_rules: [{name: greet, conditions: [label = ui], actions: {label: {add: [seen]}}}]"
    )

    answer = stage.post("pulls/12/simulator", document).json()

    assert "1 rule matches — merge protections fail" == answer["title"]
    assert "- **greet**: Would add the label `seen`" in answer["summary"]


def test_a_head_that_moves(stage: Stage) -> None:
    """What was read belongs to no commit: try again."""
    answers = iter([pull(), moved_head()])
    stage.github.routes[f"{ROOT}/pulls/12"] = lambda _: next(answers)

    answer = stage.post(
        "pulls/12/simulator", "pull_request_rules: [{name: a, conditions: [files = x], actions: {}}]"
    )

    assert 409 == answer.status_code


def test_a_pull_request_that_is_not_there(stage: Stage) -> None:
    assert 404 == stage.post("pulls/13/simulator", _HOTFIX).status_code


def test_a_repository_that_was_renamed(stage: Stage) -> None:
    """The answer names the new place."""
    stage.github.routes |= {
        f"{ROOT}/pulls/12": Reply(301, {}, {"Location": f"{stage.github.url}/repositories/1/pulls/12"}),
        "/repositories/1": {"id": 1, "full_name": "Acme/Gadgets"},
    }

    answer = stage.post("pulls/12/simulator", _HOTFIX)

    assert 409 == answer.status_code
    assert "Acme/Gadgets" in answer.json()["detail"]


_IN_FORCE = f"{ROOT}/contents/.mergify.yml"
_APPROVED = """\
pull_request_rules:
  - {name: seen, conditions: ["#approved-reviews-by >= 1"], actions: {label: {add: [seen]}}}
"""


def _compared(stage: Stage, in_force: str) -> tuple[str, str]:
    """Title and summary of a document without rules, on the one open pull request."""
    stage.github.routes |= {f"{ROOT}/pulls": [pull()], _IN_FORCE: _raw(in_force)}
    answer = stage.post("simulator", "pull_request_rules: []\n")
    assert 200 == answer.status_code, answer.text
    return answer.json()["title"], answer.json()["summary"]


_NO_LONGER = "- #12: no longer: Would add the label `seen`"


def test_the_document_in_force_needs_more(stage: Stage) -> None:
    """What it depends on is fetched, though the candidate does not ask for it."""
    title, summary = _compared(stage, _APPROVED)

    assert title.endswith(" — 1 treated differently than now")
    assert _NO_LONGER in summary


def test_the_document_in_force_extends_another(stage: Stage) -> None:
    """The other is read, and so is what it needs."""
    stage.github.routes[_SHARED] = _raw(_APPROVED)

    title, summary = _compared(stage, "extends: shared\n")

    assert title.endswith(" — 1 treated differently than now")
    assert _NO_LONGER in summary
    assert "could not be read" not in summary


def test_the_document_in_force_extends_one_that_is_not_shown(stage: Stage) -> None:
    """It is compared without it, and a note says so."""
    title, summary = _compared(stage, "extends: shared\n")

    assert title.endswith(" — none treated differently than now")
    note = (
        "- In the current document: The configuration of shared could not be read "
        "(the platform shows no document of it); this simulation does not include it"
    )
    assert note in summary


@pytest.mark.parametrize(
    ("in_force", "note"),
    [
        ("queue_rules: 3\n", "- The current document is invalid, so there is no comparison with it"),
        (
            "#" * 1_048_577,
            "- The current document exceeds the limits, so there is no comparison with it",
        ),
    ],
)
def test_a_document_in_force_that_cannot_be_read(stage: Stage, in_force: str, note: str) -> None:
    """The candidate is not to blame."""
    title, summary = _compared(stage, in_force)

    assert "treated differently" not in title
    assert note in summary


def test_pull_requests_of_others_are_not_for_this_caller() -> None:
    """The service's own token shows their state, which is left out for who may not read it."""
    widgets, needs = Repository("Acme", "Widgets"), Needs(frozenset({"dependencies"}))

    async def ask(github: GitHub, may_read: MayRead) -> list[bytes]:
        access = Access(LiveForge(github, lambda: 0), TOKEN, 10, may_read)
        try:
            found = await access.open_pull_requests(widgets, needs)
            return [await access.pull_request(widgets, 12, needs), *(record for _, record in found.records)]
        finally:
            await github.close()

    def dependencies(may_read: MayRead) -> list[dict[str, str]]:
        records = asyncio.run(ask(GitHub(server.url, lambda: 0), may_read))
        return [json.loads(record)["dependencies"] for record in records]

    own, other = {"Acme/Widgets#7": "merged"}, {"Acme/Engine#3": "open"}
    with GitHubServer(routes() | {f"{ROOT}/pulls": [pull()]}) as server:
        assert [own, own] == dependencies(lambda one: one == widgets)
        assert "/repos/Acme/Engine/pulls/3" not in server.paths
        assert [own | other, own | other] == dependencies(lambda _: True)


def test_a_platform_that_is_down(tmp_path: Path) -> None:
    """503 with the time to wait, and nothing old in its place."""
    settings = Settings(github_url="http://127.0.0.1:9", github_token=TOKEN)
    with live_server(tmp_path, platform=platform_of(settings)) as server:
        answer = server.http.post("/v1/repos/Acme/Widgets/pulls/12/simulator", json={"config_yml": _HOTFIX})

    assert 503 == answer.status_code
    assert int(answer.headers["retry-after"]) > 0
