"""`GET …/queue-problems`: the problems that the queues of a repository had."""

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.openapi.operation import DATE_TIME, Operation, json_content, object_of, schema_of
from mergecast.api.parameters import QUERY, read_input
from mergecast.api.responses import json_response
from mergecast.api.routing import REPOSITORY_PATH, Route
from mergecast.api.services import Services
from mergecast.api.statistics import window_of
from mergecast.queues.model.instant import format_instant
from mergecast.queues.store.problems import problems_between
from mergecast.signals.diagnosis.documents import ShownProblem, shown

_PERIOD = ("start_at", "end_at")


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
