"""Worlds are repeatable, their histories are what a source would send, and policies meet the same world."""

from collections import Counter

import pytest

from mergecast.model.event import EVENT_TYPES, QUEUE_ENTERED, QUEUE_LEFT, Event
from worlds.events import events_of, history_of
from worlds.families import CHANGES, FAMILIES, Pair, pairs
from worlds.figures import figures
from worlds.world import START

SMALL = 6  # of so many pairs, those with the fewest pull requests


@pytest.fixture(scope="module", params=sorted(FAMILIES))
def some(request: pytest.FixtureRequest) -> list[Pair]:
    family = list(pairs(request.param, SMALL))
    return sorted(family, key=lambda pair: len(pair.world.arrivals.number))[:2]


def by_type(events: list[Event], type: str) -> list[Event]:
    return [event for event in events if event.type == type]


def test_a_family_gives_the_same_pairs_again(some: list[Pair]) -> None:
    """Two calls, two equal lists, and the same events to the last field."""
    family = some[0].name.split()[0]
    one, again = some[0], {pair.name: pair for pair in pairs(family, SMALL)}
    other = again[one.name]

    assert [pair.world for pair in some] == [again[pair.name].world for pair in some]
    assert events_of(one.world, one.world.play(one.before)) == events_of(
        other.world, other.world.play(other.before)
    )


def test_both_policies_meet_the_same_first_entries(some: list[Pair]) -> None:
    """Whatever the queue does, the pull requests come at the same instants."""
    for pair in some:
        first = [
            {
                (event.session_id, event.happened_at)
                for event in by_type(events_of(pair.world, pair.world.play(policy)), QUEUE_ENTERED)
                if str(event.session_id).endswith("-0") and pair.world.lag_seconds == 0
            }
            for policy in (pair.before, pair.after)
        ]

        assert first[0] == first[1]


def test_a_history_suffices_for_a_forecast(some: list[Pair]) -> None:
    """At least 200 merged stays in at least 14 days, of all types that the policy can cause."""
    for pair in some:
        history = history_of(pair.world, pair.world.play(pair.before))

        assert figures(history, START, pair.world.end).merged >= 200
        assert history[-1].happened_at - history[0].happened_at >= 14 * 86_400_000_000
        assert {event.type for event in history} <= set(EVENT_TYPES)


def test_every_stay_is_entered_once_and_left_at_most_once(some: list[Pair]) -> None:
    """Also when the source is late."""
    for pair in some:
        events = events_of(pair.world, pair.world.play(pair.after))
        entered = Counter(event.session_id for event in by_type(events, QUEUE_ENTERED))
        left = Counter(event.session_id for event in by_type(events, QUEUE_LEFT))

        assert set(entered.values()) == {1}
        assert entered == left
        assert len({event.id for event in events}) == len(events)


def test_changes_have_different_names() -> None:
    """A table of errors by pair needs them."""
    assert len({change.name for change in CHANGES}) == len(CHANGES)
