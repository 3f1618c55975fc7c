"""A required check that was cancelled removed its pull request; limits and keys are no fault of changes."""

import pytest

from mergecast.queues.model.ci_check import CANCELLED, FAILURE, SUCCESS
from mergecast.queues.model.instant import MINUTE
from mergecast.queues.model.verdict import Verdict
from mergecast.signals.verdict.happenings import Report
from verdict.queue import FAILED, MERGED, Queue


def _usual(passes: float = 19.7) -> Queue:
    """Forty pull requests merge; `test` passes after so many minutes in the last of them."""
    queue = Queue().merge(40)
    return _passing(queue, 2000, passes)


def _passing(queue: Queue, pull: int, minutes: float) -> Queue:
    queue.enter(pull)
    run = queue.start([pull])
    queue.wait(minutes)
    queue.end(run, "SUCCESS")
    queue.reports.append(Report(run, "test", queue.now, SUCCESS, int(minutes * MINUTE)))
    queue.leave(pull, MERGED)
    return queue.wait(60)


def _cancelled(queue: Queue, pull: int, minutes: float, name: str = "test") -> str:
    queue.enter(pull)
    run = queue.start([pull])
    queue.wait(minutes)
    queue.cancel(run, name, minutes)
    session = queue.leave(pull)
    queue.wait(90)
    return session


def _said(queue: Queue, pull: int) -> Verdict:
    """What is said about a pull request that leaves now."""
    session = queue.leave(pull)
    return queue.verdicts()[session]


def _limited(lengths: list[float]) -> Verdict:
    """Checks are cancelled after so many minutes; what is said about the last one."""
    queue = _usual()
    for pull, minutes in enumerate(lengths):
        session = _cancelled(queue, pull, minutes)
        _passing(queue, 3000 + pull, 19.7)
    return queue.verdicts()[session]


def test_a_check_that_is_cancelled_after_one_length_for_the_third_time_has_a_limit() -> None:
    verdict = _limited([20.05, 19.95, 20.1])

    assert (verdict.cause, verdict.act, verdict.checks) == ("flake", "queue_again", ("test",))
    assert verdict.sentence == (
        "`test` was stopped by its limit of 20 minutes; passes take up to 19.7. "
        "That says nothing about this change. Queue it again: it is likely to pass."
    )
    assert [one.text for one in verdict.evidence] == [
        "`test` was cancelled when it was tested alone.",
        "`test` was cancelled in 2 runs of others in the last 24 hours.",
        "1 run of others passed in the 3 hours before.",
    ]


@pytest.mark.parametrize("lengths", [[20.0, 20.0], [20.0, 20.0, 22.0], [20.0, 20.51, 21.02]])
def test_fewer_ends_near_one_length_are_no_limit(lengths: list[float]) -> None:
    sentence = _limited(lengths).sentence

    assert "limit" not in sentence
    assert "`test` was cancelled once" in sentence


def test_a_check_that_is_cancelled_when_another_group_begins_was_stopped_by_a_key() -> None:
    queue = _usual()
    queue.enter(1).enter(2)
    run = queue.start([1])
    queue.wait(7)
    queue.start([2])
    queue.wait(0.4)
    queue.cancel(run, "test", 7.4)
    verdict = _said(queue, 1)

    assert (verdict.cause, verdict.act) == ("flake", "queue_again")
    assert verdict.sentence == (
        "`test` was cancelled when another group began, as a concurrency key does. "
        "That says nothing about this change. Queue it again: it is likely to pass."
    )


def test_a_group_that_begins_more_than_30_seconds_before_is_no_key() -> None:
    queue = _usual()
    queue.enter(1).enter(2)
    run = queue.start([1])
    queue.wait(7)
    queue.start([2])
    queue.wait(0.6)
    queue.cancel(run, "test", 7.6)

    assert "key" not in _said(queue, 1).sentence


def test_a_limit_comes_before_a_key() -> None:
    queue = _usual()
    for pull in (1, 2):
        _cancelled(queue, pull, 20.0)
    queue.enter(3).enter(4)
    run = queue.start([3])
    queue.wait(19.9)
    queue.start([4])
    queue.wait(0.1)
    queue.cancel(run, "test", 20.0)

    assert _said(queue, 3).sentence.startswith("`test` was stopped by its limit of 20 minutes. ")


@pytest.mark.parametrize(
    ("outcome", "after", "others", "checks"),
    [
        (FAILED, 0, [], ("test",)),
        # Its group was gone already, or was not removed for failed checks.
        (FAILED, 1, [], ()),
        ("CHECKS_RETRIED", 0, [], ()),
        # Another check failed, or the same one passed in the end.
        (FAILED, 0, [("unit", FAILURE)], ("unit",)),
        (FAILED, 0, [("test", SUCCESS)], ()),
    ],
)
def test_only_what_was_cancelled_before_its_group_was_removed_counts(
    outcome: str, after: int, others: list[tuple[str, str]], checks: tuple[str, ...]
) -> None:
    queue = _usual().enter(1)
    run = queue.start([1])
    queue.wait(10)
    queue.end(run, outcome)
    queue.reports.append(Report(run, "test", queue.now + after * MINUTE, CANCELLED, 10 * MINUTE))
    queue.reports += [Report(run, name, queue.now, conclusion) for name, conclusion in others]

    assert _said(queue, 1).checks == checks


def _after(names: list[str] | None) -> Verdict:
    """`unit` fails for #3; before that #2 ran, and failed in these checks if they are given."""
    queue = _usual().enter(1)
    queue.run([1], ["unit"])
    queue.leave(1)
    queue.wait(20).enter(2)
    run = queue.start([2])
    queue.wait(10)
    queue.end(run, "CHECKS_INTERRUPTED" if names is None else FAILED, names or ())
    queue.leave(2, "PR_MANUALLY_DEQUEUED")
    queue.wait(20).enter(3)
    queue.run([3], ["unit"])
    return _said(queue, 3)


def test_a_failed_run_that_does_not_name_its_check_says_nothing_about_a_particular_one() -> None:
    nameless, without = _after([]), _after(None)

    assert (nameless.act, nameless.sentence, nameless.nearby, nameless.evidence) == (
        without.act,
        without.sentence,
        without.nearby,
        without.evidence,
    )
    assert nameless.probabilities is not None
    assert without.probabilities is not None
    assert nameless.probabilities.everybody == pytest.approx(without.probabilities.everybody, abs=0.01)
    assert _after(["unit"]).probabilities.everybody > 0.1  # type: ignore[union-attr]
