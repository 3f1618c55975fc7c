"""Stories of bors-ng queues."""

from collections.abc import Callable

from sources.bors_queue import BorsQueue

SUCCEEDED = "Build succeeded:"
SQUASHED = "Pull request successfully merged into main.\n\nBuild succeeded:"
FAILED = "Build failed:"
SPLIT = "Build failed (retrying...):"
CANCELED = "Canceled."
INTERRUPTED = "This PR was included in a batch that was canceled, it will be automatically retried"

NOT_PUSHED = (
    "This PR was included in a batch that successfully built, but then failed to merge into main "
    "(it was a non-fast-forward update). It will be automatically retried."
)
WAITING = ":clock1: Waiting for PR status (Github check) to be set, probably by CI."


def merged_at_the_first_try() -> BorsQueue:
    """The merge commit was made when the run began: its start is known."""
    queue = BorsQueue()
    queue.says(7, 0, "Thanks!\r\n\r\nbors r+")
    queue.merges(7, 20, by="bors", made_at=0.25)
    queue.result(20.1, SUCCEEDED, 7)
    return queue


def squashed_and_closed() -> BorsQueue:
    """A bot that squashes closes the pull request; nothing shows when the run began."""
    queue = BorsQueue(bot="mathlib-bors")
    queue.says(7, 0, "bors merge")
    queue.closed(7, 30, by="mathlib-bors")
    queue.result(30.05, SQUASHED, 7)
    return queue


def batch_of_three() -> BorsQueue:
    """One runs alone; three that come meanwhile are tested together."""
    queue = BorsQueue()
    queue.says(1, 0, "bors r+")
    for number in (2, 3, 4):
        queue.says(number, number, "bors r+")
    queue.result(20, SUCCEEDED, 1)
    queue.result(45, SUCCEEDED, 2, 3, 4)
    return queue


def two_short_runs_within_a_minute() -> BorsQueue:
    """Their links tell them apart."""
    queue = BorsQueue()
    queue.says(1, 0, "bors r+")
    queue.says(2, 1, "bors r+")
    queue.result(20, SUCCEEDED, 1)
    queue.result(20.7, SUCCEEDED, 2)
    return queue


def batch_of_two_with_a_commit() -> BorsQueue:
    """The commit for the test mentions both; a commit of a person does not count."""
    queue = BorsQueue()
    queue.says(2, 0, "bors r+")
    queue.says(3, 0.1, "bors r+")
    queue.staged(0.5, 2, 3)
    queue.event(2, 5, "ReferencedEvent", actor={"login": "ines"},
                commit={"committedDate": "2026-09-14T10:05:00Z", "messageHeadline": "Merge #2"})  # fmt: skip
    queue.result(30, SUCCEEDED, 2, 3)
    return queue


def a_failed_batch_is_halved() -> BorsQueue:
    """Halves wait behind those that wait; one of them fails alone."""
    queue = BorsQueue()
    queue.says(1, 0, "bors r+")
    queue.says(2, 0.1, "bors r+")
    queue.says(3, 5, "bors r+")
    queue.result(20, SPLIT, 1, 2)
    queue.result(40, SUCCEEDED, 3)
    queue.result(60, SUCCEEDED, 1)
    queue.result(75, FAILED, 2)
    return queue


def failed_and_approved_again() -> BorsQueue:
    queue = BorsQueue()
    queue.says(7, 0, "bors r+")
    queue.result(15, FAILED, 7)
    queue.says(7, 60, "bors retry")
    queue.result(80, SUCCEEDED, 7)
    return queue


def timed_out() -> BorsQueue:
    queue = BorsQueue()
    queue.says(7, 0, "bors r+")
    queue.says(8, 0.1, "bors r+")
    queue.replies(
        60, "This PR was included in a batch that timed out, it will be automatically retried", 7, 8
    )
    queue.replies(120, "Timed out.", 7)
    queue.result(150, SUCCEEDED, 8)
    return queue


def cancelled_while_it_waited() -> BorsQueue:
    """Another pull request is being tested: no run ends."""
    queue = BorsQueue()
    queue.says(1, 0, "bors r+")
    queue.says(2, 5, "bors r+")
    queue.says(2, 10, "bors r-")
    queue.replies(10.05, CANCELED, 2)
    queue.result(20, SUCCEEDED, 1)
    return queue


def cancelled_while_it_was_tested_alone() -> BorsQueue:
    """The next run begins when it leaves."""
    queue = BorsQueue()
    queue.says(1, 0, "bors r+")
    queue.says(2, 5, "bors r+")
    queue.says(1, 10, "bors cancel")
    queue.replies(10.05, CANCELED, 1)
    queue.result(30, SUCCEEDED, 2)
    return queue


def someone_pushed_to_a_member_of_the_batch() -> BorsQueue:
    """The others wait again."""
    queue = BorsQueue()
    for number in (1, 2, 3):
        queue.says(number, number / 60, "bors r+")
    queue.replies(10, CANCELED, 2)
    queue.replies(10.05, INTERRUPTED, 1, 3)
    queue.result(35, SUCCEEDED, 1, 3)
    return queue


def closed_without_a_reply() -> BorsQueue:
    queue = BorsQueue()
    queue.says(7, 0, "bors r+")
    queue.closed(7, 9)
    return queue


def merged_by_hand() -> BorsQueue:
    queue = BorsQueue()
    queue.says(7, 0, "bors r+")
    queue.merges(7, 9, by="tomas", made_at=9)
    return queue


def in_conflict() -> BorsQueue:
    queue = BorsQueue()
    queue.says(7, 0, "bors r+")
    queue.replies(0.3, "Merge conflict.", 7)
    return queue


def refused() -> BorsQueue:
    """Neither command brings it into the queue; the third does, and a stranger's changes nothing."""
    queue = BorsQueue()
    queue.says(7, 0, "bors r+", author="stranger")
    queue.replies(0.05, ":lock: Permission denied\n\nExisting reviewers: [click here](https://x.test)", 7)
    queue.says(7, 5, "bors r+")
    queue.replies(5.05, ":-1: Rejected by label", 7)
    queue.says(7, 10, "bors r+")
    queue.says(7, 11, "bors r+", author="stranger")
    queue.replies(11.05, "🔒 Permission denied", 7)
    queue.result(30, SUCCEEDED, 7)
    return queue


def approved_by_someone_with_a_delegation() -> BorsQueue:
    queue = BorsQueue()
    queue.says(7, 0, "bors d+")
    queue.replies(0.05, ":v: ines can now approve this pull request", 7)
    queue.says(7, 30, "bors r+", author="ines")
    queue.says(7, 31, "bors r+")
    queue.replies(31.05, "Already running a review", 7)
    queue.result(50, SUCCEEDED, 7)
    return queue


def a_try_is_no_run_of_the_queue() -> BorsQueue:
    queue = BorsQueue()
    queue.says(7, 0, "bors try")
    queue.result(20, "try\n\nBuild failed:", 7)
    queue.says(7, 25, "bors retry")
    queue.result(45, "try\n\nBuild succeeded:", 7)
    queue.says(7, 50, "bors r+")
    queue.result(70, SUCCEEDED, 7)
    return queue


def one_with_priority_runs_first() -> BorsQueue:
    queue = BorsQueue()
    queue.says(1, 0, "bors r+")
    queue.says(2, 5, "bors r+")
    queue.says(3, 8, "bors p=10\nbors r+")
    queue.result(20, SUCCEEDED, 3)
    queue.result(40, SUCCEEDED, 1)
    queue.result(60, SUCCEEDED, 2)
    return queue


def waited_for_checks_of_its_own() -> BorsQueue:
    """The first time they pass; the second time they take too long."""
    queue = BorsQueue()
    queue.says(7, 0, "bors r+")
    queue.replies(0.05, WAITING, 7)
    queue.result(50, FAILED, 7)
    queue.says(7, 60, "bors r+")
    queue.replies(60.05, WAITING, 7)
    queue.replies(90, "GitHub status checks took too long to complete, so bors is giving up.", 7)
    return queue


def the_base_branch_moved_before_the_push() -> BorsQueue:
    queue = BorsQueue()
    queue.says(7, 0, "bors r+")
    queue.replies(20, NOT_PUSHED, 7)
    queue.result(45, SUCCEEDED, 7)
    return queue


def commands_by_mail() -> BorsQueue:
    """They quote what they answer. The hosted bot added a notice to its replies."""
    queue = BorsQueue()
    quoted = (
        "> On Sep 14, 2026, at 10:59, bors[bot] <notifications@github.test> wrote:\n>\n> bors r-\n> Timed out"
    )
    queue.says(7, 0, "I don't think that worked...\r\nbors r+")
    queue.replies(60, "# Timed out", 7)
    queue.says(7, 70, f"Bors retry\n\n{quoted}")
    queue.says(7, 71, "bors ping")
    queue.replies(71.1, "pong", 7)
    queue.result(95, "Build succeeded!\n\n*The [hosted bot](https://x.test/notice) will go away.*\n", 7)
    return queue


def forgotten_by_the_bot() -> BorsQueue:
    """It did not answer the first command, and accepted the second."""
    queue = BorsQueue()
    queue.says(7, 0, "bors r+")
    queue.says(7, 300, "bors r+")
    queue.result(330, SUCCEEDED, 7)
    return queue


def two_base_branches() -> BorsQueue:
    """Each has a run of its own at the same time."""
    queue = BorsQueue(bases={2: "release/2.x"})
    queue.says(1, 0, "bors r+")
    queue.says(2, 1, "bors r+")
    queue.result(20, SUCCEEDED, 1)
    queue.result(20.1, SUCCEEDED, 2)
    return queue


def still_queued() -> BorsQueue:
    queue = BorsQueue()
    queue.says(7, 0, "bors r+")
    queue.says(8, 0.1, "bors r+")
    queue.result(20, SPLIT, 7, 8)
    return queue


def words_of_early_versions() -> BorsQueue:
    queue = BorsQueue(bot="bors[bot]")
    queue.says(1, 0, "bors: r=tomas")
    queue.says(2, 0.1, "Bors R+\nbors r+")
    queue.result(20, "# Build failed (retrying...)", 1, 2)
    queue.replies(25, "# Canceled", 2)
    queue.result(45, "## Build succeeded", 1)
    return queue


STORIES: tuple[Callable[[], BorsQueue], ...] = (
    merged_at_the_first_try,
    squashed_and_closed,
    batch_of_three,
    two_short_runs_within_a_minute,
    batch_of_two_with_a_commit,
    a_failed_batch_is_halved,
    failed_and_approved_again,
    timed_out,
    cancelled_while_it_waited,
    cancelled_while_it_was_tested_alone,
    someone_pushed_to_a_member_of_the_batch,
    closed_without_a_reply,
    merged_by_hand,
    in_conflict,
    refused,
    approved_by_someone_with_a_delegation,
    a_try_is_no_run_of_the_queue,
    one_with_priority_runs_first,
    waited_for_checks_of_its_own,
    the_base_branch_moved_before_the_push,
    commands_by_mail,
    forgotten_by_the_bot,
    two_base_branches,
    still_queued,
    words_of_early_versions,
)
