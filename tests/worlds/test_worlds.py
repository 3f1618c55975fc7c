"""Worlds are repeatable, their histories are what a source would send, and policies meet the same world."""

from collections import Counter
from dataclasses import dataclass

import pytest

from mergecast.queues.model.event import EVENT_TYPES, QUEUE_ENTERED, QUEUE_LEFT, Event
from worlds.changes import BATCH_CHANGES, CHANGES
from worlds.events import events_of
from worlds.families import FAMILIES, Pair, pairs
from worlds.figures import figures
from worlds.world import START

SMALL = 4  # of so many pairs, the one with the fewest pull requests


@dataclass(frozen=True)
class Played:
    """A pair, and the events of its world with each policy."""

    pair: Pair
    before: list[Event]
    after: list[Event]


@pytest.fixture(scope="module", params=sorted(FAMILIES))
def some(request: pytest.FixtureRequest) -> list[Played]:
    family = sorted(pairs(request.param, SMALL), key=lambda pair: len(pair.world.arrivals.number))
    return [
        Played(
            pair, *(events_of(pair.world, pair.world.play(policy)) for policy in (pair.before, pair.after))
        )
        for pair in family[:1]
    ]


def by_type(events: list[Event], type: str) -> list[Event]:
    return [event for event in events if event.type == type]


def test_a_family_gives_the_same_pairs_again(some: list[Played]) -> None:
    """Two calls, two equal lists, and the same events to the last field."""
    family = some[0].pair.name.split()[0]
    again = {pair.name: pair for pair in pairs(family, SMALL)}
    other = again[some[0].pair.name]

    assert [one.pair.world for one in some] == [again[one.pair.name].world for one in some]
    assert some[0].before == events_of(other.world, other.world.play(other.before))


def test_both_policies_meet_the_same_first_entries(some: list[Played]) -> None:
    """Whatever the queue does, the pull requests come at the same instants."""
    for one in some:
        first = [
            {
                (event.session_id, event.happened_at)
                for event in by_type(events, QUEUE_ENTERED)
                if str(event.session_id).endswith("-0") and one.pair.world.lag_seconds == 0
            }
            for events in (one.before, one.after)
        ]

        assert first[0] == first[1]


def test_a_history_suffices_for_a_forecast(some: list[Played]) -> None:
    """At least 200 merged stays in at least 14 days, of all types that the policy can cause."""
    for one in some:
        end = one.pair.world.end
        history = [event for event in one.before if event.happened_at < end]

        assert figures(history, START, end).merged >= 200
        assert history[-1].happened_at - history[0].happened_at >= 14 * 86_400_000_000
        assert {event.type for event in history} <= set(EVENT_TYPES)


def test_every_stay_is_entered_once_and_left_at_most_once(some: list[Played]) -> None:
    """Also when the source is late."""
    for one in some:
        entered = Counter(event.session_id for event in by_type(one.after, QUEUE_ENTERED))
        left = Counter(event.session_id for event in by_type(one.after, QUEUE_LEFT))

        assert set(entered.values()) == {1}
        assert entered == left
        assert len({event.id for event in one.after}) == len(one.after)


def test_changes_have_different_names() -> None:
    """A table of errors by pair needs them."""
    for changes in (CHANGES, BATCH_CHANGES):
        assert len({change.name for change in changes}) == len(changes)
