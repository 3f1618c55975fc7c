"""Webhook bodies: anyone may send one, so they have separate limits on memory and time."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from starlette.requests import ClientDisconnect, Request

from mergecast.api.problems import HttpError
from mergecast.errors import Unavailable

LARGEST = 25 << 20
SECONDS = 10.0
# Nearly all webhooks are smaller; large bodies from strangers must not block them.
_SMALL = 1 << 20
_SMALL_TOGETHER = 64 << 20
_LARGE_TOGETHER = 4 * LARGEST


class _Budget:
    def __init__(self, limit: int) -> None:
        self._limit, self._taken = limit, 0

    @contextmanager
    def taken(self, size: int) -> Iterator[None]:
        """Takes this many bytes of the budget while the block runs."""
        if self._taken + size > self._limit:
            raise Unavailable("too many webhooks are arriving; deliver this one again in a moment")
        self._taken += size
        try:
            yield
        finally:
            self._taken -= size


class HookBodies:
    def __init__(self) -> None:
        self._small, self._large = _Budget(_SMALL_TOGETHER), _Budget(_LARGE_TOGETHER)

    @asynccontextmanager
    async def receive(self, request: Request) -> AsyncIterator[bytes]:
        """The body, once its head is checked; it counts as in memory until the block ends."""
        size = declared_length(request)
        if size > LARGEST:
            raise too_large()
        _check_type(request)
        with (self._small if size <= _SMALL else self._large).taken(size):
            yield await _read(request)


def declared_length(request: Request) -> int:
    """The declared length of the body, or the largest allowed if the request has none."""
    declared = request.headers.get("content-length")
    if declared is None:
        return LARGEST
    return int(declared) if declared.isascii() and declared.isdigit() else LARGEST + 1


def _check_type(request: Request) -> None:
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise HttpError(
            415,
            "the body must have type application/json; choose that content type in the webhook's settings",
        )
    if request.headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise HttpError(415, "the body of a webhook may not be encoded")


async def _read(request: Request) -> bytes:
    parts: list[bytes] = []
    length = 0
    try:
        async with asyncio.timeout(SECONDS):
            async for part in request.stream():
                parts.append(part)
                length += len(part)
                if length > LARGEST:
                    raise too_large()
    except TimeoutError:
        raise HttpError(408, f"the body did not arrive within {SECONDS:g} seconds") from None
    except ClientDisconnect:
        raise HttpError(408, "the client disconnected before the body was complete") from None
    return b"".join(parts)


def too_large() -> HttpError:
    return HttpError(413, f"a webhook may have at most {LARGEST >> 20} MiB")
