"""Deliveries of whole stays, in time order, for benchmarks of ingest."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any
from uuid import UUID

from mergecast.queues.model.instant import SECOND, format_instant

STAYS = 250
EVENTS = 4 * STAYS


def deliveries(number: int, *, seed: int, start: int) -> Iterator[bytes]:
    """JSON arrays of 1,000 events: 250 stays that enter, are checked in batches of 3, and leave."""
    random = Random(seed)
    at = start
    for _ in range(number):
        events: list[dict[str, Any]] = []
        batch = ""
        for place in range(STAYS):
            at += SECOND
            if place % 3 == 0:
                batch = _name(random)
            events += _stay(random, at, batch, place)
        yield json.dumps(events).encode()


def one_event(random: Random, at: int) -> bytes:
    return json.dumps([_stay(random, at, "b", 1)[0]]).encode()


def _stay(random: Random, at: int, batch: str, place: int) -> list[dict[str, Any]]:
    common = {
        "base_ref": "main",
        "queue_name": f"queue-{random.randrange(6)}",
        "session_id": _name(random),
        "pull_request": place,
    }
    happened: list[tuple[int, dict[str, Any]]] = [
        (0, {"type": "queue_entered"}),
        (60, {"type": "checks_started", "batch_id": batch, "batch_pull_requests": [place, 1000, 1001]}),
        (600, {"type": "checks_ended", "batch_id": batch, "outcome": "SUCCESS"}),
        (630, {"type": "queue_left", "reason": "PR_MERGED", "batch_id": batch}),
    ]
    return [
        {"id": _name(random), "at": format_instant(at + seconds * SECOND), **common, **fields}
        for seconds, fields in happened
    ]


def _name(random: Random) -> str:
    return str(UUID(int=random.getrandbits(128)))
