"""Maps GitHub's reasons for leaving a queue to ours."""

_MERGED = "PR_MERGED"
PROVEN_FAILURES = frozenset({"CHECKS_FAILED", "CHECKS_TIMEOUT"})

# `reason` of the webhook `pull_request.dequeued`.
_WEBHOOK_REASONS = {
    "MERGE": _MERGED,
    "ALREADY_MERGED": "PR_MANUALLY_MERGED",
    "CI_FAILURE": "CHECKS_FAILED",
    "CI_TIMEOUT": "CHECKS_TIMEOUT",
    "MANUAL": "PR_MANUALLY_DEQUEUED",
    "QUEUE_CLEARED": "MERGE_QUEUE_RESET",
    "ROLL_BACK": "PR_UNEXPECTEDLY_FAILED_TO_MERGE",
    "BRANCH_PROTECTIONS": "INCOMPATIBILITY_WITH_BRANCH_PROTECTIONS",
    "GIT_TREE_INVALID": "PR_UNEXPECTEDLY_FAILED_TO_MERGE",
    "INVALID_MERGE_COMMIT": "PR_UNEXPECTEDLY_FAILED_TO_MERGE",
}
# `reason` of a timeline item: free text in lower case, these are the known ones.
_TIMELINE_REASONS = {
    "merged": _MERGED,
    "failed_checks": "CHECKS_FAILED",
    "manual": "PR_MANUALLY_DEQUEUED",
}
_CONFLICT = "merge_conflict"


def exit_reason(reason: str | None, *, is_behind_another: bool) -> str:
    """The exit reason for GitHub's; UNKNOWN for one that is not listed here.

    >>> exit_reason("CI_FAILURE", is_behind_another=False)
    'CHECKS_FAILED'
    """
    if reason is None:
        return "UNKNOWN"
    text = reason.lower()
    if text == _CONFLICT:
        return "CONFLICT_WITH_PULL_AHEAD" if is_behind_another else "CONFLICT_WITH_BASE_BRANCH"
    if reason in _WEBHOOK_REASONS:
        return _WEBHOOK_REASONS[reason]
    if "timeout" in text or "timed" in text:
        return "CHECKS_TIMEOUT"
    return _TIMELINE_REASONS.get(text, "UNKNOWN")
