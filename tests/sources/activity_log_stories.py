"""Stories of the activity log, one function each; the expected events lie in golden/."""

from collections.abc import Callable

from sources.activity_log_pages import LogStory


def merged_at_the_first_try() -> LogStory:
    story = LogStory()
    story.enter(0, 1, "a")
    story.depth_changed(0)
    story.start(2, 1, "a", "X")
    story.end(20, 1, "a", "X", began=2.5)
    story.merged(21, 1, "a")
    story.leave(21, 1, "a", "PR_MERGED", batch="X")
    return story


def batch_of_three() -> LogStory:
    story = LogStory()
    sessions = ((1, "a"), (2, "b"), (3, "c"))
    for number, session in sessions:
        story.enter(number / 10, number, session)
    for number, session in sessions:
        story.start(2, number, session, "X", members=[1, 2, 3])
    for number, session in sessions:
        story.end(20, number, session, "X", members=[1, 2, 3], began=2.5)
        story.leave(21, number, session, "PR_MERGED", batch="X", queued=number / 10)
    return story


def retried() -> LogStory:
    """A retry keeps the batch and runs on another pull request."""
    story = LogStory()
    story.enter(0, 1, "a")
    story.start(4, 1, "a", "X", checked=9001)
    story.end(24, 1, "a", "X", "CHECKS_RETRIED", checked=9001, began=4)
    story.start(25, 1, "a", "X", checked=9002)
    story.end(45, 1, "a", "X", checked=9002, began=25)
    story.leave(55.5, 1, "a", "PR_MERGED", batch="X", freeze=600)
    return story


def the_end_of_the_first_attempt_is_missing() -> LogStory:
    story = LogStory()
    story.enter(0, 1, "a")
    story.start(4, 1, "a", "X", checked=9001)
    story.start(25, 1, "a", "X", checked=9002)
    story.end(45, 1, "a", "X", checked=9002, began=25)
    story.leave(55.5, 1, "a", "PR_MERGED", batch="X")
    return story


def the_start_of_the_first_attempt_is_missing() -> LogStory:
    """It was before the import; the second attempt is still the second, as for the rest of the batch."""
    story = LogStory()
    story.end(24, 1, "a", "X", "CHECKS_RETRIED", checked=9001, began=4)
    story.start(25, 1, "a", "X", checked=9002)
    story.end(45, 1, "a", "X", checked=9002, began=25)
    story.leave(55.5, 1, "a", "PR_MERGED", batch="X")
    return story


def failed_and_queued_again() -> LogStory:
    story = LogStory()
    story.enter(0, 1, "a")
    story.start(1, 1, "a", "X")
    story.end(10, 1, "a", "X", "CHECKS_FAILED", began=1)
    story.leave(10.1, 1, "a", "CHECKS_FAILED", batch="X")
    story.enter(30, 1, "b")
    story.start(31, 1, "b", "Y")
    story.end(40, 1, "b", "Y", began=31)
    story.leave(40.1, 1, "b", "PR_MERGED", batch="Y", queued=30)
    return story


def the_batch_ahead_failed() -> LogStory:
    story = LogStory()
    story.enter(0, 2, "b")
    story.start(1, 2, "b", "Y", members=[2])
    story.end(9, 2, "b", "Y", "BATCH_AHEAD_FAILED", members=[2])
    story.start(10, 2, "b", "Z", members=[2])
    story.end(20, 2, "b", "Z", members=[2], began=10)
    story.leave(21, 2, "b", "PR_MERGED", batch="Z")
    return story


def bisected() -> LogStory:
    story = LogStory()
    story.enter(0, 1, "a")
    story.start(1, 1, "a", "X", members=[1, 2, 3, 4])
    story.end(10, 1, "a", "X", "CHECKS_FAILED", members=[1, 2, 3, 4], began=1)
    story.bisection(11, 1, "a", "X", [1, 2, 3, 4])
    story.leave(21, 1, "a", "DROPPED_BY_BISECTION_ELIMINATION", batch="X")
    return story


def dequeued_by_hand() -> LogStory:
    story = LogStory()
    story.enter(0, 1, "a")
    story.leave(5, 1, "a", "PR_MANUALLY_DEQUEUED")
    return story


def closed_while_queued() -> LogStory:
    story = LogStory()
    story.enter(0, 1, "a")
    story.start(1, 1, "a", "X")
    story.end(5, 1, "a", "X", "PR_DEQUEUED", began=1.5)
    story.leave(5, 1, "a", "PR_DEQUEUED", batch="X")
    return story


def someone_pushed_to_the_base_branch() -> LogStory:
    """Every running batch is built again."""
    story = LogStory()
    story.enter(0, 1, "a")
    story.start(1, 1, "a", "X")
    story.end(5, 1, "a", "X", "MERGE_QUEUE_RESET")
    story.start(6, 1, "a", "Y")
    story.end(20, 1, "a", "Y", began=6.5)
    story.leave(21, 1, "a", "PR_MERGED", batch="Y")
    return story


def two_base_branches() -> LogStory:
    """A pull request moves from one to the other, where another one is queued."""
    story = LogStory()
    story.enter(0, 1, "a")
    story.leave(5, 1, "a", "BASE_BRANCH_CHANGED")
    story.branch = "release/2.x"
    story.enter(1, 2, "b")
    story.enter(6, 1, "c")
    story.leave(20, 2, "b", "PR_MERGED", queued=1)
    story.leave(21, 1, "c", "PR_MERGED", queued=6)
    return story


def clocks_differ() -> LogStory:
    """CI's clock is ahead of the service's: the run ends after the pull request has merged."""
    story = LogStory()
    story.enter(0, 1, "a")
    story.start(1, 1, "a", "X")
    story.end(20, 1, "a", "X", began=-1)
    story.leave(19.9, 1, "a", "PR_MERGED", batch="X")
    return story


def the_repository_was_renamed() -> LogStory:
    story = LogStory()
    story.enter(0, 1, "a")
    story.start(1, 1, "a", "X")
    story.repository = "acme-orbit/moon-lander"
    story.end(20, 1, "a", "X", began=1.5)
    story.leave(21, 1, "a", "PR_MERGED", batch="X")
    return story


def merged_outside_the_queue() -> LogStory:
    story = LogStory()
    story.enter(0, 1, "a")
    story.leave(5, 1, "a", "PR_MANUALLY_MERGED")
    return story


def intermediate_results_skipped() -> LogStory:
    story = LogStory()
    story.enter(0, 1, "a")
    story.start(1, 1, "a", "X")
    story.end(8, 1, "a", "X", "INTERMEDIATE_RESULTS_SKIPPED")
    story.leave(9, 1, "a", "PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED", batch="X")
    return story


def the_beginning_is_before_the_import() -> LogStory:
    """Every entry repeats when the stay began."""
    story = LogStory()
    story.leave(90, 1, "a", "PR_MERGED", batch="X", queued=-200)
    return story


def without_an_id_of_the_stay() -> LogStory:
    """Old entries have no session; they share the instant of queueing."""
    story = LogStory()
    story.enter(0, 1, None)
    story.leave(5, 1, None, "PR_DEQUEUED")
    return story


def some_entries_without_an_id_of_the_stay() -> LogStory:
    """Entries of the same stay share the instant of queueing, whether or not they have its id."""
    story = LogStory()
    story.enter(0, 1, None)
    story.start(1, 1, "a", "X")
    story.end(10, 1, "a", "X", "CHECKS_FAILED", began=1)
    story.leave(10.1, 1, None, "CHECKS_FAILED", batch="X")
    story.enter(30, 1, "b")
    story.leave(40.1, 1, None, "PR_DEQUEUED", queued=30)
    return story


def batches_without_an_id() -> LogStory:
    """Bisections of different pull requests differ, and so do the runs of two stays on the same branch."""
    story = LogStory()
    for number, session, members in ((1, "a", [1, 2]), (2, "b", [1, 2]), (3, "c", [3, 4])):
        story.bisection(11, number, session, None, members)
    story.start(20, 5, "e", None, members=[5], checked=5)
    story.end(30, 5, "e", None, "CHECKS_FAILED", members=[5], checked=5)
    story.start(50, 5, "f", None, members=[5], checked=5)
    story.end(60, 5, "f", None, members=[5], checked=5)
    return story


def a_code_that_was_renamed() -> LogStory:
    story = LogStory()
    story.enter(0, 1, "a")
    story.leave(5, 1, "a", "TARGET_BRANCH_CHANGED")
    return story


def a_code_newer_than_this_program() -> LogStory:
    story = LogStory()
    story.enter(0, 1, "a")
    story.start(1, 1, "a", "X")
    story.end(3, 1, "a", "X", "SOLAR_FLARE")
    story.leave(5, 1, "a", "SOLAR_FLARE")
    return story


STORIES: tuple[Callable[[], LogStory], ...] = (
    merged_at_the_first_try,
    batch_of_three,
    retried,
    the_end_of_the_first_attempt_is_missing,
    the_start_of_the_first_attempt_is_missing,
    failed_and_queued_again,
    the_batch_ahead_failed,
    bisected,
    dequeued_by_hand,
    closed_while_queued,
    someone_pushed_to_the_base_branch,
    two_base_branches,
    clocks_differ,
    the_repository_was_renamed,
    merged_outside_the_queue,
    intermediate_results_skipped,
    the_beginning_is_before_the_import,
    without_an_id_of_the_stay,
    some_entries_without_an_id_of_the_stay,
    batches_without_an_id,
    a_code_that_was_renamed,
    a_code_newer_than_this_program,
)
