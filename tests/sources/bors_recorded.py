"""Comments that a bors-ng queue would have written in a recorded history."""

import gzip
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from mergecast.queues.model.instant import parse_instant
from sources.bors_queue import BorsQueue
from sources.bors_stories import CANCELED, FAILED, INTERRUPTED, SPLIT, SUCCEEDED
from sources.github_deliveries import clock

RECORDED = Path(__file__).parents[3] / "shared" / "real" / "bors-2024-summer.ndjson.gz"

Recorded = dict[str, Any]


def recorded_events() -> list[Recorded]:
    with gzip.open(RECORDED, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def queue_of(events: Sequence[Recorded]) -> BorsQueue:
    """The queue that wrote a comment for each entry, each end of a run and each exit.

    A run that one with a higher priority interrupts ends without a comment, when that one enters.
    """
    urgent = {event["at"] for event in events if event.get("outcome") == "PR_WITH_HIGHER_PRIORITY_QUEUED"}
    queue = BorsQueue(bases={event["pull_request"]: "master" for event in events if "pull_request" in event})
    entries = [
        (event, "ines", "bors r+ p=1" if event["at"] in urgent else "bors r+")
        for event in events
        if event["type"] == "queue_entered"
    ]
    told = sorted((*entries, *_replies(events)), key=lambda one: (one[0]["at"], one[1] == "bors"))
    for event, author, words in told:
        minutes = (parse_instant(event["at"]) - clock(0)) / 60e6
        queue.says(event["pull_request"], minutes, words, author)
    return queue


def _replies(events: Sequence[Recorded]) -> Iterator[tuple[Recorded, str, str]]:
    exits = {event["session_id"]: event for event in events if event["type"] == "queue_left"}
    for end in (event for event in events if event["type"] == "checks_ended"):
        is_last = exits[end["session_id"]]["at"] == end["at"]
        if words := _words(end["outcome"], is_last=is_last):
            link = f"\n * [ci](https://x.test/{end['batch_id']})" if words.startswith("Build") else ""
            yield end, "bors", words + link
            if is_last:
                del exits[end["session_id"]]
    for event in exits.values():
        is_conflict = event["reason"] == "CONFLICT_WITH_BASE_BRANCH"
        yield event, "bors", "Merge conflict." if is_conflict else CANCELED


def _words(outcome: str, *, is_last: bool) -> str | None:
    if outcome == "SUCCESS":
        return SUCCEEDED
    if outcome == "CHECKS_FAILED":
        return FAILED if is_last else SPLIT
    if outcome == "PR_DEQUEUED":
        return CANCELED if is_last else INTERRUPTED
    return None
