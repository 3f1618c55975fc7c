"""Exports: long answers that are read from the store page by page while the client reads them.

A credential has few exports at a time, and every page waits for its own turn among the readers. Only one
page, or one row group, is in memory while a slow client reads.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from mergecast.access.rights import Right
from mergecast.api.fair_shares import Turn, while_connected
from mergecast.api.openapi.operation import STRING, Operation
from mergecast.api.parameters import QUERY, TABLE, read_input
from mergecast.api.responses import head_only
from mergecast.api.routing import REPOSITORY_PATH, Route, admission_of
from mergecast.api.services import Handlers, Services
from mergecast.queues.export.formats import FORMATS, MEDIA_TYPES, Writer, writer_of
from mergecast.queues.export.tables import TABLES, Table
from mergecast.queues.stats.kept_since import kept_since_headers
from mergecast.queues.store.table_pages import table_pages
from mergecast.queues.store.values import KnownRepository

T = TypeVar("T")

# How long an export waits for another one of its credential to end.
EXPORT_WAITING_SECONDS = 20.0
_FORMAT = "format"


async def begin_export(
    services: Services,
    request: Request,
    parts: AsyncIterator[bytes],
    media_type: str,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """An answer that begins once its first part is known, and ends its turn when it ends."""
    caller = admission_of(request).caller.identity
    turn = await while_connected(request, services.exports.take(caller, seconds=EXPORT_WAITING_SECONDS))
    try:
        # The status can report only what fails before the first part. Later the connection is closed, so
        # that the client cannot mistake a part for the whole.
        first = await anext(parts, b"")
    except BaseException:
        turn.end()
        raise
    return _Export(first, parts, turn, media_type, headers)


async def encoded_in_turns(
    services: Services,
    request: Request,
    pages: AsyncIterator[Sequence[T]],
    encode: Callable[[Sequence[T]], bytes],
) -> AsyncIterator[bytes]:
    """The pages, encoded: their rows would take more memory while a slow client reads.

    Each page waits for its own turn. A thread encodes it: that takes long enough to delay other requests.
    """
    caller, has_begun = admission_of(request).caller.identity, False
    while True:
        async with services.queries.turn(caller, has_begun=has_begun):
            page: Sequence[T] = await anext(pages, [])
            part = await asyncio.to_thread(encode, page) if page else b""
        if not page:
            return
        if part:
            has_begun = True
            yield part


class _Export(StreamingResponse):
    """Ends its turn when it ends, however it ends."""

    def __init__(
        self,
        first: bytes,
        rest: AsyncIterator[bytes],
        turn: Turn,
        media_type: str,
        headers: Mapping[str, str] | None,
    ) -> None:
        async def content() -> AsyncIterator[bytes]:
            yield first
            async for part in rest:
                yield part

        super().__init__(content(), media_type=media_type, headers=headers)
        self._turn = turn

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._turn.end()


class TableExport(Handlers):
    async def export(self, request: Request, segments: Mapping[str, str]) -> Response:
        """A table of a repository as a file."""
        given = read_input(request, segments, (_FORMAT,))
        table, format = TABLES[given.values[TABLE.name]], given.values.get(_FORMAT, FORMATS[0])
        known = await self._services.known(given.repository)
        writer = writer_of(format, table, str(known.repository))
        kept = kept_since_headers(known.kept_since)
        if request.method == "HEAD":
            return head_only(writer.media_type, kept)
        file = f"{known.repository.owner}-{known.repository.name}-{table.name}.{format}"
        headers = {"Content-Disposition": f'attachment; filename="{file}"', **kept}
        parts = self._parts(request, known, table, writer)
        return await begin_export(self._services, request, parts, writer.media_type, headers)

    async def _parts(
        self, request: Request, known: KnownRepository, table: Table, writer: Writer
    ) -> AsyncIterator[bytes]:
        """The file in parts. The first one comes after a page has been read."""
        begun = writer.begin()
        pages = table_pages(self._services.database, known, table.name)
        async for part in encoded_in_turns(self._services, request, pages, writer.add):
            yield begun + part
            begun = b""
        yield begun + await asyncio.to_thread(writer.end)


def table_export_route(services: Services) -> Route:
    operation = Operation(
        "Events",
        "A table of a repository as a file: stays, checks, CI runs, bisections, events or CI checks",
        {media_type: {"schema": STRING} for media_type in MEDIA_TYPES},
        (QUERY[_FORMAT],),
    )
    path = f"{REPOSITORY_PATH}/export/{{table}}"
    return Route("GET", path, Right.READ, TableExport(services).export, operation)
