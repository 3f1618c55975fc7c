"""`GET …/queue`: what is in the queues, when it will probably merge, and what is wrong; and past problems."""

import asyncio
from collections.abc import Mapping, Sequence

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.freshness import freshness
from mergecast.api.openapi.operation import (
    DATE_TIME,
    INTEGER,
    Operation,
    json_content,
    object_of,
    or_null,
    schema_of,
)
from mergecast.api.parameters import QUERY, read_input
from mergecast.api.responses import json_response
from mergecast.api.routing import REPOSITORY_PATH, Route
from mergecast.api.services import Services
from mergecast.api.statistics import MOST_GROUPS, window_of
from mergecast.errors import FieldError, InvalidInput
from mergecast.prediction.expected_merges import Expected, with_expected
from mergecast.queues.model.instant import format_instant
from mergecast.queues.stats.queue_contents import Queue, queue_contents
from mergecast.queues.store.problems import problems_between
from mergecast.queues.store.reader import Reader
from mergecast.signals.diagnosis.documents import ShownProblem, Undiagnosed, shown, undiagnosed_queues

_PERIOD = ("start_at", "end_at")


def queue_route(services: Services) -> Route:
    async def show(request: Request, segments: Mapping[str, str]) -> Response:
        repository = read_input(segments, request.scope["query_string"]).repository
        at = services.now()
        known, queues = await services.query_current(
            request,
            await services.known(repository),
            lambda reader, current: _queues(reader, current.id, at),
        )
        merges = services.expected_merges.of_branches(known, (queue.base_ref for queue in queues), at)
        problems = [shown(problem) for problem in await services.diagnosis.problems(known)]
        undiagnosed = undiagnosed_queues(await services.diagnosis.levels(known) or {})
        head: dict[str, object] = {
            "at": format_instant(at),
            "version": known.version,
            "queue_problems": problems,
            "undiagnosed": undiagnosed,
        }
        fresh = await freshness(services, known, at)
        head |= {"newest_event_at": fresh.newest_event_at, "quiet_after": fresh.quiet_after}
        if fresh.is_quiet:
            # What is in the queue may have merged long ago: nothing can be expected of it.
            merges = {
                branch: Expected(state="silent") if found.state in ("known", "pending") else found
                for branch, found in merges.items()
            }
        # In a thread: there may be many entries, and other requests are answered meanwhile.
        body = await asyncio.to_thread(_encode, head, queues, merges)
        return Response(body, media_type="application/json")

    answer = object_of(
        {
            "at": DATE_TIME,
            "version": INTEGER,
            "newest_event_at": or_null(DATE_TIME),
            "quiet_after": or_null(DATE_TIME),
            "queues": schema_of(list[Queue]),
            "queue_problems": schema_of(list[ShownProblem]),
            "undiagnosed": schema_of(list[Undiagnosed]),
        }
    )
    operation = Operation("Statistics", "What is in the queues now", json_content(answer))
    return Route("GET", f"{REPOSITORY_PATH}/queue", Right.READ, show, operation)


def _queues(reader: Reader, repository_id: int, at: int) -> Sequence[Queue]:
    queues = queue_contents(reader, repository_id, at)
    if len(queues) > MOST_GROUPS:
        message = (
            f"{len(queues):,} queues hold pull requests, more than the {MOST_GROUPS:,} that can be listed"
        )
        raise InvalidInput([FieldError("path", "", message)])
    return queues


def _encode(head: Mapping[str, object], queues: Sequence[Queue], merges: Mapping[str, Expected]) -> bytes:
    shown = [
        with_expected(queue, merges[queue.base_ref]) if queue.base_ref in merges else queue
        for queue in queues
    ]
    return msgspec.json.encode({**head, "queues": shown})


def queue_problems_route(services: Services) -> Route:
    async def show(request: Request, segments: Mapping[str, str]) -> Response:
        given = read_input(segments, request.scope["query_string"], _PERIOD)
        window = window_of(given.values, services.now())
        known = await services.known(given.repository)
        found = await services.query(
            request, known.id, lambda reader: problems_between(reader, known.id, *window)
        )
        return json_response(
            {
                "start_at": format_instant(window.start),
                "end_at": format_instant(window.end),
                "queue_problems": [shown(problem) for problem in found],
            }
        )

    answer = object_of(
        {"start_at": DATE_TIME, "end_at": DATE_TIME, "queue_problems": schema_of(list[ShownProblem])}
    )
    operation = Operation(
        "Statistics",
        "The problems that queues had in a period",
        json_content(answer),
        tuple(QUERY[name] for name in _PERIOD),
    )
    return Route("GET", f"{REPOSITORY_PATH}/queue-problems", Right.READ, show, operation)
