"""The page of configurations, in a real browser: what it says about a document is what the API answers."""

import base64
import zlib
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from api.recorded_pulls import repository_of, scenario
from browser_windows import Window, sign_in_link
from dashboard.conftest import opened_window
from live_server import LiveServer, live_server

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


@pytest.fixture
def window(opened_browser: Browser, server: LiveServer) -> Iterator[Window]:
    with opened_window(opened_browser, server) as window:
        window.page.goto(sign_in_link(server))
        window.sees("Repositories")
        yield window


def _link(document: str, repository: str = _HERE) -> str:
    deflated = zlib.compress(document.encode(), wbits=-zlib.MAX_WBITS)
    packed = base64.urlsafe_b64encode(deflated).decode().rstrip("=")
    return f"/r/{repository}/configuration#document={packed}"


def _report(server: LiveServer, repository: str, path: str, document: str) -> str:
    body, headers = {"config_yml": document}, {"Accept": "text/plain"}
    answer = server.http.post(f"/v1/repos/{repository}{path}", json=body, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.text


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
    """One pull request, all open ones, and the same in another repository."""
    page = window.page
    report = page.get_by_role("tabpanel").locator("pre")
    of_one = [_report(server, one, f"/pulls/{_NUMBER}/simulator", _DOCUMENT) for one in (_HERE, _ELSEWHERE)]
    assert of_one[0] != of_one[1]
    for repository, expected in zip((_HERE, _ELSEWHERE), of_one, strict=True):
        window.open("/")
        window.open(_link(_DOCUMENT, repository))
        page.get_by_role("tab", name="One pull request").click()
        page.get_by_label("Pull request", exact=True).fill(_NUMBER)
        page.get_by_role("button", name="Simulate").click()
        expect(report).to_have_text(expected)
        page.get_by_role("tab", name="All open").click()
        expect(report).to_have_count(0)
        page.get_by_role("button", name="Simulate").click()
        expect(report).to_have_text(_report(server, repository, "/simulator", _DOCUMENT))


def test_a_report_of_a_changed_document_says_so(window: Window, server: LiveServer) -> None:
    """It stays beside the editor, so that one can work with it."""
    page = window.page
    window.open(f"{_link(_DOCUMENT)}")
    page.get_by_role("tab", name="All open").click()
    page.get_by_role("button", name="Simulate").click()
    expected = _report(server, _HERE, "/simulator", _DOCUMENT)
    expect(page.locator("pre")).to_have_text(expected)
    page.get_by_role("textbox", name="Configuration document").press("Control+a")
    page.keyboard.press("Delete")
    window.sees("The document has changed since: this is about the one before.")
    expect(page.locator("pre")).to_have_text(expected)
    page.get_by_role("button", name="Simulate").click()
    expect(page.get_by_text("The document has changed since")).to_have_count(0)
    expect(page.locator("pre")).to_have_text(_report(server, _HERE, "/simulator", ""))
