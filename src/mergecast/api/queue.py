"""`GET …/queue`: what is in the queues of a repository now."""

from collections.abc import Mapping

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.expected_merges import Expected, ExpectedMerges
from mergecast.api.openapi.operation import Operation, json_content
from mergecast.api.openapi.schemas import DATE_TIME, INTEGER, object_of, schema_of
from mergecast.api.parameters import read_input
from mergecast.api.responses import json_response
from mergecast.api.routing import REPOSITORY_PATH, Route
from mergecast.api.services import Services
from mergecast.model.instant import format_instant
from mergecast.stats.queue_contents import Queue, queue_contents

# With fewer events there are not enough merged pull requests for a forecast.
_LEAST_EVENTS = 800


def queue_route(services: Services) -> Route:
    expected = ExpectedMerges(services)

    async def show(request: Request, segments: Mapping[str, str]) -> Response:
        repository = read_input(segments, request.scope["query_string"]).repository
        known, at = await services.known(repository), services.now()
        queues = await services.query(request, known.id, lambda reader: queue_contents(reader, known.id, at))
        if known.events >= _LEAST_EVENTS:
            queues = tuple(
                _with_expected(queue, expected.of_branch((known.id, queue.base_ref), at)) for queue in queues
            )
        return json_response({"at": format_instant(at), "version": known.version, "queues": queues})

    answer = object_of({"at": DATE_TIME, "version": INTEGER, "queues": schema_of(list[Queue])})
    operation = Operation("Statistics", "What is in the queues now", json_content(answer))
    return Route("GET", f"{REPOSITORY_PATH}/queue", Right.READ, show, operation)


def _with_expected(queue: Queue, expected: Expected) -> Queue:
    entries = (replace(one, expected_merge=expected.merges.get(one.session_id)) for one in queue.entries)
    state = expected.state_of(queue.entries)
    return replace(queue, entries=tuple(entries), expected_merges=state, trust=expected.trust)
