"""Stories of GitHub's merge queue, one function each; the expected events lie in golden/."""

from collections.abc import Callable

from sources.github_deliveries import Story


def merged_at_the_first_try() -> Story:
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    story.check(20, 1, "one", "success", began=1.5)
    story.destroyed(21, 1, "one", "merged")
    story.merged(21, 1)
    return story


def three_behind_each_other() -> Story:
    """GitHub builds a group per pull request, each on top of the one ahead."""
    story = Story()
    for number, head, on in ((1, "one", "base"), (2, "two", "one"), (3, "three", "two")):
        story.enqueued(number, number)
        story.group(number + 0.5, number, head, on)
    for number, head, on in ((1, "one", "base"), (2, "two", "one"), (3, "three", "two")):
        story.check(20 + number, number, head, "success", began=number + 1, on=on)
        story.destroyed(30, number, head, "merged", on)
        story.merged(30, number)
    return story


def failed_and_queued_again() -> Story:
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    story.check(15, 1, "one", "failure", began=1.5)
    story.dequeued(16, 1, "CI_FAILURE")
    story.destroyed(16, 1, "one", "dequeued")
    story.enqueued(40, 1)
    story.group(41, 1, "again", "base")
    story.check(55, 1, "again", "success", began=41.5)
    story.destroyed(56, 1, "again", "merged")
    story.merged(56, 1)
    return story


def retried_by_hand() -> Story:
    """Somebody runs a failed workflow again before the queue gives up."""
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    story.workflow(2, 1, "one", None, began=1.5)
    story.workflow(12, 1, "one", "failure", began=1.5)
    story.workflow(14, 1, "one", None, began=13, attempt=2)
    story.workflow(25, 1, "one", "success", began=13, attempt=2)
    story.destroyed(26, 1, "one", "merged")
    story.merged(26, 1)
    return story


def statuses_instead_of_checks() -> Story:
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    story.status(2, 1, "one", "pending", 10)
    story.status(9, 1, "one", "success", 11)
    story.destroyed(10, 1, "one", "merged")
    story.merged(10, 1)
    return story


def a_status_is_set_twice() -> Story:
    """The second time only its description changed: nothing ran again."""
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    story.status(2, 1, "one", "pending", 10)
    story.status(8, 1, "one", "success", 11)
    story.status(9, 1, "one", "success", 12)
    story.merged(10, 1)
    return story


def the_group_ahead_failed() -> Story:
    story = Story()
    story.enqueued(0, 1)
    story.enqueued(0, 2)
    story.group(1, 1, "one")
    story.group(1, 2, "two", "one")
    story.check(10, 1, "one", "failure", began=2)
    story.dequeued(11, 1, "CI_FAILURE")
    story.destroyed(11, 1, "one", "dequeued")
    story.destroyed(11, 2, "two", "invalidated", "one")
    story.group(12, 2, "two again", "base")
    story.check(22, 2, "two again", "success", began=13)
    story.destroyed(23, 2, "two again", "merged")
    story.merged(23, 2)
    return story


def the_one_ahead_was_removed_by_hand() -> Story:
    story = Story()
    story.enqueued(0, 1)
    story.enqueued(0, 2)
    story.group(1, 1, "one")
    story.group(1, 2, "two", "one")
    story.dequeued(5, 1, "MANUAL")
    story.destroyed(5, 1, "one", "dequeued")
    story.destroyed(5, 2, "two", "invalidated", "one")
    story.group(6, 2, "two again", "base")
    story.check(16, 2, "two again", "success", began=7)
    story.merged(17, 2)
    return story


def dequeued_by_hand() -> Story:
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    story.dequeued(5, 1, "MANUAL")
    story.destroyed(5, 1, "one", "dequeued")
    return story


def closed_while_queued() -> Story:
    """Only the closing arrives: the delivery that says it left is missing."""
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    story.closed(5, 1, merged_by=None)
    return story


def merged_outside_the_queue() -> Story:
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    story.closed(5, 1, merged_by="ines")
    story.dequeued(5, 1, "ALREADY_MERGED")
    return story


def somebody_pushed_to_the_base_branch() -> Story:
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    story.pushed(5, "ines")
    story.destroyed(5.2, 1, "one", "invalidated")
    story.group(6, 1, "rebuilt", "new base")
    story.check(16, 1, "rebuilt", "success", began=7, on="new base")
    story.merged(17, 1)
    return story


def somebody_merged_the_one_ahead_by_hand() -> Story:
    """That is a push to the base branch, and both groups are built on it again."""
    story = Story()
    for number, head, on in ((1, "one", "base"), (2, "two", "one"), (3, "three", "two")):
        story.enqueued(0, number)
        story.group(1, number, head, on)
    story.closed(5, 1, merged_by="ines")
    story.dequeued(5, 1, "ALREADY_MERGED")
    story.pushed(5, "ines")
    for number, head, on in ((2, "two", "one"), (3, "three", "two")):
        story.destroyed(5.1, number, head, "invalidated", on)
    story.group(6, 2, "two again", "new base")
    story.group(6, 3, "three again", "two again")
    story.merged(17, 2)
    story.merged(17, 3)
    return story


def the_first_delivery_is_missing() -> Story:
    """Without `enqueued`, the stay begins with the first group."""
    story = Story()
    story.group(1, 1, "one")
    story.check(20, 1, "one", "success", began=1.5)
    story.destroyed(21, 1, "one", "merged")
    story.merged(21, 1)
    return story


def a_leaving_in_the_middle_is_missing() -> Story:
    """It entered twice; how the first stay ended is unknown, and it was last seen at 10:01."""
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    story.enqueued(30, 1)
    story.group(31, 1, "two")
    story.merged(45, 1)
    return story


def only_the_leaving_was_seen() -> Story:
    story = Story()
    story.dequeued(5, 1, "CI_TIMEOUT")
    return story


def two_base_branches() -> Story:
    story = Story()
    for base in ("main", "release/2.x"):
        story.enqueued(0, 1 if base == "main" else 2, base)
        story.group(1, 1 if base == "main" else 2, f"head {base}", base=base)
        story.merged(20, 1 if base == "main" else 2, base)
    return story


def its_base_branch_was_changed_while_it_was_queued() -> Story:
    """GitHub reports that it left with the new branch, where it was not queued before."""
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    story.dequeued(5, 1, "MANUAL", "release/2.x")
    story.destroyed(5, 1, "one", "dequeued")
    story.pushed(12, "ines", "main")
    story.enqueued(10, 1, "release/2.x")
    story.group(11, 1, "two", base="release/2.x")
    story.destroyed(15, 1, "two", "invalidated", base="release/2.x")
    story.group(16, 1, "three", base="release/2.x")
    story.merged(25, 1, "release/2.x")
    return story


def its_base_branch_was_changed_to_one_that_it_was_queued_for_before() -> Story:
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    story.dequeued(5, 1, "CI_FAILURE")
    story.enqueued(10, 1, "release/2.x")
    story.group(11, 1, "two", base="release/2.x")
    story.dequeued(20, 1, "MANUAL", "main")
    return story


def closed_after_its_base_branch_was_changed() -> Story:
    """No delivery says that it left, but it can no longer be queued for either branch."""
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    story.closed(5, 1, merged_by=None, base="release/2.x")
    return story


def clocks_differ() -> Story:
    """The host that runs CI is 20 seconds ahead, and checks seem to end after the landing."""
    story = Story()
    story.enqueued(0, 1)
    story.group(-0.2, 1, "one")
    story.check(10.4, 1, "one", "success", began=0.1)
    story.merged(10, 1)
    return story


def still_queued() -> Story:
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    story.workflow(2, 1, "one", None, began=1.5)
    return story


def the_first_of_three_failed() -> Story:
    """Everything behind is rebuilt for the same reason, also what was not built directly on it."""
    story = Story()
    for number, head, on in ((1, "one", "base"), (2, "two", "one"), (3, "three", "two")):
        story.enqueued(0, number)
        story.group(1, number, head, on)
    story.dequeued(10, 1, "CI_FAILURE")
    story.destroyed(10, 2, "two", "invalidated", "one")
    story.destroyed(10, 3, "three", "invalidated", "two")
    story.group(11, 2, "two again")
    story.group(11, 3, "three again", "two again")
    story.merged(20, 2)
    story.merged(20, 3)
    return story


def the_first_of_three_failed_and_the_webhook_came_two_days_later() -> Story:
    """It explains why the others were rebuilt, although its own group says nothing."""
    story = Story()
    for number, head, on in ((1, "one", "base"), (2, "two", "one"), (3, "three", "two")):
        story.enqueued(0, number)
        story.group(1, number, head, on)
    story.group(11, 2, "two again")
    story.group(11, 3, "three again", "two again")
    story.merged(20, 2)
    story.merged(20, 3)
    story.lag = 2 * 86_400
    story.dequeued(10, 1, "CI_FAILURE")
    return story


def the_first_was_removed_and_then_the_second_failed() -> Story:
    """The third was rebuilt twice, for different reasons."""
    story = Story()
    for number, head, on in ((1, "one", "base"), (2, "two", "one"), (3, "three", "two")):
        story.enqueued(0, number)
        story.group(1, number, head, on)
    story.dequeued(10, 1, "MANUAL")
    story.destroyed(10, 2, "two", "invalidated", "one")
    story.destroyed(10, 3, "three", "invalidated", "two")
    story.group(11, 2, "two again")
    story.group(11, 3, "three again", "two again")
    story.dequeued(20, 2, "CI_FAILURE")
    story.destroyed(20, 3, "three again", "invalidated", "two again")
    story.group(21, 3, "three alone")
    story.merged(30, 3)
    return story


def only_its_group_says_that_it_merged() -> Story:
    """Neither `dequeued` nor `closed` arrived."""
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    story.check(20, 1, "one", "success", began=1.5)
    story.destroyed(21, 1, "one", "merged")
    return story


def merged_by_the_queue_in_the_name_of_a_person() -> Story:
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    story.destroyed(21, 1, "one", "merged")
    story.closed(21, 1, merged_by="ines")
    return story


def only_the_end_of_a_group_was_seen() -> Story:
    """When it was built is unknown, and no stay begins with it."""
    story = Story()
    story.enqueued(0, 1)
    story.merged(20, 1)
    story.destroyed(22, 1, "one", "merged")
    return story


def queued_again_within_a_minute() -> Story:
    """The first group was built 18 seconds before it left, and 48 seconds before it entered again."""
    story = Story()
    story.enqueued(0, 1)
    story.group(4.7, 1, "one")
    story.dequeued(5, 1, "MANUAL")
    story.enqueued(5.5, 1)
    story.group(6, 1, "again")
    story.merged(20, 1)
    return story


def in_conflict_with_the_one_ahead_and_queued_again() -> Story:
    story = Story()
    story.enqueued(0, 2)
    story.group(0.5, 2, "two")
    story.enqueued(0, 1)
    story.group(1, 1, "one", "two")
    story.dequeued(5, 1, "MERGE_CONFLICT")
    story.enqueued(60, 1)
    story.group(61, 1, "again")
    story.merged(70, 1)
    return story


def in_conflict_with_the_base_branch_after_another_one_merged() -> Story:
    """Its group was built on the commit of the other's, but that was the base branch by then.

    When it is queued again, something is ahead of it, which merges later.
    """
    story = Story()
    story.enqueued(0, 2)
    story.group(0.5, 2, "two")
    story.destroyed(9, 2, "two", "merged")
    story.merged(9, 2)
    story.enqueued(9.5, 3)
    story.group(9.6, 3, "three", "two")
    story.enqueued(10, 1)
    story.group(11, 1, "one", "three")
    story.dequeued(12, 3, "MANUAL")
    story.destroyed(12, 1, "one", "invalidated", "three")
    story.group(12.1, 1, "one again", "two")
    story.dequeued(15, 1, "MERGE_CONFLICT")
    story.enqueued(15.1, 3)
    story.group(15.2, 3, "three again", "two")
    story.enqueued(15.3, 1)
    story.group(15.4, 1, "behind", "three again")
    story.dequeued(16, 1, "MERGE_CONFLICT")
    story.merged(30, 3)
    return story


def cancelled_because_the_one_ahead_left() -> Story:
    """A cancelled check is not a failure."""
    story = Story()
    story.enqueued(0, 1)
    story.enqueued(0, 2)
    story.group(1, 1, "one")
    story.group(1, 2, "two", "one")
    story.check(9.9, 2, "two", "cancelled", began=2, on="one")
    story.dequeued(10, 1, "MANUAL")
    story.destroyed(10, 2, "two", "invalidated", "one")
    story.group(11, 2, "two again")
    story.merged(20, 2)
    return story


def failed_and_merged_by_hand_right_after() -> Story:
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    story.check(9, 1, "one", "failure", began=2)
    story.dequeued(10, 1, "CI_FAILURE")
    story.closed(11.5, 1, merged_by="ines")
    return story


def jobs_of_two_workflows_with_the_same_name() -> Story:
    """They are two checks, not two attempts; another run in the same suite is an attempt.

    All have ended when the slower one has.
    """
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    story.check(10, 1, "one", "failure", began=2, run=1, suite=1)
    story.check(20.5, 1, "one", "success", began=3, run=2, suite=2)
    story.check(20, 1, "one", "success", began=12, run=3, suite=1)
    story.merged(21, 1)
    return story


def only_pushes_to_the_queue_branch() -> Story:
    """Webhooks about merge groups are not available everywhere."""
    story = Story()
    story.enqueued(0, 1)
    story.branch_created(1.2, 1, "one", built=1)
    story.check(20, 1, "one", "success", began=1.5)
    story.branch_deleted(21, 1, "one")
    story.merged(21, 1)
    return story


def only_its_group_says_that_it_left() -> Story:
    """Why is unknown: `dequeued` of the pull request did not arrive."""
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    story.destroyed(5, 1, "one", "dequeued")
    return story


def the_first_attempt_was_not_seen() -> Story:
    """The second attempt says when the first one began."""
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    story.workflow(25, 1, "one", "success", began=13, attempt=2, created=1.5)
    story.merged(26, 1)
    return story


def only_the_merge_by_the_queue_was_seen() -> Story:
    """The webhook was created while the pull request was queued; when it entered is unknown."""
    story = Story()
    story.closed(5, 1)
    return story


def a_group_is_destroyed_long_after_it_merged() -> Story:
    """`closed` did not arrive."""
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    story.dequeued(20, 1, "MERGE")
    story.destroyed(30, 1, "one", "merged")
    return story


def in_conflict_and_merged_by_hand_right_after() -> Story:
    """The reason for leaving is the conflict, whatever happens to the pull request afterwards."""
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    story.dequeued(10, 1, "MERGE_CONFLICT")
    story.closed(11, 1, merged_by="ines")
    return story


def failed_and_merged_by_hand_before_the_failure_was_delivered() -> Story:
    """The webhook says when its pull request last changed: before the merge."""
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    story.closed(40, 1, merged_by="ines")
    story.lag = 3 * 3600
    story.dequeued(10, 1, "CI_FAILURE")
    return story


def its_group_was_destroyed_hours_before_the_webhook_says_that_it_left() -> Story:
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    story.destroyed(10, 1, "one", "dequeued")
    story.lag = 3 * 3600
    story.dequeued(10, 1, "CI_FAILURE")
    return story


def queued_again_while_webhooks_failed() -> Story:
    """GitHub repeated them three hours later; the date of the second group shows that."""
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    story.lag = 3 * 3600
    story.dequeued(5, 1, "MANUAL")
    story.enqueued(10, 1)
    story.group(11, 1, "two")
    story.lag = 1
    story.dequeued(200, 1, "CI_FAILURE")
    return story


def a_push_to_the_base_branch_was_delivered_late() -> Story:
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    story.destroyed(5.2, 1, "one", "invalidated")
    story.group(6, 1, "rebuilt", "new base")
    story.merged(17, 1)
    story.lag = 3 * 3600
    story.pushed(5, "ines")
    return story


def only_the_end_of_a_group_says_that_it_left() -> Story:
    """When the group was built is unknown, and why its pull request left."""
    story = Story()
    story.enqueued(0, 1)
    story.destroyed(5, 1, "one", "dequeued")
    return story


def queued_again_within_a_minute_and_the_first_entry_is_missing() -> Story:
    story = Story()
    story.dequeued(5, 1, "MANUAL")
    story.enqueued(5.5, 1)
    story.group(6, 1, "again")
    story.dequeued(20, 1, "CI_FAILURE")
    return story


def queued_again_within_a_minute_and_still_queued() -> Story:
    """Its first entry is missing; its group was built after that exit."""
    story = Story()
    story.dequeued(5, 1, "MANUAL")
    story.enqueued(5.5, 1)
    story.group(5.9, 1, "again")
    return story


def entered_and_left_twice_within_a_minute() -> Story:
    story = Story()
    story.enqueued(0, 1)
    story.group(0.05, 1, "one")
    story.dequeued(0.2, 1, "MANUAL")
    story.enqueued(0.4, 1)
    story.group(0.45, 1, "two")
    story.dequeued(0.6, 1, "MERGE_CONFLICT")
    return story


def removed_by_hand_before_its_group_was_built_again() -> Story:
    """Its tests ended when something ahead failed, and not when it left."""
    story = Story()
    for number, head, on in ((1, "one", "base"), (2, "two", "one"), (3, "three", "two")):
        story.enqueued(0, number)
        story.group(1, number, head, on)
    story.dequeued(10, 1, "CI_FAILURE")
    story.destroyed(10, 1, "one", "dequeued")
    story.destroyed(10, 2, "two", "invalidated", "one")
    story.destroyed(10, 3, "three", "invalidated", "two")
    story.group(11, 2, "two again")
    story.dequeued(40, 3, "MANUAL")
    return story


def a_suite_is_run_again() -> Story:
    """Its last result counts, although something ahead leaves after it."""
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    story.enqueued(0, 2)
    story.group(1, 2, "two", "one")
    story.suite(10, 2, "two", "failure", began=1.5, on="one")
    story.suite(12, 2, "two", None, began=1.5, on="one")
    story.suite(20, 2, "two", "success", began=1.5, on="one")
    story.dequeued(25, 1, "MANUAL")
    story.destroyed(25, 2, "two", "invalidated", "one")
    story.group(26, 2, "two again")
    story.merged(40, 2)
    return story


def rolled_back() -> Story:
    """The reason of the pull request counts, whatever its group says."""
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    story.check(18, 1, "one", "success", began=2)
    story.destroyed(20, 1, "one", "merged")
    story.dequeued(20.5, 1, "ROLL_BACK")
    return story


def merged_by_hand_and_its_group_with_it() -> Story:
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    story.closed(20, 1, merged_by="ines")
    story.dequeued(20, 1, "ALREADY_MERGED")
    story.destroyed(20, 1, "one", "merged")
    return story


def the_second_of_three_was_closed() -> Story:
    """The first is not affected; the third is tested again behind the first."""
    story = Story()
    for number, head, on in ((1, "one", "base"), (2, "two", "one"), (3, "three", "two")):
        story.enqueued(0, number)
        story.group(1, number, head, on)
    story.closed(10, 2, merged_by=None)
    story.destroyed(10, 2, "two", "dequeued", "one")
    story.destroyed(10, 3, "three", "invalidated", "two")
    story.group(11, 3, "three again", "one")
    story.check(15, 1, "one", "success", began=2)
    story.check(18, 3, "three again", "success", began=12, on="one")
    story.merged(20, 1)
    story.merged(20, 3)
    return story


def its_checks_ended_after_its_group_was_destroyed() -> Story:
    """The attempt was aborted when the group was destroyed, and did not succeed."""
    story = Story()
    story.enqueued(0, 1)
    story.enqueued(0, 2)
    story.group(1, 1, "one")
    story.group(1, 2, "two", "one")
    story.dequeued(10, 1, "CI_TIMEOUT")
    story.destroyed(10, 2, "two", "invalidated", "one")
    story.check(12, 2, "two", "success", began=2, on="one")
    story.group(11, 2, "two again")
    story.merged(20, 2)
    return story


def the_end_of_its_first_group_was_delivered_when_it_was_queued_again() -> Story:
    """It is still queued."""
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    story.dequeued(10, 1, "MANUAL")
    story.enqueued(120, 1)
    story.group(121, 1, "two")
    story.lag = 3 * 3600
    story.destroyed(10, 1, "one", "dequeued")
    return story


def statuses_that_list_branches_of_others() -> Story:
    """A status lists branches that contain its commit, in any order: those built on it do, too.

    The branch of its own group may be missing, because others fill the list or because it was deleted. The
    base branch is part of every group.
    """
    story = Story()
    groups = {1: ("one", "base"), 2: ("two", "one"), 3: ("three", "two")}
    branches = {number: (story.queue_branch(number, on), head) for number, (head, on) in groups.items()}
    main = ("main", "base")
    for number, (head, on) in groups.items():
        story.enqueued(0, number)
        story.group(1, number, head, on)
    story.status(1.5, 0, "base", "success", 90, branches=[branches[2], branches[1], main])
    story.status(2, 1, "one", "pending", 91, branches=[branches[2], branches[1], branches[3]])
    story.status(2, 2, "two", "pending", 92, branches=[branches[3], branches[2]])
    story.status(9, 1, "one", "success", 93, branches=[branches[3], branches[2]])
    story.destroyed(10, 1, "one", "merged")
    story.merged(10, 1)
    story.status(11, 2, "two", "success", 94, branches=[("main", "two"), branches[3]])
    story.destroyed(12, 2, "two", "merged", "one")
    story.merged(12, 2)
    story.status(13, 3, "three", "failure", 95, branches=[])
    story.dequeued(14, 3, "CI_FAILURE")
    story.destroyed(14, 3, "three", "dequeued", "two")
    return story


STORIES: tuple[Callable[[], Story], ...] = (
    merged_at_the_first_try,
    three_behind_each_other,
    failed_and_queued_again,
    retried_by_hand,
    statuses_instead_of_checks,
    statuses_that_list_branches_of_others,
    the_group_ahead_failed,
    the_one_ahead_was_removed_by_hand,
    dequeued_by_hand,
    closed_while_queued,
    merged_outside_the_queue,
    somebody_pushed_to_the_base_branch,
    the_first_delivery_is_missing,
    a_leaving_in_the_middle_is_missing,
    only_the_leaving_was_seen,
    two_base_branches,
    its_base_branch_was_changed_while_it_was_queued,
    clocks_differ,
    still_queued,
    the_first_of_three_failed,
    the_first_of_three_failed_and_the_webhook_came_two_days_later,
    the_first_was_removed_and_then_the_second_failed,
    only_its_group_says_that_it_merged,
    merged_by_the_queue_in_the_name_of_a_person,
    only_the_end_of_a_group_was_seen,
    queued_again_within_a_minute,
    in_conflict_with_the_one_ahead_and_queued_again,
    cancelled_because_the_one_ahead_left,
    failed_and_merged_by_hand_right_after,
    jobs_of_two_workflows_with_the_same_name,
    only_pushes_to_the_queue_branch,
    only_its_group_says_that_it_left,
    the_first_attempt_was_not_seen,
    only_the_merge_by_the_queue_was_seen,
    a_group_is_destroyed_long_after_it_merged,
    a_push_to_the_base_branch_was_delivered_late,
    the_second_of_three_was_closed,
    removed_by_hand_before_its_group_was_built_again,
)
# Groups are destroyed in these at another time than their pull requests leave, and only the reception of the
# webhook says when.
DATED_BY_RECEPTION = (removed_by_hand_before_its_group_was_built_again, rolled_back)
# What is special about these is only their translation: a store treats them like others.
TRANSLATED_STORIES: tuple[Callable[[], Story], ...] = (
    *STORIES,
    queued_again_while_webhooks_failed,
    in_conflict_with_the_base_branch_after_another_one_merged,
    somebody_merged_the_one_ahead_by_hand,
    its_base_branch_was_changed_to_one_that_it_was_queued_for_before,
    closed_after_its_base_branch_was_changed,
    a_status_is_set_twice,
    a_suite_is_run_again,
    rolled_back,
    merged_by_hand_and_its_group_with_it,
    in_conflict_and_merged_by_hand_right_after,
    failed_and_merged_by_hand_before_the_failure_was_delivered,
    its_group_was_destroyed_hours_before_the_webhook_says_that_it_left,
    only_the_end_of_a_group_says_that_it_left,
    queued_again_within_a_minute_and_the_first_entry_is_missing,
    queued_again_within_a_minute_and_still_queued,
    entered_and_left_twice_within_a_minute,
    the_end_of_its_first_group_was_delivered_when_it_was_queued_again,
    its_checks_ended_after_its_group_was_destroyed,
)
