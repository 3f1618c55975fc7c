"""Events: send, export, delete."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from functools import partial

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.body_buffers import LARGEST_BODY
from mergecast.api.exports import begin_export, encoded_in_turns
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
from mergecast.api.routing import REPOSITORY_PATH, Route
from mergecast.api.services import Handlers, Services
from mergecast.errors import FieldError, InvalidInput
from mergecast.incoming.intake.event_bodies import MOST_EVENTS_PER_DELIVERY, READERS, to_lines
from mergecast.queues.model.ci_check import AnyEvent, CiCheckReport
from mergecast.queues.model.ci_run import placed_at
from mergecast.queues.model.instant import format_optional
from mergecast.queues.stats.kept_since import kept_since_headers
from mergecast.queues.store.table_pages import export_ci_checks
from mergecast.queues.store.values import KnownRepository, Selection

SELECTION = ("source", "start_at", "end_at")
_NDJSON = "application/x-ndjson"
_BODY = RequestBody(LARGEST_BODY, tuple(READERS))


class EventHandlers(Handlers):
    async def send(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Store a delivery; the response is sent once it is durable."""
        media_type = _BODY.check_head(request)
        repository = read_input(request, segments).repository
        now = self._services.now()
        async with _BODY.read_in_turn(self._services.buffers, request) as body:
            # Reading thousands of events takes a while; in a thread, other requests are answered meanwhile.
            events = await asyncio.to_thread(READERS[media_type], body, now)
            kept = self._kept(events, now)
            events_keep = self._services.keep.events
            keep_from = None if events_keep is None else now - events_keep
            record = partial(self._services.database.record, repository, kept, keep_from)
            receipt = await self._services.write(repository, record)
        self._services.metrics.delivery(receipt.stored, receipt.duplicates)
        ignored = len(events) - len(kept)
        answer = {"stored": receipt.stored, "duplicates": receipt.duplicates}
        others = {"ignored": ignored, "expired": receipt.expired}
        return json_response(answer | {name: count for name, count in others.items() if count})

    def _kept(self, events: Sequence[AnyEvent], now: int) -> Sequence[AnyEvent]:
        """The events without reports about CI checks that are too old to be kept."""
        if CiCheckReport not in set(map(type, events)):
            return events
        keep = self._services.keep.checks
        oldest = now - keep
        return [
            event
            for event in events
            if not isinstance(event, CiCheckReport) or (keep and placed_at(event) >= oldest)
        ]

    async def delete(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Delete the events of a source, a period, or both."""
        given = read_input(request, segments, SELECTION)
        repository, values = given.repository, given.values
        if not values:
            message = f"choose events with any of {', '.join(SELECTION)}, or delete the whole repository"
            raise InvalidInput([FieldError("query", "", message)])
        start, end = values.get("start_at"), values.get("end_at")
        if start is not None and end is not None and start >= end:
            raise InvalidInput([FieldError("query", "start_at", "must be before end_at")])
        await self._services.known(repository)
        removed = await self._services.database.delete_events(
            Selection(repository, values.get("source"), start, end)
        )
        shown = {
            "source": values.get("source"),
            "start_at": format_optional(start),
            "end_at": format_optional(end),
        }
        await self._note(request, "events deleted", repository, **shown, deleted=removed)
        return json_response({"deleted": removed})

    async def forget(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Delete everything stored for a repository."""
        repository = read_input(request, segments).repository
        known = await self._services.known(repository)
        deleted = await self._services.database.forget(repository)
        await self._note(request, "repository deleted", known.repository, deleted=deleted)
        return json_response({"deleted": deleted})

    async def export(self, request: Request, segments: Mapping[str, str]) -> Response:
        """All events of a repository, one per line, in the order they were stored."""
        known = await self._services.asked(request, segments)
        headers = kept_since_headers(known.kept_since)
        if request.method == "HEAD":
            return head_only(_NDJSON, headers)
        lines = encoded_in_turns(self._services, request, self._all_events(known), to_lines)
        return await begin_export(self._services, request, lines, _NDJSON, headers)

    async def _all_events(self, known: KnownRepository) -> AsyncIterator[Sequence[AnyEvent]]:
        async for events in self._services.database.export(known):
            yield events
        async for reports in export_ci_checks(self._services.database, known):
            yield reports


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
        "schema": {"type": "array", "items": _EVENT, "maxItems": MOST_EVENTS_PER_DELIVERY},
        "example": [_EXAMPLE],
    },
    "application/x-ndjson": {"schema": STRING, "example": msgspec.json.encode(_EXAMPLE).decode() + "\n"},
}
_COUNTS = {"stored": INTEGER, "duplicates": INTEGER}
_RECEIPT = object_of(_COUNTS, {"ignored": INTEGER, "expired": INTEGER})


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
