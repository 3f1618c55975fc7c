"""`GET …/pulls/{number}/history`: every stay of a pull request, what is known about it, why it waits."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.expected_merges import ExpectedMerges
from mergecast.api.openapi.operation import (
    INTEGER,
    Operation,
    json_content,
    object_of,
    or_null,
    schema_of,
)
from mergecast.api.parameters import LARGEST_RECORDED, read_input
from mergecast.api.responses import json_response
from mergecast.api.routing import PULL_REQUEST_PATH, Route
from mergecast.api.services import Services
from mergecast.api.waiting import Present, read_present, waiting_for
from mergecast.errors import NotFound
from mergecast.queues.stats.kept_since import schema_with_kept_since, with_kept_since
from mergecast.queues.stats.pull_history import StayInDetail, pull_history
from mergecast.queues.stats.pull_titles import AboutPull, about_from_snapshot, about_from_source
from mergecast.queues.stats.waiting_sentence import WaitingFor
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.values import KnownRepository


class _Read(NamedTuple):
    stays: Sequence[StayInDetail] = ()
    pull: AboutPull | None = None
    present: Present | None = None


def pull_history_route(services: Services, expected: ExpectedMerges) -> Route:
    async def show(request: Request, segments: Mapping[str, str]) -> Response:
        given = read_input(segments, request.scope["query_string"])
        known, number, at = await services.known(given.repository), given.values["number"], services.now()

        def read(reader: Reader, known: KnownRepository) -> _Read:
            stays = pull_history(reader, known.id, number, at)
            pull = about_from_source(reader, known.id, number)
            return _Read(stays, pull, read_present(reader, known.id, stays, at))

        stays, pull, present = _Read()
        if number <= LARGEST_RECORDED:
            known, (stays, pull, present) = await services.query_current(request, known, read)
            document = None if pull else await services.snapshot(request, known, number)
            pull = pull if document is None else about_from_snapshot(document)
        if not stays and pull is None:
            message = f"pull request {number} of {given.repository} is not known here: "
            raise NotFound(
                f"{message}it has not been in a queue, and neither a source nor a snapshot describes it"
            )
        waiting = present and await waiting_for(services, expected, known, present, at)
        answer = {"pull_request": number, "pull": pull, "waiting_for": waiting, "stays": stays}
        return json_response(
            answer if known.kept_since is None else with_kept_since(answer, known.kept_since)
        )

    answer = object_of(
        {
            "pull_request": INTEGER,
            "pull": or_null(schema_of(AboutPull)),
            "waiting_for": or_null(schema_of(WaitingFor)),
            "stays": schema_of(list[StayInDetail]),
        }
    )
    operation = Operation(
        "Statistics",
        "Every stay of a pull request, the newest first, and what it waits for",
        json_content(schema_with_kept_since(answer)),
    )
    return Route("GET", f"{PULL_REQUEST_PATH}/history", Right.READ, show, operation)
