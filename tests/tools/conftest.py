"""One server for all tests of tools: a demo of sixteen days, at an instant at which its queue is busy."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import pytest

from live_server import LiveServer, live_server
from mergecast.demo.history import demo_events
from mergecast.queues.model.instant import MINUTE, parse_instant
from waiting import wait_until

REPOSITORY = "demo/harbor"
NOW = "2026-03-18T15:10:00Z"
_MONDAY = date(2026, 3, 2)
_DAYS_OF_CHECKS = timedelta(days=3)
_EVENTS = 5000


class _Clock:
    """Stands still, and is set forward once: an imported history is judged after two quiet minutes."""

    def __init__(self, now: int) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    clock = _Clock(parse_instant(NOW) - 5 * MINUTE)
    until = datetime.fromisoformat(NOW).astimezone(UTC)
    events = list(demo_events(_MONDAY, until, checks_since=until - _DAYS_OF_CHECKS))
    with live_server(tmp_path_factory.mktemp("tools"), now=clock) as server:
        for first in range(0, len(events), _EVENTS):
            server.send(events[first : first + _EVENTS], REPOSITORY).raise_for_status()
        clock.now = parse_instant(NOW)
        verdict = f"/v1/repos/{REPOSITORY}/pulls/{removed_pull(server)}/verdict"
        wait_until(lambda: server.http.get(verdict).status_code == 200)
        yield server


def removed_pull(server: LiveServer) -> int:
    """The pull request that was last removed because of its checks."""
    stays = server.http.get(f"/v1/repos/{REPOSITORY}/stays").json()["stays"]
    removed = [stay for stay in stays if stay["reason"] == "CHECKS_FAILED"]
    number: int = max(removed, key=lambda stay: str(stay["left_at"]))["pull_request"]
    return number
