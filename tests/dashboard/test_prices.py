"""Prices of CI on the dashboard: set and deleted in the settings, and shown by the overview."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import expect

from browser_windows import Window
from changed_settings import settings_of
from live_server import LiveServer

_DEMO = "/v1/repos/demo/harbor"
pytestmark = pytest.mark.server


def test_prices_are_set_shown_and_deleted(signed_in: Window, demo: LiveServer) -> None:
    """The overview says what the summary of the same period answers."""
    page = signed_in.page

    def prices() -> Any:
        return settings_of(demo, "demo/harbor")["prices"]

    def save() -> None:
        page.get_by_role("button", name="Save the prices").click()

    signed_in.open("/r/demo/harbor/settings")
    page.get_by_label("Currency").fill("usd")
    page.get_by_label("Price of a minute").fill("cheap")
    save()
    signed_in.refuses(
        page.get_by_label("Price of a minute"), "Write a price such as 0.008, with at most 9 decimals."
    )
    assert prices() is None

    page.get_by_label("Price of a minute").fill("0.5")
    page.get_by_label("Runner").fill("large")
    page.get_by_label("Its price").fill("0.25")
    save()
    signed_in.saves("Prices")
    assert {"currency": "USD", "per_minute": "0.5", "by_runner": {"large": "0.25"}} == prices()
    expect(page.get_by_label("Its price")).to_have_count(2)
    page.get_by_label("Its price").first.fill("")
    save()
    signed_in.saves("Prices")
    assert {"currency": "USD", "per_minute": "0.5", "by_runner": {}} == prices()

    end = datetime.now(UTC).date()
    days = (end - timedelta(days=3), end)
    start_at, end_at = (f"{day}T00:00:00Z" for day in days)
    asked = {"start_at": start_at, "end_at": end_at}
    cost = demo.http.get(f"{_DEMO}/summary", params=asked).json()["cost"]
    signed_in.open(f"/r/demo/harbor?from={start_at}&to={end_at}")
    total, each, wasted = (f"${float(cost[name]):,.2f}" for name in ("total", "per_merge", "wasted"))
    signed_in.sees(f"CI cost {total}, {each} per merge; {wasted} of it went into runs that failed")
    signed_in.sees("Cost counts the minutes of all checks; CI time per merge counts the length of CI runs.")

    signed_in.open("/r/demo/harbor/settings")
    page.get_by_role("button", name="Delete the prices").click()
    page.get_by_role("button", name="Delete them now?").click()
    signed_in.sees("Deleted.")
    assert prices() is None
    expect(page.get_by_role("button", name="Delete the prices")).to_have_count(0)
