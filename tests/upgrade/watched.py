"""A repository in which everything that warns people is in use: what an upgrade must carry over.

Its queue stood still once, was steady for two weeks, then became slower, and now it stands still. Somebody
pinned the two weeks, set levels, targets and prices, and made channels: one takes everything, others cannot
be reached.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from builders import ended, entered, left, started
from live_server import LiveServer
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, WEEK, format_instant, parse_instant
from mergecast.signals.diagnosis.diagnosis import Diagnosis
from mergecast.signals.notices.delivery import NoticeSettings
from mergecast.signals.watch.alerts import AlertWatch
from waiting import wait_for, wait_until

_PATH = "/v1/repos/demo/tower"  # only channels of the demo may write to the log
_MONDAY = parse_instant("2026-08-24T00:00:00Z")
_PINNED = range(_MONDAY + WEEK, _MONDAY + 3 * WEEK)
PINNED_AT = _PINNED.stop
_SLOW_UNTIL = PINNED_AT + WEEK
STUCK_AT = _SLOW_UNTIL + 3 * HOUR + MINUTE
_STANDSTILL = range(_MONDAY + 3 * DAY, _MONDAY + 3 * DAY + 6 * HOUR)
_QUEUE = {"base_ref": "main", "queue_name": "default"}
_ALERTS = 4  # two figures against each of two baselines
_PROBLEMS = 2  # nothing starts, and nothing merges
_WAITING = (1001, 1002, 1003)
_ASKED = {
    **dict.fromkeys(("alerts", "baselines", "channels", "prices", "targets", "thresholds")),
    "queue-problems": {"start_at": format_instant(_MONDAY)},
}


async def _resolve(_: str, __: int) -> Sequence[str]:
    raise OSError("there is no such name")


NOTICES = NoticeSettings(secret_keys=("a key of a kept store, of 32 letters",), resolve=_resolve)


class Clock:
    """Stands still until it is moved."""

    def __init__(self, now: int) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now


def use_everything(server: LiveServer, clock: Clock) -> None:
    """The server must have started at the end of the pinned weeks."""
    server.send([*_merges(_MONDAY, PINNED_AT, attempts=1)], "demo/tower").raise_for_status()
    _set_up(server)
    clock.now = _SLOW_UNTIL
    server.send([*_merges(PINNED_AT, _SLOW_UNTIL, attempts=3)], "demo/tower").raise_for_status()
    wait_until(lambda: known(server)["problems"], "examining the history")
    clock.now += HOUR
    server.send([*_stuck()], "demo/tower").raise_for_status()
    for hour in range(clock.now, STUCK_AT, HOUR):
        clock.now = hour
        wait_for([format_instant(hour)] * 2, lambda: _compared(server))
        known(server)  # measures the queue
    wait_for((_ALERTS, _PROBLEMS), lambda: _found(server))
    server.http.delete(f"{_PATH}/baselines/strict").raise_for_status()
    clock.now = STUCK_AT  # messages about what was found before are due
    wait_for({"log": False, "slack": True}, lambda: has_waiting(server))
    assert server.http.get(f"{_PATH}/forecast/recommendation").is_success


def quick_watchers() -> None:
    """Let servers of this process look all the time."""
    AlertWatch.look_seconds = Diagnosis.look_seconds = 0.1


def known(server: LiveServer) -> dict[str, Any]:
    """What must outlast every upgrade, from the answers about it."""
    found = {name: server.http.get(f"{_PATH}/{name}", params=asked).json() for name, asked in _ASKED.items()}
    queues = found["thresholds"]["queues"]
    return {
        "alerts": _only(found["alerts"]["alerts"], "id", "measure", "began_at", "ended_at", "end_reason"),
        "problems": _only(found["queue-problems"]["queue_problems"], "name", "since", "found_at", "ended_at"),
        "pinned": _only(found["baselines"]["baselines"], "name", "pinned_at", "merges", "figures", "limits"),
        "set": [_only(queue["thresholds"], "name", "set") for queue in queues],
        "channels": _only(found["channels"]["channels"], "id", "kind", "notify", "queues", "waiting"),
        "targets": found["targets"],
        "prices": found["prices"],
    }


def _only(rows: list[dict[str, Any]], *fields: str) -> list[dict[str, Any]]:
    return [{field: row[field] for field in fields} for row in rows]


def start_again() -> list[dict[str, Any]]:
    """The waiting pull requests are tested and merge."""
    return [
        {**event, "id": f"again-{number}-{event['type']}"}
        for place, number in enumerate(_WAITING, 1)
        for event in _tested(number, STUCK_AT + place * MINUTE)
    ]


def _merges(start: int, end: int, attempts: int) -> Iterator[dict[str, Any]]:
    """Every 90 minutes a pull request enters, is tested alone, passes at the last attempt and merges."""
    for at in range(start, end, 90 * MINUTE):
        number = (at - _MONDAY) // (90 * MINUTE) + 1
        yield entered(format_instant(at), f"s{number}", number)
        yield from _tested(number, _STANDSTILL.stop if at in _STANDSTILL else at + MINUTE, attempts)


def _tested(number: int, at: int, attempts: int = 1) -> Iterator[dict[str, Any]]:
    run = f"s{number}", number, f"b{number}"
    for attempt in range(1, attempts + 1):
        outcome = "SUCCESS" if attempt == attempts else "CHECKS_RETRIED"
        yield started(format_instant(at), *run, [number], attempt=attempt)
        at += (10 + number % 5) * MINUTE
        yield ended(format_instant(at), *run, outcome, attempt=attempt)
    yield left(format_instant(at), f"s{number}", number)


def _stuck() -> Iterator[dict[str, Any]]:
    for number in _WAITING:
        yield entered(format_instant(_SLOW_UNTIL + number * MINUTE // 100), f"s{number}", number)


def _set_up(server: LiveServer) -> None:
    weeks = {"start_at": format_instant(_PINNED.start), "end_at": format_instant(_PINNED.stop), **_QUEUE}
    for request, body in {
        "baselines/august": weeks,
        "baselines/strict": {**weeks, "limits": {"time_to_merge_p95": 1.1}},
        "thresholds": {**_QUEUE, "levels": {"run_too_long": 5400, "going_round": 4}},
        "targets": {"targets": [{"time_in_queue_p95": 3600}, {**_QUEUE, "failure_rate": 0.1}]},
        "prices": {"currency": "EUR", "per_minute": "0.008", "by_runner": {"linux-x64-16": "0.064"}},
    }.items():
        answer = server.http.put(f"{_PATH}/{request}", json=body)
        assert answer.is_success, (request, answer.text)
    for path, channel in (
        (_PATH, {"kind": "log", "notify": ["problem", "alert", "digest"], "queues": ["default"]}),
        (_PATH, {"kind": "slack", "url": "https://hooks.example.com/services/x", "notify": ["problem"]}),
        ("/v1/owners/demo", {"kind": "webhook", "url": "https://hooks.example.com/all"}),
    ):
        server.http.post(f"{path}/channels", json=channel).raise_for_status()


def _compared(server: LiveServer) -> list[str | None]:
    """Up to when each baseline was compared."""
    baselines = server.http.get(f"{_PATH}/baselines").json()["baselines"]
    return [baseline["comparison"] and baseline["comparison"]["end_at"] for baseline in baselines]


def _found(server: LiveServer) -> tuple[int, int]:
    """How many alerts there are, and how many problems hold."""
    found = known(server)
    return len(found["alerts"]), sum(problem["ended_at"] is None for problem in found["problems"])


def has_waiting(server: LiveServer) -> dict[str, bool]:
    """Whether messages wait, for each kind of channel to which something was to be sent."""
    channels = server.http.get(f"{_PATH}/channels").json()["channels"]
    return {one["kind"]: one["waiting"] > 0 for one in channels if one["last_result"]}
