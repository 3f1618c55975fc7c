"""Why a check or a stay ended, as small numbers: a replay writes millions of them."""

from typing import Final

REASONS: Final = (
    "PR_MERGED",
    "PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED",
    "CHECKS_FAILED",
    "CHECKS_TIMEOUT",
    "CHECKS_INTERRUPTED",
    "DROPPED_BY_BISECTION_ELIMINATION",
    "BATCH_MAX_FAILURE_RESOLUTION_ATTEMPTS",
    "CONFLICT_WITH_BASE_BRANCH",
    "CONFLICT_WITH_PULL_AHEAD",
    "PR_UNEXPECTEDLY_FAILED_TO_MERGE",
    "PR_MANUALLY_DEQUEUED",
    "PULL_REQUEST_UPDATED",
    "PR_DEQUEUED",
    "PR_MANUALLY_MERGED",
    "STACK_PREDECESSOR_DEQUEUED",
    "BRANCH_UPDATE_FAILED",
    "OTHER",  # the platform or the configuration removed it; the history keeps the exact code
)
OUTCOMES: Final = (
    "SUCCESS",
    "CHECKS_FAILED",
    "CHECKS_TIMEOUT",
    "CHECKS_INTERRUPTED",
    "CHECKS_RETRIED",
    "BATCH_AHEAD_FAILED",
    "PR_AHEAD_DEQUEUED",
    "PR_WITH_HIGHER_PRIORITY_QUEUED",
    "INTERMEDIATE_RESULTS_SKIPPED",
    "MERGE_QUEUE_RESET",
    "PR_CHECKS_STOPPED_BECAUSE_MERGE_QUEUE_PAUSE",
)

# Exit reasons, as indexes into REASONS.
MERGED: Final = 0
VOUCHED: Final = 1
FAILED: Final = 2
TIMED_OUT: Final = 3
INTERRUPTED: Final = 4
DROPPED: Final = 5
SPLIT_LIMIT: Final = 6
CONFLICT_WITH_BASE: Final = 7
CONFLICT_AHEAD: Final = 8
MERGE_REFUSED: Final = 9
BY_HAND: Final = 10
UPDATED: Final = 11

# Outcomes of a run, as indexes into OUTCOMES. The oracle answers one of PASS, FAIL and CANCELLED.
PASS: Final = 0
FAIL: Final = 1
TIMEOUT: Final = 2
CANCELLED: Final = 3
RETRIED: Final = 4
AHEAD_FAILED: Final = 5
AHEAD_LEFT: Final = 6
OVERTAKEN: Final = 7
SKIPPED: Final = 8
RESET: Final = 9
PAUSED: Final = 10
UNFINISHED: Final = -1  # the run was still in progress when the replay ended

# What is wrong with a pull request, as bits of `Fate.flaws`.
BROKEN: Final = 1
CONFLICTING: Final = 2
REFUSED: Final = 4

NEVER: Final = -1
EVERY_SCOPE: Final = -1  # the scopes of a barrier: it shares one with everything
