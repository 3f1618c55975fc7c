"""Answers that are made once: remembered by ETag, and computed once for all who ask meanwhile."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable

CACHE_BYTES = 32 << 20
# An entry costs more than its body: keys, pointers, the object itself.
_ENTRY_BYTES = 500


class Answers:
    """Bodies by ETag. An ETag names the data version, so that an entry is never out of date."""

    def __init__(self) -> None:
        self._bodies: OrderedDict[str, bytes] = OrderedDict()
        self._bytes = 0
        self._under_way: dict[str, asyncio.Task[bytes]] = {}

    async def get(self, etag: str, make: Callable[[], Awaitable[bytes]]) -> bytes:
        body = self._bodies.get(etag)
        if body is not None:
            self._bodies.move_to_end(etag)
            return body
        task = self._under_way.get(etag)
        if task is None:
            task = asyncio.ensure_future(self._make(etag, make))
            self._under_way[etag] = task
        # One who stops waiting does not stop the work for the others.
        return await asyncio.shield(task)

    async def _make(self, etag: str, make: Callable[[], Awaitable[bytes]]) -> bytes:
        try:
            body = await make()
        finally:
            del self._under_way[etag]
        self._keep(etag, body)
        return body

    def _keep(self, etag: str, body: bytes) -> None:
        if len(body) > CACHE_BYTES // 4:
            return
        self._bodies[etag] = body
        self._bytes += len(body) + _ENTRY_BYTES
        while self._bytes > CACHE_BYTES:
            _, oldest = self._bodies.popitem(last=False)
            self._bytes -= len(oldest) + _ENTRY_BYTES
