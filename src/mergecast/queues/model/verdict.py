"""The verdict about a removal: why a pull request left its queue, and what to do about it."""

from typing import Final, NamedTuple

from mergecast.queues.model.event import MERGED_REASONS
from mergecast.queues.model.instant import DAY, MINUTE

OWN, OTHER, FLAKE, EVERYBODY = "own", "other", "flake", "everybody"
CONFLICT, PERSON, PUSH, QUEUE, PLATFORM, UNKNOWN = (
    *("conflict", "person", "push", "queue"),
    *("platform", "unknown"),
)
CAUSES: Final = (OWN, OTHER, FLAKE, EVERYBODY, CONFLICT, PERSON, PUSH, QUEUE, PLATFORM, UNKNOWN)

QUEUE_AGAIN, WAIT, FIX, LOOK, NOTHING = "queue_again", "wait", "fix", "look", "nothing"
ACTS: Final = (QUEUE_AGAIN, WAIT, FIX, LOOK, NOTHING)

SURE, LIKELY, CANNOT_TELL = "sure", "likely", "cannot_tell"
CERTAINTIES: Final = (SURE, LIKELY, CANNOT_TELL)

FAILED_WITH, FAILED_ALONE, PASSED_WITHOUT = "failed_with", "failed_alone", "passed_without"
OTHERS_FAILED, OTHERS_PASSED, RETRIED = "others_failed", "others_passed", "retried"
EVIDENCE_KINDS: Final = (FAILED_WITH, FAILED_ALONE, PASSED_WITHOUT, OTHERS_FAILED, OTHERS_PASSED, RETRIED)

# What became of the failed check in runs of others; in some of those that failed, another check did.
CHECK_PASSED, CHECK_FAILED, OTHER_CHECK_FAILED = "passed", "failed", "failed_otherwise"
NEARBY_RESULTS: Final = (CHECK_PASSED, CHECK_FAILED, OTHER_CHECK_FAILED)

# What came of a removal; only the record of verdicts knows it.
MERGED, FAILED_AGAIN, CHANGED, NEVER_RETURNED = "merged", "failed_again", "changed", "never_returned"
OUTCOMES: Final = (MERGED, FAILED_AGAIN, CHANGED, NEVER_RETURNED)

# A verdict looks at nothing that happened later than this after the removal.
REVISED_FOR: Final = 10 * MINUTE
# "Wait" may become "queue again" for this long.
WAITS_FOR: Final = DAY

# The runs of CI say why a pull request left for one of these reasons.
JUDGED_BY_RUNS: Final = frozenset(
    {
        "CHECKS_FAILED",
        "CHECKS_TIMEOUT",
        "DROPPED_BY_BISECTION_ELIMINATION",
        "BATCH_MAX_FAILURE_RESOLUTION_ATTEMPTS",
    }
)
NO_VERDICT: Final = frozenset({*MERGED_REASONS, "PR_MANUALLY_MERGED"})

_BY_CAUSE_AND_ACT: Final[dict[tuple[str, str], tuple[str, ...]]] = {
    (CONFLICT, FIX): ("CONFLICT_WITH_BASE_BRANCH",),
    (CONFLICT, WAIT): ("CONFLICT_WITH_PULL_AHEAD",),
    (PUSH, QUEUE_AGAIN): ("PULL_REQUEST_UPDATED",),
    (PERSON, NOTHING): ("PR_MANUALLY_DEQUEUED",),
    (OTHER, QUEUE_AGAIN): ("PR_AHEAD_DEQUEUED", "BATCH_AHEAD_FAILED", "BATCH_AHEAD_BRANCH_EDITED"),
    (OTHER, WAIT): ("STACK_PREDECESSOR_DEQUEUED",),
    (QUEUE, QUEUE_AGAIN): (
        "MERGE_QUEUE_RESET",
        "CONFIGURATION_CHANGED",
        "BATCH_SCOPES_CHANGED",
        "PR_WITH_HIGHER_PRIORITY_QUEUED",
        "SPECULATIVE_CHECK_NUMBER_REDUCED",
        "INTERMEDIATE_RESULTS_SKIPPED",
        "BASE_BRANCH_CHANGED",
    ),
    (QUEUE, WAIT): (
        "PR_CHECKS_STOPPED_BECAUSE_MERGE_QUEUE_PAUSE",
        "SCHEDULED_FREEZE_STATUS_CHANGED",
        "SCHEDULE_BLOCKED_AHEAD_YIELDED",
    ),
    (QUEUE, LOOK): ("QUEUE_RULE_MISSING",),
    # Once; the same commit that is removed again for such a reason needs a look.
    (PLATFORM, QUEUE_AGAIN): (
        "CHECKS_INTERRUPTED",
        "BRANCH_UPDATE_FAILED",
        "DRAFT_PULL_REQUEST_CREATION_FAILED",
        "DRAFT_PULL_REQUEST_CREATION_BRANCH_NOT_INDEXED",
        "DRAFT_PULL_REQUEST_CHANGED",
        "BATCH_PULL_REQUEST_CLOSED",
        "PR_UNEXPECTEDLY_FAILED_TO_MERGE",
        "BASE_REF_ALIGNMENT_TIMEOUT",
    ),
    (PLATFORM, LOOK): (
        "INCOMPATIBILITY_WITH_BRANCH_PROTECTIONS",
        "UNPROCESSABLE_PULL_REQUEST",
        "GITHUB_STACKED_PULL_REQUEST_MERGE_UNSUPPORTED",
        "BASE_BRANCH_MISSING",
    ),
    # PR_DEQUEUED is a catch-all: closed, made a draft, without a pipeline, cancelled.
    (UNKNOWN, LOOK): ("UNKNOWN", "CHECKS_RETRIED", "PR_DEQUEUED", "PR_DEQUEUED_FROM_PARTITION"),
}
# Cause and act of reasons that need no statistics.
BY_REASON: Final = {
    reason: cause_and_act for cause_and_act, reasons in _BY_CAUSE_AND_ACT.items() for reason in reasons
}


class Probabilities(NamedTuple):
    """How probable each cause is that runs can show."""

    own: float
    other: float
    flake: float
    everybody: float


class WaitFor(NamedTuple):
    """What to wait for: until another run passes a check, or until a pull request has left the queue."""

    check: str | None = None
    pull_request: int | None = None


class Evidence(NamedTuple):
    """One observation that the verdict rests on, and the batches that it was made in."""

    kind: str
    text: str
    batches: tuple[str, ...]


class NearbyRun(NamedTuple):
    """A run of others in the hours before the removal, and what became of the same check in it."""

    batch_id: str
    attempt: int
    ended_at: int
    pull_requests: tuple[int, ...]
    result: str


class Basis(NamedTuple):
    """How much the verdict rests on."""

    runs: int
    removals: int
    check_names: bool
    head_sha: bool
    unchanged_returns: int


class Suspicion(NamedTuple):
    """Who may have failed the runs of a pull request that is still in the queue.

    Suspects are given by the last session of their commit, its own first; a set of them by bits.
    """

    suspects: tuple[str, ...]
    sets: tuple[int, ...]
    probabilities: tuple[float, ...]  # that exactly these are broken


class Verdict(NamedTuple):
    """Everything that is said about a removal, except what only the record knows: revision and outcome."""

    cause: str
    certainty: str
    act: str
    sentence: str
    judged_at: int  # what happened up to this instant was taken into account
    basis: Basis
    probabilities: Probabilities | None = None
    passes_now: float | None = None
    passes_later: float | None = None
    wait_for: WaitFor | None = None
    checks: tuple[str, ...] = ()
    others: tuple[int, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    nearby: tuple[NearbyRun, ...] = ()
