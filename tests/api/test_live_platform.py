"""The simulators with a live platform: our server, and a fake GitHub API on 127.0.0.1."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from builders import entered, left
from forge.widgets import ROOT, moved_head, pull, routes
from github_apps import app_pem
from github_server import TOKEN, GitHubServer, Reply, Route
from live_server import NO_LIMITS, LiveServer, live_server
from mergecast.app import platform_of
from mergecast.incoming.forge.live import LiveForge
from mergecast.incoming.platform.app_manifest import AppSecrets
from mergecast.incoming.platform.github import GitHub
from mergecast.process.sealing import Keys
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.snapshot import Needs
from mergecast.queues.store.added_sources import (
    AddedSourceRow,
    GitHubAppRow,
    add_added_source,
    add_github_app,
    added_source_id,
    delete_added_source,
    pause_added_source,
)
from mergecast.settings import Settings
from mergecast.simulation.ports import Access, MayRead

_HOTFIX = "queue_rules: [{name: hotfix}]\n"
_EXTENDING = """\
extends: shared
pull_request_rules:
  - {name: urgent, conditions: [label = ui], actions: {queue: {name: hotfix}}}
"""
_DOCUMENT = f"{ROOT}/contents/.mergify.yml"
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


def test_a_repository_known_only_to_the_platform(stage: Stage) -> None:
    """The server has no data about it, and can still validate its document."""
    stage.github.routes[ROOT] = {"full_name": "Acme/Widgets"}

    answer = stage.post("configuration-simulator", _HOTFIX)

    assert {
        "message": "The configuration is valid",
        "deprecations": [],
        "unused_sections": None,
    } == answer.json()


def test_a_repository_that_does_not_exist(stage: Stage) -> None:
    """The platform does not know it either."""
    path = "/v1/repos/Acme/Gone/configuration-simulator"

    assert 404 == stage.server.http.post(path, json={"config_yml": _HOTFIX}).status_code


def test_an_extended_document_is_read_from_the_platform(stage: Stage) -> None:
    """The simulation uses its queue, and there is no note."""
    stage.github.routes |= {ROOT: {"full_name": "Acme/Widgets"}, _SHARED: _raw(_HOTFIX)}

    message = stage.post("configuration-simulator", _EXTENDING).json()["message"]
    simulated = stage.post("pulls/12/simulator", _EXTENDING).json()

    assert "The configuration is valid" == message
    assert "Queue `hotfix`" in simulated["summary"]
    assert "could not be read" not in simulated["summary"]


def test_an_invalid_extended_document(stage: Stage) -> None:
    """It is an error of the candidate, and the message names the other repository."""
    stage.github.routes |= {ROOT: {"full_name": "Acme/Widgets"}, _SHARED: _raw("queue_rules: 3\n")}

    answer = stage.post("configuration-simulator", _EXTENDING)

    assert 422 == answer.status_code
    assert answer.json()["errors"][0]["path"] == ["extends"]
    assert answer.json()["errors"][0]["message"].startswith("the configuration of shared is invalid: ")


def test_an_extended_document_that_the_caller_may_not_read() -> None:
    """The service's own token can read it, but the caller must not see it that way."""
    widgets = Repository("Acme", "Widgets")

    async def ask(github: GitHub) -> dict[str, str]:
        access = Access(LiveForge(github, lambda: 0), widgets, TOKEN, 10, lambda _: False)
        try:
            return await access.extended_document("Acme", "shared")
        finally:
            await github.close()

    with GitHubServer({_SHARED: _raw(_HOTFIX)}) as server:
        assert {} == asyncio.run(ask(GitHub(server.url, lambda: 0)))
        assert [] == server.asked


def test_a_pull_request_on_the_platform(stage: Stage) -> None:
    """The simulation uses the platform's own data."""
    document = (
        "pull_request_rules: [{name: greet, conditions: [label = ui], actions: {label: {add: [seen]}}}]"
    )

    answer = stage.post("pulls/12/simulator", document).json()

    assert "1 rule matches — merge protections fail" == answer["title"]
    assert "- **greet**: Would add the label `seen`" in answer["summary"]


def test_a_head_that_moves(stage: Stage) -> None:
    """The parts that were read belong to no single commit; the response says to try again."""
    answers = iter([pull(), moved_head()])
    stage.github.routes[f"{ROOT}/pulls/12"] = lambda _: next(answers)

    answer = stage.post(
        "pulls/12/simulator", "pull_request_rules: [{name: a, conditions: [files = x], actions: {}}]"
    )

    assert 409 == answer.status_code


def test_a_pull_request_that_does_not_exist(stage: Stage) -> None:
    assert 404 == stage.post("pulls/13/simulator", _HOTFIX).status_code


def test_a_repository_that_was_renamed(stage: Stage) -> None:
    """The response names the new location."""
    stage.github.routes |= {
        f"{ROOT}/pulls/12": Reply(301, {}, {"Location": f"{stage.github.url}/repositories/1/pulls/12"}),
        "/repositories/1": {"id": 1, "full_name": "Acme/Gadgets"},
    }

    answer = stage.post("pulls/12/simulator", _HOTFIX)

    assert 409 == answer.status_code
    assert "Acme/Gadgets" in answer.json()["detail"]


_CURRENT = f"{ROOT}/contents/.mergify.yml"
_APPROVED = """\
pull_request_rules:
  - {name: seen, conditions: ["#approved-reviews-by >= 1"], actions: {label: {add: [seen]}}}
"""


def _compared(stage: Stage, current: str) -> tuple[str, str]:
    """The title and summary for a document without rules, on the only open pull request."""
    stage.github.routes |= {f"{ROOT}/pulls": [pull()], _CURRENT: _raw(current)}
    answer = stage.post("simulator", "pull_request_rules: []\n")
    assert 200 == answer.status_code, answer.text
    return answer.json()["title"], answer.json()["summary"]


_NO_LONGER = "- #12: no longer: Would add the label `seen`"


def test_the_current_document_needs_more(stage: Stage) -> None:
    """The server fetches the parts that it needs, even if the candidate does not need them."""
    title, summary = _compared(stage, _APPROVED)

    assert title.endswith(" — 1 treated differently than now")
    assert _NO_LONGER in summary


def test_the_current_document_extends_another(stage: Stage) -> None:
    """The server reads the other document, and the parts that it needs."""
    stage.github.routes[_SHARED] = _raw(_APPROVED)

    title, summary = _compared(stage, "extends: shared\n")

    assert title.endswith(" — 1 treated differently than now")
    assert _NO_LONGER in summary
    assert "could not be read" not in summary


def test_the_current_document_extends_one_that_is_not_readable(stage: Stage) -> None:
    """The comparison leaves it out, and a note says so."""
    title, summary = _compared(stage, "extends: shared\n")

    assert title.endswith(" — none treated differently than now")
    note = (
        "- In the current document: The configuration of shared could not be read "
        "(the platform shows no document of it); this simulation does not include it"
    )
    assert note in summary


@pytest.mark.parametrize(
    ("current", "note"),
    [
        ("queue_rules: 3\n", "- The current document is invalid, so there is no comparison with it"),
        (
            "#" * 1_048_577,
            "- The current document exceeds the limits, so there is no comparison with it",
        ),
    ],
)
def test_an_unreadable_current_document(stage: Stage, current: str, note: str) -> None:
    """It is not an error of the candidate."""
    title, summary = _compared(stage, current)

    assert "treated differently" not in title
    assert note in summary


def _several(repository: str) -> str:
    return (
        f"in Acme/{repository}, several configuration documents are in place: `.mergify.yml` and "
        "`.github/mergify.yaml`; only `.mergify.yml` is read, so remove the other one"
    )


def test_several_current_documents(stage: Stage) -> None:
    """The response lists them and names the one that is read."""
    stage.github.routes |= {
        f"{ROOT}/pulls": [pull()],
        _CURRENT: _raw(_APPROVED),
        f"{ROOT}/contents/.github/mergify.yaml": _raw(_APPROVED),
    }

    answer = stage.post("simulator", "pull_request_rules: []\n")

    assert (409, _several("Widgets")) == (answer.status_code, answer.json()["errors"][0]["message"])


@pytest.mark.parametrize("path", ["configuration-simulator", "pulls/12/simulator", "simulator"])
def test_several_documents_in_an_extended_repository(stage: Stage, path: str) -> None:
    """The other repository must be corrected first."""
    stage.github.routes |= {
        ROOT: {"full_name": "Acme/Widgets"},
        f"{ROOT}/pulls": [pull()],
        _SHARED: _raw(_HOTFIX),
        _SHARED.replace(".mergify.yml", ".github/mergify.yaml"): _raw(_HOTFIX),
    }

    answer = stage.post(path, _EXTENDING)

    assert (409, _several("shared")) == (answer.status_code, answer.json()["errors"][0]["message"])


def test_dependencies_that_the_caller_may_not_read() -> None:
    """The service's own token can read their state; the response omits it."""
    widgets, needs = Repository("Acme", "Widgets"), Needs(frozenset({"dependencies"}))

    async def ask(github: GitHub, may_read: MayRead) -> list[bytes]:
        access = Access(LiveForge(github, lambda: 0), widgets, TOKEN, 10, may_read)
        try:
            found = await access.open_pull_requests(needs)
            return [await access.pull_request(12, needs), *(record for _, record in found.records)]
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
    """The response is 503 with Retry-After, and no outdated data."""
    settings = Settings(github_url="http://127.0.0.1:9", github_token=TOKEN)
    with live_server(tmp_path, platform=platform_of(settings)) as server:
        answer = server.http.post("/v1/repos/Acme/Widgets/pulls/12/simulator", json={"config_yml": _HOTFIX})

    assert 503 == answer.status_code
    assert int(answer.headers["retry-after"]) > 0


def test_a_github_app_in_place_of_a_token(tmp_path: Path) -> None:
    """Its token is created for the simulated repository."""
    (tmp_path / "key.pem").write_bytes(app_pem().encode())
    with GitHubServer(routes()) as github:
        github.routes[ROOT] = _only_for("ghs_made", {"full_name": "Acme/Widgets"})
        github.routes |= _INSTALLED
        settings = Settings(
            github_url=github.url, github_app_id="42", github_app_key_file=tmp_path / "key.pem"
        )
        with live_server(tmp_path / "data", platform=platform_of(settings)) as server:
            stage = Stage(server, github)
            answers = [stage.post("configuration-simulator", _HOTFIX) for _ in range(2)]
            elsewhere = server.http.post(
                "/v1/repos/acme/other/configuration-simulator", json={"config_yml": _HOTFIX}
            )

    assert [200, 200, 404] == [answer.status_code for answer in (*answers, elsewhere)]
    assert 1 == github.paths.count("/app/installations/7/access_tokens")


_INSTALLED: dict[str, Route] = {
    f"{ROOT}/installation": {"id": 7},
    "/app/installations/7/access_tokens": Reply(
        201, {"token": "ghs_made", "expires_at": "2099-01-01T00:00:00Z"}
    ),
}


def _only_for(token: str, content: Route) -> Route:
    return lambda asked: content if asked.headers.get("authorization") == f"Bearer {token}" else Reply(401)


@dataclass
class Adding:
    """A server without credentials of the platform, to which a source is added."""

    server: LiveServer
    github: GitHubServer

    def add(self, here: str, token: str = "", app: str = "", **changed: Any) -> str:
        owner, name = here.split("/")
        id = added_source_id(changed.get("source", "github"), Repository(owner, name))
        row = AddedSourceRow(id, "github", here, owner, name, self.github.url, "", app, 1, "operator")
        sealed = self._sealed(token.encode(), row.about) if token else ""
        asyncio.run(add_added_source(self.server.store, row._replace(sealed=sealed, **changed)))
        return id

    def add_app(self) -> None:
        row = GitHubAppRow("42", "reader", "Acme", self.github.url, "", False, '["acme"]', 1)
        secrets = msgspec.json.encode(AppSecrets(app_pem()))
        row = row._replace(sealed=self._sealed(secrets, row.about))
        asyncio.run(add_github_app(self.server.store, row))

    def _sealed(self, secret: bytes, about: str) -> str:
        return Keys((), self.server.folder).make_seal().close(secret, about)

    def document(self, token: str | None = None) -> Any:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        answer = self.server.http.get("/v1/repos/Acme/Widgets/configuration", headers=headers)
        return answer.json().get("config_yml", answer.status_code)


@pytest.fixture
def adding(tmp_path: Path) -> Iterator[Adding]:
    with GitHubServer(routes()) as github:
        policy = replace(NO_LIMITS, platform_url=github.url)
        platform = platform_of(Settings(github_url=github.url))
        with live_server(tmp_path, policy, platform=platform) as server:
            server.send([entered("2026-03-02T10:00:00Z", "first", 12)], "Acme/Widgets").raise_for_status()
            yield Adding(server, github)


def test_the_token_of_an_added_source_reads_the_document(adding: Adding) -> None:
    """For whoever may read the repository, while the source is there and not paused."""
    adding.github.routes[_DOCUMENT] = _only_for("github_pat_added", _raw(_HOTFIX))
    before = adding.document()
    id = adding.add("Acme/Widgets", "github_pat_added")
    reader, stranger = (adding.server.key(owner)["key"] for owner in ("Acme", "umbrella"))
    readers = [adding.document(), adding.document(reader), adding.document(stranger)]
    asyncio.run(pause_added_source(adding.server.store, id, 2))
    paused = adding.document()
    asyncio.run(pause_added_source(adding.server.store, id, None))
    resumed = adding.document()
    asyncio.run(delete_added_source(adding.server.store, id))

    assert (None, [_HOTFIX, _HOTFIX, 403]) == (before, readers)
    assert (None, _HOTFIX, None) == (paused, resumed, adding.document())


def test_an_added_app_reads_the_document(adding: Adding) -> None:
    """With one token for all requests of an hour."""
    adding.github.routes |= {**_INSTALLED, _DOCUMENT: _only_for("ghs_made", _raw(_HOTFIX))}
    adding.add_app()
    adding.add("Acme/Widgets", app="42", paused_at=2)
    paused = adding.document()
    asyncio.run(
        pause_added_source(
            adding.server.store, added_source_id("github", Repository("Acme", "Widgets")), None
        )
    )
    adding.github.asked.clear()
    found = [adding.document() for _ in range(3)]

    assert (None, [_HOTFIX] * 3) == (paused, found)
    own = [asked for asked in adding.github.asked if asked.path == _DOCUMENT]
    assert 3 == len(own)


@pytest.mark.parametrize(
    "changed",
    [{"repository": "Acme/Engine"}, {"url": "https://github.example.com/api/v3"}, {"source": "gitlab"}],
    ids=["other name there", "other platform", "other source"],
)
def test_a_source_of_something_else_gives_no_token(adding: Adding, changed: dict[str, str]) -> None:
    """The repository of that name on the platform is another one."""
    adding.github.routes[_DOCUMENT] = _raw(_HOTFIX)
    adding.add("Acme/Widgets", "github_pat_added", **changed)

    assert adding.document() is None


def test_our_own_events_give_the_queue_position_and_the_last_exit(stage: Stage) -> None:
    """The platform says neither; without events, both stay unknown."""
    document = "pull_request_rules: [{name: r, conditions: [%s], actions: {comment: {message: hi}}}]\n"
    conditions = ("queue-position = 0", "queue-name = default", "queue-dequeue-reason = checks-failed")
    before = [stage.post("pulls/12/simulator", document % one).json()["summary"] for one in conditions]
    stage.server.send(
        [
            entered("2026-03-02T10:00:00Z", "first", 12),
            left("2026-03-02T10:20:00Z", "first", 12, reason="CHECKS_FAILED"),
            entered("2026-03-02T11:00:00Z", "second", 12),
        ],
        "Acme/Widgets",
    ).raise_for_status()

    after = [stage.post("pulls/12/simulator", document % one).json()["summary"] for one in conditions]

    assert all(f"- [X] `{one}`" in summary for one, summary in zip(conditions, after, strict=True)), after
    assert not any(f"- [X] `{one}`" in summary for one, summary in zip(conditions, before, strict=True))
