"""The way of a request: route, guard, handler, answer; every error becomes a problem document."""

import asyncio
import time
from collections.abc import Mapping
from secrets import token_hex

import structlog
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from mergecast.api.problems import HttpError, forbidden, problem, problem_for
from mergecast.api.routes import PUBLIC_PATHS
from mergecast.api.routing import Match, Route, Router
from mergecast.api.services import Services
from mergecast.errors import MergecastError, Unavailable

log = structlog.get_logger("mergecast.api")

_NO_ROUTE = "(none)"


class Application:
    """An ASGI application."""

    def __init__(self, services: Services, routes: list[Route]) -> None:
        self._services = services
        self._router = Router(routes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
        else:
            await self._http(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = time.perf_counter()
        request = Request(scope, receive)
        matched = self._router.match(scope["method"], self._path(scope))
        route = matched.route.path if isinstance(matched, Match) else _NO_ROUTE
        status = 500

        async def send_noting_status(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            response = await self._answer(request, matched)
            await response(scope, receive, send_noting_status)
        finally:
            seconds = time.perf_counter() - begun
            self._services.metrics.request(scope["method"], route, status, seconds)
            if route.endswith("/events") and scope["method"] == "POST" and status != 200:  # noqa: PLR2004
                self._services.metrics.refused_delivery(status)
            log.info(
                "request", method=scope["method"], route=route, status=status, ms=round(seconds * 1000, 2)
            )

    def _path(self, scope: Scope) -> str:
        raw: bytes = scope.get("raw_path") or scope["path"].encode()
        return raw.partition(b"?")[0].decode("latin-1").removeprefix(self._services.prefix)

    async def _answer(self, request: Request, matched: Match | list[str]) -> Response:
        try:
            return await self._handle(request, matched)
        except MergecastError as error:
            return problem_for(error)
        except asyncio.CancelledError:
            # Only the end of the time to shut down cancels a request.
            return problem_for(Unavailable("the service is stopping; try again in a moment"))
        except Exception:
            fault = token_hex(8)
            log.exception("fault", id=fault)
            detail = f"a fault of ours; please report it with the id {fault}"
            return problem(500, detail, id=fault)

    async def _handle(self, request: Request, matched: Match | list[str]) -> Response:
        if not isinstance(matched, Match):
            raise _no_route(matched)
        if matched.route.path not in PUBLIC_PATHS and not self._is_admitted(request):
            raise forbidden()
        return await matched.route.handler(request, matched.segments)

    def _is_admitted(self, request: Request) -> bool:
        return self._services.guard.admits(request.headers.getlist("authorization"))


def _no_route(allowed: list[str]) -> HttpError:
    if not allowed:
        return HttpError(404, "there is no such path; /docs lists those there are")
    methods: Mapping[str, str] = {"Allow": ", ".join(allowed)}
    return HttpError(405, f"this path answers to {methods['Allow']}", methods)


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
