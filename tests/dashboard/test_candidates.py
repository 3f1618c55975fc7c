"""Forecasts of settings in the address, and what pages show until forecasts are computed."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import count
from threading import Event
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from browser_windows import Window
from builders import entered
from dashboard import texts
from dashboard.address import packed
from dashboard.conftest import ADVISED
from live_server import LiveServer
from waiting import wait_until

pytestmark = pytest.mark.server
_PAGE = f"/r/{ADVISED}/forecast"
_SECONDS = 600_000  # the server of the tests has one forecasting process


def test_forecasts_appear_as_they_are_computed(signed_in: Window, advised: LiveServer) -> None:
    """The queue asks again until merges are expected; a recommendation says how far it is."""
    page = signed_in.page
    go_on = _answer_first(
        signed_in, "**/v1/**/queue", lambda answer: {**answer, "queues": [*map(_pending, answer["queues"])]}
    )
    advised.send([entered(datetime.now(UTC).isoformat(), "waits", 777_777)], ADVISED).raise_for_status()
    signed_in.open(f"/r/{ADVISED}/queue")
    signed_in.sees("No expected merge: it is being computed …")
    go_on()
    row = page.get_by_role("row", name="#777777")
    expect(row.get_by_text(re.compile("% chance$")).first).to_be_visible(timeout=_SECONDS)

    progress = {"state": "pending", "search": None, "progress": {"done": 3, "total": 16}}
    go_on = _answer_first(signed_in, "**/recommendation*", lambda answer: {**answer, **progress})
    signed_in.open(_PAGE)
    expect(page.get_by_role("status").first).to_contain_text("3 of 16 combinations of settings replayed.")
    go_on()
    expect(page.get_by_role("button", name="forecast this combination").first).to_be_visible(timeout=_SECONDS)


def _answer_first(window: Window, pattern: str, change: Callable[[Any], Any]) -> Callable[[], None]:
    """The first answer is changed, as if it had been given earlier: how long a server computes is unknown.

    The page gets the next answer when the function that this returns is called.
    """
    held: list[Route] = []
    asked, goes_on = count(), Event()

    def answer(route: Route) -> None:
        if not next(asked):
            found = route.fetch(timeout=_SECONDS)
            route.fulfill(response=found, json=change(found.json()))
        elif goes_on.is_set():
            route.continue_()
        else:
            held.append(route)

    def go_on() -> None:
        goes_on.set()
        while held:
            held.pop().continue_()

    window.page.route(pattern, answer)
    return go_on


def _pending(queue: Any) -> Any:
    entries = [{**entry, "expected_merge": None} for entry in queue["entries"]]
    return {**queue, "entries": entries, "expected_merges": "pending"}


@pytest.mark.usefixtures("advised")
def test_a_forecast_is_of_the_settings_in_the_address(signed_in: Window) -> None:
    """After a queue that does not exist and back, the figures are those of the address again."""
    page, questions, answers = signed_in.page, list[Any](), list[Any]()

    def pass_on(route: Route) -> None:
        found = route.fetch(timeout=_SECONDS)
        questions.append(route.request.post_data_json)
        answers.append(found.json())
        route.fulfill(response=found)

    page.route("**/v1/repos/*/*/forecast", pass_on)
    signed_in.open(f"{_PAGE}?batch_size=2&ci_speed=0.8")
    expect(page.get_by_role("region", name="Baseline and candidate")).to_be_visible(timeout=_SECONDS)
    assert {"settings": {"batch_size": 2, "ci_speed": 0.8}} == questions[0]["candidate"]
    expected = _comparison(answers[0])
    assert expected == _cells(signed_in)
    assert _next_weeks(answers[0]) == _cells_of(signed_in, "Next two weeks")
    sentences = answers[0]["trust"]["sentences"]
    order = ("difference", "reach", "mechanics", "drift", "back_test")
    candidate = page.get_by_role("region", name="Forecast of the candidate")
    expect(candidate).to_contain_text(sentences["grade"])
    candidate.get_by_text("How reliable it is").click()
    trust = candidate.locator('dl[aria-label="Trust"] dd')
    expect(trust).to_have_text([sentences[name] for name in order])

    page.evaluate(
        "(path) => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')); }",
        f"{_PAGE.removeprefix('/')}?batch_size=2&ci_speed=0.8&queue=hotfix",
    )
    expect(page.get_by_role("alert")).to_contain_text(
        "No pull request was in a queue with this name in this period; the queues of the branch: default.",
        timeout=_SECONDS,
    )
    expect(page.get_by_role("region", name="Baseline and candidate")).to_have_count(0)
    page.go_back()
    assert expected == _cells(signed_in)


def _comparison(forecast: Any) -> list[list[str]]:
    """What was recorded, the baseline and the candidate, for some of the rows."""
    kinds = ("recorded", "baseline", "candidate")
    times = [[forecast[kind][f"time_to_merge_{name}"] for kind in kinds] for name in ("p50", "p90", "p95")]
    runs = [[forecast[kind]["ci_runs_per_merge"] for kind in kinds]]
    return [[_text(one, texts.duration) for one in row] for row in times] + [
        [_text(one, texts.ratio) for one in row] for row in runs
    ]


def _next_weeks(forecast: Any) -> list[list[str]]:
    """The baseline and the candidate in the next two weeks; their intervals are wider than those above."""
    sides = [forecast["next_two_weeks"][kind] for kind in ("baseline", "candidate")]
    shown = {
        "time_to_merge_p50": texts.duration,
        "time_to_merge_p95": texts.duration,
        "ci_runs_per_merge": texts.ratio,
    }
    return [[_text(side[name], text) for side in sides] for name, text in shown.items()]


def _text(figure: Any, text: Callable[[float | None], str]) -> str:
    """A replayed figure has an interval."""
    if not isinstance(figure, dict):
        return text(figure)
    return f"{text(figure['value'])} {text(figure['low'])} to {text(figure['high'])}"


def _cells(window: Window) -> list[list[str]]:
    rows = window.page.get_by_role("region", name="Baseline and candidate").locator("tbody tr")
    expect(rows).to_have_count(7)
    return _cells_of(window, "Baseline and candidate")[:4]


def _cells_of(window: Window, region: str) -> list[list[str]]:
    """The cells with numbers."""
    rows = window.page.get_by_role("region", name=region).locator("tbody tr")
    return [
        [" ".join(cell.split()) for cell in row.locator("td.number").all_inner_texts()] for row in rows.all()
    ]


@pytest.mark.usefixtures("advised")
def test_a_forecast_without_settings_asks_for_one(signed_in: Window) -> None:
    """The fields have today's values, and the button never does nothing."""
    signed_in.open(_PAGE)
    form = signed_in.page.get_by_role("form", name="Settings to try")
    for label in ("Batch size", "Parallel checks", "Factor for CI time"):
        expect(form.get_by_label(label)).to_have_value("1", timeout=_SECONDS)
    form.get_by_role("button", name="Forecast", exact=True).click()
    signed_in.sees("Change at least one value: these are today's.")


@pytest.mark.usefixtures("advised")
def test_only_changed_settings_are_forecast(signed_in: Window) -> None:
    """What stands in a field and is today's value is not sent."""
    signed_in.open(_PAGE)
    form = signed_in.page.get_by_role("form", name="Settings to try")
    expect(form.get_by_label("Parallel checks")).to_have_value("1", timeout=_SECONDS)
    form.get_by_label("Batch size").fill("3")
    form.get_by_role("button", name="Forecast", exact=True).click()
    expect(signed_in.page).to_have_url(re.compile(r"/forecast\?batch_size=3$"))


@pytest.mark.usefixtures("advised")
def test_two_documents_are_compared(signed_in: Window) -> None:
    """One in the editor, and another instead of today's settings."""
    page, questions, answers = signed_in.page, list[Any](), list[Any]()

    def pass_on(route: Route) -> None:
        found = route.fetch(timeout=_SECONDS)
        questions.append(route.request.post_data_json)
        answers.append(found.json())
        route.fulfill(response=found)

    page.route("**/v1/repos/*/*/forecast", pass_on)
    signed_in.open(_link(_document(2)))
    page.get_by_text("Compared with today's settings").click()
    page.get_by_label("Another document, instead of today's settings").fill(_document(3))
    page.get_by_role("button", name="Forecast", exact=True).click()
    expect(page.get_by_role("region", name="Baseline and candidate")).to_be_visible(timeout=_SECONDS)

    (asked,) = questions
    assert {"config_yml": _document(2)} == asked["candidate"]
    assert {"config_yml": _document(3)} == asked["baseline"]
    assert _comparison(answers[0]) == _cells(signed_in)
    sizes = [answers[0]["settings"][kind]["default"]["batch_size"] for kind in ("baseline", "candidate")]
    assert [3, 2] == sizes
    assert [] == signed_in.violations()


def _document(batch_size: int) -> str:
    return f"queue_rules:\n- name: default\n  batch_size: {batch_size}\n"


def _link(document: str) -> str:
    return f"/r/{ADVISED}/configuration?tab=forecast#document={packed(document)}"


@pytest.mark.usefixtures("advised")
def test_the_overview_links_to_the_recommendation(signed_in: Window, advised: LiveServer) -> None:
    """With its sentence, once one is computed: the look at a page computes none."""
    path = f"/v1/repos/{ADVISED}/forecast/recommendation"

    def known() -> Any:
        answer = advised.http.get(path).json()
        return answer["search"] if answer["state"] == "known" else None

    search = wait_until(known, "a recommendation", pause=0.2)
    assert "poor" != search["trust"]["grade"]
    found = [one for one in search["recommended"].values() if one["combination"] is not None]
    signed_in.open(f"/r/{ADVISED}?window=28d")
    line = signed_in.page.locator("p", has=signed_in.page.get_by_role("link", name="See the forecast"))
    expect(line).to_contain_text(found[0]["sentence"].replace("`", ""))
    line.get_by_role("link", name="See the forecast").click()
    expect(signed_in.page).to_have_url(re.compile(f"{_PAGE}"))
    expect(signed_in.page.get_by_role("region", name="Recommendation", exact=True)).to_be_visible()
