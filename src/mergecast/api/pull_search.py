"""`GET …/pulls`: pull requests by words of their titles."""

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.openapi.operation import Operation, json_content, schema_of
from mergecast.api.parameters import QUERY, read_input
from mergecast.api.responses import json_response
from mergecast.api.routing import REPOSITORY_PATH, Route
from mergecast.api.services import Services
from mergecast.queues.stats.pull_search import FoundPulls, Search, search_pulls

_PARAMETERS = ("search", "after", "limit")


def pull_search_route(services: Services) -> Route:
    async def show(request: Request, segments: Mapping[str, str]) -> Response:
        given = read_input(segments, request.scope["query_string"], _PARAMETERS)
        search = Search(**{name: value for name, value in given.values.items() if name in _PARAMETERS})
        known = await services.known(given.repository)
        found = await services.query(request, known.id, lambda reader: search_pulls(reader, known.id, search))
        return json_response(found)

    operation = Operation(
        "Statistics",
        "Pull requests by words of their titles, the newest first",
        json_content(schema_of(FoundPulls)),
        tuple(QUERY[name] for name in _PARAMETERS),
    )
    return Route("GET", f"{REPOSITORY_PATH}/pulls", Right.READ, show, operation)
