"""Cached answers: kept by ETag, and computed once for all clients that ask at the same time."""

import asyncio
from collections.abc import Awaitable, Callable

from starlette.responses import Response

from mergecast.lru import BoundedCache

CACHE_BYTES = 32 << 20
# An entry costs more than its body: key, headers, the object itself.
_ENTRY_BYTES = 1000


class Answers:
    """Responses by ETag. An ETag includes the data version, so an entry is never out of date."""

    def __init__(self) -> None:
        self._responses: BoundedCache[str, Response] = BoundedCache(CACHE_BYTES, _size)
        self._under_way: dict[str, asyncio.Task[Response]] = {}

    async def get(self, etag: str, make: Callable[[], Awaitable[bytes]]) -> Response:
        known = self._responses.get(etag)
        if known is not None:
            return known
        task = self._under_way.get(etag)
        if task is None:
            task = asyncio.ensure_future(self._make(etag, make))
            self._under_way[etag] = task
        # A client that stops waiting must not cancel the work for others.
        return await asyncio.shield(task)

    async def _make(self, etag: str, make: Callable[[], Awaitable[bytes]]) -> Response:
        try:
            response = Response(await make(), 200, headers(etag), "application/json")
        finally:
            del self._under_way[etag]
        self._responses.put(etag, response)
        return response


def _size(response: Response) -> int:
    return len(response.body) + _ENTRY_BYTES


def headers(etag: str) -> dict[str, str]:
    return {"ETag": etag, "Cache-Control": "private, no-cache"}
