"""The demo's queue differs from the documented rules, and its history shows where."""

import pytest

from history.recorded import demo_history
from mergecast.forecasting.history.inference import TrainRules, infer
from mergecast.forecasting.history.reading import read_history
from mergecast.forecasting.replay.values import Policy, QueueRule, Split, Variants
from mergecast.queues.model.instant import DAY, Window
from worlds.changes import queue
from worlds.events import history_of
from worlds.world import START, World


@pytest.fixture(scope="module")
def trains() -> dict[str, TrainRules]:
    found = infer(read_history(*demo_history(90)))
    return {rules.queue_names[0]: rules for rules in found}


def test_each_queue_has_its_own_train(trains: dict[str, TrainRules]) -> None:
    assert [rules.queue_names for rules in trains.values()] == [("default",), ("hotfix",)]


def test_the_rules_that_differ_from_the_documented_ones_are_found(trains: dict[str, TrainRules]) -> None:
    variants = trains["default"].policy.variants

    assert variants.split is Split.HALVES
    assert variants.tests_last_member
    assert variants.forms_behind_failure
    assert variants.one_priority
    assert variants.urgent_starts_at_once
    assert variants.spares_head
    assert variants.closed_stops_starts
    assert not variants.holds_for_vouchers
    assert not variants.splits_timeouts
    assert variants.keeps_parts


def test_the_rules_that_agree_with_the_documented_ones_are_kept(trains: dict[str, TrainRules]) -> None:
    variants = trains["default"].policy.variants

    assert variants.waits_for_ahead
    assert not variants.retries_timeouts
    assert not variants.slot_until_merged


def test_every_detection_says_from_how_many_cases(trains: dict[str, TrainRules]) -> None:
    cases = {detection.rule: detection.cases for detection in trains["default"].detected}

    differing = (
        *("train", "failure under skip", "behind a bisection", "split", "last member of a split"),
        *("priorities in a batch", "urgent batches", "interrupted head", "closed time"),
    )
    assert all(cases[rule] >= 10 for rule in differing), cases


def test_settings_are_inferred(trains: dict[str, TrainRules]) -> None:
    policy = trains["default"].policy
    (rule,) = policy.rules

    assert (rule.batch_size_min, rule.batch_size_max) == (4, 4)
    assert rule.batch_max_wait_time == 300_000_000
    assert rule.max_checks_retries == 1
    assert rule.checks_timeout == 7_200_000_000
    assert rule.batch_max_failure_resolution_attempts == 2
    assert policy.max_parallel_checks == 3
    assert policy.skip_intermediate_results
    assert trains["default"].kind == "mergify"


def test_priorities_rank_as_they_overtake(trains: dict[str, TrainRules]) -> None:
    ranks = trains["default"].priorities

    assert ranks["urgent"] > ranks[None] > ranks["low"]
    assert trains["default"].interrupting == {"urgent"}


def test_a_schedule_is_found_for_every_day(trains: dict[str, TrainRules]) -> None:
    schedules = trains["default"].closed.schedules

    assert len(schedules) >= 90
    for start, end in schedules:
        assert 3.4 <= start / 3600 % 24 <= 4.6, (start, end)
        assert 5.9 <= end / 3600 % 24 <= 6.1, (start, end)


def test_a_weekly_freeze_is_found() -> None:
    (rules,) = infer(read_history(*demo_history(90, "release/2.4")))

    long = [(end - start) / 3600 for start, end in rules.closed.freezes if end - start > 24 * 3600]
    assert len(long) >= 13
    assert all(61 <= hours <= 63.1 for hours in long[:13]), long


def test_a_freeze_that_began_before_the_history_comes_again_after_it() -> None:
    world = World(3, days=28, pulls_per_day=40, weekend=0.3, length_median=14, weekend_freeze=True)
    events = history_of(world, world.play(queue(2, 2)))
    first, last = START + 7 * DAY, START + 21 * DAY  # Mondays, six hours before merges may go on
    whole = read_history([one for one in events if one.happened_at < last], Window(first, last))
    (rules,) = infer(whole)
    weekends = [(start / 3600, end / 3600) for start, end in rules.closed.freezes]
    # The freeze on the last weekend has not ended: what waits in it has not said how long.
    ((start, end),) = [(start, end) for start, end in weekends if start < 14 * 24 < end]
    assert start == pytest.approx(282, abs=2)
    assert end == pytest.approx(342, abs=0.1)


def test_a_freeze_that_holds_merges_is_found_from_batches_that_passed_and_did_not_merge() -> None:
    """Who lands on Monday says only how long it waited after its last run, which may have been an hour."""
    world = World(3, days=28, pulls_per_day=60, weekend=0.3, weekend_freeze=True, lag_seconds=5.0)
    record = world.play(Policy(rules=(QueueRule(2, 2, 300_000_000),), max_parallel_checks=4))

    (rules,) = infer(read_history(history_of(world, record), Window(START, world.end)))

    assert not rules.policy.variants.closed_stops_starts
    weekends = [(start, end) for start, end in rules.closed.freezes if end - start > 40 * 3600]
    assert len(weekends) >= 3
    for start, end in weekends[:3]:
        assert 114 <= start / 3600 % 168 <= 116, weekends
        assert 5.9 <= end / 3600 % 168 <= 6.1, weekends


@pytest.mark.parametrize("from_seed", [False, True])
def test_from_when_an_unfilled_batch_waits_is_found(*, from_seed: bool) -> None:
    """Urgent ones come to the front of batches that others are waiting in."""
    variants = Variants(wait_from_seed=from_seed)
    policy = Policy(rules=(QueueRule(4, 4, 900_000_000),), max_parallel_checks=8, variants=variants)
    world = World(8, days=28, pulls_per_day=60, urgent_share=0.2, weekend=0.6, lag_seconds=3.0)

    (rules,) = infer(read_history(history_of(world, world.play(policy)), Window(START, world.end)))

    (found,) = [one for one in rules.detected if one.rule == "wait to fill"]
    assert found.cases >= 5
    assert rules.policy.variants.wait_from_seed is from_seed
