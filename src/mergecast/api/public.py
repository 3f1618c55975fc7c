"""Handlers that anyone may ask: is it alive, is it ready, how does it fare, what can it do."""

import asyncio
from collections.abc import Mapping
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response

from mergecast.api.responses import json_response
from mergecast.api.services import Services
from mergecast.errors import Unavailable

_READY_SECONDS = 5.0


class PublicHandlers:
    def __init__(self, services: Services, description: bytes) -> None:
        self._services = services
        self._description = description
        self._page = (files("mergecast.api") / "pages" / "docs.html").read_bytes()

    async def healthz(self, _: Request, __: Mapping[str, str]) -> Response:
        return json_response({"status": "alive"})

    async def readyz(self, _: Request, __: Mapping[str, str]) -> Response:
        try:
            async with asyncio.timeout(_READY_SECONDS):
                await self._services.database.read(lambda reader: reader.rows("ready", []))
        except TimeoutError:
            raise Unavailable(f"the store did not answer within {_READY_SECONDS:g} seconds") from None
        return json_response({"status": "ready"})

    async def metrics(self, _: Request, __: Mapping[str, str]) -> Response:
        return Response(self._services.metrics.text(), media_type="text/plain; version=0.0.4")

    async def openapi(self, _: Request, __: Mapping[str, str]) -> Response:
        return Response(self._description, media_type="application/json")

    async def docs(self, _: Request, __: Mapping[str, str]) -> Response:
        return Response(self._page, media_type="text/html; charset=utf-8")
