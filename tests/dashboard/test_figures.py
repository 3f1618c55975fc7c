"""Every control, in a real browser: the figures shown are the API's answers to the question asked."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Route, StorageState, expect

from builders import entered
from dashboard.comparison import Compared
from dashboard.conftest import opened_window, session_of
from dashboard.overview import chart_tables, section_tables
from dashboard.two_histories import QUICK, SLOW, events_of, renamed
from live_server import LiveServer, live_server
from sources.activity_log_pages import LogStory
from sources.activity_log_stories import STORIES, a_code_newer_than_this_program

pytestmark = pytest.mark.server
BOTH = pytest.mark.parametrize("repository", [QUICK.repository, SLOW.repository])
_FOLDS = ("Queue load", "CI and batches", "Queues", "Slowest stays")
_COLUMNS = {
    "repository": "name",
    "state": "state",
    "in queue": "in_queue",
    "merged, 7 days": "merged",
    "p50 in queue": "time_in_queue_p50",
    "p95 in queue": "time_in_queue_p95",
    "p50, 7 days": "time_in_queue_p50_change",
    "newest event": "last_event_at",
}
_TABLES = ("Time in queue", "Where it goes", "Flow")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """Two repositories with different histories, and two with different sources."""
    with live_server(tmp_path_factory.mktemp("figures")) as server:
        for history in (QUICK, SLOW):
            server.send(events_of(history, datetime.now(UTC)), history.repository).raise_for_status()
        _import(server, "orbit/lander", STORIES[0]())
        _import(server, "orbit/probe", a_code_newer_than_this_program())
        yield server


def _import(server: LiveServer, repository: str, story: LogStory) -> None:
    items = [{"id": str(item["id"]), "kind": item["type"], "body": item} for item in story.items]
    path = f"/v1/repos/{repository}/sources/activity-log/deliveries"
    server.http.post(path, json={"items": items}).raise_for_status()


@pytest.fixture(scope="module")
def session(opened_browser: Browser, server: LiveServer) -> StorageState:
    return session_of(opened_browser, server)


@pytest.fixture
def compared(opened_browser: Browser, server: LiveServer, session: StorageState) -> Iterator[Compared]:
    with opened_window(opened_browser, server, session) as window:
        yield Compared(window, server)


@BOTH
def test_windows_and_filters(compared: Compared, repository: str) -> None:
    """Each click, back, forward, several steps at once, a reload and a deep link."""
    compared.open(f"/r/{repository}")
    for window in ("24h", "28d", "7d", "90d"):
        compared.click(window)
    compared.choose("Branch", "next")
    compared.choose("Queue", "hotfix")
    compared.choose("Queue", "")
    compared.choose("Priority rule", "urgent")
    compared.page.go_back()
    compared.agrees(changed=True)
    compared.page.evaluate("history.go(-3)")
    compared.agrees(changed=True)
    compared.page.go_forward()
    compared.agrees(changed=True)
    compared.page.reload()
    compared.agrees()
    first, last = (datetime.now(UTC) - timedelta(days=ago) for ago in (70, 40))
    fixed = f"from={first:%Y-%m-%dT00:00:00Z}&to={last:%Y-%m-%dT00:00:00Z}"
    compared.open(f"/r/{repository}?{fixed}&branch=main&queue=default")


@BOTH
def test_tables_and_sections(compared: Compared, repository: str) -> None:
    """The tables behind charts, folded sections and the stays of an interval follow window and filters."""
    page = compared.page
    compared.open(f"/r/{repository}?window=28d")
    for table in _TABLES:
        page.get_by_role("button", name=f"Table: {table}").click()
    compared.agrees(chart_tables)
    for fold in _FOLDS:
        page.get_by_role("heading", name=fold, exact=True).click()
        compared.agrees()
    for table in ("Queue size", "Running CI", "CI runtime"):
        page.get_by_role("button", name=f"Table: {table}").click()
    for label, option in (("Branch", "main"), ("Priority rule", "urgent"), ("Branch", "")):
        compared.choose(label, option)
        compared.agrees(lambda api: {**chart_tables(api), **section_tables(api)})
    compared.click("90d")
    compared.agrees(lambda api: {**chart_tables(api), **section_tables(api)})
    page.get_by_role("heading", name="Slowest stays").click()
    page.get_by_role("region", name="Flow, table").get_by_role("button").nth(-3).click()
    compared.agrees(changed=True)
    page.get_by_role("button", name="Close").click()
    compared.agrees(changed=True)
    page.get_by_role("region", name="Queues").get_by_role("button", name="default").first.click()
    compared.agrees(changed=True)


def test_from_one_repository_to_another(compared: Compared, server: LiveServer) -> None:
    """Through every page of both; the list of repositories, and back through all of it."""
    compared.open("/")
    for name in (QUICK.repository, SLOW.repository):
        compared.click(name, "link")
        compared.click("Queue", "link")
        first = (
            f"#{server.http.get(f'/v1/repos/{name}/queue').json()['queues'][0]['entries'][0]['pull_request']}"
        )
        expect(compared.page.get_by_role("link", name=first)).to_be_visible()
        for number in ("1", "2"):
            compared.page.get_by_label("Find a pull request by number, address or title").fill(number)
            compared.page.keyboard.press("Enter")
            compared.agrees(changed=True)
        compared.page.go_back()
        compared.agrees(changed=True)
        compared.click("Mergecast", "link")
    for _ in range(3):
        compared.page.go_back()
        compared.agrees(changed=True)


def test_the_list_is_searched_and_sorted(compared: Compared) -> None:
    """Every order and every search is a question to the API, and part of the address."""
    page = compared.page
    compared.open("/")
    for column, order in _COLUMNS.items():
        for direction in ("descending", "ascending") if order != "name" else ("descending",):
            page.get_by_role("button", name=column, exact=True).click()
            sign = "-" if direction == "descending" else ""
            page.wait_for_url(f"**order={sign}{order}")
            compared.agrees()
            expect(page.locator("thead th").nth([*_COLUMNS].index(column))).to_have_attribute(
                "aria-sort", direction
            )
    page.get_by_label("Search repositories").fill(SLOW.repository)
    compared.agrees(changed=True)
    page.get_by_label("Search repositories").fill("nothing like this")
    page.keyboard.press("Enter")
    compared.window.sees("No repository matches")
    page.go_back()
    compared.agrees()


def test_sources_of_one_and_another(compared: Compared) -> None:
    compared.open("/r/orbit/lander/sources")
    compared.page.get_by_role("link", name="Mergecast").click()
    compared.page.get_by_role("link", name="orbit/probe").click()
    compared.page.get_by_role("link", name="Sources").click()
    compared.agrees(changed=True)
    compared.page.evaluate("history.go(-3)")
    compared.agrees(changed=True)


def test_keys_and_products(compared: Compared, server: LiveServer) -> None:
    """A key that is made or revoked, and the products of one repository and of another."""
    page = compared.page
    server.key("orbit")
    server.http.put(
        f"/v1/repos/{SLOW.repository}/products", json={"products": ["merge_queue"]}
    ).raise_for_status()
    compared.open("/settings")
    page.get_by_label("Owner").fill("acme")
    page.get_by_label("Name").fill("made in a browser")
    compared.click("Create a key")
    page.get_by_title("Revoke made in a browser").click()
    compared.click("Revoke it now?")
    for repository, enabled in ((SLOW.repository, True), (QUICK.repository, False), (SLOW.repository, True)):
        compared.window.open(f"/r/{repository}/settings")
        expect(page.get_by_label("Merge queue")).to_be_checked(checked=enabled)


def test_theme_and_zone_change_no_figure(compared: Compared) -> None:
    compared.open(f"/r/{QUICK.repository}?window=28d")
    for name in ("Theme", "Time zone of the page; days are always UTC days"):
        compared.page.get_by_title(name).click()
        compared.agrees()


def test_signing_out_hides_every_figure(opened_browser: Browser, server: LiveServer) -> None:
    """Whoever signs in next sees the same address with the figures of then."""
    session = session_of(opened_browser, server)  # not the one that other tests share
    with opened_window(opened_browser, server, session) as window:
        compared = Compared(window, server)
        compared.open(f"/r/{QUICK.repository}")
        compared.page.evaluate("document.querySelector('a[href*=\"settings\"]').click()")
        compared.page.get_by_role("link", name="Session, keys and channels of owners").click()
        compared.page.get_by_role("button", name="Sign out").click()
        compared.page.go_back()
        expect(compared.page.get_by_role("heading", name="Sign in")).to_be_visible()
        compared.page.go_back()
        expect(compared.page.get_by_role("heading", name="Sign in")).to_be_visible()
        expect(compared.page.locator("main").get_by_text("in queue")).to_have_count(0)
        compared.page.get_by_label("Application key").fill(server.key("acme")["key"])
        compared.page.keyboard.press("Enter")
        compared.agrees()


def test_new_data_changes_every_figure(compared: Compared, server: LiveServer) -> None:
    """While the page says that it is live."""
    name = "acme/live"
    server.send(events_of(QUICK, datetime.now(UTC)), name).raise_for_status()
    compared.open(f"/r/{name}?window=24h&open=queues.slowest")
    compared.window.sees("● live")
    for number in (9101, 9102):
        server.send(
            [entered(datetime.now(UTC).isoformat(), f"stay-{number}", number)], name
        ).raise_for_status()
        compared.agrees(changed=True)
    server.send(renamed(events_of(SLOW, datetime.now(UTC))), name).raise_for_status()
    compared.agrees(changed=True)


def test_slow_answer_does_not_replace_a_newer_one(compared: Compared) -> None:
    """And the figures of before are not shown as if they were the answer."""
    held: list[Route] = []
    page = compared.page
    compared.open(f"/r/{QUICK.repository}")
    long_ago = f"{datetime.now(UTC) - timedelta(days=60):%Y-%m-%dT%H:%M:%SZ}"

    def hold(route: Route) -> None:
        """The first question about 90 days; the page may ask about the last week meanwhile."""
        (start,) = parse_qs(urlsplit(route.request.url).query)["start_at"]
        if held or start > long_ago:
            route.continue_()
        else:
            held.append(route)

    page.route("**/summary?*", hold)
    page.get_by_role("button", name="90d").click()
    expect(page.get_by_text("p95 in queue").first).to_be_hidden()
    expect(page.get_by_role("heading", level=1)).to_be_hidden()
    compared.click("28d")
    for route in held:
        route.continue_()
    compared.window.settles()
    compared.agrees()
