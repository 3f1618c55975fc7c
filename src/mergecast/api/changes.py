"""`GET …/changes`: since when figures have had another level."""

from collections.abc import Mapping
from dataclasses import replace
from hashlib import blake2b
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mergecast import __version__
from mergecast.access.rights import Right
from mergecast.api.fair_shares import while_connected
from mergecast.api.openapi.operation import Operation, json_content, schema_of
from mergecast.api.parameters import QUERY, read_input
from mergecast.api.problems import HttpError, UnknownRepository
from mergecast.api.responses import etag_headers, matches_etag
from mergecast.api.routing import REPOSITORY_PATH, Route, admission_of
from mergecast.api.services import Services
from mergecast.api.statistics import window_of
from mergecast.prediction.changes import Asked, first_looked_at, last_look
from mergecast.queues.answers.changes import Changes
from mergecast.queues.model.instant import DAY, Window
from mergecast.queues.stats.answer import Filters
from mergecast.queues.stats.kept_since import schema_with_kept_since
from mergecast.queues.stats.level_changes import answer_of
from mergecast.sandbox.errors import LimitReached

_USUAL_DAYS = 180
_PARAMETERS = ("base_ref", "queue_name", "start_at", "end_at")
# Part of every ETag. Raise it when the same data gives other bytes than before.
_FORM = 4


def changes_route(services: Services) -> Route:
    async def show(request: Request, segments: Mapping[str, str]) -> Response:
        given = read_input(request, segments, _PARAMETERS)
        now, filters = services.now(), _filters(given.values)
        window = window_of(given.values, now, _USUAL_DAYS * DAY)
        known = await services.known(given.repository)
        if known.has_only_ci_checks:
            raise UnknownRepository(given.repository)
        asked = Asked(known, filters, last_look(min(window.end, now)))
        etag = _etag(asked, window)
        if matches_etag(request, etag):
            return Response(None, 304, etag_headers(etag))

        async def make() -> bytes:
            return await _body(services, request, asked, window)

        cached = services.answers.cached(etag)
        if cached is not None:
            return cached
        answer = services.answers.get(etag, make, is_passing=window.end >= now)
        return await while_connected(request, answer)

    start = f"Start of the period; {_USUAL_DAYS} days before `end_at` by default"
    query = {**QUERY, "start_at": replace(QUERY["start_at"], description=start)}
    operation = Operation(
        "Statistics",
        "When figures rose or fell and stayed there",
        json_content(schema_with_kept_since(schema_of(Changes))),
        tuple(query[name] for name in _PARAMETERS),
        is_cached=True,
    )
    return Route("GET", f"{REPOSITORY_PATH}/changes", Right.READ, show, operation)


async def _body(services: Services, request: Request, asked: Asked, window: Window) -> bytes:
    try:
        found = await services.changes.find(admission_of(request).caller.identity, asked)
    except LimitReached as reached:
        raise HttpError(422, str(reached)) from None
    looked_at = Window(first_looked_at(asked), asked.until * DAY)
    return msgspec.json.encode(answer_of(found, window, looked_at, asked.known.kept_since))


def _filters(values: Mapping[str, Any]) -> Filters:
    return Filters(frozenset(values.get("base_ref", ())), frozenset(values.get("queue_name", ())))


def _etag(asked: Asked, window: Window) -> str:
    known, filters = asked.known, asked.filters
    names = (sorted(filters.base_refs), sorted(filters.queue_names))
    parts = (known.id, known.version, known.ci_version, asked.until, *window, names)
    return f'W/"{blake2b(repr(("changes", __version__, _FORM, parts)).encode(), digest_size=16).hexdigest()}"'
