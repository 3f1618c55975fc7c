"""The page of forecasts, in a real browser: its recommendation, map and capacity are those of the API."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Route, expect

from browser_windows import Window
from builders import entered
from dashboard import texts
from dashboard.conftest import ADVISED
from live_server import LiveServer
from waiting import wait_until

pytestmark = pytest.mark.server
_PAGE = f"/r/{ADVISED}/forecast"
_API = f"/v1/repos/{ADVISED}/forecast"
_SECONDS = 120_000


def _known(server: LiveServer) -> Any:
    def found() -> Any:
        answer = server.http.get(f"{_API}/recommendation").json()
        return answer["search"] if answer["state"] == "known" else None

    return wait_until(found, "a recommendation", pause=0.2)


def _words(locator: Locator) -> list[str]:
    return [" ".join(text.split()) for text in locator.all_inner_texts()]


def _gains(search: Any, combination: Any) -> list[str]:
    """Each figure today and then, and how it differs."""

    def line(read: Any, text: Any) -> str:
        before, after, change = map(read, (search["baseline"], combination, combination["difference"]))
        low, high = (texts.change(change[bound]) for bound in ("low", "high"))
        values = f"{text(before['value'])} → {text(after['value'])}"
        return f"{values} {texts.change(change['value'])} ({low} to {high})"

    return [
        line(lambda one: one["time_to_merge_p95"], texts.duration),
        line(lambda one: one["ci_seconds_per_merge"], texts.duration),
        line(lambda one: one["ci_runs_per_merge"], texts.ratio),
    ]


def _cells(search: Any) -> list[str]:
    """The figures of every combination, in the order of the map."""
    figures = [(one["time_to_merge_p95"], one["ci_runs_per_merge"]) for one in search["combinations"]]
    return [f"{texts.duration(p95['value'])} {texts.ratio(runs['value'])}" for p95, runs in figures]


def _shown(window: Window) -> list[str]:
    buttons = window.page.get_by_role("region", name="Combinations", exact=True).get_by_role("button")
    return [" ".join(button.locator(".number").all_inner_texts()) for button in buttons.all()]


def test_the_page_opens_with_todays_settings_a_grade_and_recommendations(
    signed_in: Window, advised: LiveServer
) -> None:
    """By itself: nothing is clicked."""
    page = signed_in.page
    signed_in.open(_PAGE)
    expect(page.get_by_role("region", name="Faster for no more CI")).to_be_visible(timeout=_SECONDS)
    search = _known(advised)

    chips = _words(page.get_by_role("list", name="Settings of default").get_by_role("listitem"))
    assert chips[:2] == ["batch size 1", "parallel checks 1"]
    signed_in.sees("Today's settings of default, inferred from the history")
    opening = page.get_by_role("region", name="Recommendation", exact=True)
    expect(opening).to_contain_text(f"Trust: {search['trust']['grade']}, from")
    place = search["recommended"]["no_more_ci"]["combination"]
    if place is not None:
        chosen = search["combinations"][place]
        expect(opening).to_contain_text(f"Set batch size {chosen['settings']['batch_size']}, ")
        expect(opening).to_contain_text(_gains(search, chosen)[0].split(" (")[0].rpartition(" ")[0])
    today, trust = page.get_by_role("region", name="Today"), search["trust"]
    expect(today.locator(".grade")).to_have_text(trust["grade"])
    expect(today).to_contain_text(trust["sentences"]["grade"])
    for title, name in (("Faster for no more CI", "no_more_ci"), ("Half the p95", "half_time_to_merge_p95")):
        card, advice = page.get_by_role("region", name=title), search["recommended"][name]
        if advice["combination"] is None:
            expect(card).to_contain_text(advice["sentence"])
        else:
            chosen = search["combinations"][advice["combination"]]
            assert _gains(search, chosen) == _words(card.locator("dd.number"))
            expect(card.get_by_role("img")).to_have_count(3)
    assert _cells(search) == _shown(signed_in)
    assert [] == signed_in.violations()


def test_a_recommendation_opens_as_a_document_and_as_a_link(signed_in: Window, advised: LiveServer) -> None:
    page, search = signed_in.page, _known(advised)
    place = search["recommended"]["no_more_ci"]["combination"]
    settings = search["combinations"][place]["settings"]
    signed_in.open(_PAGE)
    card = page.get_by_role("region", name="Faster for no more CI")
    link = card.get_by_role("link", name="Forecast in full")
    expect(link).to_have_attribute(
        "href", re.compile("&".join(f"{name}={n}" for name, n in settings.items()))
    )
    card.get_by_role("button", name="Open as a change").click()
    expect(card).to_contain_text("The conditions are missing")
    own = "queue_rules:\n  - name: default\n    batch_size: 1 # since May\n"
    card.get_by_role("textbox", name="Paste it").fill(own)
    change = card.get_by_role("region", name="Change to the document").locator("pre")
    expect(change).to_contain_text(f"+     batch_size: {settings['batch_size']} # since May")
    expect(change).to_contain_text(f"+   max_parallel_checks: {settings['max_parallel_checks']}")
    assert [] == signed_in.violations()
    card.get_by_role("link", name="Open the whole document").click()
    editor = page.get_by_role("textbox", name="Configuration document")
    expect(editor).to_contain_text(f"batch_size: {settings['batch_size']}")
    expect(editor).to_contain_text(f"max_parallel_checks: {settings['max_parallel_checks']}")
    signed_in.sees("The configuration is valid")


def test_the_axes_of_the_map_can_be_changed(signed_in: Window, advised: LiveServer) -> None:
    """The figures are those of a search with these values; a cell opens its forecast."""
    page, usual = signed_in.page, _known(advised)
    signed_in.open(_PAGE)
    region = page.get_by_role("region", name="Map of combinations")
    region.get_by_label("batch size").fill("1, x")
    region.get_by_role("button", name="Replay these values").click()
    signed_in.sees("Write 1 to 10 whole numbers from 1 to 128 with commas between them.")
    region.get_by_label("batch size").fill("3, 1")
    region.get_by_label("parallel checks").fill("2")
    region.get_by_role("button", name="Replay these values").click()
    expect(page.get_by_role("button", name="forecast this combination")).to_have_count(2, timeout=_SECONDS)
    asked = {
        "base_ref": "main",
        **usual["window"],
        "vary": {"batch_size": [1, 3], "max_parallel_checks": [2]},
    }
    search = advised.http.post(f"{_API}/search", json=asked).json()
    assert _cells(search) == _shown(signed_in)

    page.get_by_role("button", name="forecast this combination").first.click()
    expect(page).to_have_url(re.compile("batch_size=1&max_parallel_checks=2"))
    region.get_by_role("button", name="Back to today's values").click()
    expect(page.get_by_role("button", name="forecast this combination")).to_have_count(16)
    assert _cells(usual) == _shown(signed_in)


def test_the_capacity_is_that_of_the_limit(signed_in: Window, advised: LiveServer) -> None:
    page = signed_in.page
    window = _known(advised)["window"]
    signed_in.open(_PAGE)
    page.get_by_label("Limit of p95, in minutes").fill("400")
    passed = list[tuple[Any, str]]()

    def pass_on(route: Route) -> None:
        """Keep the question and the lines of the answer: Chromium forgets the body of a stream."""
        found = route.fetch(timeout=_SECONDS)
        passed.append((route.request.post_data_json, found.text()))
        route.fulfill(response=found)

    page.route("**/forecast/capacity", pass_on)
    page.get_by_role("button", name="Find the capacity").click()
    table = page.get_by_role("region", name="Capacity by settings")
    expect(table).to_be_visible(timeout=_SECONDS)

    ((asked, answer),) = passed
    assert asked == {"base_ref": "main", "queue_name": None, **window, "limit": {"time_to_merge_p95": 24_000}}
    today = json.loads(answer.splitlines()[-1])["today"]
    found = [texts.count(today["arrivals_per_day"][bound]) for bound in ("value", "low", "high")]
    assert _words(table.locator("tbody tr").first.locator("td"))[0] == f"{found[0]} {found[1]} to {found[2]}"
    signed_in.sees(f"p95 exceeds 6h40m at {found[0]} or more pull requests a day ({found[1]} to {found[2]})")


def test_too_little_history_is_said_and_not_an_error(signed_in: Window, demo: LiveServer) -> None:
    demo.send([entered("2026-03-02T08:00:00Z", "s", 1)], "acme/one-stay").raise_for_status()
    signed_in.open("/r/acme/one-stay/forecast")
    signed_in.sees("Not enough history yet")
    signed_in.sees("A forecast needs at least 200 merged pull requests and 14 days; there are 0 in")
    assert [] == signed_in.violations()
