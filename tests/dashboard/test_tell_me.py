"""The page Alerts: past incidents with their charts, and the form that tells people, with its preview."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from browser_windows import Window
from changed_settings import change_settings, settings_of
from live_server import LiveServer

_DEMO = "/v1/repos/demo/harbor"
_OF_NOW = ["built_in", "learned", "set"]
pytestmark = pytest.mark.server


@pytest.fixture(name="form")
def fixture_form(signed_in: Window, demo: LiveServer) -> Any:
    """The opened form of a repository with a channel that writes to the log."""
    channel = demo.http.post(f"{_DEMO}/channels", json={"kind": "log", "name": "#merge-queue", "rules": []})
    channel.raise_for_status()
    signed_in.open("/r/demo/harbor/alerts")
    signed_in.page.get_by_role("button", name="Tell me when…").click()
    yield signed_in.page.get_by_role("region", name="Tell me when…")
    demo.http.delete(f"{_DEMO}/channels/{channel.json()['id']}").raise_for_status()
    change_settings(demo, "demo/harbor", thresholds=None)


def _choose(form: Locator, **fields: str) -> None:
    for label, value in fields.items():
        form.get_by_label(label.replace("_", " ")).select_option(label=value)


def test_a_threshold_and_a_rule_are_saved_together(form: Locator, demo: LiveServer) -> None:
    """The preview is the API's, before saving; a test message follows."""
    _choose(form, What="nothing runs on the branch", Queue="default on main", Compared_with="for more than")
    form.get_by_label("Value").fill("45m")
    asked = {"figure": "no_run_started", "base_ref": "main", "queue_name": "default", "value": "45m"}
    preview = demo.http.post(f"{_DEMO}/thresholds/preview", json=asked).json()
    expect(form.get_by_role("status").filter(has_text=preview["sentence"].replace("`", ""))).to_be_visible()
    expect(form.locator(".dates li")).to_have_count(len(preview["alerts"]))
    assert [] == settings_of(demo, "demo/harbor")["thresholds"]

    form.get_by_role("button", name="Save").click()
    expect(form).to_contain_text("Test message to #merge-queue:")
    settings = settings_of(demo, "demo/harbor")
    (threshold,) = settings["thresholds"]
    assert ("no_run_started", "default", 2700) == tuple(
        threshold[name] for name in ("figure", "queue_name", "value")
    )
    (told,) = settings["notifications"]
    rule = {"what": "alert", "figures": ["no_run_started"], "origins": _OF_NOW, "queues": ["default"]}
    assert ("#merge-queue", [rule]) == (told["channel"], told["rules"])
    rules = form.page.get_by_role("region", name="Who is notified")
    said = "#merge-queue when nothing runs on the branch for more than 45m in default"
    expect(rules.get_by_role("listitem")).to_contain_text([said])

    rules.get_by_role("button", name="Delete").click()
    rules.get_by_role("button", name="Delete it and its threshold of 45m now?").click()
    expect(rules).to_contain_text("No message is sent: no channel has a rule.")
    settings = settings_of(demo, "demo/harbor")
    assert ([[]], []) == ([one["rules"] for one in settings["notifications"]], settings["thresholds"])


def test_two_people_save_different_thresholds_at_once(
    form: Locator, signed_in: Window, demo: LiveServer
) -> None:
    """The second one learns what to do and finds what she wrote; then both are stored."""
    _choose(form, What="nothing runs on the branch", Queue="default on main", Compared_with="for more than")
    form.get_by_label("Value").fill("45m")
    held = signed_in.hold(f"**{_DEMO}/settings", method="PUT")
    form.get_by_role("button", name="Save").click()
    route = held()
    other = {"figure": "failure_rate", "base_ref": None, "queue_name": None, "value": 0.05, "alert": True}
    rule = {"what": "alert", "figures": ["failure_rate"], "origins": _OF_NOW, "queues": None}
    change_settings(
        demo, "demo/harbor", thresholds=[other], notifications=[{"channel": "#merge-queue", "rules": [rule]}]
    )
    route.continue_()
    refusal = form.get_by_role("alert")
    expect(refusal.get_by_role("heading")).to_have_text("Not saved")
    expect(refusal).to_contain_text("The page has read them again: check your change, and save it again.")
    rules = form.page.get_by_role("region", name="Who is notified")
    expect(rules).to_contain_text("#merge-queue when failure rate is beyond its threshold")
    assert [other] == settings_of(demo, "demo/harbor")["thresholds"]

    expect(form.get_by_label("Value")).to_have_value("45m")
    expect(form.get_by_label("What")).to_have_value("no_run_started")
    form.get_by_role("button", name="Save").click()
    expect(form).to_contain_text("Test message to #merge-queue:")
    expect(refusal).to_have_count(0)
    settings = settings_of(demo, "demo/harbor")
    own = {"figure": "no_run_started", "base_ref": "main", "queue_name": "default", "value": 2700.0}
    assert [{**own, "alert": True}, other] == settings["thresholds"]
    (told,) = settings["notifications"]
    queue = {**rule, "figures": ["no_run_started"], "queues": ["default"]}
    assert [rule, queue] == told["rules"]


def test_what_is_usual_takes_the_place_of_a_value(form: Locator, signed_in: Window, demo: LiveServer) -> None:
    """Otherwise no alert would have the origin that was chosen."""
    _choose(form, What="nothing runs on the branch", Queue="default on main", Compared_with="for more than")
    form.get_by_label("Value").fill("30m")
    form.get_by_role("button", name="Save").click()
    rules = form.page.get_by_role("region", name="Who is notified").get_by_role("listitem")
    expect(rules).to_contain_text(
        ["#merge-queue when nothing runs on the branch for more than 30m in default"]
    )

    expect(form).to_contain_text("Test message to #merge-queue:")
    signed_in.settles()  # settings that were read before the first save would be refused
    _choose(form, Compared_with="for 45 minutes")
    expect(form.get_by_role("note")).to_have_text("Saving deletes the value that is set now: 30m.")
    form.get_by_role("button", name="Save").click()
    expect(rules).to_contain_text(["#merge-queue when nothing runs on the branch for 45 minutes in default"])
    settings = settings_of(demo, "demo/harbor")
    rule = {"what": "alert", "figures": ["no_run_started"], "origins": _OF_NOW, "queues": ["default"]}
    assert ([[rule]], []) == ([one["rules"] for one in settings["notifications"]], settings["thresholds"])


def test_every_queue_has_a_preview(form: Locator, demo: LiveServer) -> None:
    _choose(form, What="nothing runs on the branch", Compared_with="for more than")
    form.get_by_label("Value").fill("45m")
    queues = demo.http.get(f"{_DEMO}/thresholds").json()["queues"]
    assert len(queues) > 1
    for queue in queues[:3]:
        asked = {name: queue[name] for name in ("base_ref", "queue_name")}
        preview = demo.http.post(
            f"{_DEMO}/thresholds/preview", json={"figure": "no_run_started", "value": "45m", **asked}
        ).json()
        said = f"{queue['queue_name']} on {queue['base_ref']}: {preview['sentence']}"
        expect(form.get_by_role("status").filter(has_text=said.replace("`", ""))).to_be_visible()


def test_a_reference_period_is_compared_with_its_own_queue(form: Locator, demo: LiveServer) -> None:
    """The other queues are not offered it; for every queue, it says which one it is of."""
    end = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    weeks = {"start_at": (end - timedelta(days=14)).isoformat(), "end_at": end.isoformat()}
    pinned = {"name": "march", "base_ref": "main", "queue_name": "default", **weeks}
    change_settings(demo, "demo/harbor", reference_periods=[pinned])
    try:
        form.page.reload()
        form.page.get_by_role("button", name="Tell me when…").click()
        _choose(form, What="failure rate is", Queue="hotfix on main")
        compared = form.get_by_label("Compared with").get_by_role("option")
        expect(compared).to_have_text(["above"])
        _choose(form, Queue="every queue", Compared_with="more than so many times what it was in")
        expect(form.get_by_label("Reference period")).to_contain_text("march (default on main)")
        form.get_by_role("button", name="Save").click()
        expect(form).to_contain_text("Saved.")
        rule = {"what": "alert", "figures": ["failure_rate"], "origins": ["reference"], "queues": ["default"]}
        settings = settings_of(demo, "demo/harbor")
        assert [[rule]] == [one["rules"] for one in settings["notifications"]]
    finally:
        change_settings(demo, "demo/harbor", reference_periods=None)


def test_a_reader_learns_who_may_see_who_is_notified(window: Window, demo: LiveServer) -> None:
    """There is a channel, which a key that may only read does not see."""
    channel = demo.http.post(f"{_DEMO}/channels", json={"kind": "log", "name": "#merge-queue"}).json()
    key = demo.http.post("/v1/keys", json={"owner": "demo", "name": "reader", "scopes": ["read"]}).json()
    try:
        window.sign_in(demo, key["key"])
        window.open("/r/demo/harbor/alerts")
        rules = window.page.get_by_role("region", name="Who is notified")
        expect(rules).to_contain_text("Only a credential that may manage channels can see who is notified")
        expect(rules).not_to_contain_text("No message is sent")
    finally:
        demo.http.delete(f"/v1/keys/{key['id']}").raise_for_status()
        demo.http.delete(f"{_DEMO}/channels/{channel['id']}").raise_for_status()


def test_a_value_that_does_not_fit_is_refused_before_saving(form: Locator, demo: LiveServer) -> None:
    _choose(form, What="failure rate is", Queue="default on main")
    form.get_by_label("Value").fill("1h")
    expect(form.get_by_role("alert").first).to_contain_text(re.compile("is a duration"))
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_label("Value")).to_have_attribute("aria-invalid", "true")
    assert [] == settings_of(demo, "demo/harbor")["thresholds"]
    assert [[]] == [one["rules"] for one in settings_of(demo, "demo/harbor")["notifications"]]


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("a pull request is removed", {"what": "removed", "figures": None, "origins": None, "queues": None}),
        ("a week is over", {"what": "digest", "figures": None, "origins": None, "queues": None}),
    ],
)
def test_removals_and_digests_are_rows_of_the_same_form(
    form: Locator, demo: LiveServer, words: str, rule: object
) -> None:
    _choose(form, What=words)
    form.get_by_role("button", name="Save").click()
    expect(form).to_contain_text("Saved.")
    assert [[rule]] == [one["rules"] for one in settings_of(demo, "demo/harbor")["notifications"]]


def test_past_alerts_stand_beside_their_chart(signed_in: Window, demo: LiveServer) -> None:
    """As many as the API answers about, newest first; a click shows the chart around another one."""
    page = signed_in.page
    signed_in.open("/r/demo/harbor/alerts")
    past = page.get_by_role("region", name=re.compile("^Past alerts"))
    expect(past).to_be_visible()
    asked = {"state": "ended", "start_at": "2000-01-01T00:00:00Z"}
    incidents = demo.http.get(f"{_DEMO}/alerts", params=asked).json()["incidents"]
    if not incidents:
        expect(past).to_contain_text("None is recorded.")
        return
    rows = past.locator("ol > li")
    expect(rows.first).to_contain_text(incidents[0]["sentence"].replace("`", ""))
    expect(past.locator("rect").first).to_be_visible()
    rows.last.get_by_role("button").click()
    expect(rows.last.get_by_role("button")).to_have_attribute("aria-pressed", "true")
    expect(page).to_have_url(re.compile("incident="))
    page.get_by_role("button", name="Show those of the last 400 days").click()
    expect(past).to_contain_text("of the last 400 days")


@pytest.mark.usefixtures("demo")
def test_an_incident_that_is_not_stored_is_not_confused_with_another(signed_in: Window) -> None:
    """The page looks through all that is kept before it says so."""
    signed_in.open("/r/demo/harbor/alerts?incident=gone")
    past = signed_in.page.get_by_role("region", name=re.compile("^Past alerts"))
    expect(past).to_contain_text("The alert at this address is not over yet, or is no longer stored.")
    expect(past).to_contain_text("of the last 400 days")
