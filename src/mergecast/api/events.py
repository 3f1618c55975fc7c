"""Events: send, export, delete."""

import asyncio
from collections.abc import AsyncIterator, Mapping

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from mergecast.access.rights import Right
from mergecast.api.body_buffers import LARGEST_BODY
from mergecast.api.fair_shares import Turn, while_connected
from mergecast.api.openapi.operation import (
    DELETED,
    INTEGER,
    NDJSON,
    STRING,
    Operation,
    json_content,
    object_of,
)
from mergecast.api.parameters import QUERY, read_input
from mergecast.api.request_body import RequestBody
from mergecast.api.responses import head_only, json_response
from mergecast.api.routing import REPOSITORY_PATH, Route, admission_of
from mergecast.api.services import Services
from mergecast.errors import FieldError, InvalidInput
from mergecast.incoming.intake.event_bodies import MOST_EVENTS, READERS, to_lines
from mergecast.queues.model.event import Event
from mergecast.queues.store.values import KnownRepository, Selection

SELECTION = ("source", "start_at", "end_at")
# How long an export waits for another one of its credential to end.
EXPORT_WAITING_SECONDS = 20.0
_BODY = RequestBody(LARGEST_BODY, tuple(READERS))


class EventHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def send(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Store a delivery; the response is sent once it is durable."""
        media_type = _BODY.check_head(request)
        repository = read_input(segments, request.scope["query_string"]).repository
        now = self._services.now()
        async with _BODY.read_in_turn(self._services.buffers, request) as body:
            # Reading thousands of events takes a while; in a thread, other requests are answered meanwhile.
            events = await asyncio.to_thread(READERS[media_type], body, now)
            await self._services.find(repository)
            receipt = await self._services.database.record(repository, events)
        self._services.metrics.delivery(receipt.stored, receipt.duplicates)
        answer = {"stored": receipt.stored, "duplicates": receipt.duplicates}
        return json_response(answer | ({"ignored": receipt.ignored} if receipt.ignored else {}))

    async def delete(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Delete the events of a source, a period, or both."""
        given = read_input(segments, request.scope["query_string"], SELECTION)
        repository, values = given.repository, given.values
        if not values:
            message = f"say which events to delete by {', '.join(SELECTION)}, or delete the repository"
            raise InvalidInput([FieldError("query", "", message)])
        start, end = values.get("start_at"), values.get("end_at")
        if start is not None and end is not None and start >= end:
            raise InvalidInput([FieldError("query", "start_at", "must be before end_at")])
        await self._services.known(repository)
        removed = await self._services.database.delete_events(
            Selection(repository, values.get("source"), start, end)
        )
        return json_response({"deleted": removed})

    async def forget(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Delete everything stored for a repository."""
        repository = read_input(segments, request.scope["query_string"]).repository
        await self._services.known(repository)
        return json_response({"deleted": await self._services.database.forget(repository)})

    async def export(self, request: Request, segments: Mapping[str, str]) -> Response:
        """All events of a repository, one per line, in the order they were stored."""
        repository = read_input(segments, request.scope["query_string"]).repository
        known = await self._services.known(repository)
        if request.method == "HEAD":
            return head_only("application/x-ndjson")
        caller = admission_of(request).caller.identity
        turn = await while_connected(
            request, self._services.exports.take(caller, seconds=EXPORT_WAITING_SECONDS)
        )
        try:
            pages = self._pages(request, known)
            # The status can report only what fails before the first line. Later the connection is closed, so
            # that the client cannot mistake a part for the whole.
            first = await anext(pages, b"")
        except BaseException:
            turn.end()
            raise
        return _Export(first, pages, turn)

    async def _pages(self, request: Request, known: KnownRepository) -> AsyncIterator[bytes]:
        """The lines of the events in pages; each page waits for its own turn."""
        pages, caller = self._services.database.export(known), admission_of(request).caller.identity
        has_begun = False
        while True:
            async with self._services.queries.turn(caller, has_begun=has_begun):
                lines = await _next_lines(pages)
            if not lines:
                return
            yield lines
            has_begun = True


async def _next_lines(pages: AsyncIterator[list[Event]]) -> bytes:
    """The next page, encoded: the events themselves would take more memory while a slow client reads."""
    events: list[Event] = await anext(pages, [])
    return await asyncio.to_thread(to_lines, events)


class _Export(StreamingResponse):
    """Ends its turn when it ends, however it ends."""

    def __init__(self, first: bytes, rest: AsyncIterator[bytes], turn: Turn) -> None:
        async def lines() -> AsyncIterator[bytes]:
            yield first
            async for page in rest:
                yield page

        super().__init__(lines(), media_type="application/x-ndjson")
        self._turn = turn

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._turn.end()


_EVENT = {"$ref": "#/components/schemas/Event"}
_EXAMPLE: dict[str, object] = {
    "id": "42-entered",
    "type": "queue_entered",
    "at": "2026-03-02T10:00:00Z",
    "base_ref": "main",
    "queue_name": "default",
    "session_id": "stay-42",
    "pull_request": 42,
}
_EVENTS_BODY = {
    "application/json": {
        "schema": {"type": "array", "items": _EVENT, "maxItems": MOST_EVENTS},
        "example": [_EXAMPLE],
    },
    "application/x-ndjson": {"schema": STRING, "example": msgspec.json.encode(_EXAMPLE).decode() + "\n"},
}
_COUNTS = object_of({"stored": INTEGER, "duplicates": INTEGER})
_RECEIPT = {**_COUNTS, "properties": {**_COUNTS["properties"], "ignored": INTEGER}}


def event_routes(services: Services) -> list[Route]:
    handlers, path = EventHandlers(services), f"{REPOSITORY_PATH}/events"
    send = Operation(
        "Events",
        "Send events; the response is sent once they are durable",
        json_content(_RECEIPT),
        body=_EVENTS_BODY,
    )
    export = Operation("Events", "All events of a repository, one per line", NDJSON)
    delete = Operation(
        "Events",
        "Delete the events of a source, a period, or both",
        DELETED,
        tuple(QUERY[name] for name in SELECTION),
    )
    forget = Operation("Events", "Delete everything stored for a repository", DELETED)
    return [
        Route("POST", path, Right.INGEST, handlers.send, send),
        Route("GET", path, Right.READ, handlers.export, export),
        Route("DELETE", path, Right.OPERATE, handlers.delete, delete),
        Route("DELETE", REPOSITORY_PATH, Right.OPERATE, handlers.forget, forget),
    ]
