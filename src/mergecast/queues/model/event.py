"""Events of a merge queue, each as one flat value in canonical form, and the reasons that they give."""

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

# How checks end, and why pull requests leave a queue.
MERGED_REASONS = ("PR_MERGED", "PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED")

INTERRUPTIONS = (
    "BASE_BRANCH_CHANGED",
    "BASE_BRANCH_MISSING",
    "BATCH_MAX_FAILURE_RESOLUTION_ATTEMPTS",
    "BATCH_SCOPES_CHANGED",
    "BRANCH_UPDATE_FAILED",
    "CHECKS_FAILED",
    "CHECKS_INTERRUPTED",
    "CHECKS_TIMEOUT",
    "DROPPED_BY_BISECTION_ELIMINATION",
    "CONFLICT_WITH_BASE_BRANCH",
    "CONFLICT_WITH_PULL_AHEAD",
    "DRAFT_PULL_REQUEST_CHANGED",
    "BATCH_PULL_REQUEST_CLOSED",
    "INCOMPATIBILITY_WITH_BRANCH_PROTECTIONS",
    "MERGE_QUEUE_RESET",
    "PR_AHEAD_DEQUEUED",
    "BATCH_AHEAD_FAILED",
    "BATCH_AHEAD_BRANCH_EDITED",
    "PR_CHECKS_STOPPED_BECAUSE_MERGE_QUEUE_PAUSE",
    "PR_DEQUEUED",
    "PR_DEQUEUED_FROM_PARTITION",
    "PR_UNEXPECTEDLY_FAILED_TO_MERGE",
    "PR_WITH_HIGHER_PRIORITY_QUEUED",
    "PULL_REQUEST_UPDATED",
    "QUEUE_RULE_MISSING",
    "SPECULATIVE_CHECK_NUMBER_REDUCED",
    "PR_MANUALLY_MERGED",
    "DRAFT_PULL_REQUEST_CREATION_FAILED",
    "DRAFT_PULL_REQUEST_CREATION_BRANCH_NOT_INDEXED",
    "CONFIGURATION_CHANGED",
    "UNPROCESSABLE_PULL_REQUEST",
    "PR_MANUALLY_DEQUEUED",
    "STACK_PREDECESSOR_DEQUEUED",
    "INTERMEDIATE_RESULTS_SKIPPED",
    "CHECKS_RETRIED",
    "SCHEDULED_FREEZE_STATUS_CHANGED",
    "SCHEDULE_BLOCKED_AHEAD_YIELDED",
    "BASE_REF_ALIGNMENT_TIMEOUT",
    "GITHUB_STACKED_PULL_REQUEST_MERGE_UNSUPPORTED",
)

CHECK_OUTCOMES = ("SUCCESS", *INTERRUPTIONS)
EXIT_REASONS = (*MERGED_REASONS, "UNKNOWN", *INTERRUPTIONS)


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
