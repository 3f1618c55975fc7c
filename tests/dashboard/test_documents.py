"""The page of configurations, in a real browser: what it says about a document is what the API answers."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, StorageState, expect

from api.only_these import OnlyThese
from api.recorded_pulls import record, repository_of, scenario
from browser_windows import Window
from dashboard.address import packed
from dashboard.conftest import opened_window, session_of
from live_server import LiveServer, live_server
from mergecast.api.platform_access import Platform

pytestmark = pytest.mark.server
_DOCUMENT, _RECORD = scenario("hotfix-priority")
_HERE = repository_of(_RECORD)
_ELSEWHERE = "acme/elsewhere"
_NUMBER = str(_RECORD["pull"]["number"])
_WRONG = "queue_rules:\n- name: default\n  batchsize: 3\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """Two repositories with a recorded pull request of the same number; only the first is a hotfix."""
    with live_server(tmp_path_factory.mktemp("documents")) as server:
        other = _RECORD | {"pull": _RECORD["pull"] | {"labels": []}}
        for repository, record in ((_HERE, _RECORD), (_ELSEWHERE, other)):
            path = f"/v1/repos/{repository}/pulls/{_NUMBER}/snapshot"
            server.http.put(path, json=record).raise_for_status()
        yield server


@pytest.fixture(scope="module")
def session(opened_browser: Browser, server: LiveServer) -> StorageState:
    return session_of(opened_browser, server)


@pytest.fixture
def window(opened_browser: Browser, server: LiveServer, session: StorageState) -> Iterator[Window]:
    with opened_window(opened_browser, server, session) as window:
        yield window


def _link(document: str, repository: str = _HERE) -> str:
    return f"/r/{repository}/configuration#document={packed(document)}"


def _details(server: LiveServer, repository: str, path: str, document: str) -> Any:
    answer = server.http.post(f"/v1/repos/{repository}{path}?details=true", json={"config_yml": document})
    assert answer.status_code == 200, answer.text
    return answer.json()["details"]


def _report_lines(report: Any) -> list[str]:
    """The title, and the conditions with their signs, as the page shows them."""
    signs = {"holds": "✓", "fails": "✗", "unknown": "?", None: "·"}
    conditions = [one for part in report["parts"] for block in part["blocks"] for one in block["conditions"]]
    lines = [f"{signs[one['state']]} {one['text'].replace('`', '')}" for one in conditions]
    return [report["title"], *(" ".join(line.split()) for line in lines)]


def _shown_report(panel: Locator) -> list[str]:
    expect(panel.locator(".report .title")).to_be_visible()
    title, lines = panel.locator(".report .title"), panel.locator(".report .conditions li")
    hidden = re.compile(r" \((holds|does not hold|not known)\)$")
    shown = [hidden.sub("", " ".join(line.split())) for line in lines.all_inner_texts()]
    return [title.inner_text(), *shown]


def _rows(details: Any) -> list[str]:
    """The lines of each row: what happens then, and why."""
    return [
        " ".join([
            f"#{row['number']}",
            row["title"],
            *(["then", row["then"]] if row["then"] else []),
            *(["why", *row["why"]] if row["why"] else []),
            *(["rules", ", ".join(row["rules"])] if row["rules"] else []),
        ]).replace("`", "")
        for row in details["pull_requests"]
    ]  # fmt: skip


def _shown_rows(panel: Locator) -> list[str]:
    return [" ".join(text.split()) for text in panel.locator("summary").all_inner_texts()]


def test_a_link_to_another_document_shows_its_verdict(window: Window, server: LiveServer) -> None:
    """Although it changes only the fragment of the address."""
    path = f"/v1/repos/{_HERE}/configuration-simulator"
    verdict = server.http.post(path, json={"config_yml": _DOCUMENT}).json()["message"].splitlines()[0]
    problem = server.http.post(path, json={"config_yml": _WRONG}).json()["errors"][0]["message"]
    panel = window.page.get_by_role("tabpanel")
    for _ in range(2):
        window.open(_link(_DOCUMENT))
        expect(panel.get_by_role("heading")).to_have_text(verdict)
        window.open(_link(_WRONG))
        expect(panel.get_by_role("heading")).to_have_text("1 error")
        expect(panel).to_contain_text(problem.replace("`", ""))


def test_simulations_are_of_the_repository_and_document_of_the_page(
    window: Window, server: LiveServer
) -> None:
    """One pull request, all open ones with their conditions, and the same in another repository."""
    page = window.page
    panel = page.get_by_role("tabpanel")
    for repository in (_HERE, _ELSEWHERE):
        one = _report_lines(_details(server, repository, f"/pulls/{_NUMBER}/simulator", _DOCUMENT)["report"])
        window.open("/")
        window.open(_link(_DOCUMENT, repository))
        page.get_by_role("tab", name="One pull request").click()
        page.get_by_label("Pull request", exact=True).fill(_NUMBER)
        page.get_by_role("button", name="Simulate").click()
        assert one == _shown_report(panel)
        assert [] == window.violations()
        page.get_by_role("tab", name="All open").click()
        page.get_by_role("button", name="Simulate").click()
        expect(panel.locator("summary")).to_have_count(1)
        assert _rows(_details(server, repository, "/simulator", _DOCUMENT)) == _shown_rows(panel)
        window.sees("What happens now is not known: there is no current document to compare with.")
        panel.locator("summary").click()
        assert one == _shown_report(panel)
        assert [] == window.violations()


def test_results_of_a_changed_document_are_marked(window: Window, server: LiveServer) -> None:
    """They stay beside the editor, so that one can work with them."""
    page = window.page
    window.open(_link(_DOCUMENT))
    page.get_by_role("tab", name="All open").click()
    page.get_by_role("button", name="Simulate").click()
    panel, before = page.get_by_role("tabpanel"), _rows(_details(server, _HERE, "/simulator", _DOCUMENT))
    expect(panel.locator("summary")).to_have_count(1)
    assert before == _shown_rows(panel)
    page.get_by_role("textbox", name="Configuration document").press("Control+a")
    page.keyboard.press("Delete")
    window.sees("The document has changed since; this result is about the earlier version.")
    assert before == _shown_rows(panel)
    page.get_by_role("button", name="Simulate").click()
    expect(page.get_by_text("The document has changed since")).to_have_count(0)
    expect(panel.locator("summary")).to_have_count(1)
    assert _rows(_details(server, _HERE, "/simulator", "")) == _shown_rows(panel)


def test_without_a_document_the_editor_opens_with_an_example_and_says_why(window: Window) -> None:
    window.open(f"/r/{_HERE}/configuration")
    window.sees("An example, because the service has no access to the code-hosting platform.")
    window.sees("The configuration is valid")


def test_the_editor_opens_with_the_current_document(
    opened_browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """And rows say what happens now and what would change."""
    rule = "queue_rules:\n- name: default\n  queue_conditions: [label = {}]\n"
    platform = OnlyThese({7: record(7)}, {"acme/engine": rule.format("now")})
    folder = tmp_path_factory.mktemp("live")
    with live_server(folder, platform=Platform(platform, "ghp_of_ours")) as server:
        server.http.put("/v1/repos/acme/engine/products", json={"products": ["merge_queue"]})
        with opened_window(opened_browser, server) as window:
            window.sign_in(server)
            window.open("/r/acme/engine/configuration?tab=open")
            window.sees("The current document of the repository.")
            expect(window.page.get_by_role("textbox", name="Configuration")).to_contain_text(
                "queue_conditions: [label = now]"
            )
            window.page.get_by_role("button", name="Simulate").click()
            window.sees("1 open pull request; none would be treated differently than now.")
            window.page.get_by_label("Only what would change").check()
            expect(window.page.get_by_role("tabpanel").locator("summary")).to_have_count(0)
