"""The activity log becomes the same events, in whatever order and however often its pages are read."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from mergecast.incoming.sources.activity_log.entry import LogEntry, NotAnEntry, read_entry
from mergecast.incoming.sources.activity_log.translate import translate
from mergecast.incoming.sources.translation import Untranslated
from mergecast.queues.model.event import Event
from sources.activity_log_pages import LogStory
from sources.activity_log_stories import (
    STORIES,
    a_code_newer_than_this_program,
    batches_without_an_id,
    some_entries_without_an_id_of_the_stay,
)
from sources.github_deliveries import clock
from sources.github_translation import as_line
from sources.golden_stories import golden


def _pull_requests(items: Iterable[dict[str, Any]]) -> dict[int, list[LogEntry]]:
    found: defaultdict[int, list[LogEntry]] = defaultdict(list)
    for item in items:
        entry = read_entry(json.dumps(item).encode())
        if entry is not None:
            found[entry.pull_request].append(entry)
    return dict(sorted(found.items()))


def _events(items: Iterable[dict[str, Any]]) -> list[Event]:
    return [event for entries in _pull_requests(items).values() for event in translate(entries).events]


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.__name__)
def test_a_story_gives_its_events(story: Callable[[], LogStory]) -> None:
    """The golden file holds the events, one per line."""
    told = "".join(f"{as_line(event)}\n" for event in _events(story().items))

    assert golden("activity-log", story.__name__, told) == told


@given(data=st.data())
@settings(max_examples=200, deadline=None)
def test_order_and_repetition_do_not_matter(data: st.DataObject) -> None:
    """Pages overlap, and a second import reads everything again."""
    items = data.draw(st.sampled_from(STORIES))().items
    repeated = data.draw(st.lists(st.sampled_from(items), max_size=5))

    assert _events(items) == _events(data.draw(st.permutations([*items, *repeated])))


def test_entries_without_an_id_belong_to_the_stay_that_began_at_the_same_instant() -> None:
    events = _events(some_entries_without_an_id_of_the_stay().items)

    assert ["a", "a", "a", "a", "b", "b"] == [event.session_id for event in events]


def test_batches_without_an_id_are_told_apart() -> None:
    """Two bisections, one of them reported by two pull requests, and the runs of two stays."""
    batches = [event.batch_id for event in _events(batches_without_an_id().items) if event.batch_id]

    assert [4, 2, 2, 2] == [batches.count(batch) for batch in dict.fromkeys(batches)]


def test_an_unknown_code_is_reported() -> None:
    """The stay is still counted, under a general code."""
    (entries,) = _pull_requests(a_code_newer_than_this_program().items).values()

    expected = [Untranslated("unknown code SOLAR_FLARE", clock(minutes)) for minutes in (3, 5)]
    assert tuple(expected) == translate(entries).untranslated


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ({"metadata": None}, "the entry has no metadata"),
        ({"pull_request": None}, "the entry has no pull request"),
        ({"id": None}, "the entry has no id"),
        ({"metadata": {"branch": "main"}}, "the entry has no queue"),
        ({"received_at": "yesterday"}, "the entry has no `received_at`"),
    ],
)
def test_an_entry_that_cannot_be_read_says_why(item: dict[str, Any], message: str) -> None:
    """The import keeps it and counts the reason."""
    story = LogStory()
    story.enter(0, 1, "a")

    with pytest.raises(NotAnEntry) as raised:
        read_entry(json.dumps({**story.items[0], **item}).encode())

    assert message == str(raised.value)


def test_an_entry_with_half_of_a_surrogate_pair_cannot_be_read() -> None:
    story = LogStory()
    story.enter(0, 1, "a")
    text = json.dumps(story.items[0]).replace('"main"', r'"\ud800"')

    with pytest.raises(NotAnEntry, match="the item is not a JSON object"):
        read_entry(text.encode())


def test_a_bisection_needs_no_pull_request() -> None:
    """It concerns a batch."""
    story = LogStory()
    story.bisection(11, 1, "a", "X", [4, 5])

    (event, *_) = _events([{**item, "pull_request": None} for item in story.items])

    assert ("bisection_started", "4,5") == (event.type, event.batch_pull_requests)


def test_values_of_another_type_are_left_out() -> None:
    """The rest of the entry is read as if the service had not sent them."""
    story = LogStory()
    story.enter(0, 1, "a")
    (item,) = story.items
    metadata = {**item["metadata"], "batch_id": 7, "merged": "yes", "bisection_depth": True}
    metadata |= {"speculative_check_pull_request": {"number": "7", "pull_request_numbers": [3, "4", 5, 3]}}

    entry = read_entry(json.dumps({**item, "metadata": metadata, "base_ref": 1}).encode())

    assert structs.replace(_entry(item), members=(3, 5)) == entry


def _entry(item: dict[str, Any]) -> LogEntry:
    entry = read_entry(json.dumps(item).encode())
    assert entry is not None
    return entry


def test_characters_that_hide_others_are_removed_from_names_of_queues_and_rules() -> None:
    """Events with such names are refused, so that the stay would be lost; the change is counted once."""
    story = LogStory()
    story.enter(0, 7, "s")
    story.enter(1, 7, "s")
    for item in story.items:
        item["metadata"] |= {"queue_name": "de\u202efault", "priority_rule_name": "\u2066"}
    (entries,) = _pull_requests(story.items).values()

    translation = translate(entries)

    names = [(event.queue_name, event.priority_rule_name) for event in translation.events]
    reason = "control, bidirectional or tag characters were removed from the name of a queue or a rule"
    assert [("default", None)] == names
    assert [reason] == [one.reason for one in translation.untranslated]
