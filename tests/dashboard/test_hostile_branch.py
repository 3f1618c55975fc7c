"""A branch may have any name: no page turns the direction of text, or hides a part of the name."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Browser, StorageState, expect

from browser_windows import Window
from builders import entered, left
from dashboard.conftest import opened_window
from live_server import LiveServer
from mergecast.queues.model.instant import MINUTE, format_instant, from_datetime
from signals.steady import steady_events

pytestmark = pytest.mark.server

_NAME = "acme/hostile"
_BRANCH = "ev\x1b[2J\u202eil"
_SHOWN = "ev\\u001b[2J\\u202eil"


@pytest.fixture(scope="module")
def stuck(demo: LiveServer) -> LiveServer:
    """One of two queues belongs to a branch with a hostile name, and nothing has run there for an hour."""
    now = datetime.now(UTC)
    waiting_since = from_datetime(now - timedelta(hours=1))
    waiting = entered(format_instant(waiting_since), "waiting", 9001)
    events = [event | {"base_ref": _BRANCH} for event in (*steady_events(waiting_since, weeks=3), waiting)]
    events.append(entered(format_instant(waiting_since), "other", 9002))
    events.append(left(format_instant(waiting_since + MINUTE), "other", 9002))
    demo.send(events, _NAME).raise_for_status()
    demo.http.get(f"/v1/repos/{_NAME}/queue").raise_for_status()
    return demo


@pytest.fixture
def window(opened_browser: Browser, stuck: LiveServer, session: StorageState) -> Iterator[Window]:
    with opened_window(opened_browser, stuck, session) as window:
        yield window


@pytest.mark.parametrize("page", ["", "/queue", "/alerts", "/settings", "/pulls/9001"])
def test_a_page_shows_the_name_with_its_codes(window: Window, page: str) -> None:
    window.open(f"/r/{_NAME}{page}")
    expect(window.page.get_by_text(_SHOWN).first).to_be_attached()
    shown = window.page.locator("main").inner_text()
    assert not {"\x1b", "\u202e"} & set(shown)


def test_the_sentence_about_a_repository_names_the_branch(window: Window) -> None:
    window.open(f"/r/{_NAME}")
    expect(window.page.locator("h1")).to_contain_text(f"in queue default of {_SHOWN}")
