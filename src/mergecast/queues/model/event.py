"""Events of a merge queue, each as one flat value in canonical form, and the reasons that they give."""

from typing import Annotated, NamedTuple

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
    """One event. Events with the same content are equal; fields that a type does not have are None.

    Each field comes with its meaning, as exports describe it.
    """

    id: Annotated[str, "unique in a repository"]
    type: Annotated[str, "one of the types of events"]
    happened_at: Annotated[int, "when it happened"]
    base_ref: Annotated[str, "branch of the event"]
    queue_name: Annotated[str, "queue of the event"]
    priority_rule_name: Annotated[str | None, "priority rule of the event; empty if none matched"]
    source: Annotated[str, "who reported it, such as `api` or `github`"]
    session_id: Annotated[str | None, "the stay"] = None
    pull_request: Annotated[int | None, "number of the pull request"] = None
    batch_id: Annotated[str | None, "the batch"] = None
    attempt: Annotated[int | None, "which attempt at this batch, from 1"] = None
    # In the order given.
    batch_pull_requests: Annotated[str | None, "numbers of the batch's pull requests, joined by commas"] = (
        None
    )
    reason: Annotated[str | None, "why the pull request left"] = None
    outcome: Annotated[str | None, "how the check ended"] = None
    schedule_wait: Annotated[int | None, "part of the stay"] = None  # microseconds
    freeze_wait: Annotated[int | None, "part of the stay"] = None  # microseconds
    depth: Annotated[int | None, "of a split: how many came before it"] = None
    culprit_found: Annotated[bool | None, "of an end of a bisection"] = None
    max_failures_reached: Annotated[bool | None, "of an end of a bisection"] = None
    head_sha: Annotated[str | None, "last commit of the pull request then, if reported"] = None


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
