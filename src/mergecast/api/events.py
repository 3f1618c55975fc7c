"""Handlers of events: send, take back, read out."""

import asyncio
from collections.abc import AsyncIterator, Mapping

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from mergecast.api.body import check_announced_length, is_packed, media_type, unpack
from mergecast.api.known import find
from mergecast.api.parameters import read_input
from mergecast.api.responses import head_only, json_response
from mergecast.api.services import Services
from mergecast.errors import FieldError, InvalidInput, NotFound
from mergecast.ingest.record import READERS, record
from mergecast.ingest.wire import to_wire
from mergecast.model.event import Event
from mergecast.model.repository import Repository
from mergecast.store.append import Receipt
from mergecast.store.catalog import KnownRepository
from mergecast.store.removal import Selection

SELECTION = ("source", "start_at", "end_at")
_SMALL_BODY = 256 << 10


class EventHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def send(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Store a delivery; the answer comes once it is durable."""
        kind, is_gzip = media_type(request, tuple(READERS)), is_packed(request)
        check_announced_length(request)
        repository = read_input(segments, request.scope["query_string"]).repository
        receipt = await self._record(request, repository, kind, is_gzip=is_gzip)
        self._services.metrics.delivery(receipt.stored, receipt.duplicates)
        return json_response({"stored": receipt.stored, "duplicates": receipt.duplicates})

    async def _record(self, request: Request, repository: Repository, kind: str, *, is_gzip: bool) -> Receipt:
        database, now = self._services.database, self._services.now()
        async with self._services.buffers.receive(request) as body:
            if len(body) <= _SMALL_BODY and not is_gzip:
                return await record(database, repository, body, kind, now)
            async with self._services.large_bodies:
                content = await asyncio.to_thread(unpack, body) if is_gzip else body
                return await record(database, repository, content, kind, now)

    async def take_back(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Delete the events of a source and a span of time."""
        given = read_input(segments, request.scope["query_string"], SELECTION)
        repository, values = given.repository, given.values
        if not values:
            message = f"say which events to delete by {', '.join(SELECTION)}, or delete the repository"
            raise InvalidInput([FieldError("query", "", message)])
        start, end = values.get("start_at"), values.get("end_at")
        if start is not None and end is not None and start >= end:
            raise InvalidInput([FieldError("query", "start_at", "must be before end_at")])
        find(self._services, repository)
        removed = await self._services.database.remove(
            Selection(repository, values.get("source"), start, end)
        )
        return json_response({"deleted": removed})

    async def forget(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Delete everything that is known of a repository."""
        repository = read_input(segments, request.scope["query_string"]).repository
        find(self._services, repository)
        return json_response({"deleted": await self._services.database.forget(repository)})

    async def read_out(self, request: Request, segments: Mapping[str, str]) -> Response:
        """All events of a repository, one a line, in the order they were stored."""
        repository = read_input(segments, request.scope["query_string"]).repository
        known = find(self._services, repository)
        if request.method == "HEAD":
            return head_only("application/x-ndjson")
        last = self._services.database.last_number()
        # The status can only tell of what fails before the first line is written.
        first = await self._services.database.events_after(known, 0, last)
        return StreamingResponse(self._lines(known, first, last), media_type="application/x-ndjson")

    async def _lines(
        self, known: KnownRepository, page: list[tuple[int, Event]], last: int
    ) -> AsyncIterator[bytes]:
        while page:
            yield await asyncio.to_thread(_encode_lines, [event for _, event in page])
            if find(self._services, known.repository).id != known.id:
                # The body breaks off, so that nobody takes it for the whole.
                raise NotFound(f"the repository {known.repository} was deleted meanwhile")
            page = await self._services.database.events_after(known, page[-1][0], last)


def _encode_lines(events: list[Event]) -> bytes:
    return msgspec.json.Encoder().encode_lines([to_wire(event) for event in events])
