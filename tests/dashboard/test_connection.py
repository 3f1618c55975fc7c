"""What pages do while the server cannot be reached, and when it is back, in a real browser."""

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from browser_windows import Window
from builders import Wire
from dashboard.comparison import Compared
from dashboard.two_histories import QUICK, SLOW, events_of, renamed
from live_server import live_server
from ports import reserved_port

pytestmark = pytest.mark.server
REPOSITORY = "acme/web"
_WATCH = """
() => {
  window.contradictions = [];
  new MutationObserver(() => {
    const text = document.body.textContent;
    if (text.includes('● live') && text.includes('No connection')) window.contradictions.push(text);
  }).observe(document.body, {childList: true, subtree: true, characterData: true});
}
"""


class Restarted:
    """A server that can be stopped, and started again on the same port with the same data."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._stack, self._port = folder, ExitStack(), reserved_port(self)
        self.start()

    def start(self) -> None:
        self.server = self._stack.enter_context(live_server(self._folder, port=self._port))

    def stop(self) -> None:
        self._stack.close()

    def add_while_stopped(self, events: list[Wire]) -> None:
        """By a server on another port: no page hears of it."""
        with live_server(self._folder) as other:
            other.send(events, REPOSITORY).raise_for_status()


@pytest.fixture
def restarted(tmp_path: Path) -> Iterator[Restarted]:
    restarted = Restarted(tmp_path / "data")
    yield restarted
    restarted.stop()


def test_pages_recover_from_a_restart(opened_browser: Browser, restarted: Restarted) -> None:
    """Without a reload they show the data of then. They never say "live" and "No connection" at once."""
    server = restarted.server
    server.send(events_of(QUICK, datetime.now(UTC)), REPOSITORY).raise_for_status()
    context = opened_browser.new_context()
    overview, repositories, clicked = (Window(context.new_page(), server.url) for _ in range(3))
    overview.sign_in(server)
    for window, path in ((overview, f"/r/{REPOSITORY}"), (repositories, "/"), (clicked, f"/r/{REPOSITORY}")):
        Compared(window, server).open(path)
        window.page.evaluate(_WATCH)
    overview.sees("● live")

    restarted.stop()
    for window in (overview, clicked):
        expect(_lost(window.page)).to_be_visible()
        expect(window.page.get_by_text("not live")).to_be_visible()
    # Figures that were right stay; a question that was never answered has none.
    expect(overview.page.get_by_text("p95 in queue").first).to_be_visible()
    clicked.page.get_by_role("button", name="90d").click()
    expect(clicked.page.get_by_text("The server did not respond; is it running")).to_be_visible()
    expect(clicked.page.get_by_text("p95 in queue")).to_have_count(0)
    repositories.page.get_by_role("link", name=REPOSITORY).click()
    expect(_lost(repositories.page)).to_be_visible()
    repositories.page.get_by_role("link", name="Mergecast").click()
    restarted.add_while_stopped(renamed(events_of(SLOW, datetime.now(UTC))))
    restarted.start()

    for window in (overview, repositories, clicked):
        Compared(window, restarted.server).agrees()
        expect(_lost(window.page)).to_have_count(0)
        assert [] == window.page.evaluate("window.contradictions")
    overview.sees("● live")
    context.close()


def _lost(page: Page) -> Locator:
    return page.get_by_text("No connection: this page may be out of date.")
