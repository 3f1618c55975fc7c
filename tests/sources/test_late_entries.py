"""Webhooks that come some seconds late, in any order, about entries that do not change the pull request."""

import json
from typing import NamedTuple

from hypothesis import example, given, settings
from hypothesis import strategies as st

from mergecast.queues.model.event import CHECKS_STARTED, QUEUE_ENTERED, QUEUE_LEFT, Event
from mergecast.queues.model.instant import SECOND, format_instant
from sources.github_deliveries import Delivery, Story, clock
from sources.github_translation import events_of

_MOST_LATE = 105
_UPDATED = clock(-120)  # long before anything that is told here
_late = st.lists(st.integers(14, 30), min_size=6, max_size=6) | st.lists(
    st.sampled_from([0, 1]) | st.integers(40, _MOST_LATE), min_size=6, max_size=6
)


class _Passage(NamedTuple):
    """A pull request that enters, is tested and merges; seconds count from its entry."""

    late: list[int]  # seconds, for each webhook in the order in which they are sent
    built: int = 2
    tested: int = 5  # for how long
    has_groups: bool = True  # reported as groups, otherwise as pushes

    @property
    def merged(self) -> int:
        return self.built + self.tested


_passages = st.builds(
    _Passage, _late, st.integers(0, 20), st.integers(1, 15) | st.integers(10, 600), st.booleans()
)


def _sent(passage: _Passage) -> list[Delivery]:
    story, built, merged = Story(), passage.built / 60, passage.merged / 60
    story.enqueued(0, 1)
    if passage.has_groups:
        story.group(built, 1, "one")
    else:
        story.branch_created(built, 1, "one", built=built)
    story.check(merged, 1, "one", "success", began=built)
    if passage.has_groups:
        story.destroyed(merged, 1, "one", "merged")
    else:
        story.branch_deleted(merged, 1, "one")
    story.merged(merged, 1)
    return [
        _unchanged(one)._replace(received_at=one.received_at + late * SECOND)
        for one, late in zip(story.deliveries, passage.late, strict=True)
    ]


def _unchanged(delivery: Delivery) -> Delivery:
    """The delivery; if it is about an entry, the pull request last changed long before."""
    payload = json.loads(delivery.body)
    if payload.get("action") == "enqueued":
        payload["pull_request"]["updated_at"] = format_instant(_UPDATED)
    return delivery._replace(body=json.dumps(payload).encode())


def _only(events: list[Event], type: str) -> int:
    (found,) = [event.happened_at for event in events if event.type == type]
    return found


@settings(max_examples=300, deadline=None)
@given(_passages, st.data())
def test_a_pull_request_enters_before_its_first_group_and_not_long_before(
    passage: _Passage, data: st.DataObject
) -> None:
    """If all webhooks are late, the clock of the server seems to be fast, so the entry may be that early."""
    events = events_of(data.draw(st.permutations(_sent(passage))))

    entered, built = _only(events, QUEUE_ENTERED), _only(events, CHECKS_STARTED)
    assert clock(0) - _MOST_LATE * SECOND <= entered <= built
    assert built == clock(passage.built / 60)
    assert _only(events, QUEUE_LEFT) == clock(passage.merged / 60)


@given(st.permutations(range(6)))
@example([0, 1, 2, 3, 4, 5])
def test_an_entry_that_was_received_after_the_merge(order: list[int]) -> None:
    """It merged within seconds: the group, and not the merge, shows when it had entered at the latest."""
    sent = _sent(_Passage(late=[50, 14, 14, 14, 14, 14]))
    events = events_of([sent[place] for place in order])

    assert _only(events, QUEUE_ENTERED) == clock(2 / 60)


def test_an_entry_that_was_received_more_than_a_minute_after_the_merge() -> None:
    """It does not know of the merge, and did not enter when the pull request last changed either."""
    events = events_of(_sent(_Passage(late=[100, 0, 0, 0, 0, 0])))

    assert _only(events, QUEUE_ENTERED) == clock(2 / 60)
