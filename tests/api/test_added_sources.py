"""Sources are added to a running server, which imports and follows them until they are paused or deleted."""

import asyncio
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.problem_documents import error, invalid
from live_server import LiveServer, live_server
from local_http import refusing_url
from logged_secrets import LOGGED
from mergecast.incoming.connecting.added_sources import SourceSettings
from mergecast.incoming.connecting.reachable import is_reachable
from mergecast.incoming.intake.follower import Follow
from mergecast.incoming.intake.importing.following import Followed
from mergecast.incoming.platform.source_hosts import SourceHosts
from mergecast.incoming.sources.origin import Account
from mergecast.queues.model.instant import HOUR
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.added_sources import read_added_sources
from mergecast.signals.notices.delivery import NoticeSettings
from postgres.server import new_store
from sources.activity_log_history import LogWriter
from sources.faulty_server import FaultyServer, Reply, Request, faulty_server
from sources.platforms import ActivityLog, GitHubPlatform, GitLabPlatform
from sources.test_importing import NOW
from waiting import MOST_SECONDS, wait_for, wait_until

pytestmark = pytest.mark.server

_SOURCES = "/v1/sources"
_KEY = "a key of at least 32 characters, for a test"
_LOG = "acme/web"
_REFUSED = "the token may not read this repository; use an application key with the scope `admin`"
_OTHERS = "the operator can allow others in MERGECAST_SOURCE_HOSTS"


def _not_public(host: str) -> str:
    allowed = f"the operator can allow it with MERGECAST_SOURCE_HOSTS={host}:443"
    return f"the host {host} was not found or is not public; {allowed}"


def _log(stays: int = 40, per_page: int = 100) -> ActivityLog:
    return ActivityLog(_LOG, LogWriter(7, _LOG).entries(stays, NOW - HOUR), per_page)


class _Held:
    """A platform that answers only the first requests until it is let go."""

    def __init__(self, platform: Any, first: int) -> None:
        self._platform, self._first = platform, first
        self.may_go_on = threading.Event()
        self.asked: list[Request] = []

    def __call__(self, request: Request) -> Reply:
        self.asked.append(request)
        if len(self.asked) > self._first:
            self.may_go_on.wait(60)
        reply: Reply = self._platform(request)
        return reply


def _allowing(*platforms: FaultyServer) -> SourceSettings:
    return SourceSettings(SourceHosts(frozenset(f"127.0.0.1:{one.server_port}" for one in platforms)))


@contextmanager
def _serving(folder: Path, *platforms: FaultyServer, **more: Any) -> Iterator[LiveServer]:
    options = {"now": lambda: NOW, "sources": _allowing(*platforms), **more}
    with live_server(folder, **options) as server:
        yield server


def _wanted(platform: FaultyServer, **more: Any) -> dict[str, Any]:
    return {
        "source": "activity-log", "repository": _LOG, "url": platform.url, "token": "log-key", **more
    }  # fmt: skip


def _listed(server: LiveServer) -> list[Any]:
    answer = server.http.get(_SOURCES)
    assert answer.status_code == 200, answer.text
    found: list[Any] = answer.json()["sources"]
    return found


def _state(server: LiveServer) -> str | None:
    return next((str(one["state"]) for one in _listed(server)), None)


def _added(server: LiveServer, wanted: dict[str, Any]) -> Any:
    answer = server.http.post(_SOURCES, json=wanted)
    assert answer.status_code == 201, answer.text
    return answer.json()


def test_a_source_is_added_imported_and_followed(tmp_path: Path) -> None:
    log = _log()
    with faulty_server(log) as platform, _serving(tmp_path, platform) as server:
        added = _added(server, _wanted(platform, **{"as": "Acme/here"}))
        wait_for("current", lambda: _state(server))
        (listed,) = _listed(server)
        queues = server.http.get("/v1/repos/acme/here/sources").json()["sources"]

    assert ("added", "activity-log", "Mergify", _LOG, "Acme/here") == (
        *(added[name] for name in ("origin", "source", "title", "repository", "name")),
    )
    assert (platform.url, None, "admin token") == (added["url"], added["app"], added["created_by"])
    assert added["id"] == listed["id"]
    assert (None, None) == (listed["import"], listed["error"])
    assert [(queues[0]["events"], queues[0]["last_at"])] == [(listed["events"], listed["last_delivery_at"])]
    assert listed["events"] > 100
    assert listed["next_at"] is not None


def test_no_answer_and_no_log_contains_the_token(tmp_path: Path) -> None:
    """Not even the file of the store does."""
    token = "log-key"  # the one that the imitated platform accepts
    with faulty_server(_log()) as platform, _serving(tmp_path, platform) as server:
        _added(server, _wanted(platform))
        refused = server.http.post(f"{_SOURCES}/test", json=_wanted(platform, token="secret-that-is-wrong"))
        wait_for("current", lambda: _state(server))
        texts = [refused.text, server.http.get(_SOURCES).text, server.http.get("/v1/log").text]
        (row,) = asyncio.run(read_added_sources(server.store))

    for secret in (token, "secret-that-is-wrong"):
        assert not any(secret in text for text in [*texts, LOGGED.getvalue().decode(), *map(str, row)])


@pytest.mark.parametrize(
    ("change", "sentence", "field"),
    [
        ({}, "The token may read the activity log of acme/web.", None),
        ({"token": "other"},
         f"The activity log does not accept the token: {_REFUSED}.", "/token"),
        ({"repository": "acme/none"},
         "The activity log does not know acme/none, or the token may not see it.", "/repository"),
    ],
    ids=["right", "wrong token", "unknown repository"],
)  # fmt: skip
def test_a_test_says_in_words_what_is_wrong(
    tmp_path: Path, change: dict[str, str], sentence: str, field: str | None
) -> None:
    with faulty_server(_log()) as platform, _serving(tmp_path, platform) as server:
        wanted = _wanted(platform, **change)
        tested = server.http.post(f"{_SOURCES}/test", json=wanted)
        added = server.http.post(_SOURCES, json=wanted)

    assert (200, {"is_ok": field is None, "sentence": sentence, "field": field}) == (
        tested.status_code,
        tested.json(),
    )
    if field is None:
        assert 201 == added.status_code
    else:
        assert (422, invalid(error("body", field, sentence))) == (added.status_code, added.json())


@pytest.mark.parametrize(
    ("platform", "wanted", "sentence"),
    [
        (GitLabPlatform(), {"source": "gitlab", "repository": "orbit/space/lander", "as": "orbit/lander",
                            "token": "glpat-reader"},
         "The token may read merge trains of orbit/space/lander."),
        (GitLabPlatform(), {"source": "gitlab", "repository": "orbit/space/lander", "as": "orbit/lander",
                            "token": "glpat-other"}, "GitLab does not accept the token."),
        (GitLabPlatform(), {"source": "gitlab", "repository": "orbit/none", "token": "glpat-reader"},
         "GitLab does not know orbit/none, or the token may not see it."),
        (GitHubPlatform(), {"source": "github", "repository": "acme-orbit/lander", "token": "ghp_reader"},
         "The token may read the merge queue of acme-orbit/lander."),
        (GitHubPlatform(), {"source": "github", "repository": "acme-orbit/lander", "token": "ghp_other"},
         "GitHub does not accept the token."),
        (GitHubPlatform(), {"source": "github", "repository": "acme-orbit/none", "token": "ghp_reader"},
         "GitHub does not know acme-orbit/none, or the token may not see it."),
        (GitHubPlatform(), {"source": "bors", "repository": "acme-orbit/lander@robot", "token": "ghp_reader"},
         "The token may read pull requests and comments of acme-orbit/lander@robot."),
    ],
)  # fmt: skip
def test_every_platform_is_tested(
    tmp_path: Path, platform: Any, wanted: dict[str, str], sentence: str
) -> None:
    with faulty_server(platform) as running, _serving(tmp_path, running) as server:
        tested = server.http.post(f"{_SOURCES}/test", json={**wanted, "url": running.url})

    assert (200, sentence) == (tested.status_code, tested.json().get("sentence"))


def test_rights_that_an_import_needs_are_tested(tmp_path: Path) -> None:
    gitlab = GitLabPlatform("orbit/lander")

    def without_pipelines(request: Request) -> Reply:
        return Reply({}, 403) if request.path.endswith("/pipelines") else gitlab(request)

    with faulty_server(without_pipelines) as platform, _serving(tmp_path, platform) as server:
        wanted = {"source": "gitlab", "repository": "orbit/lander", "token": "glpat-reader"}
        tested = server.http.post(f"{_SOURCES}/test", json={**wanted, "url": platform.url}).json()

    sentence = "The token may not read pipelines of orbit/lander: give it read access."
    assert {"is_ok": False, "sentence": sentence, "field": "/token"} == tested


def test_a_platform_that_is_down_redirects_or_limits_is_not_waited_for(tmp_path: Path) -> None:
    def redirect(_: Request) -> Reply:
        return Reply(None, 302, {"Location": "https://elsewhere.example/login"})

    def limit(_: Request) -> Reply:
        return Reply({}, 429, {"Retry-After": "3600"})

    with (
        faulty_server(redirect) as redirecting,
        faulty_server(limit) as limiting,
        refusing_url() as down,
        _serving(tmp_path, sources=_settings(redirecting.url, limiting.url, down)) as server,
    ):
        urls = (redirecting.url, limiting.url, down)
        found = [
            server.http.post(f"{_SOURCES}/test", json={**_wanted(redirecting), "url": url}).json()
            for url in urls
        ]

    assert [(False, "/url")] * 3 == [(one["is_ok"], one["field"]) for one in found]
    name = "The activity log"
    assert [
        f"{name} redirects: acme/web has moved, or the URL is not the final one.",
        f"{name} cannot be read at {limiting.url}: the rate limit is used up.",
        f"{name} cannot be read at {down}: All connection attempts failed.",
    ] == [one["sentence"] for one in found]
    assert 1 == len(redirecting.requests)


def _settings(*urls: str) -> SourceSettings:
    return SourceSettings(SourceHosts().with_urls(urls))


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("http://gitlab.example", f"must begin with https://; {_OTHERS}"),
        ("https://gitlab.example:8443", f"must use port 443; {_OTHERS}"),
        ("ftp://gitlab.example", "must be a URL such as https://gitlab.example.com"),
        ("https://ada:secret@gitlab.example", "must not contain a user or a password"),
        ("https://inside.example", _not_public("inside.example")),
        ("https://mixed.example", _not_public("mixed.example")),
        ("https://169.254.169.254", _not_public("169.254.169.254")),
    ],
)  # fmt: skip
def test_hosts_must_be_public_unless_the_operator_allows_them(tmp_path: Path, url: str, message: str) -> None:
    async def resolve(host: str, _: int) -> Sequence[str]:
        private = {"inside.example": ["10.0.0.7"], "mixed.example": ["1.1.1.1", "127.0.0.1"]}
        return private.get(host, [host])

    settings = SourceSettings(SourceHosts(resolve=resolve))
    wanted = {"source": "gitlab", "repository": "orbit/lander", "url": url, "token": "glpat-reader"}
    with live_server(tmp_path, sources=settings) as server:
        answers = [server.http.post(path, json=wanted) for path in (f"{_SOURCES}/test", _SOURCES)]
        assert [] == _listed(server)

    assert 2 * [(422, invalid(error("body", "/url", message)))] == [
        (answer.status_code, answer.json()) for answer in answers
    ]


def test_a_name_that_takes_too_long_to_look_up_is_not_found(tmp_path: Path) -> None:
    """A slow name server holds up nobody who wants to add a source."""

    async def resolve(_: str, __: int) -> Sequence[str]:
        await asyncio.Event().wait()
        return []

    settings = SourceSettings(SourceHosts(resolve=resolve, seconds=0.05))
    url = "https://gitlab.example"
    wanted = {"source": "gitlab", "repository": "orbit/lander", "url": url, "token": "glpat-reader"}
    with live_server(tmp_path, sources=settings) as server:
        answer = server.http.post(f"{_SOURCES}/test", json=wanted, timeout=MOST_SECONDS)

    message = _not_public("gitlab.example")
    assert (422, invalid(error("body", "/url", message))) == (answer.status_code, answer.json())


def test_a_name_that_leads_elsewhere_after_it_was_checked_is_not_followed(tmp_path: Path) -> None:
    """Each connection goes to an address that was checked for it."""
    looked_up: list[str] = []

    async def resolve(host: str, _: int) -> Sequence[str]:
        looked_up.append(host)
        return ["1.1.1.1"] if len(looked_up) == 1 else ["127.0.0.1"]

    settings = SourceSettings(SourceHosts(resolve=resolve))
    url = "https://gitlab.example"
    wanted = {"source": "gitlab", "repository": "orbit/lander", "url": url, "token": "glpat-reader"}
    with live_server(tmp_path, sources=settings) as server:
        tested = server.http.post(f"{_SOURCES}/test", json=wanted).json()

    sentence = f"GitLab cannot be read at {url}: {_not_public('gitlab.example')}."
    assert {"is_ok": False, "sentence": sentence, "field": "/url"} == tested
    assert 2 == len(looked_up)


_ELSEWHERE = {
    "repository": ("../../user", "acme/..", "acme/./web", "acme/web?a=b", "acme/web#b", "acme/%2e%2e"),
    "url": ("https://x.example/..", "https://x.example/api?", "https://x.example/#", "https://x.example/%2e"),
}


def test_names_and_urls_do_not_lead_elsewhere(tmp_path: Path) -> None:
    """The token would be sent to whatever they lead to."""
    wanted = {"source": "activity-log", "repository": "acme/web", "as": "acme/web", "token": "x"}
    messages = {
        "repository": "must be the name of a repository on the platform, such as OWNER/REPO",
        "url": "must not contain a query, a fragment, `%`, or a segment `.` or `..`",
    }
    with live_server(tmp_path) as server:
        for field, values in _ELSEWHERE.items():
            for value in values:
                answer = server.http.post(f"{_SOURCES}/test", json={**wanted, field: value}).json()
                assert invalid(error("body", f"/{field}", messages[field])) == answer, value


def test_errors_of_a_wanted_source(tmp_path: Path) -> None:
    """All of them are reported together."""
    with live_server(tmp_path) as server:
        empty = server.http.post(_SOURCES, json={}).json()
        odd = {"source": "svn", "repository": "web", "token": "a b", "as": "web", "tokn": 1}
        wrong = server.http.post(_SOURCES, json=odd).json()
        nested = {"source": "gitlab", "repository": "a/b/c", "github_app": "7"}
        unnamed = server.http.post(_SOURCES, json=nested).json()
        both = {"source": "github", "repository": "a/b", "github_app": "7", "token": "x"}
        twice = server.http.post(_SOURCES, json=both).json()
        unknown = server.http.post(_SOURCES, json={**both, "token": None}).json()

    assert {"/source", "/repository"} == {one["name"] for one in empty["errors"]}
    assert {"/source", "/repository", "/token", "/as", "/tokn"} == {one["name"] for one in wrong["errors"]}
    assert (
        invalid(
            error("body", "/as", "is missing: choose a name for it here, OWNER/REPO"),
            error("body", "/github_app", "is for the source github only"),
        )
        == unnamed
    )
    assert invalid(error("body", "/token", "must be left out with github_app")) == twice
    message = "there is no such app; GET /v1/sources lists them"
    assert invalid(error("body", "/github_app", message)) == unknown


def test_the_same_source_is_added_once(tmp_path: Path) -> None:
    """However its name is written, and also by two people at once."""
    with faulty_server(_log()) as platform, _serving(tmp_path, platform) as server:
        with ThreadPoolExecutor(4) as people:

            def add(name: str) -> httpx.Response:
                wanted = _wanted(platform, **{"as": name})
                headers = {"Authorization": server.http.headers["Authorization"]}
                return httpx.post(f"{server.url}{_SOURCES}", json=wanted, headers=headers, timeout=60)

            answers = list(people.map(add, ["acme/web", "Acme/Web", "acme/WEB", "acme/web"]))
        later = server.http.post(_SOURCES, json=_wanted(platform))
        assert 1 == len(_listed(server))

    assert [201, 409, 409, 409] == sorted(answer.status_code for answer in answers)
    assert (409, "acme/web has this source already") == (
        later.status_code,
        later.json()["errors"][0]["message"],
    )


def test_sources_of_the_environment_are_shown_and_cannot_be_changed(tmp_path: Path) -> None:
    with faulty_server(_log()) as platform:
        followed = Followed("activity-log", _LOG, Repository("acme", "web"))
        follows = (Follow(followed, Account("activity-log", platform.url, "log-key")),)
        with _serving(tmp_path, platform, follows=follows) as server:
            wait_for("current", lambda: _state(server))
            (listed,) = _listed(server)
            again = server.http.post(_SOURCES, json=_wanted(platform))

    assert (None, "environment", None, None) == (
        *(listed[name] for name in ("id", "origin", "created_at", "created_by")),
    )
    message = "acme/web is followed already, because MERGECAST_FOLLOW lists it"
    assert (409, message) == (again.status_code, again.json()["errors"][0]["message"])


def test_pausing_while_it_imports_stops_and_resuming_goes_on(tmp_path: Path) -> None:
    """What was read before is not read again."""
    held = _Held(_log(per_page=10), first=4)
    with faulty_server(held) as platform, _serving(tmp_path, platform) as server:
        id = _added(server, _wanted(platform))["id"]
        wait_until(lambda: len(held.asked) > 4)
        importing = _listed(server)[0]
        paused = server.http.put(f"{_SOURCES}/{id}", json={"is_paused": True}).json()
        again = server.http.put(f"{_SOURCES}/{id}", json={"is_paused": True}).json()
        held.may_go_on.set()
        wait_for(None, lambda: _lease(server))
        asked = len(held.asked)
        resumed = server.http.put(f"{_SOURCES}/{id}", json={"is_paused": False}).json()
        wait_for("current", lambda: _state(server))
        first = next(one for one in held.asked[asked:] if "cursor" in one.query)

    assert "importing" == importing["state"]
    assert 0 <= importing["import"]["share"] < 1
    assert ("paused", "paused") == (paused["state"], again["state"])
    assert resumed["state"] in ("waiting", "importing")
    assert int(first.parameter("cursor")) > 10


def _lease(server: LiveServer) -> object:
    """Who follows the source."""
    sources = server.http.get("/v1/repos/acme/web/sources").json().get("sources") or [{}]
    return sources[0].get("following")


def test_an_import_that_a_restart_interrupts_goes_on(tmp_path: Path) -> None:
    held = _Held(_log(per_page=10), first=4)
    with faulty_server(held) as platform:
        with _serving(tmp_path, platform) as server:
            _added(server, _wanted(platform))
            wait_until(lambda: len(held.asked) > 4)
        before = len(held.asked)
        held.may_go_on.set()
        with _serving(tmp_path, platform) as server:
            wait_for("current", lambda: _state(server))
            events = _listed(server)[0]["events"]
        cursors = [int(one.parameter("cursor")) for one in held.asked[before:] if "cursor" in one.query]
    with faulty_server(_log()) as platform, _serving(tmp_path / "whole", platform) as server:
        _added(server, _wanted(platform))
        wait_for("current", lambda: _state(server))
        expected = _listed(server)[0]["events"]

    assert expected == events
    assert cursors[0] > 10


def test_a_deleted_source_stops_and_its_events_stay(tmp_path: Path) -> None:
    with faulty_server(_log()) as platform, _serving(tmp_path, platform) as server:
        id = _added(server, _wanted(platform))["id"]
        wait_for("current", lambda: _state(server))
        events = _listed(server)[0]["events"]
        deleted = server.http.delete(f"{_SOURCES}/{id}")
        wait_for(None, lambda: _lease(server))
        kept = server.http.get("/v1/repos/acme/web/sources").json()["sources"][0]["events"]
        assert [] == asyncio.run(read_added_sources(server.store))
        gone = server.http.delete(f"{_SOURCES}/{id}")
        paused = server.http.put(f"{_SOURCES}/{id}", json={"is_paused": True})
        _added(server, _wanted(platform))

    assert (204, events) == (deleted.status_code, kept)
    message = f"there is no added source `{id}`; GET /v1/sources lists them"
    assert 2 * [(404, message)] == [
        (answer.status_code, answer.json()["detail"]) for answer in (gone, paused)
    ]


def test_a_token_that_is_revoked_is_reported(tmp_path: Path) -> None:
    """In words that concern an added source, not the environment."""
    platform = GitLabPlatform("orbit/lander")
    is_revoked = threading.Event()

    def answer(request: Request) -> Reply:
        return Reply({"message": "401 Unauthorized"}, 401) if is_revoked.is_set() else platform(request)

    with faulty_server(answer) as running:
        wanted = {"source": "gitlab", "repository": "orbit/lander", "token": "glpat-reader"}
        with _serving(tmp_path, running) as server:
            _added(server, {**wanted, "url": running.url})
            wait_for("current", lambda: _state(server))
        is_revoked.set()
        with _serving(tmp_path, running) as server:
            wait_for("failing", lambda: _state(server))
            (listed,) = _listed(server)

    assert listed["error"].endswith(": invalid token; remove this source, and add it with another token")


def test_without_its_key_a_source_cannot_be_read(tmp_path: Path) -> None:
    with faulty_server(_log()) as platform:
        with _serving(tmp_path, platform) as server:
            _added(server, _wanted(platform))
        (tmp_path / "secret-key").unlink()
        with _serving(tmp_path, platform) as server:
            (listed,) = _listed(server)

    message = (
        "its token cannot be decrypted, because the key is missing: give the server the key that it was "
        "encrypted with, or remove this source and add it again"
    )
    assert ("failing", message) == (listed["state"], listed["error"])


def test_on_postgresql_the_key_must_be_set_and_another_server_takes_over(
    tmp_path: Path, database_server: str
) -> None:
    url = new_store(database_server)
    with faulty_server(_log()) as platform:
        with _serving(tmp_path, platform, database_url=url) as server:
            shown = server.http.get(_SOURCES).json()
            refused = server.http.post(f"{_SOURCES}/test", json=_wanted(platform))
            assert [] == platform.requests
        keyed = {"database_url": url, "notices": NoticeSettings(secret_keys=(_KEY,))}
        with (
            _serving(tmp_path / "first", platform, **keyed) as first,
            _serving(tmp_path / "second", platform, **keyed) as second,
        ):
            id = _added(first, _wanted(platform))["id"]
            wait_for("current", lambda: _state(second))
            second.http.put(f"{_SOURCES}/{id}", json={"is_paused": True}).raise_for_status()
            wait_for(None, lambda: _lease(first))
            paused = _state(first)

    message = "the server has no key to encrypt secrets with: set MERGECAST_SECRET_KEY"
    assert (False, message) == (shown["can_add"], shown["cannot_add_because"])
    assert (422, message) == (refused.status_code, refused.json()["detail"])
    assert "paused" == paused


def test_only_those_with_the_right_may_see_or_add_sources(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        admin = server.key("acme", scopes=["admin"])["key"]
        of_all = server.key("*", scopes=["sources"])["key"]
        answers = [server.ask(token, _SOURCES).status_code for token in (admin, of_all)]

    assert [403, 200] == answers


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://mergecast.example.com", True),
        ("https://mergecast.example.com/path", True),
        ("http://mergecast.example.com", False),
        ("https://localhost", False),
        ("https://127.0.0.1:8000", False),
        ("https://10.0.0.7", False),
        ("https://[::1]", False),
        ("https://1.1.1.1", True),
        ("https://mergecast", False),
        ("https://mergecast.internal", False),
    ],
)
def test_whether_platforms_can_reach_a_url(url: str, *, expected: bool) -> None:
    assert expected == is_reachable(url)
