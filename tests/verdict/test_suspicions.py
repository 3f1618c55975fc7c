"""What verdicts would say about pull requests that are still in the queue."""

import pytest

from mergecast.queues.model.verdict import Suspicion
from mergecast.signals.verdict.engine import Engine
from mergecast.signals.verdict.happenings import happenings
from verdict.queue import Queue


def _suspicions(queue: Queue) -> dict[str, Suspicion]:
    """By the session that each is about."""
    engine = Engine()
    for happening in happenings(queue.stays.values(), queue.checks, queue.reports, queue.splits):
        engine.apply(happening)
    engine.advance(queue.now)
    return {found.suspects[0]: found for found in engine.suspicions()}


def _broken(found: Suspicion, suspect: str) -> float:
    bit = 1 << found.suspects.index(suspect)
    return sum(share for broken, share in zip(found.sets, found.probabilities, strict=True) if broken & bit)


def test_only_those_that_failed_are_suspected() -> None:
    queue = Queue().merge(40).enter(1).enter(2)
    queue.run([1], ["unit"])

    assert [*_suspicions(queue)] == ["1-40"]


def test_a_commit_that_failed_before_is_suspected_when_it_comes_back_and_another_one_is_not() -> None:
    queue = Queue().merge(40)
    for pull in (1, 2):
        queue.enter(pull)
        queue.run([pull], ["unit"])
        queue.leave(pull)
    queue.wait(30).enter(1).enter(2, "b")

    found = _suspicions(queue)

    assert [*found] == ["1-42"]
    assert _broken(found["1-42"], "1-42") > 0.5


def test_one_that_passed_without_the_others_clears_itself_and_not_them() -> None:
    """A batch of three fails, and one of them passes alone."""
    queue = Queue().merge(40).enter(1).enter(2).enter(3)
    queue.split(queue.run([1, 2, 3], ["unit"]), [1, 2, 3])
    queue.run([1])

    found = _suspicions(queue)

    assert set(found["2-41"].suspects) == {"2-41", "3-42"}
    assert _broken(found["2-41"], "2-41") == pytest.approx(_broken(found["2-41"], "3-42"))
    assert _broken(found["1-40"], "1-40") < 0.01
    assert all(sum(one.probabilities) == pytest.approx(1) for one in found.values())
