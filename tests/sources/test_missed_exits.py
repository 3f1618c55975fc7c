"""A stay that a source finds no longer queued, and cannot explain, ends when it was last seen."""

import json
from typing import Any

import pytest

from mergecast.incoming.sources.github.history_items import read_history_item
from mergecast.incoming.sources.github.webhook import read_webhook
from mergecast.incoming.sources.gitlab.observation import read_history_item as read_train_item
from mergecast.incoming.sources.gitlab.translate import TrainAround
from mergecast.incoming.sources.gitlab.translate import translate as translate_train
from mergecast.queues.model.instant import format_instant
from sources.github_deliveries import clock
from sources.github_translation import as_line, events_of_pull_request


def _text(minutes: float) -> str:
    return format_instant(clock(minutes))


def _pull(**body: Any) -> dict[str, Any]:
    return {"number": 7, "base_ref": "main", **body}


_QUEUED = ("queued", _pull(enqueued_at=_text(0)))
_ADDED = ("timeline", _pull(node={"__typename": "AddedToMergeQueueEvent", "createdAt": _text(0.02)}))
_LEFT = (
    "timeline",
    _pull(
        node={"__typename": "RemovedFromMergeQueueEvent", "createdAt": _text(5), "reason": "failed_checks"}
    ),
)
_ENTERED_LINE = "10:00:01  main#7  queue_entered"


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ([("absent", _pull(at=_text(9)))], ["10:00:01  main#7  queue_left  UNKNOWN"]),
        (
            [("absent", _pull(at=_text(9), last_seen_at=_text(8)))],
            ["10:08:00  main#7  queue_left  UNKNOWN"],
        ),
        ([("absent", _pull(at=_text(9), last_seen_at=_text(8))), _LEFT],
         ["10:05:00  main#7  queue_left  CHECKS_FAILED"]),
        ([("absent", {"number": 7})], []),
    ],
    ids=["never seen queued", "seen queued", "explained later", "unreadable"],
)  # fmt: skip
def test_github(items: list[tuple[str, dict[str, Any]]], expected: list[str]) -> None:
    """What the timeline says later replaces the guess."""
    seen = [
        observation
        for number, (kind, body) in enumerate([_QUEUED, _ADDED, *items])
        for observation in read_history_item(kind, str(number), body, clock(60))
    ]

    events = events_of_pull_request("main", 7, seen)

    assert [_ENTERED_LINE, *expected] == [as_line(event) for event in events]


def test_gitlab() -> None:
    """The car of what was removed disappears."""
    car = {
        "id": 1, "merge_request": {"iid": 7}, "created_at": _text(0), "target_branch": "main",
        "status": "fresh", "merged_at": None,
    }  # fmt: skip
    absent = {"number": 7, "target_branch": "main", "at": _text(9), "last_seen_at": _text(8)}
    seen = [read_train_item(kind, body) for kind, body in (("car", car), ("absent", absent))]

    events = translate_train(7, [one for one in seen if one], TrainAround()).events

    assert ["10:00:00  main#7  queue_entered", "10:08:00  main#7  queue_left  UNKNOWN"] == [
        as_line(event) for event in events
    ]


def test_timeline_webhook_and_queue_report_the_same_entry() -> None:
    """Their instants differ by seconds, and the stay is one; the queue alone is enough to know of it."""
    pull = {"number": 7, "title": "x", "updated_at": _text(0.01), "base": {"ref": "main"}}
    repository = {"id": 1, "full_name": "acme/web", "default_branch": "main"}
    payload = {"action": "enqueued", "number": 7, "pull_request": pull, "repository": repository}
    webhook = read_webhook("pull_request", "w", json.dumps(payload).encode(), clock(0.03)).observations
    from_timeline = read_history_item(_ADDED[0], "t", _ADDED[1], clock(60))
    from_queue = read_history_item(_QUEUED[0], "q", _QUEUED[1], clock(60))

    for seen in ((*webhook, *from_timeline, *from_queue), (*from_queue, *webhook), from_queue):
        events = events_of_pull_request("main", 7, seen)

        assert ["queue_entered"] == [event.type for event in events]
