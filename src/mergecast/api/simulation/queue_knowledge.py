"""Adds the queue position of a pull request, known from our events, to what the platform says."""

from collections.abc import Mapping, Sequence

import msgspec

from mergecast.api.parameters import LARGEST_RECORDED
from mergecast.api.services import Services
from mergecast.model.repository import Repository
from mergecast.model.snapshot import Part
from mergecast.stats.queue_contents import queue_contents
from mergecast.store.store import Reader

_UNKNOWN = "UNKNOWN"


async def with_queue(
    services: Services, repository: Repository, records: Sequence[tuple[int, bytes]]
) -> tuple[tuple[int, bytes], ...]:
    """The records with each pull request's position and last exit reason; unchanged without events."""
    known = await services.database.repository(repository)
    if known is None or not known.events:
        return tuple(records)
    numbers, at = [number for number, _ in records if number <= LARGEST_RECORDED], services.now()
    found = await services.database.read(known.id, lambda reader: _parts(reader, known.id, numbers, at))
    return tuple((number, _added(record, found.get(number, {}))) for number, record in records)


def _parts(
    reader: Reader, repository_id: int, numbers: Sequence[int], at: int
) -> dict[int, dict[str, object]]:
    places = {
        entry.pull_request: {
            "name": queue.queue_name,
            "position": entry.position - 1,
            "queued_at": entry.entered_at,
        }
        for queue in queue_contents(reader, repository_id, at)
        for entry in queue.entries
    }
    reasons = dict(reader.rows("last_exits", [repository_id, list(numbers), at]))
    return {number: _part(places.get(number), reasons.get(number)) for number in numbers}


def _part(place: Mapping[str, object] | None, reason: str | None) -> dict[str, object]:
    """Null means that the pull request is not queued, or never left; an unknown reason is omitted."""
    queue: dict[str, object] = {Part.QUEUE.key: place}
    return queue if reason == _UNKNOWN else {**queue, Part.DEQUEUE_REASON.key: reason}


def _added(record: bytes, parts: Mapping[str, object]) -> bytes:
    """The record with these parts as its last keys: of two equal keys, the last one counts."""
    if not parts:
        return record
    return record.rstrip()[:-1] + b"," + msgspec.json.encode(parts)[1:]
