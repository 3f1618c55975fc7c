"""GitHub's webhooks become the same events, in whatever order and however often they arrive."""

import json
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mergecast.incoming.intake.loading import rules_of
from mergecast.incoming.sources.github.deliveries import RULES, webhook_delivery
from mergecast.incoming.sources.github.history_items import read_history_item
from mergecast.incoming.sources.github.observation import Observation
from mergecast.queues.model.event import QUEUE_ENTERED, QUEUE_LEFT, Event
from mergecast.queues.model.instant import MINUTE, SECOND, format_instant
from sources.github_deliveries import Delivery, Story, clock, sha
from sources.github_stories import DATED_BY_RECEPTION
from sources.github_stories import TRANSLATED_STORIES as STORIES
from sources.github_translation import (
    as_line,
    events_in,
    events_of,
    events_of_pull_request,
    observations_of,
    timelines_of,
)
from sources.golden_stories import golden

pytestmark = pytest.mark.thorough


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.__name__)
def test_a_story_gives_its_events(story: Callable[[], Story]) -> None:
    """The golden file holds the events, one per line."""
    told = "".join(f"{as_line(event)}\n" for event in events_of(story().deliveries))

    assert golden("github", story.__name__, told) == told


@given(data=st.data())
@settings(max_examples=300, deadline=None)
def test_order_and_repetition_do_not_matter(data: st.DataObject) -> None:
    """A platform promises neither order nor that a delivery comes once."""
    story = data.draw(st.sampled_from(STORIES))()
    repeated = data.draw(st.lists(st.sampled_from(story.deliveries), max_size=5))
    shuffled = data.draw(st.permutations([*story.deliveries, *repeated]))

    assert events_of(story.deliveries) == events_of(shuffled)


@pytest.mark.parametrize(
    "story", [one for one in STORIES if one not in DATED_BY_RECEPTION], ids=lambda story: story.__name__
)
def test_webhooks_that_come_hours_late_tell_the_same_story(story: Callable[[], Story]) -> None:
    """GitHub delivers again on request, up to three days later."""
    deliveries = story().deliveries
    late = [one._replace(received_at=clock(200) + place) for place, one in enumerate(deliveries)]

    assert _without_times(deliveries) == _without_times(late)


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.__name__)
def test_a_wrong_clock_of_this_server_does_not_change_the_story(story: Callable[[], Story]) -> None:
    """Webhooks then seem to be received before what they report, or long after it."""
    deliveries = story().deliveries
    for seconds in (-180, 58, 180, 500):
        received = [one._replace(received_at=one.received_at + seconds * SECOND) for one in deliveries]

        assert _without_times(deliveries) == _without_times(received), seconds


@given(data=st.data())
@settings(max_examples=100, deadline=None)
def test_an_import_makes_up_for_webhooks_that_are_lost_or_late(data: st.DataObject) -> None:
    """The timelines have everything that webhooks say about pull requests; nothing is counted twice."""
    told = data.draw(st.sampled_from(STORIES))().deliveries
    timelines = timelines_of(told, clock(9000))
    minutes = data.draw(st.lists(st.sampled_from([0, 0, 5, 90, 600]), min_size=len(told)))
    lost = data.draw(st.sets(st.sampled_from([one for one in told if one.event == "pull_request"] or told)))
    received = [
        one._replace(received_at=one.received_at + late * MINUTE) if one.event == "pull_request" else one
        for one, late in zip(told, minutes, strict=False)
        if one not in lost or one.event != "pull_request"
    ]

    assert _stays([*observations_of(told), *timelines]) == _stays([*observations_of(received), *timelines])


def _stays(seen: Iterable[Observation]) -> list[Event]:
    return [event for event in events_in(seen) if event.type in (QUEUE_ENTERED, QUEUE_LEFT)]


def _without_times(deliveries: Iterable[Delivery]) -> list[tuple[str | int | None, ...]]:
    return [
        (
            event.pull_request,
            event.type,
            event.batch_id,
            event.attempt,
            event.reason or event.outcome,
            event.head_sha,
        )
        for event in events_of(deliveries)
    ]


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.__name__)
def test_ids_are_different_and_fit(story: Callable[[], Story]) -> None:
    """Ids are unique in a repository and have 200 characters at most."""
    events = events_of(story().deliveries)

    assert len(events) == len({event.id for event in events})
    assert all(len(event.id) <= 200 and len(event.session_id or "") <= 200 for event in events)


@pytest.mark.parametrize("value", [None, True, -1, 10**30, "x", [7], {}])
def test_a_field_of_another_type_is_like_a_missing_one(value: object) -> None:
    """A delivery that cannot be read again would block all others of its repository."""
    story = Story()
    story.enqueued(0, 1)
    payload = json.loads(story.deliveries[0].body)

    for name in ("pull_request", "repository", "base", "number", "ref", "id", "updated_at", "user"):
        body = json.dumps(_with(payload, name, value)).encode()
        webhook, delivery = webhook_delivery("pull_request", "guid", body, clock(0))

        assert webhook.repository is None or webhook.repository.id in (None, 700100)
        if delivery.thread is not None:
            translation = (
                rules_of("github", delivery.thread).read(delivery.thread, [delivery.fields]).translate([])
            )
            found = [event.type for event in translation.events] or [
                one.reason for one in translation.untranslated
            ]
            assert found in (["queue_entered"], ["no number or base branch for this entry or exit"])


def _with(value: Any, name: str, new: object) -> Any:
    """The payload with another value for every field of this name."""
    if not isinstance(value, dict):
        return value
    return {key: new if key == name else _with(one, name, new) for key, one in value.items()}


def test_imported_statuses_are_in_the_order_of_their_times() -> None:
    """An import receives all of them at the same instant, and ids are not ordered as text."""
    states = (("pending", 2, 98), ("failure", 9, 99), ("pending", 11, 100), ("success", 20, 101))
    common = {"number": 1, "base_ref": "main", "head_sha": sha("one"), "context": "farm/hardware"}
    items = [
        ("status", {**common, "state": state, "id": id, "created_at": format_instant(clock(minutes))})
        for state, minutes, id in states
    ]
    for type, minutes in (("AddedToMergeQueueEvent", 1), ("RemovedFromMergeQueueEvent", 21)):
        node = {"__typename": type, "createdAt": format_instant(clock(minutes)), "reason": "merged"}
        items.append(("timeline", {"number": 1, "base_ref": "main", "node": node}))
    seen = [
        one
        for place, (kind, body) in enumerate(items)
        for one in read_history_item(kind, str(place), body, clock(9000))
    ]

    lines = [as_line(event) for event in events_of_pull_request("main", 1, seen)]

    head = sha("one")[:7]
    assert lines == [
        "10:01:00  main#1  queue_entered",
        f"10:02:00  main#1  checks_started  {head}  attempt 1  of 1",
        f"10:09:00  main#1  checks_ended  {head}  attempt 1  CHECKS_RETRIED",
        f"10:11:00  main#1  checks_started  {head}  attempt 2  of 1",
        f"10:20:00  main#1  checks_ended  {head}  attempt 2  SUCCESS",
        f"10:21:00  main#1  queue_left  {head}  PR_MERGED",
    ]


def test_two_pull_requests_with_the_same_number_both_merge() -> None:
    """Numbers begin again in a repository that was deleted and created again under its name."""
    story = Story()
    for begun in (0, 5000):
        story.enqueued(begun, 1)
        story.group(begun + 1, 1, f"one {begun}")
        story.destroyed(begun + 21, 1, f"one {begun}", "merged")
        story.merged(begun + 21, 1)

    left = [event for event in events_of(story.deliveries) if event.type == QUEUE_LEFT]

    assert [(clock(21), "PR_MERGED"), (clock(5021), "PR_MERGED")] == [
        (event.happened_at, event.reason) for event in left
    ]


@pytest.mark.parametrize("reason", ["expired", None])
def test_a_group_that_is_destroyed_for_an_unknown_reason_is_not_tested_any_more(reason: str | None) -> None:
    """The pull request stays in the queue, and the reason is reported."""
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    story.destroyed(20, 1, "one", reason or "")
    payload = json.loads(story.deliveries[-1].body)
    body = json.dumps({**payload, "reason": reason}).encode()
    sent = [*story.deliveries[:-1], story.deliveries[-1]._replace(body=body)]
    fields = [webhook_delivery(one.event, one.id, one.body, one.received_at)[1].fields for one in sent]

    translation = RULES.read("#1", fields).translate([])

    ended = [(event.type, event.outcome, event.happened_at) for event in translation.events][-1]
    assert ("checks_ended", "PR_AHEAD_DEQUEUED", clock(20) + SECOND) == ended
    words = [one.reason for one in translation.untranslated]
    assert words == ([] if reason is None else ["unknown reason: group expired"])
