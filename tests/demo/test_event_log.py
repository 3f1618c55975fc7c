"""Every event has the form that the ingest endpoint accepts."""

import re
from itertools import pairwise
from typing import Any

import pytest

pytestmark = pytest.mark.thorough

_ALWAYS = {"id", "type", "at", "base_ref", "queue_name", "priority_rule_name", "source"}
_STAY = {"session_id", "pull_request"}
_FIELDS = {
    "queue_entered": _STAY | {"head_sha"},
    "queue_left": _STAY
    | {"reason", "batch_id", "seconds_waiting_for_schedule", "seconds_waiting_for_freeze", "head_sha"},
    "checks_started": _STAY | {"batch_id", "attempt", "batch_pull_requests"},
    "checks_ended": _STAY | {"batch_id", "attempt", "outcome"},
    "bisection_started": {"batch_id", "depth", "batch_pull_requests"},
    "bisection_ended": {"batch_id", "culprit_found", "max_failures_reached"},
}
_EXIT_REASONS = {
    "PR_MERGED",
    "PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED",
    "CHECKS_FAILED",
    "CHECKS_TIMEOUT",
    "BATCH_MAX_FAILURE_RESOLUTION_ATTEMPTS",
    "PR_UNEXPECTEDLY_FAILED_TO_MERGE",
    "CONFLICT_WITH_BASE_BRANCH",
    "CONFLICT_WITH_PULL_AHEAD",
    "PULL_REQUEST_UPDATED",
    "PR_MANUALLY_DEQUEUED",
}
_CHECK_OUTCOMES = {
    "SUCCESS",
    "CHECKS_FAILED",
    "CHECKS_TIMEOUT",
    "CHECKS_RETRIED",
    "CHECKS_INTERRUPTED",
    "INTERMEDIATE_RESULTS_SKIPPED",
    "BATCH_AHEAD_FAILED",
    "PR_AHEAD_DEQUEUED",
    "PR_WITH_HIGHER_PRIORITY_QUEUED",
    "SCHEDULED_FREEZE_STATUS_CHANGED",
    "PR_CHECKS_STOPPED_BECAUSE_MERGE_QUEUE_PAUSE",
    "MERGE_QUEUE_RESET",
    "PULL_REQUEST_UPDATED",
    "PR_MANUALLY_DEQUEUED",
}


def test_every_event_has_exactly_the_fields_of_its_type(events: list[dict[str, Any]]) -> None:
    """All fields are written, also those that equal their default."""
    actual = {(event["type"], frozenset(event)) for event in events}

    assert {(kind, frozenset(_ALWAYS | fields)) for kind, fields in _FIELDS.items()} == actual


def test_ids_are_strictly_increasing(events: list[dict[str, Any]]) -> None:
    """No id comes twice, and their order as text is the order of the events."""
    assert all(one["id"] < other["id"] for one, other in pairwise(events))


def test_time_never_goes_back(events: list[dict[str, Any]]) -> None:
    """Events come in time order."""
    assert all(one["at"] <= other["at"] for one, other in pairwise(events))


def test_times_are_utc_with_microseconds(events: list[dict[str, Any]]) -> None:
    """Every time has six digits of a second and ends in Z."""
    form = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")

    assert all(form.fullmatch(event["at"]) for event in events)


def test_all_events_name_the_demo_as_their_source(events: list[dict[str, Any]]) -> None:
    """They can be distinguished from real events and deleted together."""
    assert {"demo"} == {event["source"] for event in events}


def test_every_promised_exit_reason_occurs_and_no_other(events: list[dict[str, Any]]) -> None:
    """All reasons are in the list of the activity log."""
    assert _EXIT_REASONS == {event["reason"] for event in events if event["type"] == "queue_left"}


def test_every_promised_check_outcome_occurs_and_no_other(events: list[dict[str, Any]]) -> None:
    """All outcomes are in the list of the activity log."""
    assert _CHECK_OUTCOMES == {event["outcome"] for event in events if event["type"] == "checks_ended"}


def test_a_batch_lists_different_pull_requests_and_the_one_it_is_about(events: list[dict[str, Any]]) -> None:
    """No pull request is listed twice in a batch, and the pull request of the event is listed."""
    started = [event for event in events if "batch_pull_requests" in event]

    assert all(
        len(set(event["batch_pull_requests"])) == len(event["batch_pull_requests"]) for event in started
    )
    assert all(event.get("pull_request") in {None, *event["batch_pull_requests"]} for event in started)


def test_numbers_are_within_their_bounds(events: list[dict[str, Any]]) -> None:
    """Attempts count from one, depths from zero, and there is one retry at most."""
    assert {1, 2} == {event["attempt"] for event in events if "attempt" in event}
    assert {0, 1} == {event["depth"] for event in events if "depth" in event}


def test_waiting_is_never_negative(events: list[dict[str, Any]]) -> None:
    """Both kinds of waiting are zero or more seconds."""
    left = [event for event in events if event["type"] == "queue_left"]

    assert 0 == min(event["seconds_waiting_for_schedule"] for event in left)
    assert 0 == min(event["seconds_waiting_for_freeze"] for event in left)


def test_what_happens_has_an_identity(events: list[dict[str, Any]]) -> None:
    """No two events say the same kind of thing of the same stay, check or bisection."""
    keys = ("type", "session_id", "batch_id", "attempt", "depth")

    identities = [tuple(event.get(key) for key in keys) for event in events]

    assert len(identities) == len(set(identities))
