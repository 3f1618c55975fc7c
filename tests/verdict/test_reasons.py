"""Reasons that need no statistics have a cause and an act of their own."""

import pytest

from mergecast.queues.model.event import EXIT_REASONS
from mergecast.queues.model.verdict import (
    ACTS,
    BY_REASON,
    CAUSES,
    JUDGED_BY_RUNS,
    NO_VERDICT,
    Verdict,
    WaitFor,
)
from verdict.queue import Queue


def _verdict(reason: str) -> Verdict:
    queue = Queue()
    session = queue.enter(61).wait(1).leave(61, reason)
    return queue.verdicts()[session]


def test_every_reason_is_judged_in_exactly_one_way() -> None:
    assert sorted([*BY_REASON, *JUDGED_BY_RUNS, *NO_VERDICT]) == sorted(EXIT_REASONS)
    assert {cause for cause, _ in BY_REASON.values()} <= set(CAUSES)
    assert {act for _, act in BY_REASON.values()} <= set(ACTS)


@pytest.mark.parametrize("reason", BY_REASON)
def test_a_reason_that_says_everything_is_sure_unless_it_is_unknown(reason: str) -> None:
    verdict = _verdict(reason)

    assert (verdict.cause, verdict.act) == BY_REASON[reason]
    assert verdict.certainty == ("cannot_tell" if verdict.cause == "unknown" else "sure")
    assert (verdict.probabilities, verdict.passes_now) == (None, None)


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        ("PULL_REQUEST_UPDATED", "A new commit was pushed while it was queued."),
        ("MERGE_QUEUE_RESET", "The queue was reset; this was not about #61. Queue it again."),
        (
            "CONFLICT_WITH_PULL_AHEAD",
            (
                "It conflicts with a pull request ahead of it in the queue. "
                "Wait for that one; if it merges, rebase."
            ),
        ),
        (
            "CONFLICT_WITH_BASE_BRANCH",
            "It conflicts with the base branch. Rebase it before queueing it again.",
        ),
        ("PR_MANUALLY_DEQUEUED", "Someone took it out of the queue."),
        (
            "PR_DEQUEUED",
            (
                "Cannot tell why it left: it may have been closed, made a draft or cancelled. "
                "Look at the pull request."
            ),
        ),
        ("CHECKS_INTERRUPTED", "Its checks were interrupted; they did not fail. Queue it again."),
    ],
)
def test_the_sentence_says_what_happened(reason: str, sentence: str) -> None:
    assert _verdict(reason).sentence == sentence


def test_a_pull_request_that_someone_merged_gets_no_verdict() -> None:
    queue = Queue()
    queue.enter(61).wait(1).leave(61, "PR_MANUALLY_MERGED")

    assert queue.verdicts() == {}


def test_a_reason_of_a_newer_program_is_unknown() -> None:
    verdict = _verdict("SOMETHING_NEW")

    assert (verdict.cause, verdict.act, verdict.certainty) == ("unknown", "look", "cannot_tell")


def test_a_conflict_names_the_pull_request_ahead_if_there_is_exactly_one() -> None:
    queue = Queue()
    session = queue.enter(54).wait(1).enter(61).wait(1).leave(61, "CONFLICT_WITH_PULL_AHEAD")
    verdict = queue.verdicts()[session]

    assert verdict.sentence == (
        "It conflicts with #54, which is ahead of it in the queue. Wait for #54; if it merges, rebase."
    )
    assert (verdict.wait_for, verdict.others) == (WaitFor(pull_request=54), (54,))


def test_what_the_platform_did_wrong_is_tried_again_once() -> None:
    queue = Queue()
    sessions = [queue.enter(61).wait(30).leave(61, "BRANCH_UPDATE_FAILED") for _ in range(2)]
    changed = queue.enter(61, "b").wait(30).leave(61, "BRANCH_UPDATE_FAILED")
    verdicts = queue.verdicts()

    assert [verdicts[session].act for session in (*sessions, changed)] == [
        "queue_again",
        "look",
        "queue_again",
    ]
    assert verdicts[sessions[1]].sentence == (
        "Its branch could not be updated. This has happened to the same commit before. "
        "Look at the pull request."
    )
