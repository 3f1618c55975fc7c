"""Every chart and table of the overview can be saved, and the files have the figures of the API."""

import csv
import re
import struct
import xml.etree.ElementTree as ET
from collections import Counter
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Browser, StorageState, expect

from browser_windows import Window
from dashboard import texts
from dashboard.conftest import ADVISED, opened_window
from live_server import LiveServer
from waiting import wait_for, wait_until

_END = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
_PERIOD = {
    "start_at": (_END - timedelta(days=7)).strftime("%Y-%m-%dT00:00:00Z"),
    "end_at": _END.strftime("%Y-%m-%dT00:00:00Z"),
}
_VIEW = {
    "from": _PERIOD["start_at"],
    "to": _PERIOD["end_at"],
    "branch": "main",
    "open": "load.ci.queues.slowest",
}
_ASKED = {**_PERIOD, "base_ref": "main"}
_PATH = f"/r/demo/harbor?{urlencode(_VIEW)}"
_CHARTS = (
    "Time in queue",
    "Where it goes",
    "Flow",
    "Why they left",
    "Queue size",
    "Running CI",
    "Failure rate",
    "CI runs per merge",
)
_SVG = "{http://www.w3.org/2000/svg}"


def _saved(window: Window, form: str, title: str) -> tuple[str, bytes]:
    """The name and the content of the file that a button saves."""
    with window.page.expect_download() as download:
        window.page.get_by_role("button", name=f"{form}: {title}", exact=True).click()
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


def _words(svg: bytes) -> list[str]:
    return [" ".join(text.itertext()) for text in ET.fromstring(svg).iter(f"{_SVG}text")]


def _table(window: Window, title: str) -> list[dict[str, str]]:
    _, content = _saved(window, "CSV", title)
    return list(csv.DictReader(StringIO(content.decode(), newline="")))


def _rows(window: Window, title: str) -> list[dict[str, str]]:
    rows = _table(window, title)
    about = ("demo/harbor", _PERIOD["start_at"], _PERIOD["end_at"])
    assert {about} == {
        (row.pop("repository"), row.pop("period_start"), row.pop("period_end")) for row in rows
    }
    return rows


def _text(value: Any) -> str:
    """A number as a browser writes it."""
    return "" if value is None else str(int(value)) if value == int(value) else repr(value)


def test_csv_has_the_figures_of_the_api(signed_in: Window, demo: LiveServer) -> None:
    """Of each kind of chart, and of the tables."""
    path = "/v1/repos/demo/harbor"
    summary = demo.http.get(f"{path}/summary", params={**_ASKED, "intervals": "true"}).json()
    reasons = demo.http.get(f"{path}/stats/queues_pr_exit_reasons", params=_ASKED).json()
    stays = demo.http.get(f"{path}/stays", params={**_ASKED, "order": "-seconds", "limit": 20}).json()[
        "stays"
    ]
    signed_in.open(_PATH)

    columns = {
        "Time in queue": {"p50_seconds": "time_in_queue_p50", "p95_seconds": "time_in_queue_p95"},
        "Where it goes": {f"{wait}_seconds": f"waiting_{wait}" for wait in ("ci", "capacity", "schedule")},
        "Flow": {"entered": "entered", "merged": "merged"},
        "Failure rate": {"failure_rate": "failure_rate"},
        "CI runs per merge": {"ci_runs_per_merge": "ci_runs_per_merge"},
    }
    for title, names in columns.items():
        assert [
            {
                "interval_start": one["start"],
                **{column: _text(one[name]["value"]) for column, name in names.items()},
            }
            for one in summary["series"]
        ] == [{name: row[name] for name in ("interval_start", *names)} for row in _rows(signed_in, title)]
    counted: dict[str, int] = {}
    for entry in (entry for group in reasons["groups"] for entry in group["stats"]):
        counted[entry["exit_reason"]] = counted.get(entry["exit_reason"], 0) + entry["count"]
    assert counted == {row["exit_reason"]: int(row["count"]) for row in _rows(signed_in, "Why they left")}
    assert [
        (one["queue_name"], _text(one["merged"]["value"]), _text(one["time_in_queue_p95"]["value"]))
        for one in summary["queues"]
    ] == [
        (row["queue_name"], row["merged"], row["time_in_queue_p95_seconds"])
        for row in _rows(signed_in, "Queues")
    ]
    assert [(one["session_id"], _text(one["seconds"]), one["head_sha"] or "") for one in stays] == [
        (row["session_id"], row["time_in_queue_seconds"], row["head_sha"])
        for row in _rows(signed_in, "Slowest stays")
    ]


def test_tables_of_other_pages_are_saved(signed_in: Window, demo: LiveServer) -> None:
    """The CI runs of a stay, and the CI checks of a period."""
    path = "/v1/repos/demo/harbor"
    (stay,) = demo.http.get(f"{path}/stays", params={**_ASKED, "order": "-at", "limit": 1}).json()["stays"]
    number = stay["pull_request"]
    stays = demo.http.get(f"{path}/pulls/{number}/history").json()["stays"]
    signed_in.open(f"/r/demo/harbor/pulls/{number}")
    runs = _table(signed_in, f"CI runs of #{number}, stay {len(stays)}")
    assert [
        ("demo/harbor", run["batch_id"], str(run["attempt"]), run["outcome"] or "")
        for run in stays[0]["checks"]
    ] == [(row["repository"], row["batch_id"], row["attempt"], row["outcome"]) for row in runs]

    title = f"Timeline of #{number}, stay {len(stays)}"
    line = [row for row in _table(signed_in, title) if row["kind"] != "gap"]
    assert [
        ("stay", stays[0]["entered_at"]),
        *(("ci run", run["started_at"]) for run in stays[0]["checks"]),
    ] == [(row["kind"], row["start_at"]) for row in line]
    words = _words(_saved(signed_in, "SVG", title)[1])
    assert words[0].startswith(title)
    assert words[1].startswith("demo/harbor · ")
    assert b"\x89PNG" == _saved(signed_in, "PNG", title)[1][:4]

    run = next(run for run in stays[0]["checks"] if run["ci_checks"])
    letter = [*dict.fromkeys(check["batch_id"] for check in stays[0]["checks"])].index(run["batch_id"])
    title = f"CI checks of #{number}, {chr(65 + letter)}·{run['attempt']} of stay {len(stays)}"
    words = _words(_saved(signed_in, "SVG", title)[1])
    assert {check["name"] for check in run["ci_checks"]} < set(words)
    assert [(one["name"], one["started_at"], one["conclusion"]) for one in run["ci_checks"]] == [
        (row["check"], row["started_at"], row["conclusion"]) for row in _table(signed_in, title)
    ]

    view = {"from": _PERIOD["start_at"], "to": _PERIOD["end_at"]}
    checks = demo.http.get(f"{path}/ci-checks", params=_PERIOD).json()["checks"]
    signed_in.open(f"/r/demo/harbor/ci-checks?{urlencode(view)}")
    assert [(one["name"], _text(one["runs"]), _text(one["seconds"]["p50"])) for one in checks] == [
        (row["check"], row["runs"], row["p50_seconds"]) for row in _table(signed_in, "CI checks")
    ]


def test_the_map_of_combinations_is_saved_as_a_picture(signed_in: Window, advised: LiveServer) -> None:
    """With every combination of the recommendation."""
    path = f"/v1/repos/{ADVISED}/forecast/recommendation"
    search = wait_until(lambda: advised.http.get(path).json()["search"], "the recommendation")
    signed_in.open(f"/r/{ADVISED}/forecast")
    expect(signed_in.page.get_by_role("button", name="SVG: Combinations of settings")).to_be_visible()
    words = _words(_saved(signed_in, "SVG", "Combinations of settings")[1])

    computed = [one for one in search["combinations"] if one["state"] == "computed"]
    shown = [texts.duration(one["time_to_merge_p95"]["value"]) for one in computed]
    assert Counter(shown) <= Counter(words)
    assert words[0].startswith("Combinations of settings")
    assert b"\x89PNG" == _saved(signed_in, "PNG", "Combinations of settings")[1][:4]


def test_every_chart_is_saved_as_a_picture(signed_in: Window) -> None:
    """It says what it shows, of what, and where it comes from."""
    signed_in.open(_PATH)

    for title in _CHARTS:
        name, svg = _saved(signed_in, "SVG", title)
        words = _words(svg)
        assert name.startswith(f"demo-harbor-{title.lower().replace(' ', '-')}-2")
        assert words[0].startswith(title)
        assert words[1].startswith("demo/harbor · ")
        assert words[1].endswith(" · branch \u2068main\u2069")
        assert any(line.startswith(f"Mergecast, {signed_in.url}/r/demo/harbor?") for line in words)
    name, png = _saved(signed_in, "PNG", "Flow")
    assert name.endswith(".png")
    assert (b"\x89PNG", (1920, 936)) == (png[:4], struct.unpack(">II", png[16:24]))


def test_a_printed_window_ends_when_it_is_printed(signed_in: Window) -> None:
    """Not with the minute that has not passed."""
    page = signed_in.page
    page.clock.set_fixed_time(datetime.now(UTC).replace(second=29))
    signed_in.open("/r/demo/harbor?window=7d")
    signed_in.sees("p95 in queue")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    head = page.locator("main > header").inner_text()
    (end, printed) = re.findall(r"(?:to|printed) (\d{4}-\d\d-\d\d \d\d:\d\d)", head)
    assert end == printed


def test_a_printed_page_is_light_and_says_what_it_is_about(
    opened_browser: Browser, demo: LiveServer, session: StorageState
) -> None:
    """From a dark screen too; afterwards the screen is dark again."""
    with opened_window(opened_browser, demo, session) as window:
        page = window.page
        page.emulate_media(color_scheme="dark")
        window.open(_PATH)
        expect(page.locator(".uplot")).to_have_count(9)
        page.evaluate(
            """() => addEventListener('beforeprint', () => {
              window.printed = {
                head: document.querySelector('main > header')?.innerText,
                theme: document.documentElement.dataset.theme,
                widths: [...document.querySelectorAll('.uplot')].map((one) => one.offsetWidth),
              };
            })"""
        )
        pages = page.pdf(format="A4")
        printed = page.evaluate("window.printed")
        wait_for(None, lambda: page.evaluate("document.documentElement.dataset.theme ?? null"))

    assert pages.startswith(b"%PDF")
    assert "light" == printed["theme"]
    assert min(printed["widths"]) >= 660, "a chart that does not fill the page"
    assert printed["head"].startswith("demo/harbor Merge queue")
    assert f"{_PERIOD['start_at'][:10]} " in printed["head"]
    assert "branch \u2068main\u2069" in printed["head"]
    assert "times in " in printed["head"]
