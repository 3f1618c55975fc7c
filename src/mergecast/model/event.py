"""Events of a merge queue, each as one flat value in canonical form."""

from typing import NamedTuple

QUEUE_ENTERED = "queue_entered"
QUEUE_LEFT = "queue_left"
CHECKS_STARTED = "checks_started"
CHECKS_ENDED = "checks_ended"
BISECTION_STARTED = "bisection_started"
BISECTION_ENDED = "bisection_ended"

EVENT_TYPES = (
    QUEUE_ENTERED,
    QUEUE_LEFT,
    CHECKS_STARTED,
    CHECKS_ENDED,
    BISECTION_STARTED,
    BISECTION_ENDED,
)


class Event(NamedTuple):
    """One event. Events with the same content are equal; fields that a type does not have are None."""

    id: str
    type: str
    happened_at: int
    base_ref: str
    queue_name: str
    priority_rule_name: str | None
    source: str
    session_id: str | None = None
    pull_request: int | None = None
    batch_id: str | None = None
    attempt: int | None = None
    batch_pull_requests: str | None = None  # numbers joined by commas, in the order given
    reason: str | None = None
    outcome: str | None = None
    schedule_wait: int | None = None  # microseconds
    freeze_wait: int | None = None  # microseconds
    depth: int | None = None
    culprit_found: bool | None = None
    max_failures_reached: bool | None = None


# Fields that have another name in the API: there durations are seconds, and `at` is a reserved word in SQL.
WIRE_NAMES = {
    "happened_at": "at",
    "schedule_wait": "seconds_waiting_for_schedule",
    "freeze_wait": "seconds_waiting_for_freeze",
}


class Group(NamedTuple):
    """Where something happened: statistics are given per group."""

    base_ref: str
    queue_name: str
    priority_rule_name: str | None
