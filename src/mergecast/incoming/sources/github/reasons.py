"""Maps GitHub's reasons for leaving a queue to exit reasons of events."""

MERGED = "PR_MERGED"
MERGED_BY_HAND = "PR_MANUALLY_MERGED"
UNKNOWN = "UNKNOWN"
CONFLICT_WITH_BASE = "CONFLICT_WITH_BASE_BRANCH"
CONFLICT_WITH_AHEAD = "CONFLICT_WITH_PULL_AHEAD"
PROVEN_FAILURES = frozenset({"CHECKS_FAILED", "CHECKS_TIMEOUT"})

# In lower case: the `reason` of the webhook `pull_request.dequeued`, and that of a timeline's item, which
# is free text.
_REASONS = {
    "merge": MERGED,
    "merged": MERGED,
    "already_merged": MERGED_BY_HAND,
    "ci_failure": "CHECKS_FAILED",
    "failed_checks": "CHECKS_FAILED",
    "manual": "PR_MANUALLY_DEQUEUED",
    "queue_cleared": "MERGE_QUEUE_RESET",
    "roll_back": "PR_UNEXPECTEDLY_FAILED_TO_MERGE",
    "branch_protections": "INCOMPATIBILITY_WITH_BRANCH_PROTECTIONS",
    "git_tree_invalid": "PR_UNEXPECTEDLY_FAILED_TO_MERGE",
    "invalid_merge_commit": "PR_UNEXPECTEDLY_FAILED_TO_MERGE",
    "merge_conflict": CONFLICT_WITH_BASE,
    "unknown_removal_reason": UNKNOWN,
}


def exit_reason(reason: str | None) -> str:
    """The exit reason for GitHub's; UNKNOWN for one that is not listed here.

    GitHub does not say what a pull request was in conflict with: the group ahead of it, or the base branch.

    >>> exit_reason("CI_FAILURE")
    'CHECKS_FAILED'
    """
    text = (reason or "").lower()
    if "timeout" in text or "timed" in text:
        return "CHECKS_TIMEOUT"
    return _REASONS.get(text, UNKNOWN)


def is_unknown(reason: str | None) -> bool:
    """Whether GitHub gave a reason that is not listed here.

    >>> is_unknown("UNKNOWN_REMOVAL_REASON"), is_unknown(None), is_unknown("SOLAR_FLARE")
    (False, False, True)
    """
    known = not reason or reason.lower() in _REASONS
    return not known and exit_reason(reason) == UNKNOWN
