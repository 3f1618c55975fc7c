"""Past suspicions of a branch, in whatever order they are asked for."""

import pytest

from mergecast.judge.child.forecasting import Past
from mergecast.judge.messages import CheckFound
from mergecast.queues.model.event import CHECKS_ENDED, Event
from mergecast.queues.model.instant import DAY, HOUR
from worlds.blame import blamed_worlds
from worlds.world import START


@pytest.fixture(scope="module")
def recorded() -> tuple[list[Event], list[CheckFound]]:
    """Three weeks in which much fails."""
    played = list(blamed_worlds(3, days=21).values())[5].play()
    events = [event._replace(head_sha=played.heads.get(event.session_id or "")) for event in played.events]
    ends = {
        (event.batch_id, event.attempt): event.happened_at for event in events if event.type == CHECKS_ENDED
    }
    checks = [
        CheckFound(*run, name, ends[run], has_failed=True)
        for run, names in played.names.items()
        if run in ends
        for name in names
    ]
    return events, checks


def test_the_order_of_the_questions_does_not_matter(recorded: tuple[list[Event], list[CheckFound]]) -> None:
    instants = [START + day * DAY + 15 * HOUR for day in (3, 8, 9, 12, 20)]
    past, backwards = Past(*recorded, {}), Past(*recorded, {})

    found = [past.at(instant) for instant in instants]

    assert [backwards.at(instant) for instant in instants[::-1]][::-1] == found
    assert any(found)


def test_a_state_is_gone_on_from(recorded: tuple[list[Event], list[CheckFound]]) -> None:
    """What happened before it need not be known any more."""
    events, checks = recorded
    then, now = START + 12 * DAY, START + 12 * DAY + 15 * HOUR
    past = Past(events, checks, {})
    states = past.states_at(then)
    later = [event for event in events if event.happened_at > then]

    assert Past(later, checks, states).at(now) == past.at(now)
