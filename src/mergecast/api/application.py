"""The ASGI application: route, guard, handler, response; every error becomes a problem document.

`NotReady` answers instead while the store is being opened.
"""

import asyncio
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from secrets import token_hex

import structlog
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from mergecast.access.errors import TooManyRequests
from mergecast.access.rights import AccessRequest, Caller, Right, repository_named
from mergecast.api.cookies import SESSION_COOKIE, cookie_value, is_foreign
from mergecast.api.dashboard_files import DashboardFiles
from mergecast.api.problems import (
    HttpError,
    Renamed,
    UnknownRepository,
    as_protocol_error,
    problem,
    problem_for,
)
from mergecast.api.responses import BREAK_OFF, guard_response, json_response, quality
from mergecast.api.routing import (
    ADMISSION,
    APPLICATION,
    MCP_PATH,
    PUBLIC_PATHS,
    Match,
    Route,
    Router,
    admission_of,
    moved_path,
    settings_path,
)
from mergecast.api.services import Services
from mergecast.errors import MergecastError, Unavailable
from mergecast.queues.model.nearest import nearest
from mergecast.queues.model.repository import Repository, is_owner
from mergecast.queues.store.store import Store

log = structlog.get_logger("mergecast.api")

Run = Callable[[], AbstractAsyncContextManager[None]]
_NO_ROUTE = "(none)"
# Refusals to clients that try again at once would otherwise keep the event loop busy.
_PAUSE_BEFORE_REFUSAL = 0.25


class Application:
    """An ASGI application."""

    def __init__(self, services: Services, routes: list[Route], run: Run = nullcontext) -> None:
        """`run` is entered when a server starts, and left when it stops."""
        self.services, self._run = services, run
        self._router = Router(routes)
        self._pages = DashboardFiles(services)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        else:
            await self._http(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        async with self._run():
            await send({"type": "lifespan.startup.complete"})
            await receive()
        await send({"type": "lifespan.shutdown.complete"})

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = time.perf_counter()
        request = Request(scope, receive)
        matched = self._router.match(scope["method"], self._path(scope))
        route = matched.route.path if isinstance(matched, Match) else _NO_ROUTE
        status = 500
        try:
            response = await self._answer(request, matched)
            if route == MCP_PATH:
                response = as_protocol_error(response)
            guard_response(response)
            status = response.status_code
            await self._send(response, scope, receive, send)
        finally:
            self._note(scope["method"], route, status, time.perf_counter() - begun)

    async def _send(self, response: Response, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the answer. What is known only after its head was sent cannot change the status."""
        try:
            await response(scope, receive, send)
        except MergecastError as error:
            log.warning("an answer was interrupted", path=self._path(scope), error=str(error))
            await send(BREAK_OFF)
        except asyncio.CancelledError:  # of a stream, when the time to shut down is over
            await send(BREAK_OFF)

    def _note(self, method: str, route: str, status: int, seconds: float) -> None:
        self.services.metrics.request(method, route, status, seconds)
        self.services.access_log.note(method, route, status, seconds)

    def _path(self, scope: Scope) -> str:
        raw: bytes = scope.get("raw_path") or scope["path"].encode()
        return raw.partition(b"?")[0].decode("latin-1").removeprefix(self.services.prefix)

    async def _answer(self, request: Request, matched: Match | list[str]) -> Response:
        try:
            return await self._handle_or_suggest(request, matched)
        except MergecastError as error:
            if isinstance(error, TooManyRequests):
                await asyncio.sleep(_PAUSE_BEFORE_REFUSAL)
            return problem_for(error)
        except MemoryError:
            log.exception("too little memory")
            return problem_for(Unavailable("the server has too little memory for this now; try again later"))
        except asyncio.CancelledError:
            # Requests are cancelled only when the time to shut down is over.
            return problem_for(Unavailable("the service is stopping; try again in a moment"))
        except Exception:
            error_id = token_hex(8)
            log.exception("internal error", id=error_id)
            detail = f"internal error; please report it with id {error_id}"
            return problem(500, detail, id=error_id)

    async def _handle_or_suggest(self, request: Request, matched: Match | list[str]) -> Response:
        try:
            return await self.handle(request, matched)
        except Renamed as renamed:
            # The new name may belong to an owner that this caller must not learn about.
            if admission_of(request).caller.reaches(renamed.name):
                raise
            named = renamed.former
        except UnknownRepository as unknown:
            named = unknown.repository
        caller = admission_of(request).caller
        raise UnknownRepository(named, await meant_repository(self.services.database, caller, named))

    async def handle(self, request: Request, matched: Match | list[str]) -> Response:
        """Ask the guard, and then the handler of the route."""
        if not isinstance(matched, Match):
            if request.method in ("GET", "HEAD") and self._path(request.scope) == "/docs/":
                return Response(None, 307, {"Location": f"{self.services.prefix}/docs"})
            if not matched and _is_visit(request, self._path(request.scope)):
                return self._pages.missing()
            raise self._no_route(self._path(request.scope), matched)
        route = matched.route
        if route.path in PUBLIC_PATHS:
            return await route.handler(request, matched.segments)
        admission = await self.services.guard.admit(self._access_request(request.scope, matched))
        request.scope[ADMISSION] = admission
        request.scope[APPLICATION] = self
        if not route.is_costly:
            return await route.handler(request, matched.segments)
        with self.services.guard.running(admission.caller):
            return await route.handler(request, matched.segments)

    def _no_route(self, path: str, allowed: list[str]) -> HttpError:
        if allowed:
            methods: Mapping[str, str] = {"Allow": ", ".join(allowed)}
            settings = settings_path(path)
            advice = f"; PUT {self.services.prefix}{settings} changes this" if settings else ""
            return HttpError(405, f"this path allows {methods['Allow']}{advice}", methods)
        if moved := moved_path(path):
            return HttpError(404, f"there is no such path; it is now {self.services.prefix}{moved}")
        near = self._router.nearest_path(path)
        advice = f"did you mean {self.services.prefix}{near}? " if near else ""
        return HttpError(404, f"there is no such path; {advice}/docs lists all paths")

    def _access_request(self, scope: Scope, matched: Match) -> AccessRequest:
        """What the guard needs to know. It reads the request's head only, and nothing from the store."""
        headers, client = scope["headers"], scope["client"]
        segments, route = matched.segments, matched.route
        authorizations = [value for name, value in headers if name == b"authorization"]
        cookie = None if authorizations else cookie_value(self.services, headers, SESSION_COOKIE)
        return AccessRequest(
            authorizations,
            route.right,
            repository_named(segments.get("owner"), segments.get("repository")),
            route,
            self.services.guard.address(client[0] if client else "", headers),
            cookie,
            _owner_alone(segments),
            cookie is not None and is_foreign(scope["method"], headers, self.services.public_url),
        )


def _is_visit(request: Request, path: str) -> bool:
    """Whether a person follows a link with a browser: programs get problem documents, and so does the API."""
    is_api = path == "/v1" or path.startswith("/v1/")
    other = max(quality(request, one) for one in ("application/json", "application/problem+json"))
    return request.method in ("GET", "HEAD") and not is_api and quality(request, "text/html") > other


def _owner_alone(segments: Mapping[str, str]) -> str | None:
    """The owner in the path, if it names no repository."""
    owner = segments.get("owner")
    return owner.lower() if owner is not None and "repository" not in segments and is_owner(owner) else None


# Comparing names with more than these would take the event loop too long.
_MOST_COMPARED = 1000
_DIGITS = re.compile(r"[0-9]+")


async def meant_repository(store: Store, caller: Caller, named: Repository) -> Repository | None:
    """The repository with the most similar name, among those that the caller may read."""
    if Right.READ not in caller.rights:
        return None
    try:
        listed = await store.repositories(caller.owner)
    except Unavailable:  # a part of the database, which need not be the one that was asked
        return None
    known = [one.repository for one in listed if one.is_listed]
    return most_similar(named, [one for one in known if caller.reaches(one)])


def most_similar(named: Repository, known: Sequence[Repository]) -> Repository | None:
    """One that differs in its name or in its owner; of two that differ in both, neither is meant.

    >>> str(most_similar(Repository("demo", "habor"), [Repository("demo", "harbor")]))
    'demo/harbor'
    """
    owner, name = named.owner.lower(), named.name.lower()
    by_name = {one.name: one for one in known if one.owner.lower() == owner}
    by_owner = {one.owner: one for one in known if one.name.lower() == name}
    if found := _nearest(named.name, by_name):
        return by_name[found]
    found = _nearest(named.owner, by_owner)
    return by_owner[found] if found else None


def _nearest(written: str, known: Iterable[str]) -> str | None:
    """`widgets-2` is not a misspelled `widgets-1`."""
    others = [name for name in known if _without_digits(name) != _without_digits(written)]
    return nearest(written, others) if len(others) <= _MOST_COMPARED else None


def _without_digits(name: str) -> str:
    return _DIGITS.sub("0", name.lower())


class NotReady:
    """An ASGI application: the process is alive, and can do nothing else yet."""

    def __init__(self, prefix: str, describe: Callable[[], str]) -> None:
        self._prefix, self._describe = prefix, describe

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = self._answer(scope["path"].removeprefix(self._prefix))
        guard_response(response)
        await response(scope, receive, send)

    def _answer(self, path: str) -> Response:
        if path == "/healthz":
            return json_response({"status": "alive"})
        if path == "/readyz":
            return problem_for(Unavailable(self._describe()))
        return problem_for(Unavailable(f"the server is not ready yet ({self._describe()}); try again later"))
