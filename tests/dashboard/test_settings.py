"""Settings that are written faster than the server saves them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from browser_windows import Window
from changed_settings import change_settings, settings_of
from live_server import LiveServer

_DEMO = "/v1/repos/demo/harbor"
pytestmark = pytest.mark.server


@contextmanager
def _first_save_takes_long(window: Window, heading: str, path: str = "/settings") -> Iterator[None]:
    """It reaches the server at the end; until then, the page says that it is saving, and then that it has."""
    window.open("/r/demo/harbor/settings")
    window.sees("hotfix on main")
    held = window.hold(f"**{_DEMO}{path}", method="PUT")
    yield
    window.is_saving(heading)
    held().continue_()
    window.saves(heading)


def _get(demo: LiveServer, path: str) -> Any:
    return demo.http.get(f"{_DEMO}{path}").json()


def _thresholds(demo: LiveServer) -> dict[tuple[str, str | None], float | None]:
    found = settings_of(demo, "demo/harbor")["thresholds"]
    return {(one["figure"], one["queue_name"]): one["value"] for one in found}


def test_thresholds(signed_in: Window, demo: LiveServer) -> None:
    page = signed_in.page
    with _first_save_takes_long(signed_in, "Thresholds"):
        page.get_by_role("heading", name="hotfix on main").click()
        for figure, value in (("no_run_started", "90m"), ("run_too_long", "7h"), ("everyone_fails", "12")):
            page.get_by_label(f"{figure} of hotfix on main", exact=True).fill(value)
            page.keyboard.press("Tab")
    levels = {"no_run_started": 5400.0, "run_too_long": 25200.0, "everyone_fails": 12.0}
    assert {(figure, "hotfix"): value for figure, value in levels.items()} == _thresholds(demo)
    change_settings(demo, "demo/harbor", thresholds=None)


def test_two_people_save_at_once(signed_in: Window, demo: LiveServer) -> None:
    """The second one is refused and says so; what both wrote stays, and the next try saves it."""
    page = signed_in.page
    signed_in.open("/r/demo/harbor/settings")
    field = page.get_by_label("run_too_long of all queues", exact=True)
    expect(field).to_have_value("")
    held = signed_in.hold(f"**{_DEMO}/settings", method="PUT")
    field.fill("2h")
    field.press("Enter")
    route = held()
    other = {"figure": "everyone_fails", "base_ref": None, "queue_name": None, "value": 7, "alert": True}
    change_settings(demo, "demo/harbor", thresholds=[other])
    route.continue_()
    signed_in.sees("changed since they were read")
    assert {("everyone_fails", None): 7.0} == _thresholds(demo)

    expect(page.get_by_label("everyone_fails of all queues", exact=True)).to_have_value("7")
    expect(field).to_have_value("2h")
    field.press("Enter")
    signed_in.saves("Thresholds")
    assert ("run_too_long", None) in _thresholds(demo)
    assert ("everyone_fails", None) in _thresholds(demo)
    change_settings(demo, "demo/harbor", thresholds=None)


def test_an_answer_from_before_a_save_does_not_replace_what_was_saved(
    signed_in: Window, demo: LiveServer
) -> None:
    """It arrives late: until the settings are read again, the page shows and changes what it saved last."""
    address = f"**{_DEMO}/settings"
    signed_in.open("/r/demo/harbor/settings")
    field = signed_in.page.get_by_label("run_too_long of all queues", exact=True)
    expect(field).to_have_value("")

    def save(value: str, seconds: float) -> None:
        field.fill(value)
        field.press("Enter")
        signed_in.wait_until(lambda: {("run_too_long", None): seconds} == _thresholds(demo) or None)
        signed_in.saves("Thresholds")

    early = signed_in.hold(address, method="GET")
    save("2h", 7200.0)
    route = early()
    answer = route.fetch()
    save("3h", 10800.0)
    next_read = signed_in.hold(address, method="GET")
    route.fulfill(response=answer)
    held = next_read()
    expect(field).to_have_value("3h")
    save("4h", 14400.0)
    held.continue_()
    signed_in.settles()
    expect(field).to_have_value("4h")
    change_settings(demo, "demo/harbor", thresholds=None)


def test_products(signed_in: Window, demo: LiveServer) -> None:
    boxes = [
        signed_in.page.get_by_label(one)
        for one in ("Workflow automation", "Merge queue", "Merge protections")
    ]
    demo.http.put(f"{_DEMO}/products", json={"products": []}).raise_for_status()
    with _first_save_takes_long(signed_in, "Products", "/products"):
        for box in boxes:
            box.click()
    all_three = {"merge_protections", "merge_queue", "workflow_automation"}
    assert all_three == set(_get(demo, "/products")["products"])
    for box in boxes:
        expect(box).to_be_checked()


def test_prices(signed_in: Window, demo: LiveServer) -> None:
    page = signed_in.page
    with _first_save_takes_long(signed_in, "Prices"):
        page.get_by_label("Currency").fill("eur")
        page.get_by_label("Price of a minute").fill("0.5")
        page.get_by_role("button", name="Save the prices").click()
    prices = settings_of(demo, "demo/harbor")["prices"]
    assert {"currency": "EUR", "per_minute": "0.5", "by_runner": {}} == prices
    change_settings(demo, "demo/harbor", prices=None)


def test_a_product_that_is_not_saved_is_not_ticked(signed_in: Window, demo: LiveServer) -> None:
    demo.http.put(f"{_DEMO}/products", json={"products": []}).raise_for_status()
    box = signed_in.page.get_by_label("Merge queue")
    signed_in.open("/r/demo/harbor/settings")
    expect(box).not_to_be_checked()

    def refuse(route: Route) -> None:
        route.fulfill(status=422, json={"title": "Refused", "status": 422, "detail": "not today"})

    signed_in.page.route(f"**{_DEMO}/products", refuse, times=1)
    box.click()
    signed_in.sees("Not today")
    expect(box).not_to_be_checked()
