"""`GET …/queue`: what is in the queues of a repository now."""

import asyncio
from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.expected_merges import Expected, ExpectedMerges
from mergecast.api.openapi.operation import Operation, json_content
from mergecast.api.openapi.schemas import DATE_TIME, INTEGER, object_of, schema_of
from mergecast.api.parameters import read_input
from mergecast.api.routing import REPOSITORY_PATH, Route
from mergecast.api.services import Services
from mergecast.api.statistics import MOST_GROUPS
from mergecast.errors import FieldError, InvalidInput
from mergecast.model.instant import format_instant
from mergecast.stats.queue_contents import Queue, queue_contents
from mergecast.store.store import Reader

# With fewer events there are not enough merged pull requests for a forecast.
_LEAST_EVENTS = 800


def queue_route(services: Services) -> Route:
    expected = ExpectedMerges(services)

    async def show(request: Request, segments: Mapping[str, str]) -> Response:
        repository = read_input(segments, request.scope["query_string"]).repository
        known, at = await services.known(repository), services.now()
        queues = await services.query(request, known.id, lambda reader: _queues(reader, known.id, at))
        merges: dict[str, Expected] = {}
        if known.events >= _LEAST_EVENTS:
            branches = dict.fromkeys(queue.base_ref for queue in queues)
            merges = {base_ref: expected.of_branch((known.id, base_ref), at) for base_ref in branches}
        head = {"at": format_instant(at), "version": known.version}
        # In a thread: there may be many entries, and other requests are answered meanwhile.
        body = await asyncio.to_thread(_encode, head, queues, merges)
        return Response(body, media_type="application/json")

    answer = object_of({"at": DATE_TIME, "version": INTEGER, "queues": schema_of(list[Queue])})
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
        _with_expected(queue, merges[queue.base_ref]) if queue.base_ref in merges else queue
        for queue in queues
    ]
    return msgspec.json.encode({**head, "queues": shown})


def _with_expected(queue: Queue, expected: Expected) -> Queue:
    entries = (replace(one, expected_merge=expected.merges.get(one.session_id)) for one in queue.entries)
    state = expected.state_of(queue.entries)
    return replace(queue, entries=tuple(entries), expected_merges=state, trust=expected.trust)
