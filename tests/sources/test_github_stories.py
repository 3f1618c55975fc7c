"""GitHub's webhooks become the same events, in whatever order and however often they arrive."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sources.github_deliveries import Delivery, Story, clock
from sources.github_stories import STORIES
from sources.github_translation import as_line, events_of

GOLDEN = Path(__file__).parent / "golden" / "github"


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.__name__)
def test_a_story_gives_its_events(story: Callable[[], Story]) -> None:
    """The golden file holds the events, one per line."""
    told = "".join(f"{as_line(event)}\n" for event in events_of(story().deliveries))
    golden = GOLDEN / f"{story.__name__}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(told, encoding="utf-8")

    assert golden.read_text(encoding="utf-8") == told


@given(data=st.data())
@settings(max_examples=300, deadline=None)
def test_order_and_repetition_do_not_matter(data: st.DataObject) -> None:
    """A platform promises neither order nor that a delivery comes once."""
    story = data.draw(st.sampled_from(STORIES))()
    repeated = data.draw(st.lists(st.sampled_from(story.deliveries), max_size=5))
    shuffled = data.draw(st.permutations([*story.deliveries, *repeated]))

    assert events_of(story.deliveries) == events_of(shuffled)


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.__name__)
def test_webhooks_that_come_hours_late_tell_the_same_story(story: Callable[[], Story]) -> None:
    """GitHub delivers again on request, up to three days later."""
    deliveries = story().deliveries
    late = [one._replace(received_at=clock(200) + place) for place, one in enumerate(deliveries)]

    assert _without_times(deliveries) == _without_times(late)


def _without_times(deliveries: Iterable[Delivery]) -> list[tuple[str | int | None, ...]]:
    return [
        (event.pull_request, event.type, event.batch_id, event.attempt, event.reason or event.outcome)
        for event in events_of(deliveries)
    ]


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.__name__)
def test_ids_are_different_and_fit(story: Callable[[], Story]) -> None:
    """Ids are unique in a repository and have 200 characters at most."""
    events = events_of(story().deliveries)

    assert len(events) == len({event.id for event in events})
    assert all(len(event.id) <= 200 and len(event.session_id or "") <= 200 for event in events)
