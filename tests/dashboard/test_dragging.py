"""Drawing over a chart: outside of it, with a finger, and while new data arrives."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from browser_windows import Window
from builders import entered
from dashboard import address
from dashboard.screen import at_rest
from live_server import LiveServer
from waiting import wait_until

pytestmark = pytest.mark.server

_NAME = "demo/harbor"
_CHART = ".u-over"
_DRAWN = f"{_CHART} .u-select"


@pytest.fixture
def page(signed_in: Window) -> Page:
    """The overview, whose charts are drawn."""
    signed_in.open(f"/r/{_NAME}?window=28d")
    expect(signed_in.page.locator(_CHART)).to_have_count(3)
    at_rest(signed_in)
    return signed_in.page


def _box(page: Page) -> tuple[float, float, float, float]:
    """Of the first chart; it has none while news draw it again."""
    box = wait_until(page.locator(_CHART).first.bounding_box)
    return box["x"], box["y"], box["width"], box["height"]


def _drawn_width(page: Page) -> float:
    return float(page.locator(_DRAWN).first.evaluate("one => one.offsetWidth"))


def _days(page: Page) -> tuple[float, float]:
    """How many days ago the period that is shown began and ended, once a drag has chosen it."""
    page.wait_for_url("**from=*")
    window = address.read(page.url).window(datetime.now(UTC), datetime.now(UTC))
    began, ended = ((datetime.now(UTC) - at) / timedelta(days=1) for at in window)
    return began, ended


def test_the_mouse_leaves_the_chart(page: Page) -> None:
    """It may be let go anywhere."""
    x, y, width, height = _box(page)
    page.mouse.move(x + width / 2, y + 80)
    page.mouse.down()
    page.mouse.move(x + width + 5, y + 80, steps=4)
    page.mouse.move(x + width + 15, y + height + 150, steps=4)
    wait_until(lambda: abs(_drawn_width(page) - width / 2) <= 2, "what the mouse draws")
    page.mouse.up()

    began, ended = _days(page)
    assert (True, True) == (13 <= began <= 16, ended < 1), (began, ended)


def test_new_data_arrives_meanwhile(page: Page, demo: LiveServer) -> None:
    """The chart is drawn again, and the drag goes on from where it began."""
    x, y, width, _ = _box(page)
    page.mouse.move(x + width / 2, y + 80)
    page.mouse.down()
    page.mouse.move(x + width * 0.6, y + 80, steps=4)
    page.locator(_CHART).first.evaluate("one => one.dataset.before = 'yes'")
    at = datetime.now(UTC).isoformat()
    demo.send([entered(at, f"while dragging {at}", 990_001)], _NAME).raise_for_status()
    expect(page.locator(_CHART).first).not_to_have_attribute("data-before", "yes")
    wait_until(lambda: abs(_drawn_width(page) - width * 0.1) <= 3, "what the mouse has drawn")
    page.mouse.move(x + width * 0.75, y + 80, steps=4)
    page.mouse.up()

    began, ended = _days(page)
    assert (True, True) == (13 <= began <= 16, 6 <= ended <= 8), (began, ended)


def _touching(page: Page) -> Callable[..., None]:
    client = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        listed = [{"x": x, "y": y} for x, y in points]
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": listed})

    return touch


def test_a_finger_draws_and_one_that_is_taken_away_does_not(page: Page) -> None:
    """After a drag that the browser cancels, nothing is drawn, and the next one begins as usual."""
    x, y, width, _ = _box(page)
    before, touch = page.url, _touching(page)
    touch("touchStart", (x + width * 0.2, y + 80))
    for share in (0.25, 0.3, 0.4):
        touch("touchMove", (x + width * share, y + 80))
    wait_until(lambda: _drawn_width(page) > width * 0.1, "what the finger draws")
    touch("touchCancel")
    wait_until(lambda: _drawn_width(page) == 0, "the end of the cancelled drag")
    assert before == page.url

    touch("touchStart", (x + width / 2, y + 80))
    for share in (0.55, 0.6, 0.7, 0.75):
        touch("touchMove", (x + width * share, y + 80))
    touch("touchEnd")

    began, ended = _days(page)
    assert (True, True) == (13 <= began <= 16, 6 <= ended <= 8), (began, ended)
