"""Every control of the period, in a real browser: the figures are the API's answers to the question asked."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, StorageState, expect

from browser_windows import Window
from changed_settings import change_settings
from dashboard import address, texts
from dashboard.api_questions import Api
from dashboard.comparison import Compared
from dashboard.conftest import opened_window, session_of
from dashboard.overview import chart_tables
from dashboard.screen import BOXES, at_rest
from dashboard.two_histories import History, events_of
from live_server import LiveServer, live_server
from waiting import wait_for

pytestmark = pytest.mark.server
# Enough merges of one queue for a reference period.
DENSE, THIN = History("acme/dense", 2, 6), History("acme/thin", 3, 14)
BOTH = pytest.mark.parametrize("repository", [DENSE.repository, THIN.repository])
_WAITING = 9000
_BERLIN = ZoneInfo("Europe/Berlin")
_ZONE = "Time zone of the page; days are always UTC days"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """Two repositories with different histories, and a period of each that is pinned."""
    now = datetime.now(UTC)
    days = [(now - timedelta(days=ago)).strftime("%Y-%m-%dT00:00:00Z") for ago in (98, 20)]
    pinned = dict(zip(("start_at", "end_at"), days, strict=True))
    with live_server(tmp_path_factory.mktemp("periods")) as server:
        for history in (DENSE, THIN):
            # Without those that wait: how long they do so is another answer every minute.
            events = [event for event in events_of(history, now) if event["pull_request"] < _WAITING]
            server.send(events, history.repository).raise_for_status()
            autumn = {"name": "autumn", "base_ref": "main", "queue_name": "default", **pinned}
            change_settings(server, history.repository, reference_periods=[autumn])
        yield server


@pytest.fixture(scope="module")
def session(opened_browser: Browser, server: LiveServer) -> StorageState:
    return session_of(opened_browser, server)


@pytest.fixture
def compared(opened_browser: Browser, server: LiveServer, session: StorageState) -> Iterator[Compared]:
    """In Berlin, where clocks change."""
    with opened_window(opened_browser, server, session) as window:
        client = window.page.context.new_cdp_session(window.page)
        client.send("Emulation.setTimezoneOverride", {"timezoneId": _BERLIN.key})
        yield Compared(window, server)


def _draw(window: Window, chart: int, first: float, last: float) -> None:
    """Press the mouse on a chart, move it and let it go; shares of the chart's width."""
    at_rest(window)
    page = window.page
    box = page.locator(".u-over").nth(chart).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + first * box["width"], box["y"] + 30)
    page.mouse.down()
    page.mouse.move(box["x"] + last * box["width"], box["y"] + 40, steps=4)
    page.mouse.up()


def _dates(page: Page, first: str, last: str, times: tuple[str, str] = ("", "")) -> None:
    """As someone without a mouse does it."""
    page.get_by_role("button", name=re.compile("^Dates")).focus()
    if not page.get_by_role("form", name="Dates").is_visible():
        page.keyboard.press("Enter")
    page.get_by_label("First day", exact=True).fill(first)
    page.get_by_label("Last day", exact=True).fill(last)
    for label, time in zip(("first", "last"), times, strict=True):
        page.get_by_label(f"Time of the {label} day").fill(time)
    page.get_by_label("Last day", exact=True).press("Enter")


def _days_ago(days: int) -> str:
    """The beginning of a day."""
    return f"{datetime.now(UTC) - timedelta(days=days):%Y-%m-%dT00:00:00Z}"


@BOTH
def test_windows_and_comparisons(compared: Compared, repository: str) -> None:
    """Each of them, back, forward, a reload and a deep link."""
    page = compared.page
    compared.open(f"/r/{repository}")
    for table in ("Time in queue", "Where it goes", "Flow"):
        page.get_by_role("button", name=f"Table: {table}").click()
    for name in ("This year", "All"):
        page.get_by_role("button", name=name, exact=True).click()
        compared.agrees(chart_tables)
    compared.click("24h")
    compared.choose("Compare with", "before")
    compared.agrees(chart_tables)
    compared.choose("Compare with", "pinned autumn")
    compared.agrees(chart_tables)
    compared.page.go_back()
    compared.agrees(chart_tables, changed=True)
    compared.page.go_forward()
    compared.agrees(changed=True)
    page.reload()
    compared.agrees()
    expect(page.get_by_label("Compare with")).to_have_value("pinned autumn")
    compared.open(f"/r/{repository}?from={_days_ago(47)}&to={_days_ago(32)}&compare=week")


@BOTH
def test_dragging_over_a_chart_and_zooming_out(compared: Compared, repository: str) -> None:
    """Twice into it and twice out of it; each step is in the address."""
    page = compared.page
    compared.open(f"/r/{repository}?window=28d&branch=main")
    addresses = [page.url]
    for _ in range(2):
        _draw(compared.window, 0, 0.3, 0.7)
        compared.agrees(changed=True)
        addresses.append(page.url)
    outer, inner = (_window(url) for url in addresses[1:])
    assert outer[0] < inner[0] < inner[1] < outer[1]
    page.reload()
    compared.agrees()
    for url in reversed(addresses[:-1]):
        compared.click("Zoom out")
        assert url == page.url
    expect(page.get_by_role("button", name="Zoom out")).to_have_count(0)


def _window(url: str) -> address.Window:
    return address.read(url).window(datetime.now(UTC), datetime.now(UTC))


def test_two_days_from_the_keyboard(compared: Compared) -> None:
    """Days and times of the zone of the page; the same days of the other zone are another period."""
    page = compared.page
    compared.open(f"/r/{DENSE.repository}")
    day = (datetime.now(UTC) - timedelta(days=12)).date().isoformat()
    _dates(page, day, day)
    compared.agrees(changed=True)
    local = _window(page.url)
    assert [datetime.fromisoformat(day).date()] * 2 == [
        at.astimezone(_BERLIN).date() for at in (local[0], local[1] - timedelta(seconds=1))
    ]
    page.get_by_title(_ZONE).click()
    _dates(page, day, day)
    expect(page).to_have_url(re.compile(rf"from={day}T00(:|%3A)00"))
    compared.agrees()
    assert f"{day}T00:00:00Z" == address.parameters(_window(page.url))["start_at"]
    _dates(page, day, day, ("06:30", "18:00"))
    compared.agrees(changed=True)
    expected = {"start_at": f"{day}T06:30:00Z", "end_at": f"{day}T18:00:00Z"}
    assert expected == address.parameters(_window(page.url))


def test_the_day_of_a_clock_change(compared: Compared) -> None:
    """The last one in Berlin had 23 or 25 hours."""
    today = datetime.now(_BERLIN).replace(hour=0, minute=0, second=0, microsecond=0)
    days = (today - timedelta(days=ago) for ago in range(1, 366))
    day = next(day for day in days if day.utcoffset() != (day + timedelta(days=1)).utcoffset())
    hours = 24 - ((day + timedelta(days=1)).utcoffset() - day.utcoffset()) / timedelta(hours=1)  # type: ignore[operator]
    compared.open(f"/r/{DENSE.repository}")
    _dates(compared.page, f"{day:%Y-%m-%d}", f"{day:%Y-%m-%d}")
    compared.agrees(changed=True)
    start, end = _window(compared.page.url)
    assert (day.astimezone(UTC), timedelta(hours=hours)) == (start, end - start)


def _refusal(page: Page) -> Locator:
    return page.get_by_role("form", name="Dates").get_by_role("alert")


_UNREADABLE = "These dates cannot be read. A day is written like 2026-11-12"
_WRONG = {
    "from=yesterday&to=today": _UNREADABLE,
    "window=9w": _UNREADABLE,
    "from=2026-10-02&to=2026-10-01": "The period ends before it begins",
    "from=2999-01-01&to=2999-01-02": "The period begins in the future",
    "from=2026-10-01&to=2999-01-02": "The period ends in the future",
    "from=0001-01-01&to=2026-01-02": "The period begins before 1970",
}


def test_wrong_periods_get_a_sentence_and_no_request(compared: Compared) -> None:
    """In the address and in the form; a right one helps at once."""
    page = compared.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "start_at" in request.url else None)
    for query, sentence in _WRONG.items():
        compared.window.open(f"/r/{THIN.repository}?{query}")
        expect(_refusal(page)).to_contain_text(sentence)
    _dates(page, "2026-10-02", "2026-10-01")
    expect(_refusal(page)).to_contain_text("The period ends before it begins")
    _dates(page, "2026-10-02", "")
    expect(_refusal(page)).to_contain_text("Choose a first and a last day.")
    compared.window.settles()
    assert [] == asked
    _dates(page, _days_ago(47)[:10], _days_ago(46)[:10])
    compared.agrees()


def test_an_impossible_comparison_says_so(compared: Compared) -> None:
    page = compared.page
    compared.window.open(f"/r/{THIN.repository}?pinned=gone")
    text = "There is no pinned period gone, so the figures are compared as usual."
    expect(page.get_by_text(text)).to_be_visible()
    compared.window.open(f"/r/{THIN.repository}?window=90d&pinned=autumn")
    expect(page.get_by_text(re.compile("The pinned period autumn .* overlap"))).to_be_visible()
    expect(page.get_by_text("p95 in queue").first).to_be_visible()


_WASHED = """() => {
  return [...document.querySelectorAll('.u-wrap canvas')].map((canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    for (let i = 0; i < data.length; i += 4) {
      if (data[i] === 0xea && data[i + 1] === 0xf0 && data[i + 2] === 0xfd) return true;
    }
    return false;
  });
}"""


def test_a_picked_interval_is_marked_in_every_chart(compared: Compared) -> None:
    """Its pull requests stand below the charts; the table marks it for those who do not see the charts."""
    page = compared.page
    compared.open(f"/r/{DENSE.repository}?window=28d&open=load")
    expect(page.locator(".u-wrap")).to_have_count(5)
    assert [False] * 5 == page.evaluate(_WASHED)
    page.locator(".u-over").nth(2).click(position={"x": 200, "y": 40})
    compared.agrees(changed=True)
    wait_for([True] * 5, lambda: page.evaluate(_WASHED))
    page.get_by_role("button", name="Table: Flow").click()
    expect(page.get_by_role("region", name="Flow, table").locator("[aria-current=true]")).to_have_count(1)


def test_hovering_moves_nothing(compared: Compared) -> None:
    page = compared.page
    compared.open(f"/r/{DENSE.repository}?window=28d&open=load.ci")
    expect(page.locator(".u-wrap")).to_have_count(9)
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 900})
        before, hovered, after = _hovered(compared.window)
        while before != after:  # New answers arrived meanwhile.
            before, hovered, after = _hovered(compared.window)
        assert [before] * 3 == hovered


def _hovered(window: Window) -> tuple[object, list[object], object]:
    """Where everything is before, during and after hovering over three places of a chart."""
    before, hovered, page = at_rest(window), list[object](), window.page
    for x in (20, 90, 160):
        page.locator(".u-over").first.hover(position={"x": x, "y": 40})
        hovered.append(page.evaluate(BOXES))
    page.mouse.move(0, 0)
    return before, hovered, page.evaluate(BOXES)


def test_a_pinned_period_is_a_band(compared: Compared) -> None:
    """With the figures of the API: those of the comparison, or those that were pinned."""
    page = compared.page
    path = f"/r/{DENSE.repository}?branch=main&queue=default"
    compared.open(f"{path}&pinned=autumn")
    figures = Api(compared.server.http, address.read(page.url)).summary()["all"]
    levels = [texts.duration(figures[f"time_in_queue_{name}"]["before"]) for name in ("p50", "p95")]
    expect(page.get_by_text(f"pinned autumn {levels[0]} {texts.NONE} {levels[1]}")).to_be_visible()
    compared.open(path)
    api = Api(compared.server.http, address.read(page.url))
    (autumn,) = api.about("/reference-periods")["reference_periods"]
    level = texts.duration(autumn["figures"]["time_to_merge_p95"])
    expect(page.get_by_text(f"p95 to merge in autumn {level}")).to_be_visible()


def test_past_alerts_appear_when_they_are_found(compared: Compared) -> None:
    """A look-back finds them while the page is open; it is not loaded again."""
    page, found, answers = compared.page, list[object](), [0]
    at = datetime.now(UTC) - timedelta(days=3)
    alert = {
        "id": "nothing-merged",
        "figure": "nothing_merges",
        "base_ref": "main",
        "queue_name": "default",
        "since": at.isoformat(),
        "ended_at": (at + timedelta(hours=9)).isoformat(),
    }

    def answer(route: Route) -> None:
        answers[0] += 1
        route.fulfill(json={"start_at": "", "end_at": "", "alerts": found, "incidents": []})

    page.route("**/alerts?*", answer)
    page.clock.install()
    compared.open(f"/r/{DENSE.repository}")
    compared.window.wait_until(lambda: answers[0], "a question about past alerts")
    expect(page.locator(".legend").get_by_text("alert", exact=True)).to_have_count(0)
    found.append(alert)
    page.clock.fast_forward(61_000)
    expect(page.locator(".legend").get_by_text("alert", exact=True)).to_have_count(3)
