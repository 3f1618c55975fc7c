"""Problems, baselines, thresholds and channels on the dashboard, as the API answers about them."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from browser_windows import Window
from builders import entered, started
from dashboard.conftest import opened_window, session_of
from dashboard.screen import read
from live_server import LiveServer, live_server
from mergecast.queues.model.instant import DAY, HOUR, SECOND, format_instant
from mergecast.signals.watch.alerts import AlertWatch
from signals.two_an_hour import merges
from waiting import wait_until

_DEMO = "/v1/repos/demo/harbor"
_SLOW = "acme/slow"
pytestmark = pytest.mark.server


def _get(server: LiveServer, path: str) -> Any:
    answer = server.http.get(f"{_DEMO}{path}")
    assert answer.status_code == 200
    return answer.json()


def _settings(window: Window) -> None:
    window.open("/settings?repository=demo/harbor")
    window.sees("Thresholds")


def _problems(server: LiveServer) -> list[Any]:
    problems: list[Any] = _get(server, "/queue")["queue_problems"]
    return problems


def _sentences(banner: Locator) -> set[str]:
    """They may count minutes, as the API's do; the page asks again every minute."""
    return {sentence.strip() for sentence in banner.locator("b").all_inner_texts()}


def test_a_problem_stands_above_everything_else(signed_in: Window, demo: LiveServer) -> None:
    """On the overview and the queue; the header of every page says how many there are."""
    queue = {"base_ref": "main", "queue_name": "default"}
    demo.http.put(f"{_DEMO}/thresholds", json={**queue, "levels": {"run_too_long": 60}}).raise_for_status()
    ago = (datetime.now(UTC) - timedelta(minutes=30)).isoformat()
    stay = [
        entered(ago, "stuck", 888_888, **queue),
        started(ago, "stuck", 888_888, "stuck-batch", [888_888], **queue),
    ]
    demo.send(stay, "demo/harbor").raise_for_status()

    wait_until(lambda: "run_too_long" in {one["name"] for one in _problems(demo)})
    for page in ("", "/queue"):
        signed_in.open(f"/r/demo/harbor{page}")
        banner = signed_in.page.get_by_role("alert", name="Problems of the queues")
        expect(banner).to_be_visible()
        wait_until(lambda: _sentences(banner) == {one["sentence"] for one in _problems(demo)})  # noqa: B023
        instants = [time.get_attribute("datetime") for time in banner.locator("time").all()]
        assert {one["since"] for one in _problems(demo)} == set(instants)
        assert not re.search(r"\d{4}-\d\d-\d\dT", banner.inner_text())  # written for the reader
        text = signed_in.page.locator("main").inner_text().strip()
        assert text.startswith(banner.locator("b").first.inner_text().strip())
    signed_in.open("/r/demo/harbor/sources")
    link = signed_in.page.get_by_role("banner").get_by_role("link", name=re.compile("queue problem"))
    count = _get(demo, "/freshness")["queue_problems"]
    expect(link).to_have_text(f"▲ {count} queue problem{'' if count == 1 else 's'}")
    link.click()
    expect(banner).to_be_visible()

    demo.http.delete(f"{_DEMO}/thresholds", params=queue).raise_for_status()


def test_the_header_counts_problems_and_alerts(
    opened_browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many as the API does: a queue that became slow in its second week, and is stuck."""
    monkeypatch.setattr(AlertWatch, "look_seconds", 0.2)
    with (
        live_server(tmp_path) as server,
        opened_window(opened_browser, server, session_of(opened_browser, server)) as window,
    ):
        freshness = _slow_and_stuck(server)
        wait_until(lambda: all(freshness()), "a problem and an alert")
        window.open(f"/r/{_SLOW}/sources")
        link = window.page.get_by_role("banner").get_by_role("link", name=re.compile("alert"))
        expect(link).to_have_text(re.compile(r"^▲ \d+ queue problems?, \d+ alerts?$"))
        wait_until(lambda: freshness() == [int(one) for one in re.findall(r"\d+", link.inner_text())])


def _slow_and_stuck(server: LiveServer) -> Callable[[], list[int]]:
    """Returns how many problems and alerts its repository has by now."""
    hour = int(datetime.now(UTC).timestamp()) * SECOND // HOUR * HOUR
    start, middle = hour - 14 * DAY, hour - 7 * DAY
    past = [*merges(start, 7), *merges(middle, 7, 40)][:-4]  # the last one may not have ended yet
    server.send(past, _SLOW).raise_for_status()
    queue, path = {"base_ref": "main", "queue_name": "default"}, f"/v1/repos/{_SLOW}"
    week = {"start_at": format_instant(start), "end_at": format_instant(middle)}
    server.http.put(f"{path}/baselines/quick", json={**week, **queue}).raise_for_status()
    level = {**queue, "levels": {"no_run_started": 60}}
    server.http.put(f"{path}/thresholds", json=level).raise_for_status()
    ago = (datetime.now(UTC) - timedelta(minutes=30)).isoformat()
    server.send([entered(ago, "stuck", 888_888, **queue)], _SLOW).raise_for_status()

    def counted() -> list[int]:
        found = server.http.get(f"{path}/freshness").json()
        return [found["queue_problems"], found["alerts"]]

    return counted


@pytest.mark.parametrize(("window", "days"), [("7d", 7), ("28d", 28)])
def test_pinning_the_window_as_a_baseline(
    signed_in: Window, demo: LiveServer, window: str, days: int
) -> None:
    """It ends with the minute that has begun, and is exactly as long as chosen. The settings delete it."""
    page = signed_in.page
    signed_in.open(f"/r/demo/harbor?window={window}&branch=main&queue=default")
    page.get_by_role("button", name="Pin as baseline").click()
    page.get_by_label("Name").fill("this spring")
    before = datetime.now(UTC).replace(second=0, microsecond=0)
    page.get_by_role("button", name="Pin default on main").click()
    expect(page.get_by_text("Pinned as this spring.")).to_be_visible()
    (baseline,) = _get(demo, "/baselines")["baselines"]
    assert ("this spring", "main", "default") == tuple(
        baseline[name] for name in ("name", "base_ref", "queue_name")
    )
    start, end = (datetime.fromisoformat(baseline[name]) for name in ("start_at", "end_at"))
    assert timedelta(days=days) == end - start
    assert before <= end <= datetime.now(UTC)
    assert 0 == end.second

    signed_in.open("/r/demo/harbor?window=24h&branch=main&queue=default&pinned=this%20spring")
    signed_in.sees("The pinned period this spring")
    _settings(signed_in)
    row = page.get_by_role("region", name="Baselines").get_by_role("row", name="this spring")
    expect(row).to_be_visible()
    (shown,) = [one for one in _rows(signed_in, "Baselines") if one["name"] == "this spring"]
    assert str(baseline["merges"]) == shown["merges"]
    assert "default on main" == shown["queue"]
    row.get_by_role("button", name="Delete").click()
    row.get_by_role("button", name="Delete it now?").click()
    expect(page.get_by_text("No baseline is pinned.")).to_be_visible()
    assert [] == _get(demo, "/baselines")["baselines"]


def test_what_an_alert_would_find_is_told_before_pinning(signed_in: Window, demo: LiveServer) -> None:
    """In the words of the API, about the window on display."""
    page = signed_in.page
    signed_in.open("/r/demo/harbor?window=7d&branch=main&queue=default")
    with page.expect_response("**/baseline-preview") as asked:
        page.get_by_role("button", name="Pin as baseline").click()
    wanted: Any = asked.value.request.post_data_json
    answer = demo.http.post(f"{_DEMO}/baseline-preview", json=wanted).json()

    assert ("main", "default") == (wanted["base_ref"], wanted["queue_name"])
    span = (datetime.fromisoformat(wanted[name]) for name in ("start_at", "end_at"))
    assert timedelta(days=-7) == next(span) - next(span)
    expect(page.get_by_text(answer["finds"]["sentence"], exact=True)).to_be_visible()


def test_a_baseline_needs_one_queue(signed_in: Window) -> None:
    signed_in.open("/r/demo/harbor?window=28d")
    signed_in.page.get_by_role("button", name="Pin as baseline").click()
    signed_in.sees("A baseline belongs to one queue: choose a branch and a queue first.")


def test_every_threshold_says_in_words_what_it_is_about(signed_in: Window, demo: LiveServer) -> None:
    """With its name, for the command line."""
    (queue,) = [one for one in _get(demo, "/thresholds")["queues"] if one["queue_name"] == "hotfix"]
    _settings(signed_in)
    rows = signed_in.page.get_by_role("region", name="Thresholds of hotfix on main").locator("tbody th")
    expect(rows).to_have_text([re.compile(rf"^[A-Z].+ {one['name']}$") for one in queue["thresholds"]])


def test_thresholds_are_set_and_returned_to_the_history(signed_in: Window, demo: LiveServer) -> None:
    def field() -> Locator:
        return signed_in.page.get_by_label("run_too_long of hotfix on main")

    def write(value: str) -> None:
        """On a page that was just loaded: nothing that it still awaits replaces what is written."""
        _settings(signed_in)
        field().fill(value)
        field().press("Enter")

    def save(value: str) -> None:
        write(value)
        signed_in.saves("Thresholds")

    def level() -> Any:
        (queue,) = [one for one in _get(demo, "/thresholds")["queues"] if one["queue_name"] == "hotfix"]
        return {one["name"]: one["set"] for one in queue["thresholds"]}["run_too_long"]

    save("7h23m")
    assert 26580.0 == level()
    save("123456")
    assert 123456.0 == level()
    expect(field()).to_have_value("1d 10h17m36s")
    for wrong in ("0", "7 parsecs"):
        write(wrong)
        rule = "Write a duration from 1s to 115d, such as 7h23m."
        signed_in.refuses(field(), rule)
        expect(field()).to_have_value(wrong)
    assert 123456.0 == level()
    save("")
    assert level() is None


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
    row = page.get_by_role("region", name="Channels").get_by_role("row", name="webhook")
    expect(row).to_contain_text(channel["target"])
    assert "hidden-part" not in row.inner_text()
    row.get_by_role("button", name="Delete").click()
    row.get_by_role("button", name=re.compile("Delete it now")).click()
    expect(page.get_by_text("There is no channel yet.")).to_be_visible()
    assert [] == _get(demo, "/channels")["channels"]


def _rows(window: Window, region: str) -> list[dict[str, str]]:
    found = read(window.page)[region]
    assert isinstance(found, list)
    return found
