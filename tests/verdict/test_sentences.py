"""What is said about removals that runs explain."""

from collections.abc import Callable
from itertools import count

from mergecast.queues.model.verdict import Verdict, WaitFor
from verdict.queue import MERGED, Queue


def _steady() -> Queue:
    """A queue in which `unit` finds what is broken, and `e2e` flakes."""
    queue, pulls = Queue(), count(1000)
    for turn in range(24):
        queue.merge(4, first=10_000 + 4 * turn)
        pull = next(pulls)
        queue.enter(pull)
        queue.run([pull], ["e2e" if turn % 3 else "unit"])
        queue.leave(pull)
        queue.wait(120).enter(pull, "a" if turn % 3 else "b")
        queue.run([pull])
        queue.leave(pull, MERGED)
        queue.wait(300)
    return queue.wait(24 * 60)


def _last(queue: Queue, happens: Callable[[Queue], str]) -> Verdict:
    session = happens(queue)
    return queue.verdicts()[session]


def _found_by_bisection(queue: Queue) -> str:
    for pull in (410, 411, 412, 413):
        queue.enter(pull)
    failed = queue.run([410, 411, 412, 413], ["unit"])
    queue.split(failed, [410, 411, 412, 413])
    for pull in (410, 411, 413):
        queue.run([pull])
        queue.leave(pull, MERGED)
    queue.run([412], ["unit"])
    return queue.leave(412)


def test_a_run_in_which_another_check_failed_is_not_counted() -> None:
    """What is said about `unit` is about runs in which `unit` failed."""

    def happens(queue: Queue) -> str:
        for pull in (410, 411, 412, 413):
            queue.enter(pull)
        failed = queue.run([410, 411, 412, 413], ["e2e"])
        queue.split(failed, [410, 411, 412, 413])
        for pull in (410, 411, 413):
            queue.run([pull])
            queue.leave(pull, MERGED)
        queue.run([412], ["unit"])
        queue.run([412], ["unit"])
        return queue.leave(412)

    assert _last(_steady(), happens).sentence.startswith(
        "#412 was removed because `unit` failed, alone (2 of 2). "
    )


def test_own() -> None:
    verdict = _last(_steady(), _found_by_bisection)

    assert (verdict.cause, verdict.certainty, verdict.act) == ("own", "sure", "fix")
    assert verdict.sentence == (
        "#412 was removed because `unit` failed, both in a batch of 4 and alone (2 of 2). "
        "`unit` failed in no other pull request in the last 24 hours. "
        "It is very likely this change: fix `unit` before queueing it again."
    )
    assert verdict.checks == ("unit",)
    assert [(one.kind, one.text) for one in verdict.evidence] == [
        ("failed_with", "`unit` failed when it was tested with #410, #411 and #413."),
        ("failed_alone", "`unit` failed when it was tested alone."),
        ("passed_without", "#410 passed without it."),
        ("passed_without", "#411 passed without it."),
        ("passed_without", "#413 passed without it."),
        ("others_passed", "3 runs of others passed in the 3 hours before."),
    ]


def test_what_failed_for_others_before_midnight_counts() -> None:
    def happens(queue: Queue) -> str:
        queue.wait(18 * 60 - queue.minute % (24 * 60)).enter(400)
        queue.run([400], ["unit"])
        queue.leave(400)
        return _found_by_bisection(queue.wait(24 * 60 - queue.minute % (24 * 60)))

    verdict = _last(_steady(), happens)

    assert verdict.sentence == (
        "#412 was removed because `unit` failed, both in a batch of 4 and alone (2 of 2). "
        "`unit` also failed in 1 run of others in the last 24 hours. "
        "It is very likely this change: fix `unit` before queueing it again."
    )
    assert ("others_failed", "`unit` failed in 1 run of others in the last 24 hours.") in [
        (one.kind, one.text) for one in verdict.evidence
    ]


def test_flake() -> None:
    def happens(queue: Queue) -> str:
        queue.enter(500)
        queue.run([500], ["e2e"])
        return queue.leave(500)

    verdict = _last(_steady(), happens)

    assert (verdict.cause, verdict.act) == ("flake", "queue_again")
    assert verdict.sentence == (
        "`e2e` failed once. It failed by chance in 16 of the last 145 runs, "
        "and nothing else points at this change. "
        "Queue it again: it is likely to pass."
    )


def test_elimination() -> None:
    def happens(queue: Queue) -> str:
        for pull in (85, 86, 87, 88):
            queue.enter(pull)
        failed = queue.run([85, 86, 87, 88], ["e2e"])
        queue.split(failed, [85, 86, 87, 88])
        for pull in (85, 86, 87):
            queue.run([pull])
            queue.leave(pull, MERGED)
        return queue.leave(88, "DROPPED_BY_BISECTION_ELIMINATION")

    verdict = _last(_steady(), happens)

    assert verdict.sentence == (
        "#88 was removed by elimination: the batch of 4 failed and the other three passed without it. "
        "It has never failed on its own. Queue it again: it is likely to pass."
    )


def test_one_ahead() -> None:
    def happens(queue: Queue) -> str:
        queue.enter(90)
        queue.wait(1).enter(91)
        ahead = queue.start([90])
        queue.wait(1)
        behind = queue.start([91])
        queue.wait(10)
        queue.end(ahead, "CHECKS_FAILED", ["unit"])
        queue.leave(90)
        queue.wait(0.2)
        queue.end(behind, "CHECKS_FAILED", ["unit"])
        return queue.leave(91)

    verdict = _last(_steady(), happens)

    assert (verdict.cause, verdict.act, verdict.others) == ("other", "queue_again", (90,))
    assert verdict.sentence == (
        "#91 was tested on top of #90, which failed the same check and has since been removed. "
        "Queue #91 again: it is likely to pass."
    )


def test_everybody() -> None:
    def happens(queue: Queue) -> str:
        for pull in (700, 701, 702, 703):
            queue.enter(pull)
            queue.run([pull], ["build"])
            session = queue.leave(pull)
        return session

    verdict = _last(_steady(), happens)

    assert (verdict.cause, verdict.act, verdict.wait_for) == ("everybody", "wait", WaitFor(check="build"))
    assert verdict.sentence == (
        "`build` has failed in the last 4 runs, which have no pull request in common. "
        "It is probably not this change. Wait until another run passes `build`; then it should pass."
    )


def test_waiting_is_over_when_other_runs_pass_again() -> None:
    def happens(queue: Queue) -> str:
        for pull in (700, 701, 702, 703):
            queue.enter(pull)
            queue.run([pull], ["build"])
            session = queue.leave(pull)
        queue.wait(60).merge(3, first=710)
        return session

    verdict = _last(_steady(), happens)

    assert (verdict.cause, verdict.act, verdict.wait_for) == ("everybody", "queue_again", None)
    assert verdict.sentence == (
        "`build` failed in the last 4 runs before it was removed, which have no pull request in common. "
        "Since then runs of others have passed. Queue it again: it is likely to pass."
    )


def test_cannot_tell() -> None:
    queue = Queue()
    queue.merge(40).wait(60).enter(7)
    queue.run([7], [])
    verdict = _last(queue, lambda queue: queue.leave(7))

    assert (verdict.cause, verdict.certainty, verdict.act) == ("unknown", "cannot_tell", "look")
    assert verdict.sentence == (
        "Cannot tell whether it was this change. It failed once, alone, "
        "and this queue does not report which check failed. Look at the log."
    )


def test_a_removal_without_runs_says_so() -> None:
    queue = Queue()
    session = queue.enter(7).wait(5).leave(7)
    verdict = queue.verdicts()[session]

    assert (verdict.cause, verdict.certainty, verdict.act) == ("unknown", "cannot_tell", "look")
    assert verdict.sentence == (
        "Cannot tell whether it was this change. No failed run of it is recorded. Look at the log."
    )


def test_a_timeout_is_compared_with_what_is_usual() -> None:
    queue = _steady().enter(800)
    run = queue.start([800])
    queue.wait(62)
    queue.end(run, "CHECKS_TIMEOUT", ["unit"])
    verdict = _last(queue, lambda queue: queue.leave(800, "CHECKS_TIMEOUT"))

    assert verdict.sentence.startswith("Its checks timed out after 1h02m; runs that pass usually take 10m. ")
