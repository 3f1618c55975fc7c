"""When the pull requests of the present queue merge, compared with when they did."""

from collections import Counter
from dataclasses import replace
from functools import cache

import pytest

from mergecast.forecasting.forecast.chances import Odds
from mergecast.forecasting.forecast.eta import Calibration
from mergecast.forecasting.forecast.forecast import (
    TooLittle,
    expected_merges,
    too_little,
    trust_in_expected_merges,
)
from mergecast.forecasting.forecast.present import ExpectedMerge
from mergecast.forecasting.history.inference import infer
from mergecast.forecasting.history.reading import read_history
from mergecast.forecasting.replay.values import Policy, QueueRule
from mergecast.queues.model.event import CHECKS_ENDED, QUEUE_ENTERED, QUEUE_LEFT, Event
from mergecast.queues.model.instant import DAY, HOUR, SECOND, Window
from worlds.events import events_of
from worlds.world import START, World

pytestmark = pytest.mark.thorough

WORLD = World(21, days=20, pulls_per_day=60, length_median=25, weekend=0.6)
POLICY = Policy(rules=(QueueRule(3, 3, 300 * SECOND),), max_parallel_checks=2)


@cache
def _events_with(seed: int) -> list[Event]:
    world = replace(WORLD, seed=seed)
    return events_of(world, world.play(POLICY))


@pytest.fixture
def events() -> list[Event]:
    return _events_with(WORLD.seed)


def _expected(events: list[Event], now: int) -> tuple[ExpectedMerge, ...] | TooLittle:
    history = read_history([event for event in events if event.happened_at < now], Window(START, now))
    missing = too_little(history, frozenset(history.queue_names))
    return missing or expected_merges(infer(history), Calibration(), Odds())


@pytest.mark.thorough
def test_half_merge_before_their_p50_and_most_before_their_p90() -> None:
    """Computed on the afternoons of six days in each of six worlds, for all that merged."""
    before_p50, before_p90 = [], []
    for seed in range(21, 27):
        events = _events_with(seed)
        merged = {
            event.session_id: event.happened_at
            for event in events
            if event.type == QUEUE_LEFT and str(event.reason).startswith("PR_MERGED")
        }
        for day in range(14, 20):
            now = START + day * DAY + 14 * HOUR
            found = _expected(events, now)
            assert not isinstance(found, TooLittle)
            for one in found:
                if one.session_id in merged and one.p50 is not None and one.p90 is not None:
                    took = (merged[one.session_id] - now) / SECOND
                    before_p50.append(took <= one.p50)
                    before_p90.append(took <= one.p90)

    assert len(before_p50) >= 30
    assert 0.25 <= sum(before_p50) / len(before_p50) <= 0.75
    assert 0.75 <= sum(before_p90) / len(before_p90)


def test_the_trust_in_expected_merges_is_measured_on_past_ones() -> None:
    """Half of them merged before their p50 and most before their p90, from estimates made earlier."""
    found = []
    for seed in (21, 22, 23, 24):
        history = read_history(_events_with(seed), Window(START, WORLD.end))
        found.append(trust_in_expected_merges(history).eta)

    cases = sum(one.cases for one in found)
    assert cases >= 200
    assert 0.4 <= sum(one.p50 * one.cases for one in found) / cases <= 0.6
    # Twenty days are cut once, so each half of the days that are forecast corrects the other.
    assert 0.8 <= sum(one.p90 * one.cases for one in found) / cases <= 0.95


def test_a_pull_request_whose_batch_failed_has_the_chance_that_its_failure_leaves() -> None:
    """Computed two minutes after each of several failures, when the members are tested again."""
    world = replace(WORLD, broken=0.06)
    events = events_of(world, world.play(POLICY))
    merged = {e.session_id for e in events if e.type == QUEUE_LEFT and str(e.reason).startswith("PR_MERGED")}
    ends = [e for e in events if e.type == CHECKS_ENDED and e.outcome == "CHECKS_FAILED"]
    failures = [at for at, members in Counter(e.happened_at for e in ends).items() if members > 1]
    after_failure: list[tuple[float, bool]] = []
    others: list[tuple[float, bool]] = []
    for failed_at in [at for at in failures if at > START + 14 * DAY][:12]:
        failed = {e.session_id for e in ends if e.happened_at == failed_at}
        found = _expected(events, failed_at + 120 * SECOND)
        assert not isinstance(found, TooLittle)
        for one in found:
            case = one.chance, one.session_id in merged
            (after_failure if one.session_id in failed else others).append(case)

    assert len(after_failure) >= 20
    predicted, truth = (sum(column) / len(after_failure) for column in zip(*after_failure, strict=True))
    assert predicted < 0.75
    assert abs(predicted - truth) < 0.1
    assert sum(chance for chance, _ in others) / len(others) > 0.85


def test_pull_requests_of_which_nothing_is_known_have_about_the_same_chance() -> None:
    """Some dozens that wait to be tested one at a time, where nobody removes any."""
    world = replace(WORLD, pulls_per_day=80, length_median=16, broken=0.1, flakes=0.1, weekend=1.0)
    world = replace(world, leaving_per_hour=0.0, conflicting=0.0, refused=0.0)
    events = events_of(world, world.play(Policy(rules=(QueueRule(1, 1, 0),))))
    found = _expected(events, START + 16 * DAY + 16 * HOUR)
    assert not isinstance(found, TooLittle)
    chances = [one.chance for one in found if not one.has_failed]
    assert len(chances) > 20
    assert max(chances) - min(chances) < 0.07


def test_a_pull_request_that_has_waited_for_long_is_removed_no_sooner_than_others() -> None:
    """It has not been removed until now. It is the first in line then, so it merges even more often."""
    world, now = replace(WORLD, leaving_per_hour=0.1), START + 16 * DAY + 14 * HOUR
    events = events_of(world, world.play(POLICY))
    last = max(e.happened_at for e in events if e.type == QUEUE_ENTERED and e.happened_at < now)
    entry = next(e for e in events if e.type == QUEUE_ENTERED and e.happened_at == last)
    older = entry._replace(happened_at=last - HOUR)

    chances = []
    for known in (events, [older if event is entry else event for event in events]):
        found = _expected(known, last + 1)
        assert not isinstance(found, TooLittle)
        chances += [one.chance for one in found if one.session_id == entry.session_id]

    assert chances[1] >= chances[0] > 0.6


def test_exactly_the_pull_requests_in_the_queue_have_a_chance(events: list[Event]) -> None:
    """Also those whose batch runs already; p50 is not after p90."""
    now = START + 16 * DAY + 14 * HOUR
    entered = {e.session_id for e in events if e.type == QUEUE_ENTERED and e.happened_at < now}
    left = {e.session_id for e in events if e.type == QUEUE_LEFT and e.happened_at < now}

    found = _expected(events, now)

    assert not isinstance(found, TooLittle)
    assert {one.session_id for one in found} == entered - left
    for one in found:
        assert 0 <= one.chance <= 1
        assert one.p50 is None or (one.p90 is not None and 0 <= one.p50 <= one.p90)


def test_a_short_history_expects_nothing(events: list[Event]) -> None:
    """The same bounds as for a forecast."""
    assert isinstance(_expected(events, START + 5 * DAY), TooLittle)
