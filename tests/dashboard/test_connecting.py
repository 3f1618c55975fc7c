"""An empty server asks which queue one uses, and leads to one's own figures, in a real browser."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from browser_windows import Window
from builders import entered
from dashboard.conftest import opened_window, session_of
from github_apps import github_apps, history_of
from live_server import NO_LIMITS, LiveServer, live_server
from mergecast.incoming.connecting.added_sources import SourceSettings
from mergecast.incoming.platform.source_hosts import SourceHosts
from pasted_lines import needs_curl, run_line
from sources.faulty_server import faulty_server
from sources.github_deliveries import clock, sha
from sources.platforms import GitHubPlatform, GitLabPlatform

pytestmark = pytest.mark.server
_NOW = clock(100)  # the stories of the platforms are in September 2026


@dataclass
class _Person:
    clicks: int = 0

    def click(self, what: Locator) -> None:
        self.clicks += 1
        what.click()


@contextmanager
def _serve(folder: Path, url: str) -> Iterator[LiveServer]:
    """An empty server that may read the platform at this URL."""
    sources = SourceSettings(SourceHosts().with_urls([url]))
    policy = replace(NO_LIMITS, platform_url=url)
    with live_server(folder, policy, sources=sources, now=lambda: _NOW) as server:
        yield server


@contextmanager
def _visit(browser: Browser, server: LiveServer) -> Iterator[Window]:
    with opened_window(browser, server, session_of(browser, server)) as window:
        window.open("/")
        window.sees("Which queue do you use?")
        yield window


def _history(repository: str) -> GitHubPlatform:
    """Two pull requests that merged, and one that waits."""
    platform = GitHubPlatform(repository)
    for number in (1, 2):
        platform.added(number, number * 10)
        platform.run(number, sha(f"group {number}"), number * 10 + 1, number * 10 + 8)
        platform.merged(number, number * 10 + 9, sha(f"group {number}"))
    platform.added(3, 40)
    platform.enqueue(3, 40)
    return platform


def _figures(server: LiveServer, name: str) -> dict[str, Any]:
    listed = server.http.get("/v1/repos", params={"figures": "true"}).json()["repositories"]
    (found,) = (one["figures"] for one in listed if f"{one['owner']}/{one['repository']}" == name)
    return {figure: found[figure]["value"] for figure in ("merged", "time_in_queue_p50", "time_in_queue_p95")}


def _card(window: Window, name: str) -> Locator:
    return window.page.locator("section", has=window.page.get_by_role("heading", name=name))


def test_own_figures_of_github_in_five_clicks(opened_browser: Browser, tmp_path: Path) -> None:
    """On the pages of Mergecast and of GitHub together; the figures are those of the API."""
    person, platform = _Person(), _history("acme/web")
    with (
        github_apps(repositories={"acme": ["acme/web"]}, history=history_of(platform), now=lambda: _NOW) as (
            _,
            github,
        ),
        _serve(tmp_path, github.url) as server,
        _visit(opened_browser, server) as window,
    ):
        page = window.page
        person.click(page.get_by_role("link", name="GitHub merge queue"))
        window.sees("so the app is created without webhooks")
        page.get_by_role("textbox", name="Organization").fill("acme")
        person.click(page.get_by_role("button", name="Create the app on GitHub"))
        person.click(page.get_by_role("button", name="Create GitHub App for acme"))
        person.click(page.get_by_role("button", name="Install"))
        card = _card(window, "acme/web")
        expect(card).to_contain_text("current")
        expect(card).to_contain_text("GitHub merge queue, with the app")
        expect(card.locator("dd").first).to_have_text("2")
        assert {"merged": 2, "time_in_queue_p50": 540, "time_in_queue_p95": 540} == _figures(
            server, "acme/web"
        )
        expect(card.locator("dd").nth(1)).to_have_text("9m")
        assert [] == window.violations()
    assert person.clicks <= 5


def test_repositories_of_an_app_are_chosen(opened_browser: Browser, tmp_path: Path) -> None:
    """If it may read several; the few that were just chosen on GitHub are ticked."""
    names = ["acme/web", "acme/docs"]
    with (
        github_apps(
            repositories={"acme": names}, history=history_of(_history("acme/web")), now=lambda: _NOW
        ) as (
            _,
            github,
        ),
        _serve(tmp_path, github.url) as server,
        _visit(opened_browser, server) as window,
    ):
        page = window.page
        window.open("/sources?queue=github&repository=acme/web")
        page.get_by_role("button", name="Create the app on GitHub").click()
        page.get_by_role("button", name="Create GitHub App for acme").click()
        page.get_by_role("button", name="Install").click()
        for name in names:
            expect(page.get_by_label(name)).to_be_checked()
        assert [] == window.violations()
        page.get_by_label("acme/docs").uncheck()
        page.get_by_role("button", name="Import 1 repository").click()
        expect(_card(window, "acme/web")).to_contain_text("current")
        listed = server.http.get("/v1/sources").json()
        assert ["acme/web"] == [one["name"] for one in listed["sources"]]
        page.get_by_role("link", name="Choose repositories").click()
        window.sees("added already")


def test_gitlab_is_tested_before_it_is_added(opened_browser: Browser, tmp_path: Path) -> None:
    """What is wrong is said at its field, and nothing is stored; then it can be paused and removed."""
    platform = GitLabPlatform()
    platform.car(1, 7, 10, 30)
    with (
        faulty_server(platform) as gitlab,
        _serve(tmp_path, gitlab.url) as server,
        _visit(opened_browser, server) as window,
    ):
        page = window.page
        page.get_by_role("link", name="GitLab merge trains").click()
        page.get_by_label("Repository").fill("orbit/space/lander")
        expect(page.get_by_label("Its name here")).to_have_value("orbit/space-lander")
        page.get_by_label("Its name here").fill("orbit/lander")
        page.get_by_label("Address of the API").fill(gitlab.url)
        token, button = page.get_by_label("Token"), page.get_by_role("button", name="Test and add")
        token.fill("glpat-wrong")
        button.click()
        expect(token).to_have_attribute("aria-invalid", "true")
        assert [] == server.http.get("/v1/sources").json()["sources"]

        token.fill("glpat-reader")
        button.click()
        card = _card(window, "orbit/lander")
        expect(card).to_contain_text("current")
        expect(card.locator("dd").first).to_have_text("1")
        assert [] == window.violations()
        card.get_by_role("button", name="Pause").click()
        expect(card).to_contain_text("paused")
        card.get_by_role("button", name="Resume").click()
        expect(card).to_contain_text("current")
        card.get_by_role("button", name="Remove").click()
        card.get_by_role("button", name="Remove it now? Its events stay.").click()
        expect(card).to_have_count(0)
        assert [] == server.http.get("/v1/sources").json()["sources"]
        assert 1 == _figures(server, "orbit/lander")["merged"]


@needs_curl
def test_the_line_for_another_queue_works(opened_browser: Browser, tmp_path: Path) -> None:
    """It is pasted into a shell as it is shown. The page shows the first event, and a line for the last."""
    with live_server(tmp_path) as server, _visit(opened_browser, server) as window:
        page = window.page
        page.get_by_role("link", name="Another queue").click()
        server.send([entered("2026-03-02T10:00:00Z", "before", 7)], "acme/own").raise_for_status()
        page.get_by_label("Repository").fill("acme")
        page.get_by_role("button", name="Create a key").click()
        sentence = "Repository must be written as OWNER/REPOSITORY, such as acme/widgets."
        window.refuses(page.get_by_label("Repository"), sentence)
        page.get_by_label("Repository").fill("acme/own")
        page.get_by_role("button", name="Create a key").click()
        window.sees("Waiting for the first event …")
        lines = page.locator("code", has_text="curl")
        assert [] == window.violations()

        assert '{"stored":1,"duplicates":0}' == run_line(lines.inner_text())
        window.sees("The first event has arrived: #42 entered the queue default of main.")
        expect(lines).to_have_count(2)
        assert '{"stored":1,"duplicates":0}' == run_line(lines.last.inner_text())
        page.get_by_role("link", name="Open the queue of acme/own").click()
        window.sees("1 pull request in queue")
        now = server.http.get("/v1/repos/acme/own/queue").json()
        assert [7] == [entry["pull_request"] for queue in now["queues"] for entry in queue["entries"]]


def test_those_who_may_not_add_a_queue_learn_what_to_ask_for(opened_browser: Browser, tmp_path: Path) -> None:
    with live_server(tmp_path) as server, opened_window(opened_browser, server) as window:
        window.sign_in(server, server.key("acme")["key"])
        window.sees("Which queue do you use?")
        for path in ("/", "/sources", "/r/acme/nothing"):
            window.open(path)
            window.sees(
                f"Ask the operator of this server to add your queue on {server.url}/sources, or for an "
                "application key with the scope ingest."
            )
            expect(window.page.get_by_role("link", name="GitLab merge trains")).to_have_count(0)
            assert [] == window.violations()
