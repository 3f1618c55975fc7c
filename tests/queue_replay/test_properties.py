"""What holds for every queue, whatever goes in."""

from collections import Counter
from collections.abc import Set as AbstractSet
from dataclasses import replace
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mergecast.forecasting.replay import codes
from mergecast.forecasting.replay.record import Record
from mergecast.forecasting.replay.replay import replay
from mergecast.forecasting.replay.values import (
    Arrivals,
    Circumstances,
    Entering,
    EnteringFields,
    Fate,
    Leaving,
    Mode,
    Oracle,
    Outcome,
    Policy,
    QueueRule,
    ReplayTooLong,
    RunStart,
    RunStartFields,
)
from queue_replay.random_queues import Case, case

pytestmark = pytest.mark.thorough

MERGED = {codes.MERGED, codes.VOUCHED}
VERDICTS = {codes.PASS, codes.FAIL, codes.RETRIED}

cases = st.integers(0, 2**40).map(case)


def play(one: Case) -> Record:
    return replay(one.arrivals, one.policy, one.oracle, one.around)


def pulls_and_runs(largest: int = 40) -> st.SearchStrategy[list[tuple[int, int]]]:
    """When pull requests enter, and how long the runs that they lead take."""
    return st.lists(st.tuples(st.integers(0, 3000), st.integers(1, 900)), min_size=1, max_size=largest)


class Steady(NamedTuple):
    """A world in which the length of a run depends on its leader alone."""

    lengths: list[int]
    broken: list[bool]


def steady(pulls: list[tuple[int, int]], broken: AbstractSet[int] = frozenset()) -> tuple[Arrivals, Oracle]:
    pulls = sorted(pulls, key=lambda pull: pull[0])
    nothing = [0] * len(pulls)
    arrivals = Arrivals(
        number=range(1, len(pulls) + 1),
        entered_at=[at for at, _ in pulls],
        priority=[2000] * len(pulls),
        rule=nothing,
        interrupts=[False] * len(pulls),
        scopes=nothing,
    )
    tables = Steady([length for _, length in pulls], [row in broken for row in range(len(pulls))])
    return arrivals, Oracle(tables, _fate, _outcome, _never)


def _fate(tables: Steady, fields: EnteringFields) -> Fate:
    entering = Entering(*fields)
    return Fate(codes.BROKEN * tables.broken[entering.pull], codes.NEVER, 0)


def _outcome(tables: Steady, fields: RunStartFields) -> Outcome:
    start = RunStart(*fields)
    return Outcome(0, tables.lengths[start.leader], codes.FAIL if start.broken else codes.PASS)


def _never(_tables: Steady, _leaving: Leaving) -> int:
    return codes.NEVER


@given(cases)
def test_no_pull_request_leaves_twice(one: Case) -> None:
    """Stays of a pull request follow each other, and nothing comes after a merge."""
    stays = play(one).stays
    last_left: dict[int, int] = {}
    for pull, turn, entered_at, left_at, reason, *_ in sorted(zip(*stays, strict=True)):
        if turn > 0:
            assert entered_at > last_left[pull]
        assert left_at == codes.NEVER or left_at >= entered_at
        last_left[pull] = codes.NEVER if reason in MERGED else left_at
    assert max(Counter(zip(stays.pull, stays.turn, strict=True)).values(), default=1) == 1


@given(cases)
def test_no_pull_request_merges_before_a_run_with_it_passed(one: Case) -> None:
    """Its own run passed, or one of a later batch that vouches for it."""
    record = play(one)
    initial = len(one.around.initial_batches)
    passed = [
        (record.runs.batch[run], record.runs.ended_at[run])
        for run, outcome in enumerate(record.runs.outcome)
        if outcome == codes.PASS
    ]
    passed += [
        (batch, one.around.begins_at)
        for batch in range(initial)
        if one.around.initial_batches[batch].has_passed
    ]
    for left_at, reason, batch in zip(*record.stays[3:6], strict=True):
        if reason == codes.MERGED:
            assert any(own == batch and ended_at <= left_at for own, ended_at in passed)
        elif reason == codes.VOUCHED:
            assert any(later > batch and ended_at <= left_at for later, ended_at in passed)


@given(cases)
def test_never_more_runs_than_slots(one: Case) -> None:
    """A run holds its slot from forming to its end."""
    runs = play(one).runs
    changes = Counter[tuple[int, int]]()
    for formed_at, ended_at in zip(runs.formed_at, runs.ended_at, strict=True):
        if ended_at != formed_at:
            changes[formed_at, 1] += 1
            changes[ended_at if ended_at != codes.NEVER else 10**9, -1] -= 1
    running = 0
    for _, step in sorted(changes.items()):
        running += step

        # The train may already hold more than the policy has slots.
        assert running <= max(one.policy.max_parallel_checks, len(one.around.initial_batches))


@given(cases)
def test_merges_of_a_serial_train_follow_its_order(one: Case) -> None:
    """Batches merge in the order in which they were formed."""
    one = replace(one, policy=replace(one.policy, mode=Mode.SERIAL))
    stays = play(one).stays
    landed = sorted(
        (left_at, place, batch)
        for left_at, reason, batch, place in zip(*stays[3:], strict=True)
        if reason in MERGED
    )
    batches = [batch for _, _, batch in landed]

    assert batches == sorted(batches)


@given(pulls_and_runs(), st.integers(1, 6))
def test_one_more_slot_delays_no_pull_request(pulls: list[tuple[int, int]], slots: int) -> None:
    """With batches of one, and nothing that fails, leaves or interrupts."""
    arrivals, oracle = steady(pulls)
    fewer = replay(arrivals, Policy(max_parallel_checks=slots), oracle).stays.left_at
    more = replay(arrivals, Policy(max_parallel_checks=slots + 1), oracle).stays.left_at

    assert all(later <= earlier for later, earlier in zip(more, fewer, strict=True))


@given(pulls_and_runs(), st.integers(1, 5), st.sets(st.integers(0, 39)), st.sampled_from((False, True)))
def test_doubling_all_times_doubles_all_results(
    pulls: list[tuple[int, int]], size: int, broken: set[int], skips: object
) -> None:
    """Nothing in a queue depends on the length of a second."""
    told = []
    for factor in (1, 2):
        arrivals, oracle = steady([(at * factor, length * factor) for at, length in pulls], broken)
        rule = QueueRule(size, size, 100 * factor, checks_timeout=700 * factor)
        policy = Policy(rules=(rule,), max_parallel_checks=3, skip_intermediate_results=bool(skips))
        stays = replay(arrivals, policy, oracle).stays
        told.append([(at // factor, reason) for at, reason in zip(stays.left_at, stays.reason, strict=True)])

    assert told[0] == told[1]


@given(cases)
def test_the_origin_of_time_does_not_matter(one: Case) -> None:
    """A replay may begin before the instant 0, as it does for what happened before a window."""
    later = 1_000_000
    before = one.arrivals._replace(entered_at=[at - later for at in one.arrivals.entered_at])
    tables, fate, outcome, comes_back = one.oracle

    def earlier_fate(_: object, fields: EnteringFields) -> Fate:
        entering = Entering(*fields)
        found = Fate(*fate(tables, entering._replace(at=entering.at + later)))
        is_never = found.leaves_at == codes.NEVER
        return found if is_never else found._replace(leaves_at=found.leaves_at - later)

    oracle = Oracle(
        None,
        earlier_fate,
        lambda _, fields: outcome(tables, RunStart(*fields)._replace(at=RunStart(*fields).at + later)),
        lambda _, leaving: comes_back(tables, leaving._replace(at=leaving.at + later)),
    )

    expected = replay(one.arrivals, one.policy, one.oracle)
    found = replay(before, one.policy, oracle, Circumstances(begins_at=-later))

    left_at = [at if at == codes.NEVER else at - later for at in expected.stays.left_at]
    assert left_at == list(found.stays.left_at)
    assert (expected.stays.reason, expected.stays.batch) == (found.stays.reason, found.stays.batch)
    assert (expected.members, expected.runs.outcome) == (found.members, found.runs.outcome)


@given(cases, st.randoms(use_true_random=False))
def test_the_order_of_what_surrounds_a_train_does_not_matter(one: Case, draw: Random) -> None:
    """The same spans and pushes in another order, the same record."""
    closed, pushes = list(one.around.closed), list(one.around.pushes)
    draw.shuffle(closed)
    draw.shuffle(pushes)
    around = one.around._replace(closed=tuple(closed), pushes=tuple(pushes))

    assert play(one) == play(replace(one, around=around))


@given(pulls_and_runs(), st.integers(1, 4), st.integers(1, 4), st.sets(st.integers(0, 39)))
def test_ci_takes_at_least_the_shortest_run_per_verdict(
    pulls: list[tuple[int, int]], size: int, slots: int, broken: set[int]
) -> None:
    """Stopped runs only add to it."""
    arrivals, oracle = steady(pulls, broken)
    policy = Policy(rules=(QueueRule(size, size, max_checks_retries=1),), max_parallel_checks=slots)
    runs = replay(arrivals, policy, oracle).runs
    seconds = sum(runs.ended_at) - sum(runs.started_at)
    verdicts = sum(outcome in VERDICTS for outcome in runs.outcome)

    assert seconds >= verdicts * min(length for _, length in pulls)


@given(pulls_and_runs())
def test_one_slot_and_batches_of_one_are_a_line(pulls: list[tuple[int, int]]) -> None:
    """Everybody leaves one run after the later of entering and the one before."""
    arrivals, oracle = steady(pulls)
    left_at = 0
    expected = []
    for entered_at, length in zip(arrivals.entered_at, oracle.tables.lengths, strict=True):
        left_at = max(entered_at, left_at) + length
        expected.append(left_at)

    assert expected == list(replay(arrivals, Policy(), oracle).stays.left_at)


@settings(max_examples=30)
@given(cases)
def test_a_drained_queue_is_empty(one: Case) -> None:
    """Without an end, every pull request leaves and every run and bisection ends."""
    record = play(replace(one, around=one.around._replace(ends_at=None)))

    assert codes.NEVER not in record.stays.left_at
    assert codes.NEVER not in record.runs.ended_at
    assert codes.NEVER not in record.bisections.ended_at


def test_a_queue_that_never_comes_to_rest_is_given_up() -> None:
    """A pull request that fails and is queued again, for ever."""
    arrivals, oracle = steady([(0, 1)], {0})
    endless = oracle._replace(comes_back=lambda _tables, _leaving: 1)

    with pytest.raises(ReplayTooLong, match="runs for 1 pull requests"):
        replay(arrivals, Policy(), endless)


def test_nothing_enters_and_nothing_happens() -> None:
    """An empty queue has an empty record."""
    arrivals, oracle = steady([])

    assert [] == list(replay(arrivals, Policy(), oracle, Circumstances(pushes=(5,))).stays.pull)
