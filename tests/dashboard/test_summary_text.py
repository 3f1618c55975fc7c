"""What the overview gives to others: a summary as Markdown, and the report."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import expect

from browser_windows import Window
from dashboard import texts
from live_server import LiveServer

_DEMO = "/v1/repos/demo/harbor"
_TIMES = (
    ("Time in queue, p50", "time_in_queue_p50", texts.duration),
    ("Time in queue, p95", "time_in_queue_p95", texts.duration),
)
_RATES = (
    ("Failure rate", "failure_rate", texts.rate),
    ("CI runs per merge", "ci_runs_per_merge", texts.ratio),
    ("CI time per merge", "ci_seconds_per_merge", texts.duration),
)
pytestmark = pytest.mark.server


def _value(value: str, change: float | None, *, of_rate: bool = False) -> str:
    changed = texts.change(change, of_rate=of_rate)
    return value + (f" ({changed})" if changed else "")


def _lines(summary: Any) -> list[str]:
    all, merged = summary["all"], summary["all"]["merged_per_day"]
    per_day = texts.per_day(merged, summary["window"]).replace("/ day", " / day").replace("in ", " in ")

    def lines(figures: Any) -> list[str]:
        return [
            f"- {label}: "
            + _value(write(all[name]["value"]), all[name]["change"], of_rate=name == "failure_rate")
            for label, name, write in figures
        ]

    waits = ((wait, all[f"waiting_{wait.lower()}"]) for wait in ("CI", "capacity", "schedule", "freeze"))
    waiting = (f"{wait} {_value(texts.duration(one['value']), one['change'])}" for wait, one in waits)
    return [
        *lines(_TIMES),
        f"- Merged: {_value(per_day, merged['change'])}",
        *lines(_RATES),
        f"- Waiting, mean: {', '.join(waiting)}",
    ]


def test_the_copied_summary_and_the_report_are_what_the_api_answers(
    signed_in: Window, demo: LiveServer
) -> None:
    """The link leads to the same days."""
    page, end = signed_in.page, datetime.now(UTC).date()
    days = [f"{end - timedelta(days=before)}T00:00:00Z" for before in (7, 0)]
    asked = dict(zip(("start_at", "end_at"), days, strict=True))
    summary = demo.http.get(f"{_DEMO}/summary", params=asked).json()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    signed_in.open(f"/r/demo/harbor?from={days[0]}&to={days[1]}")
    page.get_by_role("button", name="Copy summary").click()
    expect(page.get_by_text("Copied.")).to_be_visible()

    copied = str(page.evaluate("navigator.clipboard.readText()")).splitlines()
    assert f"**demo/harbor**: {summary['state']['sentence']}" == copied[0].replace("\\", "")
    assert _lines(summary) == copied[2:-2]
    shown = [day[:16].replace("T", " ") for day in days]
    assert copied[-1].startswith(f"[{shown[0]} to {shown[1]} UTC](<{demo.url}/r/demo/harbor?from=")

    report = page.get_by_role("link", name="Report").get_attribute("href")
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Report").click()
    expect(opened.value.get_by_text(summary["state"]["sentence"])).to_be_visible()
    assert "time_zone=" in str(report)
