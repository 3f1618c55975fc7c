"""The page of a pull request and the search for one: what they show is what the API answers."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Browser, StorageState, expect

from api.recorded_pulls import scenario
from browser_windows import Window
from builders import Wire, ended, entered, left, reported, started
from dashboard import texts
from dashboard.conftest import HOSTILE, opened_window
from live_server import LiveServer
from waiting import wait_until

pytestmark = pytest.mark.server
_NAME = "acme/tried"
_TITLES = {31: f"Fix login {HOSTILE}", 30: "Another LOGIN page", 29: "Unrelated"}
_LOG = "https://ci.example.com/1"
# Faster than a person, and than a timer of the page.
_CLOSE_AND_OPEN = """(box) => {
  const press = (key) => box.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
  ['Escape', 'ArrowDown'].forEach(press);
}"""
_BOX = "Find a pull request by number, address or title"


def _at(minutes: int) -> str:
    return (datetime.now(UTC) - timedelta(minutes=minutes)).isoformat()


def _reports() -> list[Wire]:
    """Twenty checks of the run that failed: one with a hostile name failed, one waited and is in Hebrew."""
    passed = [
        reported(_at(670), "X", f"shard {n}", started_at=_at(690), ended_at=_at(690 - n), url=f"{_LOG}/{n}")
        for n in range(1, 19)
    ]
    return [
        *passed,
        reported(_at(665), "X", HOSTILE, "failure", started_at=_at(690), ended_at=_at(665), url=_LOG),
        reported(_at(661), "X", "\u05d1\u05d3\u05d9\u05e7\u05d4", "timed_out", queued_at=_at(690),
                 started_at=_at(685), ended_at=_at(661), runner="linux", is_required=False),
    ]  # fmt: skip


@pytest.fixture(scope="module")
def tried(demo: LiveServer) -> LiveServer:
    """#7 merged on its third try, #9 is in CI, and three pull requests have titles."""
    events = [
        *(entered(_at(900), "s7-1", 7), left(_at(800), "s7-1", 7, "CHECKS_FAILED")),
        *(entered(_at(700), "s7-2", 7), started(_at(690), "s7-2", 7, "X", [7, 8])),
        *(ended(_at(660), "s7-2", 7, "X", "CHECKS_FAILED"), left(_at(600), "s7-2", 7, "PR_DEQUEUED")),
        *(entered(_at(500), "s7-3", 7), started(_at(480), "s7-3", 7, "Y", [7])),
        *(ended(_at(450), "s7-3", 7, "Y"), left(_at(449), "s7-3", 7)),
        *(entered(_at(20), "s9", 9), started(_at(5), "s9", 9, "Z", [9])),
    ]
    demo.send([*events, *_reports()], _NAME).raise_for_status()
    _, record = scenario("draft")
    for number, title in _TITLES.items():
        snapshot = {**record, "pull": {**record["pull"], "number": number, "title": title}}
        demo.http.put(f"/v1/repos/{_NAME}/pulls/{number}/snapshot", json=snapshot).raise_for_status()
    return demo


@pytest.fixture
def window(opened_browser: Browser, tried: LiveServer, session: StorageState) -> Iterator[Window]:
    with opened_window(opened_browser, tried, session) as window:
        yield window


def _history(server: LiveServer, number: int) -> Any:
    return server.http.get(f"/v1/repos/{_NAME}/pulls/{number}/history").json()


def test_the_headline_counts_all_stays(window: Window, tried: LiveServer) -> None:
    """With the time of all of them; each gap is listed, and the time between two stays."""
    window.open(f"/r/{_NAME}/pulls/7")
    stays = _history(tried, 7)["stays"]
    total = texts.duration(sum(stay["seconds"] for stay in stays))

    expect(window.page.get_by_role("heading", level=1)).to_contain_text(
        f"#7 merged after three tries and {total} in the queue."
    )
    third, second, first = (window.page.get_by_label(f"Stay {place}") for place in (3, 2, 1))
    capacity = "waiting for capacity"
    assert [f"20m before its first CI run, {capacity}", f"1m after CI: passed, {capacity}"] == _gaps(third)
    assert [
        f"10m before its first CI run, {capacity}",
        f"1h00m after CI: checks failed, {capacity}",
    ] == _gaps(second)
    assert [f"1h40m without a CI run, {capacity}"] == _gaps(first)
    for label in ("removed", "checks failed"):
        window.sees(f"; it had left: {label}")
    expect(window.page.get_by_text("Not in the queue for 1h40m")).to_have_count(2)


def _gaps(stay: Any) -> list[str]:
    lines: list[str] = stay.get_by_role("list", name="Gaps").get_by_role("listitem").all_inner_texts()
    return [line.partition(": ")[2] for line in lines]


def test_a_waiting_pull_request_shows_the_sentence_of_the_api(window: Window, tried: LiveServer) -> None:
    window.open(f"/r/{_NAME}/pulls/9")
    shown = window.page.get_by_label("Why it waits").locator("p").first

    def is_the_same() -> bool:
        sentence = str(_history(tried, 9)["waiting_for"]["sentence"])
        return shown.inner_text() == sentence.replace("`", "")

    # Both count minutes: the page asks again when a minute has passed.
    wait_until(is_the_same)
    assert shown.inner_text().startswith("First in default; CI has run for ")
    window.sees("No expected merge: a forecast needs 14 days and 200 merges")


def test_a_channel_is_told_once_when_it_merges(window: Window, tried: LiveServer) -> None:
    """The page offers it for what is in the queue, not for what has merged or was never there."""
    path = f"/v1/repos/{_NAME}/channels"
    slack = {"kind": "slack", "url": "https://hooks.slack.example/services/x", "name": "me", "rules": []}
    channel = tried.http.post(path, json=slack).json()["id"]
    tell = window.page.get_by_role("button", name="Tell me when it merges")

    def subscribed() -> list[str]:
        found = tried.http.get(f"/v1/repos/{_NAME}/pulls/9/subscriptions").json()["subscribed"]
        return [one["name"] for one in found]

    for number, said in ((7, "#7 merged"), (31, "#31 has not been in a queue.")):
        window.open(f"/r/{_NAME}/pulls/{number}")
        expect(window.page.get_by_role("heading", level=1)).to_contain_text(said)
        expect(tell).to_have_count(0)
    window.open(f"/r/{_NAME}/pulls/9")
    tell.click()
    expect(window.page.get_by_text("you will be notified in me")).to_be_visible()
    assert ["me"] == subscribed()
    window.page.get_by_role("button", name="Cancel").click()
    expect(tell).to_be_visible()
    assert [] == subscribed()
    tried.http.delete(f"{path}/{channel}").raise_for_status()


def test_words_of_a_title_find_pull_requests(window: Window, tried: LiveServer) -> None:
    """From the keyboard; a hostile title stays text."""
    page = window.page
    window.open(f"/r/{_NAME}")
    box, listed = page.get_by_label(_BOX), page.get_by_label("Pull requests found").get_by_role("option")
    found = tried.http.get(f"/v1/repos/{_NAME}/pulls", params={"search": "login"}).json()["pulls"]

    box.fill("login")
    expect(listed).to_have_text(
        [f"#{one['pull_request']} {one['title']} by {one['author']}" for one in found]
    )
    box.press("Escape")
    expect(listed.first).to_be_hidden()
    box.press("ArrowDown")
    expect(listed).to_have_count(2)
    box.evaluate(_CLOSE_AND_OPEN)
    expect(listed).to_have_count(2)
    expect(page.locator("[role=option][aria-selected=true]")).to_have_count(0)
    for _ in found:
        box.press("ArrowDown")
    expect(listed.nth(1)).to_have_attribute("aria-selected", "true")
    box.press("Enter")

    window.sees("#30 has not been in a queue.")
    expect(page).to_have_url(f"{window.url}/r/{_NAME}/pulls/30")
    box.fill("nothing like this")
    window.sees("no title contains these words")
    box.fill("fix")
    listed.first.click()
    window.sees("#31 has not been in a queue.")
    window.sees(_TITLES[31])


_ENDINGS = {"success": "passed in", "failure": "failed after", "timed_out": "timed out after"}


def _seconds(start: str, end: str) -> float:
    return (datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds()


def _row(one: Any) -> str:
    """What a row of the waterfall says."""
    ran = texts.duration(_seconds(one["started_at"], one["ended_at"]))
    said = f"{one['name']} {_ENDINGS[one['conclusion']]} {ran}"
    if one["queued_at"]:
        said += f", waited {texts.duration(_seconds(one['queued_at'], one['started_at']))}"
    said += ", not required" if one["is_required"] is False else ""
    return said + (f" on {one['runner']}" if one["runner"] else "")


def test_the_checks_of_a_failed_run(window: Window, tried: LiveServer) -> None:
    """The longest twelve and then all, as in the answer; the row of the run names the check that failed."""
    window.page.set_viewport_size({"width": 360, "height": 700})
    window.open(f"/r/{_NAME}/pulls/7")
    run = _history(tried, 7)["stays"][1]["checks"][0]
    rows = window.page.locator("details ol > li")
    expect(rows).to_have_count(12)
    expected = [_row(one) for one in run["ci_checks"]]

    assert expected[:12] == [" ".join(text.split()) for text in rows.all_inner_texts()]
    window.page.get_by_role("button", name="8 more", exact=True).press("Enter")
    expect(rows).to_have_count(20)
    assert expected == [" ".join(text.split()) for text in rows.all_inner_texts()]

    assert HOSTILE == run["failed_ci_check"]["name"]
    link = window.page.get_by_role("region", name="CI runs of stay 2").get_by_role("link", name=HOSTILE)
    assert (_LOG, "noreferrer") == (link.get_attribute("href"), link.get_attribute("rel"))
    assert 360 == window.width()
    assert [] == window.violations()
    window.page.set_viewport_size({"width": 1440, "height": 900})
    assert [] == window.violations()


def test_what_is_found_fits_a_phone(window: Window) -> None:
    """And axe-core finds nothing wrong with the open list."""
    window.page.set_viewport_size({"width": 360, "height": 700})
    window.open(f"/r/{_NAME}/pulls/9")
    window.page.get_by_label(_BOX).fill("login")
    listed = window.page.get_by_label("Pull requests found")
    expect(listed.get_by_role("option")).to_have_count(2)

    box = listed.bounding_box()

    assert box is not None
    assert 0 <= box["x"] < box["x"] + box["width"] <= 360
    assert 360 == window.width()
    assert [] == window.violations()


def test_a_pasted_address_opens_its_pull_request(window: Window, tried: LiveServer) -> None:
    """Also of another repository."""
    window.open("/r/demo/harbor")
    box = window.page.get_by_label(_BOX)
    for address in (f"https://github.com/{_NAME}/pull/7/files", f"{tried.url}/r/{_NAME}/pulls/7"):
        box.fill(address)
        box.press("Enter")
        window.sees("#7 merged after three tries")
        expect(window.page).to_have_url(f"{window.url}/r/{_NAME}/pulls/7")
        window.open("/r/demo/harbor")
