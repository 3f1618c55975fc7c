"""Targets on the dashboard: set in the settings, and shown by the tiles and charts of the overview."""

from typing import Any

import pytest
from playwright.sync_api import expect

from browser_windows import Window
from live_server import LiveServer

_DEMO = "/v1/repos/demo/harbor"
pytestmark = pytest.mark.server


def test_targets_are_set_shown_and_removed(signed_in: Window, demo: LiveServer) -> None:
    """Each limit is written in the unit of its column."""
    page = signed_in.page

    def write(label: str, value: str) -> None:
        field = page.get_by_label(label, exact=True)
        field.fill(value)
        field.press("Enter")

    def targets() -> Any:
        return demo.http.get(f"{_DEMO}/targets").json()["targets"]

    none = {"time_in_queue_p95": None, "failure_rate": None, "ci_runs_per_merge": None}
    repository = {"base_ref": None, "queue_name": None, **none, "time_in_queue_p95": 60_000_000 / 100}
    queue = {"base_ref": "main", "queue_name": "hotfix", **none, "failure_rate": 0.0}
    signed_in.open("/settings?repository=demo/harbor")
    signed_in.sees("hotfix on main")
    write("p95 in queue, minutes, all queues", "10000")
    signed_in.saves("Targets")
    assert [repository] == targets()
    write("failures, %, hotfix on main", "0")
    signed_in.saves("Targets")
    assert [repository, queue] == targets()
    write("failures, %, hotfix on main", "500")
    wrong = page.get_by_label("failures, %, hotfix on main", exact=True)
    signed_in.refuses(wrong, "Write a percentage from 0 to 100.")
    expect(wrong).to_have_value("500")
    assert [repository, queue] == targets()

    signed_in.open("/r/demo/harbor?window=28d")
    tile = page.locator(".tile", has_text="p95 in queue")
    expect(tile).to_contain_text("target 6d 23h, met")
    expect(page.locator(".legend").get_by_text("target 6d 23h, met")).to_be_visible()
    expect(page.get_by_text("No targets are set")).to_have_count(0)

    runs = {**queue, "queue_name": None, "base_ref": None, "failure_rate": None, "ci_runs_per_merge": 0.01}
    demo.http.put(f"{_DEMO}/targets", json={"targets": [runs]}).raise_for_status()
    signed_in.open("/r/demo/harbor?window=28d&open=ci")
    tile = page.locator(".tile", has_text="CI runs per merge")
    expect(tile).to_contain_text("target 0.01, missed")
    chart = page.get_by_role("region", name="CI runs per merge")
    missed = chart.get_by_text("target 0.01, missed")
    expect(missed).to_be_visible()
    expect(missed).to_have_css("color", tile.locator("dd.bad").evaluate("e => getComputedStyle(e).color"))

    demo.http.put(f"{_DEMO}/targets", json={"targets": []}).raise_for_status()
    signed_in.open("/r/demo/harbor?window=7d")
    signed_in.sees("No targets are set, so figures are compared with the last 28 days.")
    page.get_by_role("link", name="Set targets").click()
    expect(page.get_by_role("heading", name="Targets")).to_be_visible()
