"""Routes that need no credential: health, metrics and the description of the API."""

import asyncio
from collections.abc import Callable, Mapping
from math import inf
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.openapi.operation import STRING, Content, Operation, json_content, object_of
from mergecast.api.responses import json_response
from mergecast.api.routing import Handler, Route
from mergecast.api.services import Services
from mergecast.errors import Unavailable
from mergecast.process.data_folder import last_backup
from mergecast.process.metrics import StoreState
from mergecast.queues.model.instant import SECOND

_READY_SECONDS = 5.0
_STATUS = json_content(object_of({"status": STRING}))
_READINESS = json_content(object_of({"status": STRING}, {"reason": STRING}))


class PublicHandlers:
    def __init__(self, services: Services, folder: Path, description: Callable[[], bytes]) -> None:
        self._services = services
        self._folder = folder
        self._description = description

    async def healthz(self, _: Request, __: Mapping[str, str]) -> Response:
        return json_response({"status": "alive"})

    async def readyz(self, _: Request, __: Mapping[str, str]) -> Response:
        try:
            async with asyncio.timeout(_READY_SECONDS):
                health = await self._services.database.ping()
        except TimeoutError:
            raise Unavailable(f"the store did not answer within {_READY_SECONDS:g} seconds") from None
        reason = {} if health.reason is None else {"reason": health.reason}
        return json_response({"status": health.status, **reason})

    async def metrics(self, _: Request, __: Mapping[str, str]) -> Response:
        """Those of the process are there even if the store is not: otherwise nothing shows why it fails."""
        text = self._services.metrics.text(await self._store_state())
        return Response(text, media_type="text/plain; version=0.0.4")

    async def _store_state(self) -> StoreState:
        store, backup_age = self._services.database, self._backup_age()
        try:
            async with asyncio.timeout(_READY_SECONDS):
                await store.ping()
                size = await store.size()
        except (TimeoutError, Unavailable):
            return StoreState(is_ready=False, backup_age=backup_age)
        return StoreState(True, size, await self._age_of_data(), backup_age)

    async def _age_of_data(self) -> float | None:
        """Seconds since the newest event; None without events, or while a part of the store is down."""
        try:
            known = await self._services.database.repositories()
        except Unavailable:
            return None
        newest = max(
            (repository.last_at for repository in known if repository.last_at is not None), default=None
        )
        return None if newest is None else (self._services.now() - newest) / SECOND

    def _backup_age(self) -> float | None:
        """Seconds since the last backup; None for a store that others back up."""
        if self._services.database.other_backup is not None:
            return None
        at = last_backup(self._folder)
        return inf if at is None else (self._services.now() - at) / SECOND

    async def openapi(self, _: Request, __: Mapping[str, str]) -> Response:
        return Response(self._description(), media_type="application/json")


def public_routes(services: Services, folder: Path, description: Callable[[], bytes]) -> list[Route]:
    handlers = PublicHandlers(services, folder, description)
    return [
        _public("/healthz", handlers.healthz, "Is the process alive?", _STATUS),
        _public("/readyz", handlers.readyz, "Does the store answer?", _READINESS),
        _public("/metrics", handlers.metrics, "Metrics for Prometheus", {"text/plain": {"schema": STRING}}),
        _public("/v1/openapi.json", handlers.openapi, "This document", json_content({"type": "object"})),
    ]


def _public(path: str, handler: Handler, summary: str, answer: Content) -> Route:
    return Route("GET", path, Right.PUBLIC, handler, Operation("Service", summary, answer))
