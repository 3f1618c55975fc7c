"""Sources of a repository: what they delivered, and deliveries of imports."""

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import Annotated, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Caller, Right
from mergecast.api.body_buffers import LARGEST_BODY
from mergecast.api.hooks import RECEIPT, shown_receipt
from mergecast.api.openapi.operation import DATE_TIME, Operation, json_body, schema_of
from mergecast.api.parameters import read_input
from mergecast.api.problems import UnknownRepository
from mergecast.api.request_body import RequestBody
from mergecast.api.responses import json_response
from mergecast.api.routing import REPOSITORY_PATH, Route, admission_of
from mergecast.api.services import Handlers, Services
from mergecast.errors import FieldError, InvalidInput
from mergecast.incoming.intake.overview import source_overviews
from mergecast.incoming.intake.renames import rename_imported
from mergecast.incoming.sources.page import Identity
from mergecast.incoming.sources.registry import SOURCES
from mergecast.inputs.json_object import decode_json
from mergecast.queues.answers.sources import SourceCursor, SourceEvents, SourceOverview, TranslatedAgain
from mergecast.queues.model.delivery import Delivery
from mergecast.queues.model.instant import NotAnInstant, format_optional, parse_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.values import Cursor, KnownRepository

_BODY = RequestBody(LARGEST_BODY)
_MOST_ITEMS = 10_000
_SHAPE = (
    'the body must look like {"items": [{"id": "…", "kind": "…", "body": {…}}], '
    '"cursor": "…" or null, "reached": a date-time or null, '
    '"repository": {"id": 7, "full_name": "…"} or null}, with at most 10,000 items'
)
_Text = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class _Item(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: _Text
    kind: _Text
    body: msgspec.Raw


class _Identity(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: Annotated[int, msgspec.Meta(ge=0, le=(1 << 63) - 1)]
    full_name: _Text


class _Items(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    items: Annotated[list[_Item], msgspec.Meta(max_length=_MOST_ITEMS)]
    cursor: Annotated[str, msgspec.Meta(max_length=1 << 20, pattern=r"^[^\x00]*$")] | None = None
    reached: Annotated[str, msgspec.Meta(extra_json_schema=DATE_TIME)] | None = None
    repository: _Identity | None = None


class _Page(NamedTuple):
    deliveries: list[Delivery]
    cursor: Cursor | None
    identity: Identity | None


class SourceHandlers(Handlers):
    async def show(self, request: Request, segments: Mapping[str, str]) -> Response:
        """What each source delivered, and what could not be translated."""
        repository = read_input(request, segments).repository
        known = await self._services.find(repository)
        async with self._services.queries.turn(admission_of(request).caller.identity):
            store, now = self._services.database, self._services.now()
            overviews = await source_overviews(store, repository, known, now)
        if known is None and not overviews:
            raise UnknownRepository(repository)
        sent = 0 if known is None else _sent(known, overviews)
        return json_response(SourceEvents(tuple(overviews), sent))

    async def receive(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Store the items and cursor of an import; the response is sent once they are translated."""
        _BODY.check_head(request)
        given = read_input(request, segments)
        source, repository = given.values["source"], given.repository
        now, intake = self._services.now(), self._services.intake
        async with _BODY.read_in_turn(self._services.buffers, request) as body:
            page = await asyncio.to_thread(_read, source, body, now)
        platform_id = await self._identify(repository, page.identity, admission_of(request).caller)
        write = partial(
            intake.receive_import, repository, page.deliveries, page.cursor, platform_id=platform_id
        )
        receipt = await self._services.write(repository, lambda known: write(repository_id=known))
        return json_response(shown_receipt(receipt))

    async def _identify(self, named: Repository, identity: Identity | None, caller: Caller) -> int | None:
        """Rename the repository if the platform did so; returns the id to remember for the next time.

        Only an id that the operator sent is remembered. With the id of another repository, a later webhook
        about that repository would give it the data of this one.
        """
        if identity is None or not identity.is_named(str(named)):
            return None
        store = self._services.database
        await rename_imported(store, named, identity, lambda known: caller.may(Right.INGEST, known))
        return identity.id if caller.is_operator else None

    async def cursor(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Where the import of a source resumes; null if there was none."""
        given = read_input(request, segments)
        known = await self._services.find(given.repository)
        cursor = Cursor(given.values["source"], None, None)
        if known is not None:
            cursor = await self._services.database.cursor(known, given.values["source"])
        reached = format_optional(cursor.reached)
        return json_response(SourceCursor(cursor.position, reached))

    async def translate(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Translate everything that a source delivered again."""
        given = read_input(request, segments)
        source = given.values["source"]
        known = await self._services.known(given.repository)
        done = await self._services.intake.translate_again(given.repository, source)
        events = await self._services.database.derived_events(known)
        return json_response(TranslatedAgain(done.threads, events.get(source, 0)))


def _sent(known: KnownRepository, overviews: list[SourceOverview]) -> int:
    """How many events clients sent themselves: all but those that were translated from deliveries."""
    translated = {one.source: one.events for one in overviews}
    return max(0, known.events - sum(translated.values()))


def _read(source: str, body: bytes, now: int) -> _Page:
    page: _Items = decode_json(body, _Items, _SHAPE)
    if any("\0" in item.id or "\0" in item.kind for item in page.items):
        raise InvalidInput([FieldError("body", "", _SHAPE)])
    read_item = SOURCES[source].translator().read_item
    deliveries = [read_item(item.id, item.kind, bytes(item.body), now) for item in page.items]
    if page.repository is not None and SOURCES[source].history().identity is None:
        known = ", ".join(name for name, other in SOURCES.items() if other.history().identity is not None)
        raise InvalidInput([FieldError("body", "/repository", f"is for the source {known} only")])
    identity = Identity(page.repository.id, page.repository.full_name) if page.repository else None
    if page.cursor is None and page.reached is None:
        return _Page(deliveries, None, identity)
    return _Page(deliveries, Cursor(source, page.cursor, _instant(page.reached)), identity)


def _instant(text: str | None) -> int | None:
    try:
        return None if text is None else parse_instant(text)
    except NotAnInstant as error:
        raise InvalidInput([FieldError("body", "/reached", str(error))]) from None


_EXAMPLE: dict[str, object] = {
    "items": [{"id": "note-7", "kind": "note", "body": {"id": 7, "system": True}}],
    "cursor": '{"page": 2}',
    "reached": "2026-03-02T10:00:00Z",
}


def source_routes(services: Services) -> list[Route]:
    handlers, tag = SourceHandlers(services), "Sources"
    path = f"{REPOSITORY_PATH}/sources"
    source = f"{path}/{{source}}"
    show = Operation(tag, "What each source delivered, and what could not be translated", SourceEvents)
    receive = Operation(
        tag, "Send items of an import; the response is sent once they are durable and translated", RECEIPT,
        body=json_body(schema_of(_Items), _EXAMPLE),
    )  # fmt: skip
    cursor = Operation(tag, "Where the import of a source resumes", SourceCursor)
    translate = Operation(tag, "Translate everything that a source delivered again", TranslatedAgain)
    return [
        Route("GET", path, Right.READ, handlers.show, show),
        Route("POST", f"{source}/deliveries", Right.INGEST, handlers.receive, receive),
        Route("GET", f"{source}/cursor", Right.INGEST, handlers.cursor, cursor),
        Route("POST", f"{source}/translate", Right.INGEST, handlers.translate, translate, is_costly=True),
    ]
