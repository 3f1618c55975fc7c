"""A verdict depends on what happened up to ten minutes after the removal, and on nothing else."""

import zlib
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mergecast.queues.model.instant import DAY, MINUTE, SECOND
from mergecast.queues.model.verdict import ACTS, CAUSES, CERTAINTIES, EVIDENCE_KINDS, NO_VERDICT, REVISED_FOR
from mergecast.signals.verdict.engine import Engine, OtherVersion
from mergecast.signals.verdict.happenings import Entered, happenings
from verdict.generated import History, histories, played
from verdict.queue import MERGED, START, Queue


@settings(max_examples=60)
@given(histories(), st.randoms(use_true_random=False))
def test_the_order_in_which_events_arrive_does_not_matter(history: History, random: Random) -> None:
    shuffled = History(*(tuple(random.sample(part, len(part))) for part in history))  # type: ignore[arg-type]

    assert played(shuffled) == played(history)


@settings(max_examples=60)
@given(histories())
def test_every_removal_is_judged_in_known_words(history: History) -> None:
    found = dict(played(history))

    removed = {stay.session_id for stay in history.stays if stay.reason and stay.reason not in NO_VERDICT}
    assert found.keys() == removed
    words = set(product(CAUSES, ACTS, CERTAINTIES))
    for verdict in found.values():
        assert (verdict.cause, verdict.act, verdict.certainty) in words
        assert (verdict.cause == "unknown") == (verdict.certainty == "cannot_tell")
        assert {one.kind for one in verdict.evidence} <= set(EVIDENCE_KINDS)
        assert verdict.sentence.endswith(".")
        if verdict.probabilities:
            # Each is rounded to three digits.
            assert sum(verdict.probabilities) == pytest.approx(1, abs=5e-4 * len(verdict.probabilities))


@settings(max_examples=60)
@given(histories())
def test_what_happens_more_than_ten_minutes_later_changes_no_verdict(history: History) -> None:
    verdicts = dict(reversed(played(history)))  # the first of each
    for stay in history.stays:
        if stay.left_at is not None and stay.session_id in verdicts:
            known = dict(reversed(played(history.until(stay.left_at + REVISED_FOR))))
            assert known[stay.session_id] == verdicts[stay.session_id]


@settings(max_examples=40)
@given(histories(), st.integers(0, 60))
def test_a_state_that_was_dumped_and_loaded_continues_as_before(history: History, every: int) -> None:
    engine, other, found = Engine(), Engine(), []
    for place, happening in enumerate(history.happenings()):
        if place % 5 == every % 5:
            other = Engine.load(other.dump())
        judged = engine.apply(happening)
        assert other.apply(happening) == judged
        found += judged
        assert [other.judge(one) for one in other.open_removals] == [
            engine.judge(one) for one in engine.open_removals
        ]


@settings(max_examples=40)
@given(histories())
def test_a_state_that_was_kept_and_advanced_is_equal_to_one_that_was_rebuilt(history: History) -> None:
    engine, found = Engine(), []
    for happening in history.happenings():
        for day in range((engine.at or START) // DAY + 1, happening.at // DAY + 1):
            found += engine.advance(day * DAY)
        found += engine.apply(happening)
        engine = Engine.load(engine.dump())
    found += engine.advance((engine.at or START) + 3000 * MINUTE)

    assert found == played(history)


@settings(max_examples=15)
@given(histories(), st.integers(139, 170))
def test_a_long_silence_passes_at_once_as_day_by_day(history: History, days: int) -> None:
    engine = Engine()
    for happening in history.happenings():
        engine.apply(happening)
    by_days, at_once = Engine.load(engine.dump()), Engine.load(engine.dump())
    first, found = (engine.at or START) // DAY + 1, []
    for day in range(first, first + days):
        found += by_days.advance(day * DAY)

    assert at_once.advance((first + days - 1) * DAY) == found
    assert at_once.dump() == by_days.dump()


def test_what_happened_before_the_last_happening_cannot_be_added() -> None:
    engine = Engine()
    engine.apply(Entered(2 * SECOND, "s", 1, None, None))

    with pytest.raises(ValueError, match="happened at 1000000, before 2000000"):
        engine.apply(Entered(SECOND, "t", 2, None, None))


def test_a_dump_of_another_version_is_not_loaded() -> None:
    dumped = zlib.decompress(Engine().dump())
    other = dumped.replace(b"\xa7version\x03", b"\xa7version\x7f")
    assert other != dumped

    with pytest.raises(OtherVersion):
        Engine.load(zlib.compress(other))


def test_the_ends_of_a_stay_and_of_a_check_may_come_apart() -> None:
    queue = Queue().merge(2).enter(1)
    queue.run([1], ["unit"])
    queue.leave(1)
    whole = happenings(queue.stays.values(), queue.checks, queue.reports)
    stays = [
        part
        for stay in queue.stays.values()
        for part in (
            stay._replace(entered_at=None, entered_sha=None),
            stay._replace(left_at=None, reason=None),
        )
    ]
    checks = [
        part
        for check in queue.checks
        for part in (check._replace(started_at=None), check._replace(ended_at=None, outcome=None))
    ]

    assert happenings(stays, checks, queue.reports) == whole


def test_a_stay_whose_entering_is_not_recorded_is_known_from_its_first_check() -> None:
    queue = Queue().merge(40).enter(1)
    queue.run([1], ["unit"])
    session = queue.leave(1)
    queue.stays[session] = queue.stays[session]._replace(entered_at=None)

    assert queue.verdicts()[session].checks == ("unit",)


def test_a_removal_sees_runs_that_end_a_second_later() -> None:
    queue = Queue().enter(1)
    run = queue.start([1])
    queue.wait(10)
    session = queue.leave(1)
    queue.wait(1 / 60)
    queue.end(run, "CHECKS_FAILED", ["unit"])

    assert queue.verdicts()[session].checks == ("unit",)

    queue.wait(1 / 60)
    queue.end(run, "CHECKS_FAILED", ["unit"])

    assert queue.verdicts()[session].checks == ()


def _failures_alone(commit: str | None) -> int:
    """How many failures count, if it was queued three times."""
    queue = Queue().merge(40).wait(60)
    for _ in range(3):
        queue.enter(1, commit)
        queue.run([1], ["e2e"])
        session = queue.leave(1)
        queue.wait(60)
    return sum(one.kind == "failed_alone" for one in queue.verdicts()[session].evidence)


def test_a_commit_that_is_not_known_is_never_the_same() -> None:
    assert (_failures_alone("a"), _failures_alone(None)) == (3, 1)


def test_a_return_ends_the_time_in_which_a_verdict_is_revised() -> None:
    queue = Queue().merge(3).enter(1)
    queue.run([1], ["unit"])
    session = queue.leave(1)
    queue.wait(2).enter(1)

    assert queue.verdicts()[session].judged_at == queue.now


def test_percentages_appear_after_twenty_unchanged_returns() -> None:
    queue = Queue()
    for turn in range(22):
        queue.merge(4, first=10_000 + 4 * turn)
        queue.enter(turn)
        queue.run([turn], ["e2e"])
        session = queue.leave(turn)
        queue.wait(120).enter(turn)
        queue.run([turn])
        queue.leave(turn, MERGED)
        queue.wait(300)
    verdict = queue.verdicts()[session]

    assert verdict.basis.unchanged_returns == 21
    assert verdict.sentence == (
        "`e2e` failed once. It failed by chance in 21 of the last 131 runs, "
        "and nothing else points at this change. "
        "Queue it again (about 95 % to pass). Of 21 that people queued again here, 21 merged."
    )


def _returned(*reasons: str) -> int:
    """How many unchanged returns count, if one that had failed came back and left for these reasons."""
    queue = Queue().merge(40).enter(1)
    queue.run([1], ["e2e"])
    queue.leave(1)
    for reason in reasons:
        queue.wait(60).enter(1)
        queue.run([1])
        queue.leave(1, reason)
    queue.wait(60).enter(2)
    queue.run([2], ["e2e"])
    session = queue.leave(2)
    return queue.verdicts()[session].basis.unchanged_returns


def test_a_return_that_ends_for_another_reason_leaves_it_to_the_next_one() -> None:
    assert (0, 1) == (_returned("MERGE_QUEUE_RESET"), _returned("MERGE_QUEUE_RESET", MERGED))


def test_a_return_that_ends_with_a_push_came_back_changed() -> None:
    assert 0 == _returned("PULL_REQUEST_UPDATED", MERGED)


def _busy(removals: int) -> Queue:
    queue = Queue()
    for turn in range(removals):
        pulls = [10 * turn + place for place in range(4)]
        for pull in pulls:
            queue.enter(pull)
        run = queue.run(pulls, ["e2e", f"check {turn % 7}"])
        queue.split(run, pulls)
        for pull in pulls[:3]:
            queue.run([pull])
            queue.leave(pull, MERGED)
        queue.run([pulls[3]], ["unit"])
        queue.leave(pulls[3])
        queue.wait(20)
    return queue


@pytest.mark.thorough
def test_the_state_after_a_long_history_is_small() -> None:
    """How long a judgement takes is measured by benchmarks/verdict.py: a test must not depend on speed."""
    engine, queue = Engine(), _busy(420)
    for happening in happenings(queue.stays.values(), queue.checks, queue.reports, queue.splits):
        engine.apply(happening)

    assert len(engine.dump()) < 1_000_000
