"""`GET …/pulls/{number}/verdict`: why it was removed; `GET …/verdicts`: what came of verdicts."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress

from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.openapi.operation import Operation
from mergecast.api.parameters import LARGEST_RECORDED, QUERY, read_input
from mergecast.api.responses import json_response
from mergecast.api.routing import PULL_REQUEST_PATH, REPOSITORY_PATH, Route
from mergecast.api.services import Services
from mergecast.api.statistics import window_of
from mergecast.errors import NotFound, Unavailable
from mergecast.queues.answers.verdicts import RemovalVerdict, Verdicts
from mergecast.queues.model.repository import Repository
from mergecast.queues.stats.verdicts import AskedRemoval, asked_removal, verdict_record
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.values import KnownRepository

# How long a caller waits for the verdict about a removal that was stored a moment ago.
PATIENCE_SECONDS = 2.0
_SESSION = ("session_id",)
_PERIOD = ("start_at", "end_at")


def verdict_routes(services: Services) -> list[Route]:
    async def show(request: Request, segments: Mapping[str, str]) -> Response:
        given = read_input(request, segments, _SESSION)
        number, session_id = given.values["number"], given.values.get("session_id")
        known = await services.known(given.repository)

        def read(reader: Reader, current: KnownRepository) -> AskedRemoval | None:
            if number > LARGEST_RECORDED:
                return None
            return asked_removal(reader, current.id, number, session_id, services.now())

        known, found = await services.query_current(request, known, read)
        if found is not None and (found.verdict is None or not found.verdict.revision):
            with suppress(TimeoutError):
                async with asyncio.timeout(PATIENCE_SECONDS):
                    await services.removals.judge_soon(known)
            known, found = await services.query_current(request, known, read)
        return json_response(_verdict(given.repository, number, known, found))

    async def record(request: Request, segments: Mapping[str, str]) -> Response:
        given = read_input(request, segments, _PERIOD)
        now = services.now()
        window = window_of(given.values, now)
        known = await services.known(given.repository)
        found = await services.query(
            request, known.id, lambda reader: verdict_record(reader, known.id, window, now)
        )
        return json_response(found)

    one = Operation(
        "Statistics",
        "Why a pull request was removed from a queue, and what to do next",
        RemovalVerdict,
        tuple(QUERY[name] for name in _SESSION),
    )
    every = Operation(
        "Statistics",
        "What was said about the removals of a period, and what came of it",
        Verdicts,
        tuple(QUERY[name] for name in _PERIOD),
    )
    return [
        Route("GET", f"{PULL_REQUEST_PATH}/verdict", Right.READ, show, one),
        Route("GET", f"{REPOSITORY_PATH}/verdicts", Right.READ, record, every),
    ]


def _verdict(
    repository: Repository, number: int, known: KnownRepository, found: AskedRemoval | None
) -> RemovalVerdict:
    """The verdict, or the error that says why there is none."""
    name = f"pull request {number} of {repository}"
    if found is None:
        raise NotFound(f"{name} was never removed from a queue, as far as is known here")
    if found.verdict is not None:
        return found.verdict
    if known.is_being_judged(found.left_at):
        raise Unavailable(f"the removal of {name} is being judged; try again in a moment", retry_seconds=2)
    raise NotFound(f"there is no verdict about the removal of {name}")
