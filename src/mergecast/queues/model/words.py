"""Counts, reasons and verdicts in words."""

from collections.abc import Mapping

_ORDINALS = (
    *("", "First", "Second", "Third", "Fourth", "Fifth"),
    *("Sixth", "Seventh", "Eighth", "Ninth", "Tenth"),
)

# scripts/types gives these words to the dashboard, too. How checks end and why pull requests leave a queue:
REASON_WORDS = {
    "SUCCESS": "passed",
    "UNKNOWN": "reason unknown",
    "PR_MERGED": "merged",
    "PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED": "merged because a later batch passed",
    "PR_MANUALLY_MERGED": "merged by hand",
    "PR_DEQUEUED": "removed from the queue",
    "PR_DEQUEUED_FROM_PARTITION": "removed from a partition",
    "PR_MANUALLY_DEQUEUED": "removed by hand",
    "PR_AHEAD_DEQUEUED": "a pull request ahead of it left",
    "PR_WITH_HIGHER_PRIORITY_QUEUED": "overtaken by one with a higher priority",
    "PR_UNEXPECTEDLY_FAILED_TO_MERGE": "the merge failed unexpectedly",
    "PR_CHECKS_STOPPED_BECAUSE_MERGE_QUEUE_PAUSE": "checks stopped: the queue was paused",
    "PULL_REQUEST_UPDATED": "updated while it was in the queue",
    "UNPROCESSABLE_PULL_REQUEST": "the pull request could not be processed",
    "STACK_PREDECESSOR_DEQUEUED": "the pull request below it in its stack left",
    "GITHUB_STACKED_PULL_REQUEST_MERGE_UNSUPPORTED": "GitHub cannot merge this stack",
    "CHECKS_FAILED": "checks failed",
    "CHECKS_TIMEOUT": "checks timed out",
    "CHECKS_RETRIED": "checks were retried",
    "CHECKS_INTERRUPTED": "checks were interrupted",
    "SPECULATIVE_CHECK_NUMBER_REDUCED": "fewer parallel checks allowed",
    "INTERMEDIATE_RESULTS_SKIPPED": "skipped: a later batch passed",
    "BATCH_MAX_FAILURE_RESOLUTION_ATTEMPTS": "its batch was split too often",
    "BATCH_AHEAD_FAILED": "the batch ahead of it failed",
    "BATCH_AHEAD_BRANCH_EDITED": "the branch of the batch ahead of it was edited",
    "BATCH_SCOPES_CHANGED": "the scopes of its batch changed",
    "BATCH_PULL_REQUEST_CLOSED": "the pull request of its batch was closed",
    "DROPPED_BY_BISECTION_ELIMINATION": "identified by bisection",
    "CONFLICT_WITH_BASE_BRANCH": "conflict with the base branch",
    "CONFLICT_WITH_PULL_AHEAD": "conflict with a pull request ahead of it",
    "BASE_BRANCH_CHANGED": "its base branch was changed",
    "BASE_BRANCH_MISSING": "its base branch no longer exists",
    "BASE_REF_ALIGNMENT_TIMEOUT": "could not be retargeted in time",
    "BRANCH_UPDATE_FAILED": "its branch could not be updated",
    "INCOMPATIBILITY_WITH_BRANCH_PROTECTIONS": "branch protection does not allow the queue",
    "DRAFT_PULL_REQUEST_CHANGED": "the pull request of its batch was edited",
    "DRAFT_PULL_REQUEST_CREATION_FAILED": "the pull request of its batch could not be created",
    "DRAFT_PULL_REQUEST_CREATION_BRANCH_NOT_INDEXED": "GitHub did not see the branch of its batch in time",
    "MERGE_QUEUE_RESET": "the queue was reset",
    "QUEUE_RULE_MISSING": "its queue is no longer configured",
    "CONFIGURATION_CHANGED": "the configuration changed",
    "SCHEDULED_FREEZE_STATUS_CHANGED": "a scheduled freeze began or ended",
    "SCHEDULE_BLOCKED_AHEAD_YIELDED": "overtook a pull request that waited for its schedule",
}

# What to do after a removal, and whose fault it was.
ACT_WORDS = {
    "queue_again": "Queue it again",
    "wait": "Wait",
    "fix": "Fix it first",
    "look": "Look into it",
    "nothing": "Nothing to do",
}
CAUSE_WORDS = {
    "own": "the change itself",
    "other": "another pull request",
    "flake": "chance",
    "everybody": "a check that failed for everyone",
    "conflict": "a conflict",
    "person": "removed by hand",
    "push": "a new commit",
    "queue": "the queue",
    "platform": "the platform",
    "unknown": "cannot tell",
}
# What came of a removal.
OUTCOME_WORDS = {
    "merged": "It came back unchanged and merged.",
    "failed_again": "It came back unchanged and failed again.",
    "changed": "It came back with another commit.",
    "never_returned": "It did not come back within 14 days.",
}


# Why a pull request has no expected merge.
UNKNOWN_MERGE_WORDS = {
    "pending": "it is being computed …",
    "too_little_history": "a forecast needs 14 days and 200 merges on this branch within the last 60 days.",
    "too_many_events": "this branch has more events than a forecast reads.",
    "failed": "it could not be computed; the server's log says why.",
    "silent": "no event has arrived for unusually long, so the queue may have changed.",
    "alert": "an alert about this queue is open, and nothing can be expected until it ends.",
    "no_runs": "no CI run has ever started in this queue.",
    "known": "it merged in none of the replays.",
}


# What an alert about a queue says in the middle of a sentence, with the instant since when it holds.
TROUBLE_WORDS = {
    "no_run_started": "no CI run has started since {}",
    "run_too_long": "a CI run has been in progress since {}, unusually long",
    "everyone_fails": "checks have failed in all CI runs since {}",
    "nothing_merges": "nothing has merged since {}",
    "runs_slow": "CI runs have taken unusually long since {}",
}


def in_words(reason: str | None) -> str:
    """Why a pull request left; a reason that a newer program stored is unknown, too."""
    return REASON_WORDS.get(reason or "UNKNOWN", REASON_WORDS["UNKNOWN"])


def causes_in_words(causes: Mapping[str, int]) -> str:
    """Whose fault removals were, the most frequent cause first.

    >>> causes_in_words({"own": 2, "flake": 5, "push": 0})
    'chance (5), the change itself (2)'
    """
    ranked = sorted(causes.items(), key=lambda one: (-one[1], one[0]))
    return ", ".join(f"{CAUSE_WORDS[cause]} ({count:,})" for cause, count in ranked if count)


def plural(number: float, one: str, many: str | None = None) -> str:
    """A noun or verb for a number of things.

    >>> plural(1, "stay"), plural(2, "stay"), plural(0, "is", "are")
    ('stay', 'stays', 'are')
    """
    return one if number == 1 else many or f"{one}s"


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number of things.

    >>> counted(1, "repository", "repositories"), counted(1200, "event")
    ('1 repository', '1,200 events')
    """
    return f"{number:,} {plural(number, one, many)}"


def ordinal(number: int) -> str:
    """A place in words, or in digits after the tenth.

    >>> [ordinal(number) for number in (1, 3, 11, 21, 112, 123)]
    ['First', 'Third', '11th', '21st', '112th', '123rd']
    """
    if number < len(_ORDINALS):
        return _ORDINALS[number]
    return nth(number)


def nth(number: int) -> str:
    """A place in digits.

    >>> [nth(number) for number in (1, 3, 11, 22)]
    ['1st', '3rd', '11th', '22nd']
    """
    is_teen = number % 100 in (11, 12, 13)
    return f"{number}{'th' if is_teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def percentage(chance: float) -> str:
    """A chance as people read it.

    >>> [percentage(chance) for chance in (0.014, 0.84, 0.98)]
    ['below 5 %', 'about 85 %', 'above 95 %']
    """
    rounded = round(chance * 20) * 5
    if 0 < rounded < 100:  # noqa: PLR2004
        return f"about {rounded} %"
    return "above 95 %" if rounded else "below 5 %"


def from_here(chance: float) -> str:
    """How many of the pull requests with this chance merge."""
    return f"{percentage(chance)} merge from here"
