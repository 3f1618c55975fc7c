"""Each thing that makes a world differ from what the estimates assume does what it says, and no more."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergecast.forecasting.replay import codes
from mergecast.forecasting.replay.values import Policy, QueueRule
from mergecast.queues.model.event import CHECKS_ENDED, QUEUE_ENTERED, QUEUE_LEFT
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, SECOND
from worlds.events import events_of, history_of
from worlds.growth import CappedSum, PerMember, Slowest
from worlds.reports import is_lost, recorded
from worlds.world import START, World, fate, outcome

pytestmark = pytest.mark.thorough

SINGLES = Policy(max_parallel_checks=3)
BATCHES = Policy(rules=(QueueRule(4, 4, 5 * MINUTE),), max_parallel_checks=2)
CALM = World(
    seed=7, days=4, pulls_per_day=30, length_sigma=0.0, length_tail_share=0.0, length_drift=0.0, flakes=0.0
)
_LENGTHS = st.lists(st.floats(0.1, 10.0), min_size=1, max_size=8)


def _length(world: World, *, size: int = 1, at: int = START, leader: int = 0) -> float:
    """Minutes of a run that starts at this instant, on a tree with nothing broken."""
    run = (leader, 0, size, 0, 0, 1, False, 1, at, 0, 0)
    return outcome(replace(world, delay_seconds=(0.0, 0.0), cancelled=0.0), run).length / MINUTE


@given(_LENGTHS)
def test_the_slowest_member_decides(lengths: list[float]) -> None:
    assert Slowest().length(lengths.__getitem__, len(lengths)) == max(lengths)


@given(_LENGTHS, st.floats(1.0, 20.0))
def test_a_capped_sum_is_the_sum_up_to_the_cap(lengths: list[float], cap: float) -> None:
    assert CappedSum(cap).length(lengths.__getitem__, len(lengths)) == min(cap, sum(lengths))


def test_each_further_member_takes_a_tenth_more() -> None:
    world = replace(CALM, length_of_batch=PerMember(0.1))

    assert [_length(world, size=size) for size in (1, 2, 6)] == pytest.approx([15.0, 16.5, 22.5])


def test_a_batch_is_never_shorter_than_its_first_member_alone_nor_longer_than_a_full_build() -> None:
    for growth in (Slowest(), CappedSum(2.5)):
        world = replace(CALM, length_of_batch=growth, pulls_differ=0.8, full_build=2.5)
        for leader in range(50):
            lengths = [_length(world, size=size, leader=leader) for size in range(1, 9)]

            assert lengths == sorted(lengths)
            assert lengths[-1] <= 2.5 * 15 + 0.001


def test_a_run_stands_still_during_an_outage_and_then_takes_the_rest_of_its_time() -> None:
    world = replace(CALM, outages=((10, 13), (14, 15)))

    at = [START + int(hour * HOUR) for hour in (9.5, 9.9, 11, 12.9, 13, 13.9)]
    assert [_length(world, at=start) for start in at] == pytest.approx(
        [15, 15 + 180, 15 + 120, 15 + 6, 15, 15 + 60]
    )


def test_speed_changes_step_by_step_by_the_factor() -> None:
    world = replace(CALM, speed_change=1.3, speed_changes=(7.0, 21.0))

    lengths = [_length(world, at=START + day * DAY) for day in (0, 7, 14, 21, 30)]
    assert lengths == pytest.approx([15.0, 15.0, 15 * 1.3**0.5, 15 * 1.3, 15 * 1.3])


def test_turned_away_entries_leave_within_seconds_whatever_the_queue_does() -> None:
    world = replace(CALM, turned_away=0.2)
    away = {pull for pull in range(500) if fate(world, (pull, 0, START)).leaves_at - START <= 21 * SECOND}

    assert 60 <= len(away) <= 140
    for policy in (SINGLES, BATCHES):
        stays = world.play(policy).stays
        for pull, turn, entered, left, reason in zip(*stays[:5], strict=True):
            if turn == 0 and pull in away and reason != codes.MERGED:
                assert left - entered <= 21 * SECOND
                assert codes.REASONS[reason] == "PR_DEQUEUED"


def test_urgent_entries_stop_checks_only_if_they_interrupt() -> None:
    world = replace(CALM, urgent_share=0.3, length_median=40)
    stopped = [
        replace(world, urgent_interrupts=interrupts).play(SINGLES).runs.outcome.count(codes.OVERTAKEN)
        for interrupts in (False, True)
    ]

    assert stopped[0] == 0 < stopped[1]


@pytest.mark.parametrize(
    "world",
    [
        replace(CALM, lost=0.1, receiver_down=((20, 24),)),
        replace(CALM, misreported_ends=0.2),
        replace(CALM, outages=((30, 35),)),
        replace(CALM, speed_change=1.3, speed_changes=(1.0, 3.0)),
        replace(CALM, pulls_differ=0.5, length_of_batch=Slowest()),
    ],
)
def test_the_same_pull_requests_are_broken_in_every_world_and_under_every_policy(world: World) -> None:
    """A forecast is compared with the same luck: only what it is about may differ."""
    flaws = [fate(world, (pull, turn, START)).flaws for pull in range(400) for turn in range(2)]

    assert flaws == [fate(CALM, (pull, turn, START)).flaws for pull in range(400) for turn in range(2)]
    assert world.arrivals == CALM.arrivals
    assert any(flaw & codes.BROKEN for flaw in flaws)


def test_lost_events_are_missing_and_nothing_else_changes() -> None:
    world = replace(CALM, lost=0.05, receiver_down=((30, 36),))
    sent = events_of(world, world.play(BATCHES))
    kept = recorded(world, sent)

    missing = [event for event in sent if event not in set(kept)]
    assert kept == [event for event in sent if not is_lost(world, event)]
    down = [event for event in sent if 30 * HOUR <= event.happened_at - START < 36 * HOUR]
    assert set(down) <= set(missing)
    others = len(sent) - len(down)
    assert 0.02 * others <= len(missing) - len(down) <= 0.09 * others
    assert {event.type for event in missing} >= {QUEUE_ENTERED, QUEUE_LEFT, CHECKS_ENDED}


def test_nothing_is_lost_and_nothing_misreported_by_default() -> None:
    sent = events_of(CALM, CALM.play(BATCHES))

    assert recorded(CALM, sent) == sent
    assert history_of(CALM, CALM.play(BATCHES)) == [e for e in sent if e.happened_at < CALM.end]


def test_misreported_ends_move_a_share_of_all_runs_and_all_members_alike() -> None:
    world = replace(CALM, misreported_ends=0.2)
    sent = {event.id: event for event in events_of(world, world.play(BATCHES))}
    moved: dict[tuple[str | None, int | None], set[int]] = {}
    for event in recorded(world, sent.values()):
        error = event.happened_at - sent[event.id].happened_at
        assert error == 0 or event.type == CHECKS_ENDED
        if event.type == CHECKS_ENDED:
            moved.setdefault((event.batch_id, event.attempt), set()).add(error)

    assert all(len(errors) == 1 for errors in moved.values())
    errors = [min(of_run) for of_run in moved.values() if of_run != {0}]
    assert 0.1 * len(moved) <= len(errors) <= 0.3 * len(moved)
    assert min(errors) < 0 < max(errors) <= 90 * MINUTE
