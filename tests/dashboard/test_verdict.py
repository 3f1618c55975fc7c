"""Why a pull request was removed: the page says what the API answers."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, StorageState, expect

from browser_windows import Window
from builders import Wire, ended, entered, left, reported, started
from dashboard.conftest import HOSTILE, opened_window, session_of
from live_server import LiveServer, live_server
from mergecast.queues.model.instant import from_datetime
from mergecast.signals.removals.removals import Removals
from waiting import wait_until

pytestmark = pytest.mark.server
_NAME, _AHEAD = "acme/removed", "acme/ahead"


def _at(minutes: int) -> str:
    return (datetime.now(UTC) - timedelta(minutes=minutes)).isoformat()


def _tested(number: int, minutes: int, failed: str | None) -> list[Wire]:
    """A pull request that was tested alone for two minutes, so many minutes ago, and left after it."""
    session, batch = f"s{number}", f"b{number}"
    begun, over = _at(minutes + 2), _at(minutes)
    conclusion, outcome = ("success", "SUCCESS") if failed is None else ("failure", "CHECKS_FAILED")
    return [
        entered(begun, session, number, head_sha=f"{number:040x}"),
        started(begun, session, number, batch, [number]),
        reported(over, batch, failed or "build", conclusion, started_at=begun, ended_at=over),
        ended(over, session, number, batch, outcome),
        left(over, session, number, "PR_MERGED" if failed is None else "CHECKS_FAILED"),
    ]


def _behind() -> list[Wire]:
    """#91 is tested on top of #90; both fail two checks. Then #90 passes without it, and #91 is removed."""
    runs = [("A", 90, 60, 40), ("B", 91, 58, 38), ("C", 90, 36, 20)]
    events = [
        entered(_at(62 - place), f"s{number}", number, head_sha=f"{number:040x}")
        for place, number in enumerate((90, 91))
    ]
    for batch, number, begun, over in runs:
        has_passed = batch == "C"
        events += [
            started(_at(begun), f"s{number}", number, batch, [number]),
            *(
                reported(_at(over), batch, name, "failure", started_at=_at(begun), ended_at=_at(over))
                for name in ("lint", "types")
                if not has_passed
            ),
            ended(_at(over), f"s{number}", number, batch, "SUCCESS" if has_passed else "CHECKS_FAILED"),
        ]
    return [*events, left(_at(20), "s90", 90), left(_at(19), "s91", 91, "CHECKS_FAILED")]


@pytest.fixture(scope="module")
def removed(demo: LiveServer) -> LiveServer:
    """#7 failed a check with a hostile name, after others that passed; #8 failed what six others failed."""
    events = [event for number in range(20, 26) for event in _tested(number, 20 * number, None)]
    events += _tested(7, 200, HOSTILE)
    events += [event for number in range(30, 36) for event in _tested(number, 4 * number - 60, "build")]
    events += _tested(8, 30, "build")
    demo.send(events, _NAME).raise_for_status()
    demo.send(_behind(), _AHEAD).raise_for_status()
    return demo


@pytest.fixture
def window(opened_browser: Browser, removed: LiveServer, session: StorageState) -> Iterator[Window]:
    with opened_window(opened_browser, removed, session) as window:
        yield window


def _verdict(server: LiveServer, number: int, name: str = _NAME) -> Any:
    return server.http.get(f"/v1/repos/{name}/pulls/{number}/verdict").raise_for_status().json()


@pytest.mark.parametrize(("number", "act", "label"), [(7, "look", "Look into it"), (8, "wait", "Wait")])
def test_the_page_begins_with_the_verdict(
    window: Window, removed: LiveServer, number: int, act: str, label: str
) -> None:
    """When it was removed, the sentence and the act, then each run, and a mark for each run of others."""
    verdict = wait_until(lambda: _verdict(removed, number))
    window.open(f"/r/{_NAME}/pulls/{number}")
    shown = window.page.get_by_label("Why it was removed")

    expect(shown.locator("p").first).to_contain_text("Removed ")
    expect(shown.locator("p").nth(1)).to_have_text(verdict["sentence"].replace("`", ""))
    expect(shown.locator("strong")).to_have_text(label)
    assert act == verdict["act"]
    (run,) = shown.get_by_label("The CI runs it was in").get_by_role("listitem").all_inner_texts()
    assert f"A·1 {verdict['checks'][0]} failed when it was tested alone." == " ".join(run.split())
    marks = shown.locator("figure svg rect, figure svg circle")
    expect(marks).to_have_count(len(verdict["nearby"]))
    failed = sum(one["result"] == "failed" for one in verdict["nearby"])
    expect(shown.locator("figure svg rect")).to_have_count(failed)
    assert [] == window.violations()


def test_the_picture_says_who_was_ahead_and_who_passed_without_it(
    window: Window, removed: LiveServer
) -> None:
    """As the evidence says: a batch of one is not alone in its tree, and several checks may fail."""
    verdict = wait_until(lambda: _verdict(removed, 91, _AHEAD))
    kinds = {one["kind"]: one["text"].replace("`", "") for one in verdict["evidence"]}
    assert {
        "failed_with": "lint and types failed when it was tested with #90.",
        "passed_without": "#90 passed without it.",
    }.items() <= kinds.items()
    window.open(f"/r/{_AHEAD}/pulls/91")
    shown = window.page.get_by_label("Why it was removed").get_by_label("The CI runs it was in")

    expect(shown.get_by_role("listitem")).to_have_text(
        [f"A·1 {kinds['failed_with']}", kinds["passed_without"]], use_inner_text=True
    )
    shown.get_by_role("link", name="#90").first.click()
    expect(window.page.get_by_role("heading", level=1)).to_contain_text("#90")


def test_a_check_leads_to_its_page(window: Window, removed: LiveServer) -> None:
    wait_until(lambda: _verdict(removed, 8))
    window.open(f"/r/{_NAME}/pulls/8")
    window.page.get_by_label("Why it was removed").get_by_role("link", name="build").first.click()

    expect(window.page.get_by_role("heading", level=1)).to_contain_text("build")


def test_the_overview_shows_whose_fault_removals_were(window: Window, removed: LiveServer) -> None:
    """What was advised, and how often; as the API counts it."""
    wait_until(lambda: _verdict(removed, 8))
    window.open(f"/r/{_NAME}?open=removals")
    period = {"start_at": _at(7 * 24 * 60), "end_at": _at(0)}
    (queue,) = removed.http.get(f"/v1/repos/{_NAME}/verdicts", params=period).json()["queues"]
    section = window.page.get_by_label("Removals of default", exact=True)

    expect(section.locator("p").first).to_have_text(queue["sentence"])
    counts = {name: count for name, count in queue["removal_causes"].items() if count}
    rows = section.locator("table").first.locator("tbody tr")
    expect(rows).to_have_count(len(counts))
    numbers = [int(text) for text in rows.locator("td.number").all_inner_texts()]
    assert sorted(counts.values(), reverse=True) == numbers
    said = section.locator("table").nth(1).locator("tbody tr")
    expect(said).to_have_count(sum(act["said"] > 0 for act in queue["acts"]) + 1)
    expect(said.last).to_contain_text("all of them")


def test_removals_that_are_not_judged_yet_are_not_denied(
    opened_browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(*_: object) -> None:
        """Nothing is judged."""

    monkeypatch.setattr(Removals, "_judge", never)
    now = from_datetime(datetime.now(UTC))
    with (
        live_server(tmp_path, now=lambda: now) as server,
        opened_window(opened_browser, server, session_of(opened_browser, server)) as window,
    ):
        server.send(_tested(7, 2 * 24 * 60, "build"), _NAME).raise_for_status()
        window.open(f"/r/{_NAME}?open=removals")
        window.sees("1 removal, 1 not judged yet.")
