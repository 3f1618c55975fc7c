"""Every run of the demo has fourteen CI checks: one flaky, one slow, one short of machines."""

from collections import Counter, defaultdict
from datetime import UTC, date, datetime
from typing import Any

import pytest

from mergecast.demo.ci_checks import FLAKY, NAMES, SHORT_OF_MACHINES, SLOW, CiRun, ci_checks
from mergecast.demo.history import demo_events
from mergecast.demo.settings import DAY, HOUR
from mergecast.incoming.intake.event_rules import read_event
from mergecast.queues.model.instant import parse_instant

_START, _END = date(2026, 3, 2), datetime(2026, 3, 16, tzinfo=UTC)


@pytest.fixture(scope="module")
def events() -> list[dict[str, Any]]:
    return list(demo_events(_START, _END, checks_since=datetime(2026, 3, 2, tzinfo=UTC)))


def _reports(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [event for event in events if event["type"] == "ci_check_reported"]


def test_nothing_else_in_the_history_depends_on_them(events: list[dict[str, Any]]) -> None:
    assert list(demo_events(_START, _END)) == [
        event for event in events if event["type"] != "ci_check_reported"
    ]


def test_every_run_that_ended_has_fourteen_valid_reports(events: list[dict[str, Any]]) -> None:
    ended = {(event["batch_id"], event["attempt"]) for event in events if event["type"] == "checks_ended"}
    runs: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
    for report in _reports(events):
        runs[report["batch_id"], report["attempt"]].append(report["name"])

    assert 14 == len(set(NAMES))
    assert all(tuple(names) == NAMES for names in runs.values())
    assert ended <= runs.keys()
    now = parse_instant("2026-03-16T00:00:00Z")
    assert not [
        read for report in _reports(events)[:2000] if isinstance(read := read_event(report, "", now), list)
    ]


def test_flakes_fail_in_one_check_and_broken_changes_always_in_the_same() -> None:
    """So only the flaky check passes after it failed."""
    flakes = Counter(
        check.name
        for number in range(200)
        for check in ci_checks(1, CiRun(str(number), 0, 600, 600, "CHECKS_RETRIED", None))
        if check.conclusion == "failure"
    )
    broken = {
        check.name
        for attempt in range(20)
        for check in ci_checks(1, CiRun(f"x:{attempt}", 0, 600, 600, "CHECKS_FAILED", "2201"))
        if check.conclusion == "failure"
    }

    assert flakes[FLAKY] > 150
    assert 200 == sum(flakes.values())
    assert 1 == len(broken)


def test_a_run_that_passes_ends_with_the_slow_check() -> None:
    checks = {check.name: check for check in ci_checks(1, CiRun("a:1", 100, 1300, 1200, "SUCCESS", None))}

    assert {"success"} == {check.conclusion for check in checks.values()}
    assert 1300 == checks[SLOW].ended_at == max(check.ended_at for check in checks.values())


@pytest.mark.parametrize(("day", "hour", "shortest"), [(0, 9, 300), (4, 9, 300), (5, 9, 0), (0, 15, 0)])
def test_one_check_waits_for_machines_on_weekday_mornings(day: int, hour: int, shortest: int) -> None:
    start = 7 * DAY + day * DAY + hour * HOUR
    run = CiRun("a:1", start, start + 1200, 1200, "SUCCESS", None)
    waits = {
        check.name: check.started_at - check.queued_at
        for check in ci_checks(1, run)
        if check.started_at is not None
    }

    assert shortest <= waits.pop(SHORT_OF_MACHINES) <= (900 if shortest else 25)
    assert max(waits.values()) <= 25


def test_what_an_interruption_stops_is_cancelled() -> None:
    stopped = ci_checks(1, CiRun("a:1", 0, 60, 1200, "PR_AHEAD_DEQUEUED", None))

    assert {"success", "cancelled"} >= {check.conclusion for check in stopped}
    assert "cancelled" == next(check.conclusion for check in stopped if check.name == SLOW)
    assert all(check.ended_at <= 60 for check in stopped)
