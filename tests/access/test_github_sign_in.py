"""Signing in with GitHub, against an imitation of its web flow."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from access.github_web import APP, GitHubWeb, github_web
from access.hosting_platform import INVALID
from builders import worked_example
from live_server import NO_LIMITS, LiveServer, live_server
from local_client import get, local_client
from logged_secrets import remember
from mergecast.queues.model.instant import SECOND

pytestmark = pytest.mark.server

_START = "/v1/session/github"
remember(APP.client_secret)


@pytest.fixture
def web() -> Iterator[tuple[GitHubWeb, str]]:
    with github_web() as running:
        yield running


@pytest.fixture
def served(tmp_path: Path, web: tuple[GitHubWeb, str]) -> Iterator[LiveServer]:
    policy = replace(NO_LIMITS, platform_url=web[1], github_app=APP)
    with live_server(tmp_path, policy) as live:
        live.send(worked_example(), "Acme/Widgets").raise_for_status()
        live.send(worked_example(), "umbrella/secret").raise_for_status()
        yield live


def _browser(server: LiveServer) -> httpx.Client:
    return local_client(server.url, headers={"Origin": server.url})


def test_to_github_and_back(served: LiveServer) -> None:
    """The browser is signed in as its user, and may read what GitHub shows to the user."""
    with _browser(served) as browser:
        offered = browser.get("/v1/session").json()["github"]
        start = browser.get(_START)
        at_github = get(start.headers["location"])
        back = browser.get(at_github.headers["location"])
        shown = browser.get("/v1/session").json()
        mine = browser.get("/v1/repos/Acme/Widgets/stats/queues").status_code
        other = browser.get("/v1/repos/umbrella/secret/stats/queues").status_code

    assert offered
    assert (302, 303, "/") == (start.status_code, back.status_code, back.headers["location"])
    cookie = start.headers["set-cookie"]
    assert cookie.endswith("; Path=/; Max-Age=600; HttpOnly; SameSite=Lax")
    assert ("platform token", "octocat", ["list", "read"]) == (shown["kind"], shown["name"], shown["rights"])
    assert (200, 403) == (mine, other)


def test_a_return_that_this_browser_did_not_start(served: LiveServer) -> None:
    """An attacker could otherwise sign a victim in to the attacker's own account."""
    with _browser(served) as attacker, _browser(served) as victim:
        way = get(attacker.get(_START).headers["location"]).headers["location"]
        fresh = victim.get(way)
        victim.get(_START)
        started = victim.get(way)

        assert ["/#sign-in=failed"] * 2 == [answer.headers["location"] for answer in (fresh, started)]
        assert victim.get("/v1/session").json()["kind"] is None


def test_a_code_is_of_no_use_without_the_verifier(served: LiveServer, web: tuple[GitHubWeb, str]) -> None:
    """A code that was stolen on its way back belongs to another challenge."""
    with _browser(served) as browser:
        way = get(browser.get(_START).headers["location"]).headers["location"]
        web[0].challenges = {code: ("other", address) for code, (_, address) in web[0].challenges.items()}
        answer = browser.get(way)

        assert "/#sign-in=failed" == answer.headers["location"]
        assert browser.get("/v1/session").json()["kind"] is None


@pytest.mark.parametrize(
    ("change", "fragment"),
    [
        ({"consents": False}, "#sign-in=denied"),
        ({"token": INVALID}, "#sign-in=failed"),
        ({"token": "nonsense"}, "#sign-in=failed"),
    ],
)
def test_what_goes_wrong_is_said_on_the_page(
    served: LiveServer, web: tuple[GitHubWeb, str], change: dict[str, object], fragment: str
) -> None:
    """The user refuses, or GitHub gives a token that it does not know itself."""
    for name, value in change.items():
        setattr(web[0], name, value)
    with _browser(served) as browser:
        answer = browser.get(get(browser.get(_START).headers["location"]).headers["location"])

        assert f"/{fragment}" == answer.headers["location"]
        assert browser.get("/v1/session").json()["kind"] is None


def test_invented_attempts_are_not_passed_on(served: LiveServer, web: tuple[GitHubWeb, str]) -> None:
    """Only a state that this server has signed, for this verifier, leads to a request to GitHub."""
    with _browser(served) as browser:
        browser.get(_START)
        state, _, verifier = browser.cookies["mergecast_github"].partition(".")
    begun, _, signature = state.partition(":")
    forged = [
        "state.verifier",
        f"{state}.other",
        f"{int(begun) + 1}:{signature}.{verifier}",
        f"{begun}:.{verifier}",
    ]
    with served.anonymous() as http:
        for cookie in forged:
            way = f"{_START}/return?code=made-up&state={cookie.partition('.')[0]}"
            answer = http.get(way, headers={"Cookie": f"mergecast_github={cookie}"})
            assert "/#sign-in=failed" == answer.headers["location"]

    assert 0 == web[0].exchanges


def test_an_attempt_expires(tmp_path: Path, web: tuple[GitHubWeb, str]) -> None:
    """A person has ten minutes on GitHub's page."""
    now = 1_800_000_000 * SECOND
    policy = replace(NO_LIMITS, platform_url=web[1], github_app=APP)
    with live_server(tmp_path, policy, now=lambda: now) as server, _browser(server) as browser:
        way = get(browser.get(_START).headers["location"]).headers["location"]
        cookie = {"Cookie": f"mergecast_github={browser.cookies['mergecast_github']}"}
        with server.anonymous() as http:
            now += 601 * SECOND
            late = http.get(way, headers=cookie).headers["location"]
            now -= 602 * SECOND
            early = http.get(way, headers=cookie).headers["location"]
            now += 600 * SECOND
            in_time = http.get(way, headers=cookie).headers["location"]

    assert ["/#sign-in=failed", "/#sign-in=failed", "/"] == [late, early, in_time]


def test_invented_codes_are_limited_by_address(tmp_path: Path, web: tuple[GitHubWeb, str]) -> None:
    """Refused codes count like refused tokens, however many are sent at the same time."""
    policy = replace(NO_LIMITS, platform_url=web[1], github_app=APP, failed_credentials_per_minute=3)
    with (
        live_server(tmp_path, policy, passed=lambda: 0) as server,
        _browser(server) as browser,
        ThreadPoolExecutor(8) as pool,
    ):
        browser.get(_START)
        cookie = browser.cookies["mergecast_github"]
        way = f"{server.url}{_START}/return?code=made-up&state={cookie.partition('.')[0]}"
        answers = pool.map(lambda _: get(way, headers={"Cookie": f"mergecast_github={cookie}"}), range(24))
        places = {answer.headers["location"] for answer in answers}

    assert {"/#sign-in=failed"} == places
    # As many as are asked at once are asked before the first is refused.
    assert 3 <= web[0].exchanges <= 3 + 8


def test_without_an_app(tmp_path: Path) -> None:
    """The page does not offer it, and the paths say what is missing."""
    with live_server(tmp_path) as server, _browser(server) as browser:
        answers = [browser.get(path) for path in (_START, f"{_START}/return?code=a&state=b")]

        assert not browser.get("/v1/session").json()["github"]
        assert {404} == {answer.status_code for answer in answers}
        assert (
            "signing in with GitHub is turned off: the operator has not set "
            "MERGECAST_GITHUB_CLIENT_ID and MERGECAST_GITHUB_CLIENT_SECRET"
        ) == answers[0].json()["detail"]
