"""What forms say about what was written into them, at the field it is about."""

import re
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from browser_windows import Window
from changed_settings import change_settings, settings_of
from dashboard.conftest import ADVISED
from live_server import LiveServer

_DEMO = "/v1/repos/demo/harbor"
_SETTINGS = "/r/demo/harbor/settings"
pytestmark = pytest.mark.server


def _get(demo: LiveServer, path: str) -> Any:
    return demo.http.get(f"{_DEMO}{path}").json()


@pytest.mark.parametrize("name", ["a/b", "..", "two  blanks", "ä"])
def test_the_name_of_a_reference_period(signed_in: Window, demo: LiveServer, name: str) -> None:
    page = signed_in.page
    signed_in.open("/r/demo/harbor?window=7d&branch=main&queue=default")
    page.get_by_role("button", name="Pin as reference").click()
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Pin default on main").click()
    rule = "Write a name of letters, digits, underscores, hyphens, dots and single blanks between them."
    signed_in.refuses(page.get_by_label("Name"), rule)
    assert [] == settings_of(demo, "demo/harbor")["reference_periods"]


def test_the_owner_of_a_key(signed_in: Window) -> None:
    """The next try begins without the error of the last one."""
    page = signed_in.page
    signed_in.open("/settings")
    keys = page.locator("section", has=page.get_by_role("heading", name="Application keys"))
    owner = keys.get_by_label("Owner")
    owner.fill("two words")
    keys.get_by_label("Name").fill("ci")
    page.get_by_role("button", name="Create a key").click()
    signed_in.refuses(owner, "Owner must be 1 to 40 letters, digits or hyphens.")

    owner.fill("acme")
    page.get_by_role("button", name="Create a key").click()
    signed_in.sees("it is not shown again")
    expect(owner).not_to_have_attribute("aria-invalid", "true")
    expect(owner).to_have_accessible_description("")


def test_a_channel_without_a_reason_for_messages(signed_in: Window, demo: LiveServer) -> None:
    """It receives nothing until it has a rule."""
    page = signed_in.page
    signed_in.open(_SETTINGS)
    reasons = page.get_by_role("group", name="Send a message when")
    page.get_by_label("URL").fill("https://hooks.example.com/hook")
    for box in reasons.get_by_role("checkbox", checked=True).all()[::-1]:
        box.click()
    page.get_by_role("button", name="Add a channel").click()
    row = page.get_by_role("region", name="Channels").get_by_role("row", name="slack")
    expect(row).to_contain_text("nothing")
    (channel,) = _get(demo, "/channels")["channels"]
    assert [] == channel["rules"]
    demo.http.delete(f"{_DEMO}/channels/{channel['id']}").raise_for_status()


def test_what_belongs_to_no_field_stands_at_the_button(signed_in: Window) -> None:
    page = signed_in.page
    errors = [{"in": "body", "name": "/digest", "message": "must be an object"}]
    document = {"type": "about:blank", "title": "Unprocessable entity", "status": 422, "detail": ""}

    def refuse(route: Route) -> None:
        route.fulfill(status=422, json={**document, "errors": errors})

    signed_in.open(_SETTINGS)
    page.get_by_label("URL").fill("https://hooks.example.com/hook")
    page.route(f"**{_DEMO}/channels", refuse, times=1)
    page.get_by_role("button", name="Add a channel").click()
    expect(page.get_by_role("alert")).to_have_text("The digest must be an object.")
    expect(page.get_by_label("URL")).to_have_accessible_description("")


def test_each_field_says_that_it_is_saved(signed_in: Window, demo: LiveServer) -> None:
    """Only the last one, as the others were saved before. The server says what is wrong with a value."""
    page = signed_in.page
    signed_in.open(_SETTINGS)
    time, failures = (
        page.get_by_label(f"{one} of all queues", exact=True) for one in ("time_in_queue_p95", "failure_rate")
    )
    failures.fill("1h")
    failures.press("Tab")
    expect(failures).to_have_attribute("aria-invalid", "true")
    expect(failures).to_have_accessible_description(re.compile("is a duration"))
    failures.fill("")
    failures.press("Tab")
    expect(failures).to_have_accessible_description("Saved.")
    time.fill("90m")
    time.press("Tab")
    expect(time).to_have_accessible_description("Saved.")
    failures.fill("5%")
    failures.press("Tab")
    expect(failures).to_have_accessible_description("Saved.")
    expect(time).to_have_accessible_description("")
    found = settings_of(demo, "demo/harbor")["thresholds"]
    assert {"time_in_queue_p95": 5400, "failure_rate": 0.05} == {one["figure"]: one["value"] for one in found}
    change_settings(demo, "demo/harbor", thresholds=None)


def test_the_number_of_a_pull_request_to_simulate(signed_in: Window) -> None:
    page = signed_in.page
    signed_in.open("/r/demo/harbor/configuration?tab=pull")
    field = page.get_by_label("Pull request", exact=True)
    field.fill("#17")
    page.get_by_role("button", name="Simulate").click()
    signed_in.refuses(field, "Write the number of a pull request, such as 17.")
    field.fill("999999")
    page.get_by_role("button", name="Simulate").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Pull request 999999 of demo/harbor is not known here")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description(alert.inner_text())


@pytest.mark.usefixtures("advised")
def test_settings_that_cannot_be_forecast(signed_in: Window) -> None:
    signed_in.open(f"/r/{ADVISED}/forecast?batch_size=0&ci_speed=0")
    form = signed_in.page.get_by_role("form", name="Settings to try")
    signed_in.refuses(form.get_by_label("Batch size"), "Write a whole number from 1 to 128.")
    rule = "Factor for CI time must be a number from 0.05 to 20, where 1 is as recorded."
    signed_in.refuses(form.get_by_label("Factor for CI time"), rule)
    expect(signed_in.page.get_by_role("heading", name="Invalid request")).to_have_count(0)
