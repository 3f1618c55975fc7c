"""`GET …/live`: server-sent events that announce new data of a repository.

An event contains only versions; a client that wants the new figures requests them as usual.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, partial

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from mergecast.access.guard import Guard
from mergecast.access.rights import Right
from mergecast.api.openapi.operation import STRING, Operation, object_of
from mergecast.api.responses import head_only
from mergecast.api.routing import REPOSITORY_PATH, Route, admission_of
from mergecast.api.services import Services
from mergecast.errors import MergecastError
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import KnownRepository

BEAT_SECONDS = 15.0
LENGTH_SECONDS = 600.0
LOOK_SECONDS = 1.0
ADMITTED_SECONDS = 5.0  # how long a stream may outlive its credential
_TICK_SECONDS = 0.25  # how soon a stream notices that its client has gone, or that the server stops
_EVENT_STREAM = "text/event-stream"
# Keeps proxies from buffering the stream.
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


class _Watched:
    """A repository that at least one stream watches."""

    def __init__(self, known: KnownRepository) -> None:
        self.announced: bytes | None = _announced(known)  # None: it was deleted
        self.streams = 0
        self.task: asyncio.Task[None] | None = None


class Versions:
    """Reads the versions of each watched repository once a second, however many streams watch it.

    Other servers may share the store, and polling is the only way to notice their changes.
    """

    def __init__(self, services: Services) -> None:
        self.is_stopping = services.is_stopping
        self._store = services.database
        self._watched: dict[Repository, _Watched] = {}

    @contextmanager
    def watch(self, known: KnownRepository) -> Iterator[_Watched]:
        repository = known.repository
        watched = self._watched.setdefault(repository, _Watched(known))
        if watched.task is None:
            watched.task = asyncio.create_task(_follow(self._store, repository, watched))
        watched.streams += 1
        try:
            yield watched
        finally:
            watched.streams -= 1
            if not watched.streams:
                watched.task.cancel()
                del self._watched[repository]


async def _follow(store: Store, repository: Repository, watched: _Watched) -> None:
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        with suppress(MergecastError):  # the store does not answer now; it may in a second
            known = await store.repository(repository)
            watched.announced = None if known is None else _announced(known)


def _announced(known: KnownRepository) -> bytes:
    return msgspec.json.encode({"version": known.version, "verdicts": known.verdict_version})


class EventStream(Response):
    """Sends the versions at once and whenever one changes, until a time limit."""

    def __init__(
        self,
        versions: Versions,
        known: KnownRepository,
        is_admitted: Callable[[], Awaitable[bool]],
        end: Callable[[], None],
    ) -> None:
        super().__init__(headers=_HEADERS, media_type=_EVENT_STREAM)
        del self.headers["content-length"]
        self._versions, self._known, self._is_admitted, self._end = versions, known, is_admitted, end

    async def __call__(self, _: Scope, receive: Receive, send: Send) -> None:
        ends = [
            asyncio.create_task(_disconnected(receive)),
            asyncio.create_task(_revoked(self._is_admitted)),
        ]
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            with self._versions.watch(self._known) as watched:
                await self._send_versions(watched, ends, send)
            await send({"type": "http.response.body", "body": b""})
        finally:
            for end in ends:
                end.cancel()
            self._end()

    async def _send_versions(self, watched: _Watched, ends: "list[asyncio.Task[None]]", send: Send) -> None:
        loop = asyncio.get_running_loop()
        end, beat = loop.time() + LENGTH_SECONDS, loop.time()
        sent: bytes | None = None
        while loop.time() < end and not self._versions.is_stopping():
            if watched.announced is None:
                return
            if watched.announced != sent:
                sent, beat = watched.announced, loop.time() + BEAT_SECONDS
                await send(_part(b"event: version\ndata: %b\n\n" % sent))
            elif loop.time() >= beat:
                beat = loop.time() + BEAT_SECONDS
                await send(_part(b": beat\n\n"))
            done, _ = await asyncio.wait(ends, timeout=_TICK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            if done:
                return


def _part(content: bytes) -> dict[str, object]:
    return {"type": "http.response.body", "body": content, "more_body": True}


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _revoked(is_admitted: Callable[[], Awaitable[bool]]) -> None:
    """Return once the request would no longer be admitted."""
    while True:
        await asyncio.sleep(ADMITTED_SECONDS)
        with suppress(MergecastError):  # the store or the platform does not answer now; it may soon
            if not await is_admitted():
                return


def _address(request: Request, guard: Guard) -> str | None:
    """Whose connection this is, as for the limit of connections per address."""
    peer = request.client.host if request.client else None
    return None if peer is None or guard.is_proxy(peer) else peer


def live_route(services: Services) -> Route:
    @cache
    def versions() -> Versions:
        return Versions(services)

    async def follow(request: Request, segments: Mapping[str, str]) -> Response:
        known = await services.asked(request, segments)
        if request.method == "HEAD":
            return head_only(_EVENT_STREAM)
        admission = admission_of(request)
        end = services.streams.take(admission.caller.identity, _address(request, services.guard))
        return EventStream(versions(), known, partial(services.guard.still_admits, admission), end)

    operation = Operation(
        "Statistics",
        "A stream of `version` events: the versions of data and of verdicts, now and whenever one changes",
        {_EVENT_STREAM: {"schema": object_of({"event": {"const": "version"}, "data": STRING})}},
    )
    return Route("GET", f"{REPOSITORY_PATH}/live", Right.READ, follow, operation)
