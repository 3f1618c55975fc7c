"""Marks in the charts of the overview, as the API answers about changes."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from browser_windows import Window
from changes.history import END, MONDAY, SLOWER_FROM, slower_from
from dashboard.conftest import opened_window, session_of
from live_server import LiveServer, live_server
from mergecast.queues.model.alert import Alert
from mergecast.queues.model.instant import DAY, HOUR, format_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.alerts import store_alerts

pytestmark = pytest.mark.server
_NAME = "acme/slower"
_START, _END = format_instant(MONDAY), format_instant(END)
_OF_CHARTS = {
    "Time in queue": ("time_to_merge_p50", "time_to_merge_p95"),
    "Where it goes": ("passed_run_p50", "waiting_machines"),
    "Flow": ("entered_per_day",),
}


def test_charts_mark_the_changes_of_their_figures(opened_browser: Browser, tmp_path: Path) -> None:
    """Each mark says what the API says, to a mouse, the keyboard and a finger, at the day of the change."""
    with (
        live_server(tmp_path) as server,
        opened_window(opened_browser, server, session_of(opened_browser, server)) as window,
    ):
        server.send(slower_from(), _NAME).raise_for_status()
        changes = _changes(server)
        assert {one["figure"] for one in changes} >= {"time_to_merge_p95", "passed_run_p50"}
        window.open(f"/r/{_NAME}?from={_START}&to={_END}")
        for title, figures in _OF_CHARTS.items():
            wanted: dict[str, list[str]] = {}
            for one in changes:
                if one["figure"] in figures:
                    wanted.setdefault(one["began_on"], []).append(one["sentence"])
            marks = window.page.get_by_role("region", name=title).locator("button.change")
            expect(marks).to_have_count(len(wanted))
            assert [mark.get_attribute("aria-label") for mark in marks.all()] == [
                "; ".join(sentences) for sentences in wanted.values()
            ]
        _says_when_it_is_reached(window)
        assert window.violations() == []


def test_an_alert_of_the_overview_says_since_when(opened_browser: Browser, tmp_path: Path) -> None:
    now = END + HOUR
    words = "time to merge is too long", "Look at what changed."
    slow = Alert(
        *(
            "a1",
            "time_to_merge_p95",
            "learned",
            "main",
            "default",
            SLOWER_FROM + 7 * DAY,
            now,
            1700.0,
            1600.0,
        ),
        *words,
        seen_at=now,
    )
    with (
        live_server(tmp_path, now=lambda: now) as server,
        opened_window(opened_browser, server, session_of(opened_browser, server)) as window,
    ):
        server.send(slower_from(), _NAME).raise_for_status()
        # Queues are measured once a minute, and the clock stands still: the alert stays open.
        assert server.http.get(f"/v1/repos/{_NAME}/alerts").json()["alerts"] == []
        work = partial(store_alerts, begun=[slow], ended=())
        # A browser's loop runs in this thread.
        with ThreadPoolExecutor() as pool:
            storing = server.store.change(Repository(*_NAME.split("/")), work, create=False)
            pool.submit(asyncio.run, storing).result()
        (alert,) = server.http.get(f"/v1/repos/{_NAME}/alerts").json()["alerts"]
        window.open(f"/r/{_NAME}?from={_START}&to={_END}")
        banner = window.page.get_by_role("alert", name="Open alerts")
        expect(banner).to_contain_text(alert["change"]["sentence"])


def _changes(server: LiveServer) -> list[dict[str, Any]]:
    asked = {"start_at": _START, "end_at": _END}
    answer = server.http.get(f"/v1/repos/{_NAME}/changes", params=asked)
    found: list[dict[str, Any]] = answer.json()["changes"]
    return found


def _says_when_it_is_reached(window: Window) -> None:
    mark = window.page.get_by_role("region", name="Where it goes").locator("button.change")
    words = mark.locator(".what")
    expect(words).to_be_hidden()
    mark.focus()
    expect(words).to_have_text(re.compile(r"^length of passed CI runs, p50: 15m → 23m, began on 2026-07-15$"))
    expect(words).to_be_visible()
    mark.blur()
    expect(words).to_be_hidden()
    mark.hover()
    expect(words).to_be_visible()
