"""What a summary says about CI that nobody reported, and how exact its changes are."""

from typing import Any

import pytest

from builders import ended, entered, left, started
from live_server import LiveServer

_OF_CI = (
    *("waiting_ci", "waiting_capacity", "ci_runs_per_merge", "ci_seconds_per_merge"),
    *("retries", "bisections", "runs_saved"),
)
_DAY = "2026-03-02T"
_DAY_BEFORE = "2026-02-23T"
_WINDOW = {"start_at": "2026-03-02T00:00:00Z", "end_at": "2026-03-03T00:00:00Z"}


def _summary(server: LiveServer, repository: str, **more: str) -> Any:
    answer = server.http.get(f"/v1/repos/{repository}/summary", params={**_WINDOW, **more})
    return answer.raise_for_status().json()


def _merge(number: int, day: str = _DAY, **fields: Any) -> list[dict[str, Any]]:
    return [
        entered(f"{day}09:00:00Z", f"{day}{number}", number, **fields),
        left(f"{day}10:00:00Z", f"{day}{number}", number, **fields),
    ]


def _run(number: int, day: str, end: str, **fields: Any) -> list[dict[str, Any]]:
    run = (f"{day}{number}", number, f"batch {day}{number}")
    return [
        started(f"{day}09:30:00Z", *run, [number], **fields),
        ended(f"{day}{end}Z", *run, **fields),
    ]


def test_ci_that_is_not_reported_is_unknown(server: LiveServer, repository: str) -> None:
    """Also in the series; what exits report is known."""
    server.send(_merge(1), repository).raise_for_status()

    found = _summary(server, repository, intervals="true")

    for figures in (found["all"], found["queues"][0], found["series"][-1]):
        assert dict.fromkeys(_OF_CI, (None, 0)) == {
            name: (figures[name]["value"], figures[name]["count"]) for name in _OF_CI
        }
        assert (0, 1, 3600) == tuple(
            figures[name]["value"] for name in ("waiting_schedule", "merged", "time_in_queue_p50")
        )


def test_time_to_merge_is_that_of_merged_stays_only(server: LiveServer, repository: str) -> None:
    """Time in queue is that of all that left, and a stay without a known start has neither."""
    failed = [
        entered(f"{_DAY}08:00:00Z", "failed", 2),
        left(f"{_DAY}11:00:00Z", "failed", 2, reason="CHECKS_FAILED"),
    ]
    server.send([*_merge(1), *failed, left(f"{_DAY}10:00:00Z", "lost", 3)], repository).raise_for_status()

    found = _summary(server, repository, intervals="true")

    for figures in (found["all"], found["queues"][0]):
        assert [(7200, 2), (10728, 2), (3600, 1), (3600, 1)] == [
            (figures[name]["value"], figures[name]["count"])
            for name in ("time_in_queue_p50", "time_in_queue_p99", "time_to_merge_p50", "time_to_merge_p99")
        ]
    assert [(3600, 1), (None, 0)] == [
        (one["time_to_merge_p95"]["value"], one["time_to_merge_p95"]["count"])
        for one in found["series"]
        if one["failure_rate"]["count"]
    ]


def test_ci_is_known_for_each_queue(server: LiveServer, repository: str) -> None:
    """A run at any time is enough: a merge without one then took none."""
    quiet = {"queue_name": "quiet"}
    server.send([*_merge(1), *_run(1, _DAY_BEFORE, "09:31:00"), *_merge(2, **quiet)], repository)

    found = _summary(server, repository)

    default, other = found["queues"]
    assert [0, 3600, 0, 0, 0, 0, 0] == [default[name]["value"] for name in _OF_CI]
    assert [None] * 7 == [other[name]["value"] for name in _OF_CI]
    assert [0, 3600, 0, 0, 0, 0, 0] == [found["all"][name]["value"] for name in _OF_CI]


@pytest.mark.parametrize("name", ["ci_seconds_per_merge", "ci_runs_per_merge"])
def test_a_change_is_computed_before_values_are_rounded(
    server: LiveServer, repository: str, name: str
) -> None:
    """A run of one second for three merges, and later for one: three times as much."""
    before = [event for number in (1, 2, 3) for event in _merge(number, _DAY_BEFORE)]
    first = entered("2026-02-01T00:00:00Z", "first", 9)
    runs = [*_run(1, _DAY_BEFORE, "09:30:01"), *_run(4, _DAY, "09:30:01")]
    server.send([first, *before, *_merge(4), *runs], repository).raise_for_status()

    found = _summary(server, repository)["all"][name]

    assert 2.0 == found["change"]
