"""Webhooks and imported items as deliveries: what is kept of each, and what translation reads of it."""

import json
from collections.abc import Callable
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergecast.sources.activity_log.entry import LogEntry
from mergecast.sources.github.deliveries import webhook_delivery
from mergecast.sources.github.observation import Observation
from mergecast.sources.gitlab.observation import Observation as TrainObservation
from mergecast.sources.registry import SOURCES, rules_of
from mergecast.sources.translation import Untranslated
from sources.activity_log_pages import LogStory
from sources.github_deliveries import Delivery, Story, clock

_NOW = clock(60)


def _last(tell: Callable[[Story], None]) -> Delivery:
    story = Story()
    tell(story)
    return story.deliveries[-1]


@pytest.mark.parametrize(
    ("tell", "thread", "is_about_queue"),
    [
        (lambda story: story.enqueued(0, 412), "main#412", True),
        (lambda story: story.group(1, 412, "g", base="release/2.x"), "release/2.x#412", True),
        (lambda story: story.check(2, 412, "g", "success", began=1), "main#412", True),
        (lambda story: story.closed(3, 412, merged_by=None), "main#412", False),
        (lambda story: story.closed(3, 412, merged_by="ines"), "main#412", False),
        (lambda story: story.closed(3, 412), "main#412", True),
        (lambda story: story.pushed(4, "ines"), "main#", False),
        (lambda story: story.pushed(4, "github-merge-queue[bot]"), None, False),
    ],
)
def test_a_webhook_belongs_to_a_thread(
    tell: Callable[[Story], None], thread: str | None, is_about_queue: object
) -> None:
    """Any pull request can be closed and any branch pushed to: that alone does not show a queue."""
    sent = _last(tell)

    _, delivery = webhook_delivery(sent.event, sent.id, sent.body, sent.received_at)

    assert (thread, is_about_queue) == (delivery.thread, delivery.is_about_queue)
    assert sent.body == delivery.body


def test_a_group_without_a_queue_branch_is_kept_and_counted() -> None:
    """It should have given events, so that it must not disappear."""
    sent = _last(lambda story: story.group(1, 412, "g"))
    payload = json.loads(sent.body)
    payload["merge_group"]["head_ref"] = "refs/heads/elsewhere"

    _, delivery = webhook_delivery(sent.event, sent.id, json.dumps(payload).encode(), _NOW)
    translation = rules_of("github", delivery.thread or "").translate("", [delivery.fields], [])

    assert (Untranslated("no queue branch for this group", _NOW),) == translation.untranslated


def test_an_entry_that_cannot_be_read_is_kept_and_counted() -> None:
    """With the reason."""
    story = LogStory()
    story.enter(0, 1, "a")
    body = json.dumps({**story.items[0], "metadata": None}).encode()

    delivery = SOURCES["activity-log"].read_item("1", "action.queue.enter", body, _NOW)
    translation = rules_of("activity-log", delivery.thread or "").translate("", [delivery.fields], [])

    assert (Untranslated("the entry has no metadata", _NOW),) == translation.untranslated


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize(
    "body",
    [
        *(b"{}", b"[]", b"null", b"1", b'{"metadata": 1, "node": 2}', b'{"node": 1e400}'),
        b'{"type": "action.queue.enter", "id": 1, "metadata": {"merged": 1e400}}',
        b'{"type": "action.queue.enter", "base_ref": "\xff"}',
    ],
)
def test_items_of_another_shape_are_not_kept_or_are_counted(source: str, body: bytes) -> None:
    """None of them raises."""
    delivery = SOURCES[source].read_item("1", "car", body, _NOW)

    assert delivery.thread in (None, "")


_KINDS: dict[object, st.SearchStrategy[Any]] = {
    str: st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=5),
    int: st.integers(-(2**53), 2**53),
    tuple[int, ...]: st.lists(st.integers(0, 2**53), max_size=3).map(tuple),
}


def _values_of(kind: Any) -> st.SearchStrategy[Any]:
    options = [part for part in get_args(kind) if part not in (type(None), Ellipsis)]
    if kind in _KINDS:
        return _KINDS[kind]
    return st.none() | _values_of(options[0]) if options else st.from_type(kind)


@pytest.mark.parametrize("shape", [Observation, LogEntry, TrainObservation])
@given(data=st.data())
def test_observations_survive_a_json_round_trip(shape: Any, data: st.DataObject) -> None:
    """The store keeps them as text."""
    fields = {field.name: _values_of(field.type) for field in msgspec.structs.fields(shape)}
    seen = data.draw(st.builds(shape, **fields))

    assert seen == msgspec.json.decode(msgspec.json.encode(seen), type=shape)
