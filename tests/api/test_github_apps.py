"""A GitHub App by manifest: to GitHub and back, against an imitation of its pages and its API."""

import asyncio
import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest

from api.signed_webhooks import post_webhook
from github_apps import App, GitHubApps, github_apps
from live_server import NO_LIMITS, TOKEN, LiveServer, live_server
from local_client import get, local_client
from local_http import LocalServer, Reply
from mergecast.process.clock import now_in_microseconds
from mergecast.queues.model.instant import HOUR, SECOND
from mergecast.queues.store.added_sources import (
    AddedSourceRow,
    add_added_source,
    delete_added_source,
    set_installed_owners,
)

pytestmark = pytest.mark.server

_BEGIN = "/v1/github-apps/begin"
_COOKIE = "mergecast_github_app"
_WANTED = {"owner": "acme", "is_organization": True, "has_webhook": True}
_OTHER_HOST = (
    "must be https://api.github.com, or https://HOST/api/v3 or https://api.NAME.ghe.com with a host that the "
    "operator allows in MERGECAST_SOURCE_HOSTS"
)
_PUBLIC = "https://mergecast.example.com"


@dataclass
class Round:
    """A server, the GitHub that it uses, and one browser of the operator."""

    server: LiveServer
    github: GitHubApps
    platform: LocalServer

    def begin(self, http: httpx.Client, **changed: Any) -> httpx.Response:
        return http.post(_BEGIN, json={**_WANTED, "has_webhook": False, **changed})

    def browser(self, token: str = TOKEN) -> httpx.Client:
        return local_client(self.server.url, headers={"Authorization": f"Bearer {token}"})

    def confirm(self, begun: httpx.Response) -> str:
        """Send the form, and press *Create GitHub App*: the path with which the browser returns."""
        action, manifest = begun.json()["action"], json.dumps(begun.json()["manifest"])
        assert action.startswith(self.platform.url)
        page = self._post(action, {"manifest": manifest})
        assert 200 == page.status_code, page.text
        assert "Create GitHub App for acme" in page.text
        (state,) = parse_qs(urlsplit(action).query)["state"]
        form = {"owner": "acme", "manifest": manifest, "state": state}
        return _path(self._post(f"{self.platform.url}/settings/apps", form))

    def install(self, created: httpx.Response) -> str:
        """Press *Install*: the path with which the browser returns."""
        location = created.headers["location"]
        assert location.startswith(f"{self.platform.url}/")
        assert "<button>Install</button>" in get(location).text
        return _path(self._post(location, {}))

    def _post(self, url: str, form: dict[str, str]) -> httpx.Response:
        with local_client(self.platform.url) as http:
            headers = {"Content-Type": "application/x-www-form-urlencoded"}
            return http.post(url, content=urlencode(form), headers=headers)

    def make(self) -> App:
        """An App that is installed on acme."""
        with self.browser() as http:
            created = http.get(self.confirm(self.begin(http)))
            http.get(self.install(created))
        return self.github.apps[-1]


def _path(reply: httpx.Response) -> str:
    """The path that GitHub redirects to; it knows the public URL, and the test the real one."""
    assert 302 == reply.status_code
    parts = urlsplit(reply.headers["location"])
    return f"{parts.path}?{parts.query}"


@pytest.fixture
def rounds(tmp_path: Path) -> Iterator[Round]:
    with github_apps() as (github, platform), _live(tmp_path, platform) as server:
        yield Round(server, github, platform)


def _live(folder: Path, platform: LocalServer, **more: Any) -> Any:
    policy = replace(NO_LIMITS, platform_url=platform.url, **more.pop("policy", {}))
    return live_server(folder, policy, **more)


def _place(answer: httpx.Response) -> str:
    assert 303 == answer.status_code
    return str(answer.headers["location"])


def test_to_github_and_back(rounds: Round) -> None:
    """Two buttons on GitHub later, the App can read the repositories of its owner."""
    with rounds.browser() as http:
        begun = rounds.begin(http)
        created = http.get(rounds.confirm(begun))
        installed = http.get(rounds.install(created))
        readable = http.get("/v1/github-apps/1000/repositories")

    (app,) = rounds.github.apps
    assert f"{rounds.platform.url}/apps/{app.slug}/installations/new" == _place(created).partition("?")[0]
    assert "/sources#app=1000" == _place(installed)
    assert {
        "repositories": [{"name": "acme/web", "is_added": False}],
        "installed": ["acme"],
    } == readable.json()
    cookies = [answer.headers["set-cookie"] for answer in (begun, created, installed)]
    assert all(cookie.endswith("; HttpOnly; SameSite=Lax") for cookie in cookies)
    assert ["Max-Age=3600", "Max-Age=3600", "Max-Age=0"] == [cookie.split("; ")[2] for cookie in cookies]


def test_an_enterprise_server(tmp_path: Path) -> None:
    """Its API is below /api/v3, and the page that installs an App is elsewhere than on github.com."""
    with github_apps(prefix="/api/v3") as (github, platform):
        policy = replace(NO_LIMITS, platform_url=f"{platform.url}/api/v3")
        with live_server(tmp_path, policy) as server:
            rounds = Round(server, github, platform)
            app = rounds.make()
            readable = server.http.get("/v1/github-apps/1000/repositories").json()

    assert f"/github-apps/{app.slug}/installations/new" in {
        urlsplit(asked.path).path for asked in platform.asked
    }
    assert ["acme"] == readable["installed"]


def test_the_answer_and_the_store_have_no_secret(rounds: Round, tmp_path: Path) -> None:
    """What GitHub gave is encrypted in the store, and the page never gets it."""
    app = rounds.make()
    line = rounds.server.http.get("/v1/log").text
    rounds.server.stop()

    stored = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    for secret in (app.webhook_secret, app.client_secret, "BEGIN PRIVATE KEY"):
        assert secret.encode() not in stored
        assert secret not in line
    assert '"event":"GitHub App created"' in line
    assert f'"slug":"{app.slug}"' in line


@pytest.mark.parametrize("is_organization", [True, False])
def test_the_form(rounds: Round, *, is_organization: bool) -> None:
    """It goes to the organization, or to the account of whoever sends it."""
    with rounds.browser() as http:
        answer = rounds.begin(
            http, is_organization=is_organization, owner="acme" if is_organization else None
        )

    action = urlsplit(answer.json()["action"])
    expected = "/organizations/acme/settings/apps/new" if is_organization else "/settings/apps/new"
    assert expected == action.path
    assert "hook_attributes" not in answer.json()["manifest"]


@pytest.mark.parametrize("has_webhook", [True, False])
def test_a_server_that_github_can_reach(tmp_path: Path, *, has_webhook: bool) -> None:
    """The manifest has a webhook; whether it is active is the user's choice."""
    with (
        github_apps() as (github, platform),
        _live(tmp_path, platform, public_url=f"{_PUBLIC}/merge", prefix="/merge") as server,
    ):
        answer = server.http.post(f"/merge{_BEGIN}", json={**_WANTED, "has_webhook": has_webhook})

    manifest = answer.json()["manifest"]
    assert {"url": f"{_PUBLIC}/merge/v1/hooks/github", "active": has_webhook} == manifest["hook_attributes"]
    assert f"{_PUBLIC}/merge/github-apps/created" == manifest["redirect_url"]
    assert f"{_PUBLIC}/merge/github-apps/installed" == manifest["setup_url"]
    assert answer.headers["set-cookie"].endswith(
        "; Path=/merge; Max-Age=3600; HttpOnly; SameSite=Lax; Secure"
    )
    assert [] == github.apps


@pytest.mark.parametrize(
    ("changed", "name", "message"),
    [
        ({"owner": None}, "/owner", "is missing: the name of the organization"),
        ({"owner": "../x"}, "/owner", "must be the name of an organization or a user on GitHub"),
        (
            {"url": "https://evil.example/api/v3"},
            "/url",
            _OTHER_HOST,
        ),
        ({"url": "https://[evil.example/api/v3"}, "/url", _OTHER_HOST),
        ({"owner": None, "is_organization": 1}, "/is_organization", "must be true or false"),
    ],
    ids=["no owner", "no name", "other host", "no host", "no boolean"],
)
def test_what_cannot_work_is_said_before_leaving(
    rounds: Round, changed: dict[str, object], name: str, message: str
) -> None:
    """At the field, and without a cookie."""
    with rounds.browser() as http:
        answer = rounds.begin(http, **changed)

    assert (422, [{"in": "body", "name": name, "message": message}]) == (
        answer.status_code,
        answer.json()["errors"],
    )
    assert "set-cookie" not in answer.headers


def test_a_webhook_needs_an_address_that_github_can_reach(rounds: Round) -> None:
    """The message says both ways out."""
    with rounds.browser() as http:
        answer = rounds.begin(http, has_webhook=True)

    expected = (
        f"GitHub cannot reach {rounds.server.url}: set MERGECAST_PUBLIC_URL to an https address that it can "
        "reach, or send false to read the history every minute instead"
    )
    assert (422, expected) == (answer.status_code, answer.json()["errors"][0]["message"])


def test_without_a_key_nobody_is_sent_to_github(tmp_path: Path) -> None:
    """The secrets could not be stored."""
    with github_apps() as (github, platform), _live(tmp_path, platform) as server:
        (tmp_path / "secret-key").write_text("")
        answer = server.http.post(_BEGIN, json={**_WANTED, "has_webhook": False})

    assert 409 == answer.status_code
    assert answer.json()["errors"][0]["message"].startswith("the server has no key to encrypt secrets with")
    assert [] == github.apps


def test_only_the_operator_begins(rounds: Round) -> None:
    """A key of an owner has no right to sources, one for all owners may have it."""
    keys = [
        rounds.server.key("acme", scopes=["read", "ingest", "admin"]),
        rounds.server.key("*", scopes=["sources"]),
    ]
    statuses = []
    for key in keys:
        with rounds.browser(key["key"]) as http:
            statuses.append(rounds.begin(http).status_code)

    assert [403, 200] == statuses


def test_a_page_of_another_origin_begins_nothing(rounds: Round) -> None:
    """A session's cookie alone is not enough."""
    with local_client(rounds.server.url, headers={"Origin": rounds.server.url}) as http:
        http.post("/v1/session", json={"token": TOKEN}).raise_for_status()
        own = rounds.begin(http).status_code
        http.headers["Origin"] = "https://evil.example"
        foreign = rounds.begin(http).status_code

    assert (200, 403) == (own, foreign)


def test_a_page_at_another_address_than_the_public_one(rounds: Round) -> None:
    """GitHub would redirect to the public one, where the browser has no cookie: the App would be lost."""
    host = rounds.server.url.replace("127.0.0.1", "localhost")
    with local_client(rounds.server.url, headers={"Origin": rounds.server.url}) as http:
        http.post("/v1/session", json={"token": TOKEN}).raise_for_status()
        http.headers.update({"Origin": host, "Host": host.removeprefix("http://")})
        answer = rounds.begin(http)

    expected = (
        f"GitHub would send the browser back to {rounds.server.url}: open this page there, or set "
        "MERGECAST_PUBLIC_URL to the address that you use"
    )
    assert (409, [{"in": "header", "name": "origin", "message": expected}]) == (
        answer.status_code,
        answer.json()["errors"],
    )
    assert "set-cookie" not in answer.headers


def test_a_public_address_with_the_usual_port(tmp_path: Path) -> None:
    """Browsers leave out the port and write the host in lower case."""
    home = "https://Mergecast.example.com:443"
    with github_apps() as (_, platform), _live(tmp_path, platform, public_url=home) as server:
        answer = server.http.post(
            _BEGIN,
            json={**_WANTED, "has_webhook": False},
            headers={"Origin": _PUBLIC},
        )

    assert 200 == answer.status_code


def test_a_state_that_is_missing_or_of_another_session(rounds: Round) -> None:
    """Nothing is asked of GitHub: an attacker could otherwise plant an App of their own."""
    with rounds.browser() as victim, rounds.browser() as attacker, rounds.server.anonymous() as http:
        way = rounds.confirm(rounds.begin(attacker))
        code = parse_qs(urlsplit(way).query)["code"][0]
        fresh = victim.get(way)
        rounds.begin(victim)
        begun = victim.get(way)
        missing = attacker.get(f"/github-apps/created?code={code}")
        forged = http.get(way, headers={"Cookie": f"{_COOKIE}=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"})
        wrong_stage = victim.get(f"/github-apps/installed?{urlsplit(way).query}")

    assert ["/sources#failed=state"] * 4 == [_place(one) for one in (fresh, begun, missing, forged)]
    assert "/sources" == _place(wrong_stage)
    assert 0 == rounds.github.exchanges


def test_a_state_is_used_once(rounds: Round) -> None:
    """By the browser, which loses its cookie, and by whoever copied the cookie."""
    with rounds.browser() as http:
        begun = rounds.begin(http)
        copied = {"Cookie": f"{_COOKIE}={http.cookies[_COOKIE]}"}
        way = rounds.confirm(begun)
        http.get(way)
        again = http.get(way)
        with rounds.server.anonymous() as thief:
            replayed = thief.get(way, headers=copied)

    assert ["/sources#failed=state"] * 2 == [_place(again), _place(replayed)]
    assert 1 == rounds.github.exchanges


def test_a_state_expires_after_an_hour(tmp_path: Path) -> None:
    """GitHub's codes do not live longer either."""
    now = now_in_microseconds()
    with (
        github_apps(now=lambda: now) as (github, platform),
        _live(tmp_path, platform, now=lambda: now) as server,
    ):
        rounds = Round(server, github, platform)
        with rounds.browser() as http:
            way = rounds.confirm(rounds.begin(http))
            cookie = {"Cookie": f"{_COOKIE}={http.cookies[_COOKIE]}"}
        now += HOUR + SECOND
        with server.anonymous() as late:
            answer = late.get(way, headers=cookie)

    assert ("/sources#failed=state", 0) == (_place(answer), github.exchanges)


def test_a_credential_that_was_revoked_meanwhile(rounds: Round) -> None:
    """Whoever began must still have the right when they come back."""
    key = rounds.server.key("*", scopes=["sources"])
    with rounds.browser(key["key"]) as http:
        way = rounds.confirm(rounds.begin(http))
        rounds.server.http.delete(f"/v1/keys/{key['id']}").raise_for_status()
        answer = http.get(way)

    assert ("/sources#failed=no-access", 0) == (_place(answer), rounds.github.exchanges)


def _used(rounds: Round, way: str) -> str:
    with rounds.browser() as http:
        other = rounds.confirm(rounds.begin(http))
        http.get(other)
    (code,) = parse_qs(urlsplit(other).query)["code"]
    (state,) = parse_qs(urlsplit(way).query)["state"]
    return f"/github-apps/created?code={code}&state={state}"


def _refused(_: Round, way: str) -> str:
    return f"/github-apps/created?state={parse_qs(urlsplit(way).query)['state'][0]}"


def _down(rounds: Round, way: str) -> str:
    rounds.platform.stop()
    return way


def _in_trouble(rounds: Round, way: str) -> str:
    rounds.github.trouble = Reply(500)
    return way


def _no_code(_: Round, way: str) -> str:
    return f"/github-apps/created?code=..%2F..%2Fuser&state={parse_qs(urlsplit(way).query)['state'][0]}"


@pytest.mark.parametrize(
    ("change", "failure"),
    [
        (_used, "used"),
        (_no_code, "used"),
        (_refused, "denied"),
        (_down, "unavailable"),
        (_in_trouble, "unavailable"),
    ],
)
def test_what_goes_wrong_is_said_on_the_page(
    rounds: Round, change: Callable[[Round, str], str], failure: str
) -> None:
    """A code that was used, a refusal, and a host that is down or in trouble; nothing is stored."""
    with rounds.browser() as http:
        way = rounds.confirm(rounds.begin(http))
        before = len(rounds.github.apps)
        answer = http.get(change(rounds, way))
        later = http.get("/v1/github-apps/1000/repositories")

    assert f"/sources#failed={failure}" == _place(answer)
    assert 1 == before
    assert (404, "there is no GitHub App 1000") == (later.status_code, later.json()["detail"])


def test_invented_codes_are_limited_by_address(tmp_path: Path) -> None:
    """Refused codes count like refused tokens: GitHub is not asked about more."""
    with (
        github_apps() as (github, platform),
        _live(tmp_path, platform, policy={"failed_credentials_per_minute": 3}, passed=lambda: 0) as server,
        ThreadPoolExecutor(4) as pool,
    ):
        rounds = Round(server, github, platform)

        def invent(_: int) -> str:
            with rounds.browser() as http:
                (state,) = parse_qs(urlsplit(rounds.begin(http).json()["action"]).query)["state"]
                return _place(http.get(f"/github-apps/created?code=made-up&state={state}"))

        places = set(pool.map(invent, range(16)))

    assert {"/sources#failed=used", "/sources#failed=unavailable"} == places
    # One of an address is asked at a time.
    assert 3 == github.exchanges


def test_an_installation_id_is_not_believed(rounds: Round) -> None:
    """The owners come from GitHub, not from the address that a browser opens."""
    with rounds.browser() as http:
        created = http.get(rounds.confirm(rounds.begin(http)))
        (state,) = parse_qs(urlsplit(_place(created)).query)["state"]
        answer = http.get(f"/github-apps/installed?installation_id=7777&setup_action=install&state={state}")
        readable = http.get("/v1/github-apps/1000/repositories").json()

    assert "/sources#app=1000" == _place(answer)
    assert {"repositories": [], "installed": []} == readable


def test_someone_who_approves_the_installation_later(rounds: Round) -> None:
    """That browser has no cookie, and is led to the page; the page asks GitHub."""
    with rounds.browser() as http:
        http.get(rounds.confirm(rounds.begin(http)))
    rounds.github.installed(rounds.github.apps[0])
    with rounds.server.anonymous() as other:
        answer = other.get("/github-apps/installed?installation_id=7000&setup_action=install")
    readable = rounds.server.http.get("/v1/github-apps/1000/repositories").json()

    assert "/sources" == _place(answer)
    assert ["acme"] == readable["installed"]


def test_an_app_that_was_deleted_on_github(rounds: Round) -> None:
    """The message says what to do."""
    rounds.make()
    rounds.github.apps.clear()

    answer = rounds.server.http.get("/v1/github-apps/1000/repositories")

    expected = (
        "GitHub does not accept the credentials of the App; if it was deleted there, remove it here, and "
        "create another one"
    )
    assert (409, expected) == (answer.status_code, answer.json()["errors"][0]["message"])


def test_deleting_an_app(rounds: Round) -> None:
    """Not while a source is read with it."""
    rounds.make()
    row = AddedSourceRow(
        "s1", "github", "Acme/Web", "acme", "web", rounds.platform.url, "", "1000", 1, "operator"
    )
    asyncio.run(add_added_source(rounds.server.store, row))
    readable = rounds.server.http.get("/v1/github-apps/1000/repositories").json()
    refused = rounds.server.http.delete("/v1/github-apps/1000")
    asyncio.run(delete_added_source(rounds.server.store, "s1"))
    deleted = rounds.server.http.delete("/v1/github-apps/1000")
    again = rounds.server.http.delete("/v1/github-apps/1000")

    assert [{"name": "acme/web", "is_added": True}] == readable["repositories"]
    assert (
        "sources are read with this GitHub App; remove them first" == refused.json()["errors"][0]["message"]
    )
    assert [409, 204, 404] == [one.status_code for one in (refused, deleted, again)]


def test_the_page_may_send_its_form_to_github(rounds: Round) -> None:
    """And to no other site."""
    policy = rounds.server.http.get("/").headers["content-security-policy"]

    assert f"; form-action 'self' {rounds.platform.url} https://github.com; " in policy


_PUSH = {"ref": "refs/heads/main", "repository": {"id": 5, "full_name": "acme/web"}}


def _make_with_webhook(rounds: Round, *, is_installed: bool) -> App:
    """An App with a webhook; the browser reaches the server by https, and this client does not."""

    def go(way: str, answer: httpx.Response) -> httpx.Response:
        cookie = answer.headers["set-cookie"].partition(";")[0]
        assert cookie.startswith(f"__Host-{_COOKIE}=")
        with rounds.server.anonymous() as http:
            return http.get(way, headers={"Cookie": cookie})

    begun = rounds.begin(rounds.server.http, has_webhook=True)
    created = go(rounds.confirm(begun), begun)
    if is_installed:
        go(rounds.install(created), created)
    return rounds.github.apps[-1]


@pytest.fixture
def reachable(tmp_path: Path) -> Iterator[Round]:
    with github_apps() as (github, platform), _live(tmp_path, platform, public_url=_PUBLIC) as server:
        yield Round(server, github, platform)


def _push_of(owner: str) -> dict[str, Any]:
    return {**_PUSH, "repository": {"id": len(owner), "full_name": f"{owner}/web"}}


def test_the_secret_of_an_app_is_for_the_owners_of_its_installations(reachable: Round) -> None:
    """Its owner could otherwise write into the repositories of others."""
    off = post_webhook(reachable.server, "push", _push_of("acme"), "x" * 40)
    app = _make_with_webhook(reachable, is_installed=True)
    own, other, forged = (
        post_webhook(reachable.server, "push", _push_of(owner), secret)
        for owner, secret in (
            ("Acme", app.webhook_secret),
            ("umbrella", app.webhook_secret),
            ("acme", "x" * 40),
        )
    )

    assert [404, 202, 403, 403] == [one.status_code for one in (off, own, other, forged)]
    assert "the secret of this webhook is not for umbrella" == other.json()["detail"]
    assert "the signature does not match the body with any secret of this server" == forged.json()["detail"]


def test_an_app_is_installed_and_uninstalled_on_github(reachable: Round) -> None:
    """`installation` arrives unasked; what counts is what GitHub says then, not what the webhook says."""
    app = _make_with_webhook(reachable, is_installed=False)

    def told(event: str, action: str) -> int:
        payload = {"action": action, "installation": {"id": 1, "account": {"login": "umbrella"}}}
        return post_webhook(
            reachable.server, event, payload, app.webhook_secret, f"{event}-{action}"
        ).status_code

    def pushed(owner: str) -> int:
        return post_webhook(reachable.server, "push", _push_of(owner), app.webhook_secret).status_code

    before = pushed("acme")
    reachable.github.installed(app)
    told_installed = told("installation", "created")
    after = pushed("acme"), pushed("umbrella")
    reachable.github.installations[0].suspended_at = "2026-01-01T00:00:00Z"
    told_suspended = told("installation_repositories", "removed")
    last = pushed("acme")

    assert (403, 202, (202, 403), 202, 403) == (before, told_installed, after, told_suspended, last)


def test_github_is_down_when_it_tells_of_an_installation(reachable: Round) -> None:
    """The webhook is accepted all the same; the page asks again later."""
    app = _make_with_webhook(reachable, is_installed=False)
    reachable.github.trouble = Reply(500)

    answer = post_webhook(reachable.server, "installation", {"action": "created"}, app.webhook_secret)

    assert (202, {"stored": 0, "duplicates": 0, "not_kept": 1}) == (answer.status_code, answer.json())


def test_another_server_learns_of_an_app(tmp_path: Path) -> None:
    """After ten seconds: servers that share a store do not tell each other."""
    passed = 0
    with (
        github_apps() as (github, platform),
        _live(tmp_path, platform, public_url=_PUBLIC, passed=lambda: passed) as server,
    ):
        rounds = Round(server, github, platform)
        app = _make_with_webhook(rounds, is_installed=True)
        before = post_webhook(server, "push", _push_of("umbrella"), app.webhook_secret, "1").status_code
        asyncio.run(set_installed_owners(server.store, "1000", ["umbrella"]))
        soon = post_webhook(server, "push", _push_of("umbrella"), app.webhook_secret, "2").status_code
        passed += 10 * SECOND
        later = post_webhook(server, "push", _push_of("umbrella"), app.webhook_secret, "3").status_code

    assert (403, 403, 202) == (before, soon, later)
