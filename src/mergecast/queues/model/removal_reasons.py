"""What is said about removals whose reason says everything."""

from typing import Final

from mergecast.queues.model.verdict import (
    BY_REASON,
    CANNOT_TELL,
    CONFLICT,
    LOOK,
    PLATFORM,
    QUEUE_AGAIN,
    SURE,
    UNKNOWN,
    WAIT,
    Basis,
    Verdict,
    WaitFor,
)

# {number} is the pull request. The act follows, unless the sentence contains it.
_SENTENCES: Final = {
    "CONFLICT_WITH_BASE_BRANCH": "It conflicts with the base branch. Rebase it before queueing it again.",
    "CONFLICT_WITH_PULL_AHEAD": (
        "It conflicts with a pull request ahead of it in the queue. Wait for that one; if it merges, rebase."
    ),
    "PULL_REQUEST_UPDATED": "A new commit was pushed while it was queued.",
    "PR_MANUALLY_DEQUEUED": "Someone took it out of the queue.",
    "PR_AHEAD_DEQUEUED": "A pull request ahead of it left the queue; this was not about #{number}.",
    "BATCH_AHEAD_FAILED": "The batch ahead of it failed; this was not about #{number}.",
    "BATCH_AHEAD_BRANCH_EDITED": (
        "The branch of the batch ahead of it was edited; this was not about #{number}."
    ),
    "STACK_PREDECESSOR_DEQUEUED": (
        "The pull request below it in its stack left the queue. "
        "Wait until that one is queued again or merges."
    ),
    "MERGE_QUEUE_RESET": "The queue was reset; this was not about #{number}.",
    "CONFIGURATION_CHANGED": "The configuration of the queue changed; this was not about #{number}.",
    "BATCH_SCOPES_CHANGED": "The scopes of its batch changed; this was not about #{number}.",
    "PR_WITH_HIGHER_PRIORITY_QUEUED": "One with a higher priority overtook it; this was not about #{number}.",
    "SPECULATIVE_CHECK_NUMBER_REDUCED": (
        "Fewer parallel checks are allowed now; this was not about #{number}."
    ),
    "INTERMEDIATE_RESULTS_SKIPPED": "A later batch passed; this was not about #{number}.",
    "BASE_BRANCH_CHANGED": "Its base branch was changed.",
    "PR_CHECKS_STOPPED_BECAUSE_MERGE_QUEUE_PAUSE": (
        "The queue was paused; this was not about #{number}. Wait until it is resumed."
    ),
    "SCHEDULED_FREEZE_STATUS_CHANGED": (
        "A scheduled freeze began or ended; this was not about #{number}. Wait until no freeze is active."
    ),
    "SCHEDULE_BLOCKED_AHEAD_YIELDED": (
        "It yielded to others because its schedule does not allow merging now. Wait until it does."
    ),
    "QUEUE_RULE_MISSING": "Its queue is no longer configured. Look at the configuration.",
    "CHECKS_INTERRUPTED": "Its checks were interrupted; they did not fail.",
    "BRANCH_UPDATE_FAILED": "Its branch could not be updated.",
    "DRAFT_PULL_REQUEST_CREATION_FAILED": "The pull request of its batch could not be created.",
    "DRAFT_PULL_REQUEST_CREATION_BRANCH_NOT_INDEXED": (
        "The platform did not see the branch of its batch in time."
    ),
    "DRAFT_PULL_REQUEST_CHANGED": "The pull request of its batch was edited.",
    "BATCH_PULL_REQUEST_CLOSED": "The pull request of its batch was closed.",
    "PR_UNEXPECTEDLY_FAILED_TO_MERGE": "It passed, but merging it failed.",
    "BASE_REF_ALIGNMENT_TIMEOUT": "It could not be retargeted in time.",
    "INCOMPATIBILITY_WITH_BRANCH_PROTECTIONS": (
        "Branch protection does not allow the queue to merge it. Look at the branch protection."
    ),
    "UNPROCESSABLE_PULL_REQUEST": "The platform could not process it. Look at the pull request.",
    "GITHUB_STACKED_PULL_REQUEST_MERGE_UNSUPPORTED": (
        "GitHub cannot merge this stack. Look at the pull requests below it."
    ),
    "BASE_BRANCH_MISSING": "Its base branch no longer exists. Look at the pull request.",
    "UNKNOWN": "Cannot tell why it left: the reason is unknown. Look at the pull request.",
    "CHECKS_RETRIED": "Cannot tell why it left: its checks were retried. Look at the log.",
    "PR_DEQUEUED": (
        "Cannot tell why it left: it may have been closed, made a draft or cancelled. "
        "Look at the pull request."
    ),
    "PR_DEQUEUED_FROM_PARTITION": (
        "Cannot tell why it left this partition of the queue. Look at the pull request."
    ),
}
_COMPLETE: Final = frozenset({"PULL_REQUEST_UPDATED"})
_ONE_AHEAD: Final = (
    "It conflicts with #{ahead}, which is ahead of it in the queue. Wait for #{ahead}; if it merges, rebase."
)
_AGAIN: Final = "This has happened to the same commit before. Look at the pull request."
FROM_PLATFORM: Final = frozenset(reason for reason, (cause, _) in BY_REASON.items() if cause == PLATFORM)


def verdict_by_reason(
    reason: str, number: int, ahead: int | None = None, *, is_repeated: bool = False
) -> Verdict:
    """About a pull request; `ahead` is the one ahead of it, if there was exactly one.

    What the platform did wrong once is tried again, once. The caller knows when it is said, and what on.
    """
    cause, act = BY_REASON[reason]
    if cause == PLATFORM and is_repeated:
        act = LOOK
    return Verdict(
        cause,
        CANNOT_TELL if cause == UNKNOWN else SURE,
        act,
        _sentence(reason, number, act, ahead),
        0,
        Basis(0, 0, False, False, 0),
        wait_for=WaitFor(pull_request=ahead) if cause == CONFLICT and act == WAIT and ahead else None,
        others=(ahead,) if ahead and cause == CONFLICT else (),
    )


def _sentence(reason: str, number: int, act: str, ahead: int | None) -> str:
    if reason == "CONFLICT_WITH_PULL_AHEAD" and ahead is not None:
        return _ONE_AHEAD.format(ahead=ahead)
    said = _SENTENCES[reason].format(number=number)
    if act == QUEUE_AGAIN and reason not in _COMPLETE:
        return f"{said} Queue it again."
    return f"{said} {_AGAIN}" if act == LOOK and BY_REASON[reason][1] == QUEUE_AGAIN else said
