"""The pull requests of a simulation, as a server finds them: on the platform or in its store."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec
from starlette.requests import Request

from mergecast.api.parameters import LARGEST_RECORDED
from mergecast.api.routing import admission_of
from mergecast.api.services import Services
from mergecast.errors import Conflict, FieldError
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.snapshot import Needs, Part
from mergecast.queues.stats.queue_contents import queue_contents
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.values import OpenSnapshots, count_fitting
from mergecast.simulation.ports import Access, OpenRecords

MOST_PULL_REQUESTS = 100
# Records go to a child in one message with the document, and take several times their size when decoded.
MOST_RECORD_BYTES = 16 << 20
_UNKNOWN = "UNKNOWN"


@dataclass(frozen=True, slots=True)
class RecordedPullRequests:
    """The snapshots in the store. The request determines whose turn it is to read them."""

    services: Services
    request: Request
    repository: Repository

    async def pull_request(self, number: int) -> bytes | None:
        known = await self.services.find(self.repository)
        if known is None or number > LARGEST_RECORDED:
            return None
        return await self.services.snapshot(self.request, known, number)

    async def open_pull_requests(self) -> OpenRecords:
        known = await self.services.known(self.repository)
        async with self.services.queries.turn(admission_of(self.request).caller.identity):
            return await self.services.database.open_snapshots(known, MOST_PULL_REQUESTS, MOST_RECORD_BYTES)


@dataclass(frozen=True, slots=True)
class LivePullRequests:
    """What the platform shows, with what only recorded events show: queue positions and last exits."""

    services: Services
    access: Access

    async def current_document(self) -> str | None:
        return await self.access.current_document()

    async def extended_document(self, owner: str, name: str) -> dict[str, str]:
        return await self.access.extended_document(owner, name)

    async def pull_request(self, number: int, needs: Needs) -> bytes:
        record = await self.access.pull_request(number, needs)
        if len(record) > MOST_RECORD_BYTES:
            raise _too_large(len(record))
        ((_, record),) = await self._with_queue([(number, record)])
        return record

    async def open_pull_requests(self, needs: Needs) -> OpenRecords:
        """As many of the first ones as one message may hold."""
        found = await self.access.open_pull_requests(needs)
        kept = count_fitting((len(record) for _, record in found.records), MOST_RECORD_BYTES)
        records = await self._with_queue(found.records[:kept])
        return OpenSnapshots(records, found.not_looked_at + len(found.records) - kept)

    async def _with_queue(self, records: Sequence[tuple[int, bytes]]) -> tuple[tuple[int, bytes], ...]:
        """The records with each pull request's position and last exit reason; unchanged without events."""
        database, at = self.services.database, self.services.now()
        known = await database.repository(self.access.repository)
        if known is None or not known.events:
            return tuple(records)
        numbers = [number for number, _ in records if number <= LARGEST_RECORDED]
        found = await database.read(known.id, lambda reader: _queue_parts(reader, known.id, numbers, at))
        return tuple((number, _added(record, found.get(number, {}))) for number, record in records)


def _too_large(length: int) -> Conflict:
    """Refused here, because a child would run out of memory and report the document as the cause."""
    message = (
        f"the platform's answer about it takes {length >> 20} MiB, "
        f"more than the {MOST_RECORD_BYTES >> 20} MiB that can be simulated"
    )
    return Conflict([FieldError("path", "number", message)])


def _queue_parts(
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
    return {number: _queue_part(places.get(number), reasons.get(number)) for number in numbers}


def _queue_part(place: Mapping[str, object] | None, reason: str | None) -> dict[str, object]:
    """Null means that the pull request is not queued, or never left; an unknown reason is omitted."""
    queue: dict[str, object] = {Part.QUEUE.key: place}
    return queue if reason == _UNKNOWN else {**queue, Part.DEQUEUE_REASON.key: reason}


def _added(record: bytes, parts: Mapping[str, object]) -> bytes:
    """The record with these parts as its last keys: of two equal keys, the last one counts."""
    if not parts:
        return record
    return record.rstrip()[:-1] + b"," + msgspec.json.encode(parts)[1:]
