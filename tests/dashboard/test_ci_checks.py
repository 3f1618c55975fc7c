"""The page of CI checks: its table, its order and the page of one check show what the API answers."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser_windows import Window
from dashboard import texts
from live_server import LiveServer
from waiting import wait_for

_TODAY = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
_PERIOD = tuple(f"{_TODAY - timedelta(days=days):%Y-%m-%dT%H:%M:%SZ}" for days in (3, 0))
pytestmark = pytest.mark.server


def _asked(demo: LiveServer, **query: str) -> Any:
    start, end = _PERIOD
    found = demo.http.get(
        "/v1/repos/demo/harbor/ci-checks", params={"start_at": start, "end_at": end, **query}
    )
    return found.raise_for_status().json()


def _flakes(check: Any) -> str:
    rate = "cannot tell" if check["flake_rate"] is None else texts.rate(check["flake_rate"])
    low, high = (texts.rate(check["flake_interval"][end]) for end in ("low", "high"))
    return f"{rate} {low} to {high}"


def _cells(check: Any) -> list[str]:
    return [
        check.get("name", ""),
        texts.count(check["runs"]),
        texts.rate(check["failure_rate"]),
        texts.count(check["removals"]),
        texts.duration(check["blocked_seconds"]),
        _flakes(check),
        texts.duration(check["seconds"]["p50"]),
        texts.duration(check["seconds"]["p95"]),
        texts.duration(check["waited_seconds"]["p95"]),
        texts.rate(check["critical"]["share"]),
    ]


def _rows(page: Page) -> list[list[str]]:
    return [
        [" ".join(cell.split()) for cell in row.locator("th, td").all_inner_texts()]
        for row in page.get_by_role("region", name="CI checks").locator("tbody tr").all()
    ]


def _open(window: Window, more: str = "") -> Page:
    start, end = _PERIOD
    window.open(f"/r/demo/harbor/ci-checks?from={start}&to={end}{more}")
    return window.page


def test_the_table_is_the_answer(signed_in: Window, demo: LiveServer) -> None:
    """In the API's order, and by any column; the filter of a queue is part of the question."""
    checks = _asked(demo)["checks"]
    page = _open(signed_in)
    expect(page.get_by_role("region", name="CI checks")).to_be_visible()
    assert 14 == len(checks)
    wait_for([_cells(check) for check in checks], lambda: _rows(page))

    page.get_by_role("button", name="waited, p95").click()
    expect(page.get_by_role("columnheader", name="waited, p95 ↓")).to_be_visible()
    by_wait = sorted(checks, key=lambda check: -(check["waited_seconds"]["p95"] or 0))
    wait_for(_cells(by_wait[0]), lambda: _rows(page)[0])

    page.go_back()
    page.get_by_label("Queue", exact=True).select_option("hotfix")
    of_queue = [_cells(check) for check in _asked(demo, queue_name="hotfix")["checks"]]
    assert of_queue != [_cells(check) for check in checks]
    wait_for(of_queue, lambda: _rows(page))


def test_one_check(signed_in: Window, demo: LiveServer) -> None:
    """A click on its name opens its figures and its last failures; going back shows all of them again."""
    flaky = max(_asked(demo)["checks"], key=lambda check: check["flaky"])
    found = _asked(demo, name=flaky["name"])
    page = _open(signed_in)
    page.get_by_role("button", name=flaky["name"], exact=True).click()
    expect(page.get_by_role("heading", name="Last failures")).to_be_visible()

    expect(page.locator("main dl dd")).to_have_text(_cells(flaky)[1:])
    failures = page.locator("section", has_text="Last failures").locator("tbody tr")
    expect(failures).to_have_count(len(found["failures"]))
    signed_in.sees(f"{texts.plural(flaky['flaky'], 'failure')} w")
    signed_in.sees(f"{flaky['evidence']['not_tried']} of ones that were not tried again")

    page.get_by_role("button", name="CI checks", exact=True).click()
    expect(page.get_by_role("region", name="CI checks").locator("tbody tr")).to_have_count(14)


def test_a_period_without_reports(signed_in: Window) -> None:
    signed_in.open("/r/demo/harbor/ci-checks?from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z")
    signed_in.sees("No CI check was reported in this period.")


def test_the_page_begins_with_what_to_do(signed_in: Window, demo: LiveServer) -> None:
    """About the check that held up others longest, with a link to its page."""
    worst = max(_asked(demo)["checks"], key=lambda check: check["blocked_seconds"] or 0)
    page = _open(signed_in)
    act = page.locator("p.act").first
    removed = texts.count(worst["removals"])
    expect(act).to_contain_text(f"Fix {worst['name']} first: it removed {removed} pull request")
    held_up = texts.duration(worst["blocked_seconds"])
    expect(act).to_contain_text(f"and held up others for {held_up} in these 3 days.")
    act.get_by_role("link", name="See this check").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"CI checks / {worst['name']}")
