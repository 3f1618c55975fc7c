"""What must be judged is stored with the events: a server that is killed judges it after its next start."""

import time
from pathlib import Path

from mergecast.queues.model.instant import DAY, HOUR, MINUTE, format_instant, parse_instant
from removals.world import World
from robustness.server_process import ServerProcess, server_process
from waiting import wait_for, wait_until

_PATH = "/v1/repos/acme/survivor"
_PARTS = 3


def test_removals_are_judged_however_often_the_server_is_killed(tmp_path: Path) -> None:
    """It is killed right after it has acknowledged events, and once after it has judged some."""
    now = time.time_ns() // 1000
    world = World(4, now - DAY + 30 * MINUTE, 1).events
    events = sorted((event for event in world if parse_instant(event["at"]) < now), key=lambda one: one["id"])
    removed = {
        event["session_id"]
        for event in events
        if event["type"] == "queue_left" and event["reason"] != "PR_MERGED"
    }
    with server_process(tmp_path) as server:
        for part in range(_PARTS):
            with server.client() as http:
                http.post(f"{_PATH}/events", json=events[part::_PARTS]).raise_for_status()
            if part == 1:
                wait_until(lambda: _judged(server, now))
            server.kill()
            server.start()
        wait_for(len(removed), lambda: _judged(server, now))


def _judged(server: ServerProcess, now: int) -> int:
    period = {"start_at": format_instant(now - DAY - HOUR), "end_at": format_instant(now + HOUR)}
    with server.client() as http:
        answer = http.get(f"{_PATH}/verdicts", params=period)
        answer.raise_for_status()
        return sum(queue["removals"] for queue in answer.json()["queues"])
