"""With little data nothing is red: chance alone may explain it."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from browser_windows import Window
from builders import ended, entered, left, reported, started
from dashboard.conftest import opened_window, session_of
from live_server import live_server

pytestmark = pytest.mark.server
_SECTIONS = "load.ci.queues.removals.slowest"
_ENOUGH = 20
# What has one of the two red colors on the page, with its text or its class.
_RED = """() => {
  const probe = document.body.appendChild(document.createElement('i'));
  const reds = ['--bad', '--tone-bad'].map((name) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  });
  probe.remove();
  const isRed = (one) => {
    const { color, fill, stroke, backgroundColor } = getComputedStyle(one);
    return [color, fill, stroke, backgroundColor].some((used) => reds.includes(used));
  };
  const named = (one) => `${one.tagName} ${one.textContent.trim().slice(0, 60)}`;
  return [...document.querySelectorAll('main *')].filter(isRed).map(named);
}"""


def _history(count: int, repository: str) -> list[dict[str, Any]]:
    """Stays that end with a failed check, except the last one."""
    begin = datetime.now(UTC).replace(microsecond=0) - timedelta(hours=30)
    found = list[dict[str, Any]]()
    for number in range(1, count + 1):
        at = [(begin + timedelta(minutes=20 * number + minute)).isoformat() for minute in range(4)]
        stay, batch, is_last = f"{repository} {number}", f"{repository} batch {number}", number == count
        outcome, reason = ("SUCCESS", "PR_MERGED") if is_last else ("CHECKS_FAILED", "CHECKS_FAILED")
        conclusion = "success" if is_last else "failure"
        found += [
            entered(at[0], stay, number),
            started(at[1], stay, number, batch, [number]),
            reported(at[2], batch, "types", conclusion, started_at=at[1]),
            ended(at[2], stay, number, batch, outcome),
            left(at[3], stay, number, reason),
        ]
    return found


def _red(window: Window, path: str, *, shows: str) -> list[str]:
    window.open(path)
    window.sees(shows)
    window.settles()
    found: list[str] = window.page.evaluate(_RED)
    return found


def test_nothing_is_red_among_six_stays(opened_browser: Browser, tmp_path: Path) -> None:
    """The same pages of enough stays have red in them."""
    with (
        live_server(tmp_path) as server,
        opened_window(opened_browser, server, session_of(opened_browser, server)) as window,
    ):
        server.send(_history(6, "acme/few"), "acme/few").raise_for_status()
        few = _pages(window, "acme/few", "Checks removed 5 pull requests in these 7 days, and none of them")
        listed = _red(window, "/", shows="acme/few")
        server.send(_history(_ENOUGH, "acme/many"), "acme/many").raise_for_status()
        many = _pages(window, "acme/many", "Fix types first: it removed 19 pull requests")

    assert [[], [], []] == [*few, listed]
    assert all(many)


def _pages(window: Window, name: str, act: str) -> list[list[str]]:
    return [
        _red(window, f"/r/{name}?open={_SECTIONS}", shows="failed or timed out"),
        _red(window, f"/r/{name}/ci-checks", shows=act),
    ]
