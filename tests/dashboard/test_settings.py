"""Settings that are written faster than the server saves them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from browser_windows import Window
from live_server import LiveServer

_DEMO = "/v1/repos/demo/harbor"
pytestmark = pytest.mark.server


@contextmanager
def _first_save_takes_long(window: Window, path: str) -> Iterator[None]:
    """It reaches the server at the end; until then, the page says that it is saving, and then that it has."""
    window.open("/settings?repository=demo/harbor")
    window.sees("hotfix on main")
    held = window.hold(f"**{_DEMO}{path}")
    yield
    heading = path[1:].capitalize()
    window.is_saving(heading)
    held().continue_()
    window.saves(heading)


def _get(demo: LiveServer, path: str) -> Any:
    return demo.http.get(f"{_DEMO}{path}").json()


def test_targets(signed_in: Window, demo: LiveServer) -> None:
    page = signed_in.page
    with _first_save_takes_long(signed_in, "/targets"):
        page.get_by_label("p95 in queue, minutes, all queues").focus()
        for limit in ("90", "3", "1.3"):
            page.keyboard.type(limit)
            page.keyboard.press("Tab")
    limits = {"time_in_queue_p95": 5400, "failure_rate": 0.03, "ci_runs_per_merge": 1.3}
    assert [{"base_ref": None, "queue_name": None, **limits}] == _get(demo, "/targets")["targets"]
    demo.http.put(f"{_DEMO}/targets", json={"targets": []}).raise_for_status()


def test_a_target_is_written_before_the_queues_are_known(signed_in: Window, demo: LiveServer) -> None:
    """Their rows follow."""
    page, held = signed_in.page, signed_in.hold(f"**{_DEMO}/thresholds")
    signed_in.open("/settings?repository=demo/harbor")
    field = page.get_by_label("CI runs per merge, all queues")
    field.fill("2")
    field.press("Enter")
    signed_in.saves("Targets")
    held().continue_()
    expect(page.get_by_label("CI runs per merge, hotfix on main")).to_be_visible()
    expect(field).to_have_value("2")
    demo.http.put(f"{_DEMO}/targets", json={"targets": []}).raise_for_status()


def test_thresholds(signed_in: Window, demo: LiveServer) -> None:
    page = signed_in.page

    with _first_save_takes_long(signed_in, "/thresholds"):
        page.get_by_label("no_run_started of hotfix on main").focus()
        for level in ("90m", "7h", "12"):
            page.keyboard.type(level)
            page.keyboard.press("Tab")
    (found,) = [one for one in _get(demo, "/thresholds")["queues"] if one["queue_name"] == "hotfix"]
    levels = {one["name"]: one["set"] for one in found["thresholds"] if one["set"] is not None}
    assert {"no_run_started": 5400.0, "run_too_long": 25200.0, "everyone_fails": 12.0} == levels
    queue = {"base_ref": "main", "queue_name": "hotfix"}
    demo.http.delete(f"{_DEMO}/thresholds", params=queue).raise_for_status()


def test_products(signed_in: Window, demo: LiveServer) -> None:
    boxes = [
        signed_in.page.get_by_label(one)
        for one in ("Workflow automation", "Merge queue", "Merge protections")
    ]
    demo.http.put(f"{_DEMO}/products", json={"products": []}).raise_for_status()
    with _first_save_takes_long(signed_in, "/products"):
        for box in boxes:
            box.click()
    all_three = {"merge_protections", "merge_queue", "workflow_automation"}
    assert all_three == set(_get(demo, "/products")["products"])
    for box in boxes:
        expect(box).to_be_checked()


def test_prices(signed_in: Window, demo: LiveServer) -> None:
    page = signed_in.page
    with _first_save_takes_long(signed_in, "/prices"):
        page.get_by_label("Currency").fill("eur")
        page.get_by_label("Price of a minute").fill("0.5")
        page.get_by_role("button", name="Save the prices").click()
    assert {"currency": "EUR", "per_minute": "0.5", "by_runner": {}} == _get(demo, "/prices")["prices"]
    demo.http.delete(f"{_DEMO}/prices").raise_for_status()


def test_a_product_that_is_not_saved_is_not_ticked(signed_in: Window, demo: LiveServer) -> None:
    demo.http.put(f"{_DEMO}/products", json={"products": []}).raise_for_status()
    box = signed_in.page.get_by_label("Merge queue")
    signed_in.open("/settings?repository=demo/harbor")
    expect(box).not_to_be_checked()

    def refuse(route: Route) -> None:
        route.fulfill(status=422, json={"title": "Refused", "status": 422, "detail": "not today"})

    signed_in.page.route(f"**{_DEMO}/products", refuse, times=1)
    box.click()
    signed_in.sees("Not today")
    expect(box).not_to_be_checked()
