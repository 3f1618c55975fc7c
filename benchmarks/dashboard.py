"""How heavy is the dashboard, and how quick? Prints the four figures that it is held to.

    PYTHONPATH=tests python benchmarks/dashboard.py

Script and style of the first screen: at most 120 kB gzip. The overview of the demo: complete within 5 times
the sum of its API calls, and its first figures within 3 times the slowest of them. Drawing 18 groups of 100
intervals: at most 50 ms of script time, warm. Needs Chromium and the built dashboard.
"""

import gzip
import re
import statistics
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
from playwright.sync_api import Page, Request

from browser_windows import BUILT, chromium
from builders import ended, entered, left, started
from mergecast.demo.history import demo_events
from robustness.server_process import server_process

ROUNDS = 9
_DELIVERY = 10_000
_QUEUES, _HOURS = 18, 100
# Asking from outside whether there are figures would take as long as loading the page.
_WATCH_FIGURES = """new MutationObserver((_, watch) => {
  if (!document.querySelector('dd.figure')) return;
  watch.disconnect();
  requestAnimationFrame(() => (window.figuresAfter = performance.now()));
}).observe(document, { childList: true, subtree: true });"""


def main() -> None:
    print(f"script and style of the first screen: {_first_screen() / 1000:.1f} kB gzip; at most 120")
    # The server has a process of its own, as for users: beside Playwright, it would wait for the same lock.
    with TemporaryDirectory() as folder, server_process(Path(folder)) as server, server.client() as http:
        _fill(http)
        link = http.post("/v1/session/codes").json()["url"]
        with chromium() as browser:
            page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
            page.goto(link)
            page.wait_for_selector("tbody tr")
            _overview(page, http)
            _drawing(page, server.url)


def _first_screen() -> int:
    """The files that the page names; others are loaded on their pages."""
    names = re.findall(r"assets/[^\"]+", BUILT.read_text(encoding="utf-8"))
    return sum(len(gzip.compress((BUILT.parent / name).read_bytes())) for name in names)


def _fill(http: httpx.Client) -> None:
    now = datetime.now(UTC)
    monday = now.date() - timedelta(days=now.weekday(), weeks=13)
    for repository, events in (
        ("demo/harbor", list(demo_events(monday, now))),
        ("acme/wide", list(_wide(now))),
    ):
        for first in range(0, len(events), _DELIVERY):
            delivery = events[first : first + _DELIVERY]
            http.post(f"/v1/repos/{repository}/events", json=delivery).raise_for_status()


def _wide(now: datetime) -> Iterator[dict[str, Any]]:
    """A stay with its CI run, in every hour of every queue."""
    for hour in range(1, _HOURS + 1):
        begin = now - timedelta(hours=hour)
        entering, ending, leaving = (
            (begin + timedelta(minutes=minutes)).isoformat() for minutes in (1, 20 + hour % 20, 45)
        )
        for queue in range(_QUEUES):
            number, name = hour * 100 + queue, {"queue_name": f"queue {queue}"}
            stay, batch = f"stay {number}", f"batch {number}"
            yield entered(entering, stay, number, **name)
            yield started(entering, stay, number, batch, [number], **name)
            yield ended(
                ending, stay, number, batch, "CHECKS_FAILED" if number % 7 == 0 else "SUCCESS", **name
            )
            yield left(leaving, stay, number, **name)


def _overview(page: Page, http: httpx.Client) -> None:
    """Every round asks about another window, so that no answer is cached."""
    now = datetime.now(UTC).replace(microsecond=0)
    pages, calls, figures, slowest = [], [], [], []
    page.add_init_script(_WATCH_FIGURES)
    for round in range(ROUNDS):
        end = now - timedelta(minutes=round)
        address = f"/r/demo/harbor?from={_instant(end - timedelta(days=7))}&to={_instant(end)}"
        asked: list[str] = []
        page.on("request", partial(_note, asked))
        begun = time.perf_counter()
        page.goto(str(http.base_url.join(address)))
        page.locator(".u-over").nth(2).wait_for()
        page.locator("tbody tr").first.wait_for()
        pages.append(time.perf_counter() - begun)
        figures.append(page.evaluate("window.figuresAfter") / 1000)
        page.wait_for_timeout(500)  # The calls below find the server idle.
        questions = [url for url in asked if "/v1/repos/" in url and not url.endswith("/live")]
        spent = [_seconds(http, url) for url in dict.fromkeys(questions)]
        calls.append(sum(spent))
        slowest.append(max(spent))
    page_seconds, call_seconds = statistics.median(pages), statistics.median(calls)
    print(
        f"overview of the demo: {page_seconds * 1000:.0f} ms, {page_seconds / call_seconds:.1f} times its "
        f"{len(questions)} calls one after the other ({call_seconds * 1000:.0f} ms); at most 5"
    )
    first, longest = statistics.median(figures), statistics.median(slowest)
    print(
        f"its first figures: {first * 1000:.0f} ms, {first / longest:.1f} times its slowest call "
        f"({longest * 1000:.0f} ms); at most 3"
    )


def _note(asked: list[str], request: Request) -> None:
    asked.append(request.url)


def _seconds(http: httpx.Client, url: str) -> float:
    """One call over HTTP, about a window that ends half a minute earlier: the same work, and not cached."""
    asked = httpx.URL(url)
    if end := asked.params.get("end_at"):
        asked = asked.copy_set_param("end_at", _instant(datetime.fromisoformat(end) - timedelta(seconds=30)))
    begun = time.perf_counter()
    assert http.get(asked).status_code == 200, asked
    return time.perf_counter() - begun


def _drawing(page: Page, url: str) -> None:
    """The time zone decides about every axis: changing it draws all charts again."""
    end = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    window = f"from={_instant(end - timedelta(hours=_HOURS))}&to={_instant(end)}"
    page.goto(f"{url}/r/acme/wide?{window}&open=load.ci")
    page.locator(".u-over").nth(7).wait_for()
    tools = page.context.new_cdp_session(page)
    tools.send("Performance.enable")
    zone = page.get_by_role("button", name=re.compile("^(Local time|UTC)$"))
    zone.click()
    spent = []
    for _ in range(ROUNDS):
        before = _script_seconds(tools)
        zone.click()
        page.wait_for_timeout(300)
        spent.append(_script_seconds(tools) - before)
    milliseconds = statistics.median(spent) * 1000
    charts = f"8 charts of {_QUEUES} groups with {_HOURS} intervals"
    print(f"drawing {charts}: {milliseconds:.0f} ms of script time; at most 50")


def _script_seconds(tools: Any) -> float:
    metrics = tools.send("Performance.getMetrics")["metrics"]
    return float(next(one["value"] for one in metrics if one["name"] == "ScriptDuration"))


def _instant(instant: datetime) -> str:
    return instant.isoformat().replace("+00:00", "Z")


if __name__ == "__main__":
    main()
