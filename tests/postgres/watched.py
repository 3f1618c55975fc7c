"""A repository in which everything that warns people is in use: what a copy must carry over.

Its queue stood still once, was steady for two weeks, then became slower, and now it stands still. Somebody
pinned the two weeks, set thresholds and prices, and made channels: one takes everything, others cannot
be reached.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from builders import ended, entered, left, started
from live_server import LiveServer, live_server
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, WEEK, format_instant, parse_instant
from mergecast.queues.store.alerts import LASTING
from mergecast.signals.notices.delivery import NoticeSettings
from prompt_alerts import prompt_alerts
from waiting import wait_for, wait_until

_PATH = "/v1/repos/demo/tower"  # only channels of the demo may write to the log
_MONDAY = parse_instant("2026-08-24T00:00:00Z")
_PINNED = range(_MONDAY + WEEK, _MONDAY + 3 * WEEK)
PINNED_AT = _PINNED.stop
_SLOW_UNTIL = PINNED_AT + WEEK
STUCK_AT = _SLOW_UNTIL + 3 * HOUR + LASTING
_STANDSTILL = range(_MONDAY + 3 * DAY, _MONDAY + 3 * DAY + 6 * HOUR)
_QUEUE = {"base_ref": "main", "queue_name": "default"}
_COMPARED = 4  # alerts: two figures against each of two reference periods
_LEARNED = 1  # open alert: nothing runs
_WAITING = (1001, 1002, 1003)
_ASKED = {
    **dict.fromkeys(("channels", "reference-periods", "settings", "summary")),
    "alerts": {"state": "all"},
}


async def _resolve(_: str, __: int) -> Sequence[str]:
    raise OSError("there is no such name")


NOTICES = NoticeSettings(secret_keys=("a key of a copied store, of 32 letters",), resolve=_resolve)


class Clock:
    """Stands still until it is moved."""

    def __init__(self, now: int) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now


@contextmanager
def watched_server(folder: Path, clock: Clock) -> Iterator[LiveServer]:
    """A server whose store has all of it, as of `STUCK_AT`."""
    clock.now = PINNED_AT
    with prompt_alerts(), live_server(folder, now=clock, notices=NOTICES) as server:
        use_everything(server, clock)
        yield server


def use_everything(server: LiveServer, clock: Clock) -> None:
    """The server must have started at the end of the pinned weeks."""
    server.send([*_merges(_MONDAY, PINNED_AT, attempts=1)], "demo/tower").raise_for_status()
    _set_up(server)
    clock.now = _SLOW_UNTIL
    server.send([*_merges(PINNED_AT, _SLOW_UNTIL, attempts=3)], "demo/tower").raise_for_status()
    wait_until(lambda: known(server)["alerts"], "examining the history")
    clock.now += HOUR
    server.send([*_stuck()], "demo/tower").raise_for_status()
    for hour in range(clock.now, STUCK_AT, HOUR):
        clock.now = hour
        wait_for([format_instant(hour)] * 2, lambda: _compared(server))
        known(server)  # measures the queue
        clock.now = hour + LASTING  # messages about what was found are due, and are sent within an hour
        wait_for({"log": False, "slack": True}, lambda: has_waiting(server))
    wait_for((_COMPARED, _LEARNED), lambda: _found(server))
    _put_settings(server, {"reference_periods": [_pinned_weeks("august")]})
    assert server.http.get(f"{_PATH}/forecast/recommendation").is_success


def known(server: LiveServer) -> dict[str, Any]:
    """What a copy must carry over, from the answers about it."""
    found = {name: server.http.get(f"{_PATH}/{name}", params=asked).json() for name, asked in _ASKED.items()}
    alerts = sorted(found["alerts"]["alerts"], key=lambda alert: str(alert["id"]))
    instants = ("since", "found_at", "ended_at")
    pinned = found["reference-periods"]["reference_periods"]
    return {
        "state": found["summary"]["state"],
        "alerts": _only(alerts, "id", "figure", "origin", *instants, "end_reason"),
        "pinned": _only(pinned, "name", "pinned_at", "merges", "figures", "limits"),
        "thresholds": sorted(found["settings"]["thresholds"], key=lambda one: str(one["figure"])),
        "channels": _only(found["channels"]["channels"], "id", "kind", "name", "rules", "waiting"),
        "prices": found["settings"]["prices"],
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


def _pinned_weeks(name: str, **limits: float) -> dict[str, Any]:
    period = {"start_at": format_instant(_PINNED.start), "end_at": format_instant(_PINNED.stop)}
    return {"name": name, **_QUEUE, **period, "limits": limits}


def _put_settings(server: LiveServer, settings: dict[str, Any]) -> None:
    etag = server.http.get(f"{_PATH}/settings").headers["ETag"]
    answer = server.http.put(f"{_PATH}/settings", json=settings, headers={"If-Match": etag})
    assert answer.is_success, answer.text


def _set_up(server: LiveServer) -> None:
    thresholds: list[dict[str, Any]] = [
        {"figure": "run_too_long", **_QUEUE, "value": "1h30m"},
        {"figure": "going_round", **_QUEUE, "value": 4},
        {"figure": "splits", **_QUEUE, "value": None},
        {"figure": "time_in_queue_p95", "value": "1h", "alert": False},
        {"figure": "failure_rate", **_QUEUE, "value": "10%", "alert": False},
    ]
    periods = [_pinned_weeks("august"), _pinned_weeks("strict", time_to_merge_p95=1.1)]
    prices = {"currency": "EUR", "per_minute": "0.008", "by_runner": {"linux-x64-16": "0.064"}}
    _put_settings(server, {"thresholds": thresholds, "reference_periods": periods, "prices": prices})
    learned, compared = (
        {"what": "alert", "origins": origins} for origins in (["learned", "set"], ["reference"])
    )
    here = {"queues": ["default"]}
    for path, channel in (
        (_PATH, {"kind": "log", "rules": [learned | here, compared | here, {"what": "digest"}]}),
        (_PATH, {"kind": "slack", "url": "https://hooks.example.com/services/x", "rules": [learned]}),
        ("/v1/owners/demo", {"kind": "webhook", "url": "https://hooks.example.com/all"}),
    ):
        server.http.post(f"{path}/channels", json=channel).raise_for_status()


def _compared(server: LiveServer) -> list[str | None]:
    """Up to when each reference period was compared."""
    periods = server.http.get(f"{_PATH}/reference-periods").json()["reference_periods"]
    return [period["comparison"] and period["comparison"]["end_at"] for period in periods]


def _found(server: LiveServer) -> tuple[int, int]:
    """How many alerts against reference periods there are, and how many others are open."""
    alerts = known(server)["alerts"]
    compared = [alert for alert in alerts if alert["origin"] == "reference"]
    return len(compared), sum(alert["ended_at"] is None for alert in alerts if alert not in compared)


def has_waiting(server: LiveServer) -> dict[str, bool]:
    """Whether messages wait, for each kind of channel to which something was to be sent."""
    channels = server.http.get(f"{_PATH}/channels").json()["channels"]
    return {one["kind"]: one["waiting"] > 0 for one in channels if one["last_result"]}
