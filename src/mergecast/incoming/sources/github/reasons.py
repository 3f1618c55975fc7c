"""Maps GitHub's reasons for leaving a queue to ours."""

_MERGED = "PR_MERGED"
UNKNOWN = "UNKNOWN"
PROVEN_FAILURES = frozenset({"CHECKS_FAILED", "CHECKS_TIMEOUT"})

# In lower case: the `reason` of the webhook `pull_request.dequeued`, and that of a timeline's item, which
# is free text.
_REASONS = {
    "merge": _MERGED,
    "merged": _MERGED,
    "already_merged": "PR_MANUALLY_MERGED",
    "ci_failure": "CHECKS_FAILED",
    "failed_checks": "CHECKS_FAILED",
    "manual": "PR_MANUALLY_DEQUEUED",
    "queue_cleared": "MERGE_QUEUE_RESET",
    "roll_back": "PR_UNEXPECTEDLY_FAILED_TO_MERGE",
    "branch_protections": "INCOMPATIBILITY_WITH_BRANCH_PROTECTIONS",
    "git_tree_invalid": "PR_UNEXPECTEDLY_FAILED_TO_MERGE",
    "invalid_merge_commit": "PR_UNEXPECTEDLY_FAILED_TO_MERGE",
    "unknown_removal_reason": UNKNOWN,
}
_CONFLICT = "merge_conflict"


def exit_reason(reason: str | None, *, is_behind_another: bool) -> str:
    """The exit reason for GitHub's; UNKNOWN for one that is not listed here.

    >>> exit_reason("CI_FAILURE", is_behind_another=False)
    'CHECKS_FAILED'
    """
    text = (reason or "").lower()
    if text == _CONFLICT:
        return "CONFLICT_WITH_PULL_AHEAD" if is_behind_another else "CONFLICT_WITH_BASE_BRANCH"
    if "timeout" in text or "timed" in text:
        return "CHECKS_TIMEOUT"
    return _REASONS.get(text, UNKNOWN)


def is_unknown(reason: str | None) -> bool:
    """Whether GitHub gave a reason that is not listed here.

    >>> is_unknown("UNKNOWN_REMOVAL_REASON"), is_unknown(None), is_unknown("SOLAR_FLARE")
    (False, False, True)
    """
    known = not reason or reason.lower() in _REASONS
    return not known and exit_reason(reason, is_behind_another=False) == UNKNOWN
