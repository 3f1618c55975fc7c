"""Responses that several handlers use, the media type that a client prefers, and a cache by ETag."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mergecast.process.concurrently import outlasting
from mergecast.process.lru import BoundedCache

# A message of the application to the connection: close it, because the rest of the answer cannot be sent.
# The client must not take the part that it has for the whole.
BREAK_OFF = {"type": "mergecast.break_off"}
CACHE_BYTES = 32 << 20
PASSING_BYTES = 2 << 20
# An entry costs more than its body: key, headers, the object itself.
_ENTRY_BYTES = 1000
_LARGEST_CACHED = 1 << 20
# A response has these unless its handler has decided otherwise: browsers and caches may not keep it, show it
# in a page of another site, or take it for another type.
_GUARDED = (
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
)


class Form(NamedTuple):
    """What a cached answer is, and the headers that follow from that."""

    media_type: str
    headers: Mapping[str, str] = {}


JSON = Form("application/json")


def json_response(content: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(content), status, media_type="application/json")


def guard_response(response: Response) -> None:
    """Add the headers that keep a response private, except those that it has already."""
    present = {name for name, _ in response.raw_headers}
    response.raw_headers += [pair for pair in _GUARDED if pair[0] not in present]


def head_only(media_type: str, headers: Mapping[str, str] | None = None) -> Response:
    """The answer to HEAD if GET is expensive and its length is not known in advance."""
    response = Response(media_type=media_type, headers=headers)
    del response.headers["content-length"]
    return response


def matches_etag(request: Request, etag: str) -> bool:
    """Whether If-None-Match contains this tag: the client already has the answer."""
    return any(_matches(value, etag) for name, value in request.scope["headers"] if name == b"if-none-match")


def _matches(header: bytes, etag: str) -> bool:
    """Weak comparison with each tag of If-None-Match."""
    tags = [tag.strip() for tag in header.decode("latin-1").split(",")]
    return "*" in tags or etag in tags or etag.removeprefix("W/") in tags


class _Work:
    """An answer that is being computed, and how many clients wait for it."""

    def __init__(self, task: "asyncio.Task[Response]") -> None:
        self.task, self.waiting = task, 0


class Answers:
    """Responses by ETag. An ETag includes the data version, so an entry is never out of date.

    The answer about a period that ends now is another one a second later. Such answers are kept apart, where
    they take little memory and not the places of others.
    """

    def __init__(self) -> None:
        self._lasting: BoundedCache[str, Response] = BoundedCache(CACHE_BYTES, _size)
        self._passing: BoundedCache[str, Response] = BoundedCache(PASSING_BYTES, _size)
        self._under_way: dict[str, _Work] = {}

    def cached(self, etag: str) -> Response | None:
        return self._lasting.get(etag) or self._passing.get(etag)

    async def get(
        self,
        etag: str,
        make: Callable[[], Awaitable[bytes]],
        form: Form = JSON,
        *,
        is_passing: bool = False,
    ) -> Response:
        """The answer, computed at most once at a time."""
        work = self._under_way.get(etag)
        if work is None:
            cache = self._passing if is_passing else self._lasting
            work = _Work(asyncio.create_task(_make(etag, make, form, cache)))
            self._under_way[etag] = work
        work.waiting += 1
        try:
            return await outlasting(work.task)
        finally:
            work.waiting -= 1
            if not work.waiting:
                # The last client has gone: stop the query. While another client waits, it continues.
                work.task.cancel()
                if self._under_way.get(etag) is work:
                    del self._under_way[etag]


async def _make(
    etag: str, make: Callable[[], Awaitable[bytes]], form: Form, cache: BoundedCache[str, Response]
) -> Response:
    response = Response(await make(), 200, {**etag_headers(etag), **form.headers}, form.media_type)
    if len(response.body) <= _LARGEST_CACHED:
        cache.put(etag, response)
    return response


def _size(response: Response) -> int:
    return len(response.body) + _ENTRY_BYTES


def etag_headers(etag: str) -> dict[str, str]:
    return {"ETag": etag, "Cache-Control": "private, no-cache"}


def quality(request: Request, media_type: str) -> float:
    """How much the client wants this media type, from 0 to 1; wildcards do not count."""
    return max((_quality(part) for part in _ranges(request) if _name(part) == media_type), default=0.0)


def _ranges(request: Request) -> list[str]:
    values = (value for name, value in request.scope["headers"] if name == b"accept")
    return [part for value in values for part in value.decode("latin-1").split(",")]


def _name(media_range: str) -> str:
    return media_range.partition(";")[0].strip().lower()


def _quality(media_range: str) -> float:
    for parameter in media_range.split(";")[1:]:
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "q":
            try:
                return min(max(float(value), 0.0), 1.0)
            except ValueError:
                return 0.0
    return 1.0
