"""The waterfall behind *Why?* shows what the API answers."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from browser_windows import Window
from builders import entered, left
from changes.history import END, MONDAY, SLOWER_FROM, slower_from
from dashboard.conftest import opened_window, session_of
from held_forecasts import serving_held
from live_server import LiveServer, live_server
from mergecast.queues.model.figures import FIGURES
from mergecast.queues.model.instant import DAY, format_instant, to_datetime

pytestmark = pytest.mark.server
_NAME = "acme/slower"
_MINUS = "\u2212"
_START, _END = format_instant(MONDAY), format_instant(END)


def test_a_marked_change_opens_a_waterfall_of_the_days_around_it(
    opened_browser: Browser, tmp_path: Path
) -> None:
    with (
        live_server(tmp_path) as server,
        opened_window(opened_browser, server, session_of(opened_browser, server)) as window,
    ):
        server.send(_busy(), _NAME).raise_for_status()
        window.open(f"/r/{_NAME}?from={_START}&to={_END}")
        page = window.page
        page.get_by_role("region", name="Where it goes").locator("button.change").first.click()
        day = to_datetime(SLOWER_FROM).date().isoformat()
        expect(page).to_have_url(re.compile(rf"why={day}&figure=passed_run_p50"))
        shown = page.get_by_role("region", name="Why?")
        around = [SLOWER_FROM - 28 * DAY, SLOWER_FROM, SLOWER_FROM + 28 * DAY]
        answer = _answer(server, around)
        expect(shown.locator(".sentence")).to_have_text(answer["sentence"])
        first = next(one for one in answer["figures"] if one["sentence"] == answer["sentence"])
        _shows(shown, first)
        _says_what_changed(shown, server, day)
        expect(shown.get_by_role("link", name="CI checks after")).to_have_attribute(
            "href", re.compile(f"ci-checks.*from={day}T00%3A00%3A00Z")
        )
        assert window.violations() == []
        _fits_a_phone_in_the_dark(window, shown)
        shown.get_by_role("button", name="Close").click()
        expect(shown).to_have_count(0)
        page.get_by_role("button", name="Why?").click()
        expect(page).to_have_url(re.compile("why=period$"))


def test_a_mark_opens_its_own_figure_and_the_card_says_what_it_is_about(
    opened_browser: Browser, tmp_path: Path
) -> None:
    with (
        live_server(tmp_path) as server,
        opened_window(opened_browser, server, session_of(opened_browser, server)) as window,
    ):
        server.send(_busy(), _NAME).raise_for_status()
        window.open(f"/r/{_NAME}?from={_START}&to={_END}&queue=default")
        page = window.page
        page.get_by_role("region", name="Time in queue").locator("button.change").first.click()
        expect(page).to_have_url(re.compile("figure=time_to_merge_p50"))
        shown = page.get_by_role("region", name="Why?")
        expect(shown.get_by_role("button", pressed=True)).to_have_text(re.compile("^time to merge, p50 "))
        around = [SLOWER_FROM - 28 * DAY, SLOWER_FROM, SLOWER_FROM + 28 * DAY]
        _shows(shown, _answer(server, around)["figures"][0])
        expect(shown).to_contain_text(
            "This explains the time to merge: the time in queue of pull requests that merged. The filters "
            "for queue and priority do not apply to it: it is about all queues of the branch. No branch is "
            "chosen: it is about main, where most merged."
        )


def test_the_page_says_how_far_the_replays_are(opened_browser: Browser, tmp_path: Path) -> None:
    """And what is missing if there is no answer."""
    with (
        serving_held(tmp_path) as (server, held),
        opened_window(opened_browser, server, session_of(opened_browser, server)) as window,
    ):
        server.send(slower_from(), "acme/one").raise_for_status()
        # With a priority, the page does not look for changes, which this forecaster cannot.
        window.open(f"/r/acme/one?from={_START}&to={_END}&why=period&priority=any")
        shown = window.page.get_by_role("region", name="Why?")
        held.allow(3)
        expect(shown.get_by_text("3 of 25 rounds of replays are done.")).to_be_visible()
        bar = shown.get_by_role("progressbar", name="Replays")
        assert ["3", "25"] == [bar.get_attribute("value"), bar.get_attribute("max")]
        held.let_end()
        expect(shown.locator(".sentence")).to_have_text("The test has let it end.")
        expect(bar).to_have_count(0)


def test_three_merges_of_today_are_no_wrong_request(opened_browser: Browser, tmp_path: Path) -> None:
    """Only whole days are compared, which the page says."""
    now = datetime.now(UTC)
    begin = max(now - timedelta(minutes=9), now.replace(hour=0, minute=0, second=0, microsecond=0))
    stays = [
        event(begin.isoformat(), f"stay-{number}", number)
        for number in (1, 2, 3)
        for event in (entered, left)
    ]
    with (
        live_server(tmp_path) as server,
        opened_window(opened_browser, server, session_of(opened_browser, server)) as window,
    ):
        server.send(stays, _NAME).raise_for_status()
        window.open(f"/r/{_NAME}")
        window.page.get_by_role("button", name="Why?").click()
        shown = window.page.get_by_role("region", name="Why?")
        expect(shown.locator(".sentence")).to_have_text("Nothing was merged in either period.")
        expect(shown).to_contain_text("(UTC). Later merges are left out.")
        expect(shown.get_by_role("alert")).to_have_count(0)
        assert window.violations() == []


def _says_what_changed(shown: Locator, server: LiveServer, day: str) -> None:
    asked = {"start_at": _START, "end_at": _END}
    found = server.http.get(f"/v1/repos/{_NAME}/changes", params=asked).json()
    changed = {
        one["figure"]: one["sentence"] for one in found["changes"] if one["earliest"] <= day <= one["latest"]
    }
    expect(shown.locator(".changes li")).to_have_text(list(changed.values()))
    rest = [one["figure"] for one in found["figures"] if one["days"] and one["figure"] not in changed]
    words = "; ".join(FIGURES[figure].words for figure in rest)
    expect(shown.locator(".changes p")).to_have_text(f"Unchanged then: {words}.")


def _fits_a_phone_in_the_dark(window: Window, shown: Locator) -> None:
    page = window.page
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 390, "height": 844})
    for one in shown.get_by_text("evidence").all():
        one.click()
    expect(shown.locator("details[open] ul").first).to_be_visible()
    window.wait_until(lambda: window.width() <= 390, "the page becomes as narrow as the window")
    assert window.violations() == []


def _busy() -> list[dict[str, Any]]:
    """Two pull requests an hour, so that four weeks are enough."""
    twice = slower_from()
    return [*twice, *(_other(event) for event in twice)]


def _other(event: dict[str, Any]) -> dict[str, Any]:
    """The same event of another pull request, a little later."""
    number = event["pull_request"] + 100_000
    renamed = {
        name: f"{event[name]}x" for name in ("id", "session_id", "batch_id") if event.get(name) is not None
    }
    found = {**event, **renamed, "pull_request": number}
    return {**found, "batch_pull_requests": [number]} if "batch_pull_requests" in event else found


def _answer(server: LiveServer, around: list[int]) -> dict[str, Any]:
    before, change, after = map(format_instant, around)
    periods = {
        "before": {"start_at": before, "end_at": change},
        "after": {"start_at": change, "end_at": after},
    }
    found: dict[str, Any] = server.http.post(f"/v1/repos/{_NAME}/explanation", json=periods).json()
    return found


def _shows(shown: Locator, figure: dict[str, Any]) -> None:
    """The bars have the words and values of the parts, between the two levels."""
    unit = FIGURES[figure["figure"]].unit
    assert figure["state"] == "divided"
    values = [_added(unit.written(abs(part["value"])), part["value"]) for part in figure["parts"]]
    expect(shown.locator("ol .words")).to_have_text(
        ["before", *(part["words"] for part in figure["parts"]), "after"]
    )
    expect(shown.locator("ol .value b")).to_have_text(
        [unit.written(figure["before"]), *values, unit.written(figure["after"])]
    )
    expect(shown).to_contain_text(f"Chance alone: ±{unit.written(figure['chance'])}")


def _added(text: str, value: float) -> str:
    if not any(digit in text for digit in "123456789"):
        return f"±{text}"
    return f"{_MINUS if value < 0 else '+'}{text}"
