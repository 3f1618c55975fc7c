"""The queues behave like queues: every pull request that enters leaves, and no limit is exceeded."""

from collections import Counter, defaultdict
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from mergecast.demo.history import demo_events

_LIMITS = {"default": 3, "hotfix": 2, "release": 2}
_FAILURES = {"CHECKS_FAILED", "CHECKS_TIMEOUT"}


def test_a_stay_goes_from_entering_over_checks_to_leaving(events: list[dict[str, Any]]) -> None:
    """Every stay begins with its entering, nothing follows its leaving, and it leaves at most once."""
    stays = _by(events, "session_id")

    for stay in stays.values():
        kinds = [event["type"] for event in stay]
        assert ["queue_entered"] == kinds[:1]
        assert 1 == kinds.count("queue_entered")
        assert "queue_left" not in kinds[:-1]


def test_every_check_starts_once_and_ends_before_the_stay_is_over(events: list[dict[str, Any]]) -> None:
    """A stay that has left has no check in progress."""
    for stay in _by(events, "session_id").values():
        if stay[-1]["type"] != "queue_left":
            continue
        started = [_check(event) for event in stay if event["type"] == "checks_started"]
        ended = [_check(event) for event in stay if event["type"] == "checks_ended"]
        assert started == ended


def test_a_pull_request_is_in_one_queue_at_a_time(events: list[dict[str, Any]]) -> None:
    """A pull request enters again only after it has left."""
    for history in _by(events, "pull_request").values():
        kinds = [event["type"] for event in history if event["type"].startswith("queue_")]
        assert ["queue_entered", "queue_left"] * (len(kinds) // 2) + ["queue_entered"] * (
            len(kinds) % 2
        ) == kinds


def test_all_that_enters_has_left_or_is_open(events: list[dict[str, Any]]) -> None:
    """After ninety days only a few pull requests are still in the queues."""
    kinds = Counter(event["type"] for event in events)

    assert 0 <= kinds["queue_entered"] - kinds["queue_left"] <= 20


@pytest.mark.parametrize("queue_name", list(_LIMITS))
def test_running_checks_reach_the_limit_and_never_exceed_it(
    events: list[dict[str, Any]], queue_name: str
) -> None:
    """A queue uses all the parallel checks it may, and not one more."""
    running: Counter[tuple[str, int]] = Counter()
    most = 0

    for event in events:
        if event["queue_name"] == queue_name and event["type"].startswith("checks_"):
            running[_check(event)] += 1 if event["type"] == "checks_started" else -1
            running += Counter()
            most = max(most, len(running))

    assert _LIMITS[queue_name] == most


def test_a_merge_follows_a_success_or_a_success_behind(events: list[dict[str, Any]]) -> None:
    """A merged stay ends with a passed check; one merged with a later batch does not."""
    for stay in _by(events, "session_id").values():
        outcomes = [event["outcome"] for event in stay if event["type"] == "checks_ended"]
        reason = stay[-1].get("reason")
        assert reason != "PR_MERGED" or outcomes[-1] == "SUCCESS"
        assert reason != "PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED" or outcomes[-1] != "SUCCESS"


def test_a_retried_check_is_tried_again_in_the_same_batch(events: list[dict[str, Any]]) -> None:
    """After a first attempt that is retried comes the second attempt of the same batch."""
    for stay in _by(events, "session_id").values():
        retried = {event["batch_id"] for event in stay if event.get("outcome") == "CHECKS_RETRIED"}
        again = {event["batch_id"] for event in stay if event.get("attempt") == 2}
        assert retried <= again


def test_a_batch_skipped_is_named_by_the_stays_it_merges(events: list[dict[str, Any]]) -> None:
    """What is merged without waiting for its own result says which batch was saved."""
    skipped = [event for event in events if event.get("reason") == "PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED"]

    assert len({event["batch_id"] for event in skipped}) >= 50
    assert {"default", "website"} == {event["queue_name"] for event in skipped}


def test_a_failed_batch_is_merged_with_a_success_behind_it() -> None:
    """A later batch that passes with the same changes shows that the failure was a flake."""
    history = demo_events(date(2025, 9, 1), datetime(2025, 9, 25, tzinfo=UTC), seed=12)

    stays = _by(list(history), "session_id").values()
    ends = {(stay[-2].get("outcome"), stay[-1].get("reason")) for stay in stays if len(stay) > 1}

    assert ("CHECKS_FAILED", "PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED") in ends


def test_bisections_start_at_depth_zero_and_end_once_all_have_left(events: list[dict[str, Any]]) -> None:
    """The splits of one bisection go deeper one by one, and its end comes last."""
    bisections: dict[str, list[Any]] = defaultdict(list)
    for event in events:
        if event["type"].startswith("bisection_"):
            bisections[event["batch_id"]].append(event.get("depth", "end"))

    assert {(0, "end"), (0, 1, "end")} == {tuple(steps) for steps in bisections.values()}


def test_bisections_have_all_kinds_of_ends(events: list[dict[str, Any]]) -> None:
    """Most find a culprit, some find that it was a flake, some give up."""
    ended = [event for event in events if event["type"] == "bisection_ended"]

    assert {True, False} == {event["culprit_found"] for event in ended}
    assert {True, False} == {event["max_failures_reached"] for event in ended}


def test_waiting_fits_into_the_stay(events: list[dict[str, Any]]) -> None:
    """CI and waiting for a schedule or a freeze never take longer than the stay."""
    for stay in _by(events, "session_id").values():
        last = stay[-1]
        if last["type"] != "queue_left":
            continue
        ends = [_at(event) for event in stay if event["type"] == "checks_ended"]
        starts = [_at(event) for event in stay if event["type"] == "checks_started"]
        tested = sum((end - start for start, end in zip(starts, ends, strict=True)), timedelta())
        waited = last["seconds_waiting_for_schedule"] + last["seconds_waiting_for_freeze"]
        assert tested.total_seconds() + waited <= (_at(last) - _at(stay[0])).total_seconds() + 0.001


def test_freeze_and_schedule_hold_up_one_queue_each(events: list[dict[str, Any]]) -> None:
    """Only the release queue is frozen, and only the default queue has a schedule."""
    left = [event for event in events if event["type"] == "queue_left"]

    assert {"default"} == {event["queue_name"] for event in left if event["seconds_waiting_for_schedule"]}
    assert {"release"} == {event["queue_name"] for event in left if event["seconds_waiting_for_freeze"]}


def test_exits_of_a_month_look_like_those_of_a_healthy_team(month: list[dict[str, Any]]) -> None:
    """Failures are 1 to 8 percent of all exits, merges 85 to 95.

    The bot's translations are no part of it: one in six of them is made to fail.
    """
    left = [event for event in month if event["type"] == "queue_left"]
    reasons = [event["reason"] for event in left if event["queue_name"] != "website"]

    assert 0.01 <= sum(reason in _FAILURES for reason in reasons) / len(reasons) <= 0.08
    assert 0.85 <= sum(reason.startswith("PR_MERGED") for reason in reasons) / len(reasons) <= 0.95


def test_the_slowest_stays_take_a_few_times_the_median(month: list[dict[str, Any]]) -> None:
    """In the default queue the 95th percentile is three to six times the median."""
    durations = sorted(
        _at(stay[-1]) - _at(stay[0])
        for stay in _by(month, "session_id").values()
        if stay[-1]["type"] == "queue_left" and stay[0]["queue_name"] == "default"
    )

    ratio = durations[len(durations) * 95 // 100] / durations[len(durations) // 2]

    assert 3 <= ratio <= 6


def test_queues_without_a_freeze_are_empty_at_some_time_of_every_day(month: list[dict[str, Any]]) -> None:
    """What enters during the day has left by the next morning."""
    sizes: dict[str, list[int]] = defaultdict(list)
    size = 0

    for event in month:
        if event["queue_name"] != "release" and event["type"].startswith("queue_"):
            sizes[event["at"][:10]].append(size)
            size += 1 if event["type"] == "queue_entered" else -1
            sizes[event["at"][:10]].append(size)

    assert {0} == {min(of_day) for of_day in sizes.values()}


def _by(events: list[dict[str, Any]], field: str) -> dict[Any, list[dict[str, Any]]]:
    found: dict[Any, list[dict[str, Any]]] = defaultdict(list)
    for event in events:
        if field in event:
            found[event[field]].append(event)
    return found


def _check(event: dict[str, Any]) -> tuple[str, int]:
    return event["batch_id"], event["attempt"]


def _at(event: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(event["at"])
