"""Alerts, thresholds, reference periods and channels on the dashboard, as the API answers about them."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from browser_windows import Window
from builders import entered, left, started
from changed_settings import change_settings, settings_of
from dashboard.conftest import opened_window, session_of
from dashboard.screen import read
from live_server import LiveServer, live_server
from mergecast.queues.model.instant import DAY, HOUR, SECOND, format_instant
from prompt_alerts import prompt_alerts
from signals.two_an_hour import merges
from waiting import wait_until

_DEMO = "/v1/repos/demo/harbor"
_SLOW = "acme/slow"
pytestmark = pytest.mark.server


def _get(server: LiveServer, path: str) -> Any:
    answer = server.http.get(f"{_DEMO}{path}")
    assert answer.status_code == 200
    return answer.json()


def _settings(window: Window, queue: str | None = None) -> None:
    """The settings, with the thresholds of a queue unfolded."""
    window.open("/r/demo/harbor/settings")
    window.sees("Thresholds")
    if queue:
        window.page.get_by_role("heading", name=queue).click()


def _incidents(server: LiveServer) -> list[Any]:
    incidents: list[Any] = _get(server, "/queue")["incidents"]
    return incidents


def _threshold(figure: str, value: object, **queue: str) -> dict[str, object]:
    return {"figure": figure, "base_ref": None, "queue_name": None, **queue, "value": value, "alert": True}


def _sentences(banner: Locator) -> set[str]:
    """They may count minutes, as the API's do; the page asks again every minute."""
    return {sentence.strip() for sentence in banner.locator("b").all_inner_texts()}


def test_an_alert_stands_above_everything_else(signed_in: Window, demo: LiveServer) -> None:
    """On the overview and the queue; the header of every page says how many there are."""
    queue = {"base_ref": "main", "queue_name": "default"}
    change_settings(demo, "demo/harbor", thresholds=[_threshold("run_too_long", 60, **queue)])
    ago = (datetime.now(UTC) - timedelta(minutes=30)).isoformat()
    stay = [
        entered(ago, "stuck", 888_888, **queue),
        started(ago, "stuck", 888_888, "stuck-batch", [888_888], **queue),
    ]
    demo.send(stay, "demo/harbor").raise_for_status()

    wait_until(lambda: "run_too_long" in {one["figure"] for one in _get(demo, "/queue")["alerts"]})
    for page in ("", "/queue", "/alerts"):
        signed_in.open(f"/r/demo/harbor{page}")
        banner = signed_in.page.get_by_role("alert", name="Open alerts")
        expect(banner).to_be_visible()
        wait_until(lambda: _sentences(banner) == {_said(one) for one in _incidents(demo)})  # noqa: B023
        instants = [time.get_attribute("datetime") for time in banner.locator("time").all()]
        assert {one["since"] for one in _incidents(demo)} == set(instants)
        assert not re.search(r"\d{4}-\d\d-\d\dT", banner.inner_text())  # written for the reader
    signed_in.open("/r/demo/harbor/sources")
    link = signed_in.page.get_by_role("banner").get_by_role("link", name=re.compile("open alert"))
    count = _get(demo, "/freshness")["alerts"]
    expect(link).to_have_text(f"▲ {count} open alert{'' if count == 1 else 's'}")
    link.click()
    expect(banner).to_be_visible()

    change_settings(demo, "demo/harbor", thresholds=None)


def test_without_an_alert_the_page_tells_the_state(signed_in: Window, demo: LiveServer) -> None:
    """A queue may be slow without an alert: the page does not say that nothing is wrong."""
    now = datetime.now(UTC)
    stays = [
        event((now - timedelta(days=days, minutes=minutes)).isoformat(), f"{days}-{n}", 100 * days + n)
        for days, length in ((20, 10), (10, 10), (3, 90))
        for n in range(25)
        for event, minutes in ((entered, length), (left, 0))
    ]
    demo.send(stays, "acme/slower-week").raise_for_status()
    week = {"start_at": (now - timedelta(days=7)).isoformat(), "end_at": now.isoformat()}
    state = demo.http.get("/v1/repos/acme/slower-week/summary", params=week).json()["state"]
    assert state["name"] == "slow"

    signed_in.open("/r/acme/slower-week/alerts")
    page = signed_in.page
    expect(page.get_by_role("heading", level=1)).to_have_text("No alert is open.")
    expect(page.locator(".state")).to_have_text("slow")
    expect(page.get_by_text(state["sentence"])).to_be_visible()


def _said(incident: Any) -> str:
    """Names stand between backquotes, which pages show as code."""
    return f"{incident['sentence'].replace('`', '')}."


def test_the_header_counts_alerts(opened_browser: Browser, tmp_path: Path) -> None:
    """As many as the API does: a queue that became slow in its second week, and is stuck."""
    with (
        prompt_alerts(),
        live_server(tmp_path) as server,
        opened_window(opened_browser, server, session_of(opened_browser, server)) as window,
    ):
        freshness = _slow_and_stuck(server)
        wait_until(lambda: freshness() > 1, "alerts of two origins")
        window.open(f"/r/{_SLOW}/sources")
        link = window.page.get_by_role("banner").get_by_role("link", name=re.compile("alert"))
        wait_until(lambda: link.inner_text() == f"▲ {freshness()} open alerts")


def _slow_and_stuck(server: LiveServer) -> Callable[[], int]:
    """Returns how many open alerts its repository has by now."""
    hour = int(datetime.now(UTC).timestamp()) * SECOND // HOUR * HOUR
    start, middle = hour - 14 * DAY, hour - 7 * DAY
    past = [*merges(start, 7), *merges(middle, 7, 40)][:-4]  # the last one may not have ended yet
    server.send(past, _SLOW).raise_for_status()
    queue, path = {"base_ref": "main", "queue_name": "default"}, f"/v1/repos/{_SLOW}"
    week = {"start_at": format_instant(start), "end_at": format_instant(middle)}
    change_settings(
        server,
        _SLOW,
        reference_periods=[{"name": "quick", **week, **queue}],
        thresholds=[_threshold("no_run_started", 60)],
    )
    ago = (datetime.now(UTC) - timedelta(minutes=30)).isoformat()
    server.send([entered(ago, "stuck", 888_888, **queue)], _SLOW).raise_for_status()

    def counted() -> int:
        alerts: int = server.http.get(f"{path}/freshness").json()["alerts"]
        return alerts

    return counted


@pytest.mark.parametrize(("window", "days"), [("7d", 7), ("28d", 28)])
def test_pinning_the_window_as_a_reference_period(
    signed_in: Window, demo: LiveServer, window: str, days: int
) -> None:
    """It ends with the minute that has begun, and is exactly as long as chosen. The settings delete it."""
    page = signed_in.page
    signed_in.open(f"/r/demo/harbor?window={window}&branch=main&queue=default")
    page.get_by_role("button", name="Pin as reference").click()
    page.get_by_label("Name").fill("this spring")
    before = datetime.now(UTC).replace(second=0, microsecond=0)
    page.get_by_role("button", name="Pin default on main").click()
    expect(page.get_by_text("Pinned as this spring.")).to_be_visible()
    (period,) = _get(demo, "/reference-periods")["reference_periods"]
    assert ("this spring", "main", "default") == tuple(
        period[name] for name in ("name", "base_ref", "queue_name")
    )
    start, end = (datetime.fromisoformat(period[name]) for name in ("start_at", "end_at"))
    assert timedelta(days=days) == end - start
    assert before <= end <= datetime.now(UTC)
    assert 0 == end.second

    signed_in.open("/r/demo/harbor?window=24h&branch=main&queue=default&pinned=this%20spring")
    signed_in.sees("The pinned period this spring")
    _settings(signed_in)
    row = page.get_by_role("region", name="Reference periods").get_by_role("row", name="this spring")
    expect(row).to_be_visible()
    (shown,) = [one for one in _rows(signed_in, "Reference periods") if one["name"] == "this spring"]
    assert str(period["merges"]) == shown["merges"]
    assert "default on main" == shown["queue"]
    row.get_by_role("button", name="Delete").click()
    row.get_by_role("button", name="Delete it now?").click()
    expect(page.get_by_text("No period is pinned.")).to_be_visible()
    assert [] == _get(demo, "/reference-periods")["reference_periods"]


def test_what_an_alert_would_find_is_told_before_pinning(signed_in: Window, demo: LiveServer) -> None:
    """In the words of the API, about the window on display."""
    page = signed_in.page
    signed_in.open("/r/demo/harbor?window=7d&branch=main&queue=default")
    with page.expect_response("**/reference-periods/preview") as asked:
        page.get_by_role("button", name="Pin as reference").click()
    wanted: Any = asked.value.request.post_data_json
    answer = demo.http.post(f"{_DEMO}/reference-periods/preview", json=wanted).json()

    assert ("main", "default") == (wanted["base_ref"], wanted["queue_name"])
    span = (datetime.fromisoformat(wanted[name]) for name in ("start_at", "end_at"))
    assert timedelta(days=-7) == next(span) - next(span)
    expect(page.get_by_text(answer["finds"]["sentence"], exact=True)).to_be_visible()


def test_a_period_is_not_lost_unasked(signed_in: Window, demo: LiveServer) -> None:
    """Pinning names the period that it would replace, and a double click deletes nothing."""
    end = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    weeks = {"start_at": (end - timedelta(days=14)).isoformat(), "end_at": end.isoformat()}
    period = {"name": "autumn", "base_ref": "main", "queue_name": "default", **weeks}
    change_settings(demo, "demo/harbor", reference_periods=[period])
    try:
        page = signed_in.page
        signed_in.open("/r/demo/harbor?branch=website&queue=website")
        page.get_by_role("button", name="Pin as reference").click()
        page.get_by_label("Name").fill("autumn")
        signed_in.sees("Pinning replaces autumn of default on main.")

        _settings(signed_in)
        row = page.get_by_role("region", name="Reference periods").get_by_role("row", name="autumn")
        row.get_by_role("button", name="Delete").dblclick()
        expect(row.get_by_role("button", name="Delete it now?")).to_be_visible()
        signed_in.settles()
        assert len(_get(demo, "/reference-periods")["reference_periods"]) == 1
    finally:
        change_settings(demo, "demo/harbor", reference_periods=None)


def test_a_reference_period_needs_one_queue(signed_in: Window) -> None:
    signed_in.open("/r/demo/harbor?window=28d")
    signed_in.page.get_by_role("button", name="Pin as reference").click()
    signed_in.sees("A reference period belongs to one queue: choose a branch and a queue first.")


def test_every_threshold_says_in_words_what_it_is_about(signed_in: Window, demo: LiveServer) -> None:
    """With its name, for the command line, and with what was learned, as the API says it."""
    (queue,) = [one for one in _get(demo, "/thresholds")["queues"] if one["queue_name"] == "default"]
    _settings(signed_in, "default on main")
    region = signed_in.page.get_by_role("region", name="Thresholds of default on main")
    for one in queue["thresholds"]:
        if one["origin"] == "learned" and one["when"]:
            row = region.get_by_role("row", name=re.compile(one["figure"]))
            expect(row).to_contain_text(f"Speaks {one['when']}.")


def test_a_queue_is_one_line_that_says_what_is_set_for_it(signed_in: Window, demo: LiveServer) -> None:
    """Its fields are behind it; those for all queues are on the page."""
    hotfix = {"base_ref": "main", "queue_name": "hotfix"}
    thresholds = [
        _threshold("run_too_long", 26580, **hotfix),
        _threshold("failure_rate", None, **hotfix),
        {**_threshold("splits", 4, **hotfix), "alert": False},
    ]
    change_settings(demo, "demo/harbor", thresholds=thresholds)
    try:
        _settings(signed_in)
        page = signed_in.page
        line = page.locator("summary").filter(has=page.get_by_role("heading", name="hotfix on main"))
        expect(line).to_contain_text(
            "A CI run lasts: 7h23m; Failure rate: off; A batch is split: 4, without alerts"
        )
        expect(page.get_by_label("run_too_long of all queues")).to_be_visible()
        expect(page.get_by_label("run_too_long of hotfix on main", exact=True)).to_have_count(0)
        line.press("Enter")
        expect(page.get_by_label("run_too_long of hotfix on main", exact=True)).to_have_value("7h23m")
        line.press("Enter")
        expect(page.get_by_label("run_too_long of hotfix on main", exact=True)).to_have_count(0)
    finally:
        change_settings(demo, "demo/harbor", thresholds=None)


def test_the_name_of_a_figure_stays_beside_its_field_on_a_phone(signed_in: Window) -> None:
    page = signed_in.page
    page.set_viewport_size({"width": 390, "height": 844})
    _settings(signed_in, "hotfix on main")
    for scope in ("all queues", "hotfix on main"):
        for row in page.get_by_role("region", name=f"Thresholds of {scope}").locator("tbody tr").all():
            name, field = row.locator("th").bounding_box(), row.locator("input").first.bounding_box()
            assert name is not None
            assert field is not None
            assert name["x"] + name["width"] <= field["x"], row.inner_text()


def test_thresholds_are_set_switched_off_and_deleted(signed_in: Window, demo: LiveServer) -> None:
    field = signed_in.page.get_by_label("run_too_long of hotfix on main", exact=True)

    def write(value: str) -> None:
        """On a page that was just loaded: nothing that it still awaits replaces what is written."""
        _settings(signed_in, "hotfix on main")
        field.fill(value)
        field.press("Enter")

    def save(value: str) -> None:
        write(value)
        signed_in.saves("Thresholds")

    def thresholds() -> list[object]:
        found: list[object] = settings_of(demo, "demo/harbor")["thresholds"]
        return found

    hotfix = {"base_ref": "main", "queue_name": "hotfix"}
    save("7h23m")
    assert [_threshold("run_too_long", 26580, **hotfix)] == thresholds()
    save("123456")
    assert [_threshold("run_too_long", 123456, **hotfix)] == thresholds()
    expect(field).to_have_value("1d 10h17m36s")
    for wrong in ("0", "7 parsecs"):
        write(wrong)
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_have_value(wrong)
    assert [_threshold("run_too_long", 123456, **hotfix)] == thresholds()
    box = signed_in.page.get_by_label("Alerts about run_too_long of hotfix on main")
    _settings(signed_in, "hotfix on main")
    box.click()
    signed_in.saves("Thresholds")
    assert [{**_threshold("run_too_long", 123456, **hotfix), "alert": False}] == thresholds()
    save("off")
    assert [_threshold("run_too_long", None, **hotfix)] == [{**one, "alert": True} for one in thresholds()]  # type: ignore[dict-item]
    save("")
    assert [] == thresholds()


def test_thresholds_are_shown_by_tiles_and_charts(signed_in: Window, demo: LiveServer) -> None:
    page = signed_in.page
    change_settings(demo, "demo/harbor", thresholds=[_threshold("time_in_queue_p95", 600_000)])
    signed_in.open("/r/demo/harbor?window=28d")
    tile = page.locator(".tile", has_text="p95 in queue")
    expect(tile).to_contain_text("threshold 6d 23h")
    expect(page.locator(".legend").get_by_text("threshold 6d 23h")).to_be_visible()
    expect(page.get_by_text("No thresholds are set")).to_have_count(0)

    change_settings(demo, "demo/harbor", thresholds=[_threshold("ci_runs_per_merge", 0.01)])
    signed_in.open("/r/demo/harbor?window=28d&open=ci")
    tile = page.locator(".tile", has_text="CI runs per merge")
    expect(tile).to_contain_text("threshold 0.01, exceeded")
    chart = page.get_by_role("region", name="CI runs per merge")
    exceeded = chart.get_by_text("threshold 0.01, exceeded")
    expect(exceeded).to_be_visible()
    expect(exceeded).to_have_css("color", tile.locator("dd.bad").evaluate("e => getComputedStyle(e).color"))

    change_settings(demo, "demo/harbor", thresholds=None)
    signed_in.open("/r/demo/harbor?window=7d")
    signed_in.sees("No thresholds are set for these figures, so figures are compared with the last 28 days.")
    page.get_by_role("link", name="Set thresholds").click()
    expect(page.get_by_role("heading", name="Thresholds")).to_be_visible()


def test_a_channel_is_added_and_deleted(signed_in: Window, demo: LiveServer) -> None:
    """A wrong address is refused in words; the secret is shown once, and the URL is masked."""
    page = signed_in.page
    _settings(signed_in)
    page.get_by_label("Kind").select_option("webhook")
    page.get_by_label("URL").fill("http://hooks.example.com/hook")
    page.get_by_role("button", name="Add a channel").click()
    rule = "URL must begin with https://; the operator can allow others in MERGECAST_NOTICE_HOSTS."
    signed_in.refuses(page.get_by_label("URL"), rule)

    page.get_by_label("URL").fill("https://hooks.example.com/hidden-part")
    page.get_by_role("button", name="Add a channel").click()
    signed_in.sees("it is not shown again")
    (channel,) = _get(demo, "/channels")["channels"]
    row = page.get_by_role("region", name="Channels").get_by_role("row", name=channel["name"])
    expect(row).to_contain_text(channel["target"])
    assert "hidden-part" not in row.inner_text()
    row.get_by_role("button", name="Delete").click()
    row.get_by_role("button", name=re.compile("Delete it now")).click()
    expect(page.get_by_text("There is no channel yet.")).to_be_visible()
    assert [] == _get(demo, "/channels")["channels"]


def test_the_digest_of_a_channel_is_moved_to_another_day(signed_in: Window, demo: LiveServer) -> None:
    made = demo.http.post(
        f"{_DEMO}/channels", json={"kind": "log", "name": "weekly", "rules": [{"what": "digest"}]}
    )
    made.raise_for_status()
    try:
        _settings(signed_in)
        row = signed_in.page.get_by_role("region", name="Channels").get_by_role("row", name="weekly")
        expect(row).to_contain_text("every week, in a digest, Monday 9:00 UTC")
        row.get_by_role("button", name="Monday 9:00 UTC").click()
        row.get_by_label("Day").select_option("friday")
        row.get_by_label("Hour").fill("16")
        row.get_by_label("Time zone").fill("Europe/Nowhere")
        row.get_by_role("button", name="Save").click()
        expect(row.get_by_role("alert")).to_have_text("Write the name of a time zone, such as Europe/Berlin.")
        row.get_by_label("Time zone").fill("Europe/Berlin")
        row.get_by_role("button", name="Save").click()
        expect(row).to_contain_text("Friday 16:00 Europe/Berlin")
        (channel,) = _get(demo, "/channels")["channels"]
        assert {"day": "friday", "hour": 16, "time_zone": "Europe/Berlin"} == channel["digest"]
    finally:
        demo.http.delete(f"{_DEMO}/channels/{made.json()['id']}").raise_for_status()


def _rows(window: Window, region: str) -> list[dict[str, str]]:
    found = read(window.page)[region]
    assert isinstance(found, list)
    return found
