"""Pull requests: `GET …/pulls/{number}/history`, every stay and why it waits; `…/pulls`, titles."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.body_buffers import LARGEST_BODY
from mergecast.api.openapi.operation import (
    INTEGER,
    Operation,
    json_content,
    object_of,
    or_null,
    schema_of,
)
from mergecast.api.parameters import LARGEST_RECORDED, QUERY, read_input
from mergecast.api.request_body import RequestBody
from mergecast.api.responses import json_response
from mergecast.api.routing import PULL_REQUEST_PATH, REPOSITORY_PATH, Route
from mergecast.api.services import Services
from mergecast.api.waiting import Waiting
from mergecast.errors import NotFound
from mergecast.incoming.intake.event_bodies import MOST_EVENTS_PER_DELIVERY
from mergecast.incoming.intake.pull_descriptions import DESCRIPTION_FIELDS, read_descriptions
from mergecast.inputs.field import object_schema
from mergecast.queues.answers.pulls import AboutPull, FoundPulls
from mergecast.queues.stats.kept_since import schema_with_kept_since, with_kept_since
from mergecast.queues.stats.pull_history import StayInDetail, pull_history
from mergecast.queues.stats.pull_search import Search, search_pulls
from mergecast.queues.stats.pull_titles import about_from_snapshot, about_from_source
from mergecast.queues.stats.waiting_sentence import WaitingFor
from mergecast.queues.store.add_deliveries import describe_pull_requests
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.values import KnownRepository

_BODY = RequestBody(LARGEST_BODY, ("application/json",))
_PARAMETERS = ("search", "after", "limit")


class _Read(NamedTuple):
    stays: Sequence[StayInDetail] = ()
    pull: AboutPull | None = None


def pull_history_route(services: Services, waiting: Waiting) -> Route:
    async def show(request: Request, segments: Mapping[str, str]) -> Response:
        given = read_input(segments, request.scope["query_string"])
        known, number, at = await services.known(given.repository), given.values["number"], services.now()

        def read(reader: Reader, known: KnownRepository) -> _Read:
            stays = pull_history(reader, known, number, at)
            return _Read(stays, about_from_source(reader, known.id, number))

        stays, pull = _Read()
        if number <= LARGEST_RECORDED:
            known, (stays, pull) = await services.query_current(request, known, read)
            document = None if pull else await services.snapshot(request, known, number)
            pull = pull if document is None else about_from_snapshot(document)
        if not stays and pull is None:
            message = f"pull request {number} of {given.repository} is not known here: "
            raise NotFound(
                f"{message}it has not been in a queue, and neither a source nor a snapshot describes it"
            )
        waits = None
        if any(stay.left_at is None for stay in stays):
            present = await waiting.present(request, known)
            place = present.place_of(number)
            alerts = await services.watch.alerts(known) if place else []
            waits = place and waiting.waiting_for(known, present, place, alerts)
        answer = {"pull_request": number, "pull": pull, "waiting_for": waits, "stays": stays}
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


def pull_description_route(services: Services) -> Route:
    async def describe(request: Request, segments: Mapping[str, str]) -> Response:
        _BODY.check_head(request)
        given = read_input(segments, request.scope["query_string"])
        known = await services.known(given.repository)
        async with _BODY.read_in_turn(services.buffers, request) as body:
            descriptions = await asyncio.to_thread(read_descriptions, body)
        work = partial(describe_pull_requests, descriptions=descriptions)
        await services.change(known.repository, work)
        return json_response({"described": len(descriptions)})

    operation = Operation(
        "Events",
        "Send titles, authors and URLs of pull requests, which events do not contain",
        json_content(object_of({"described": INTEGER})),
        body={
            "application/json": {
                "schema": {
                    "type": "array",
                    "items": object_schema(DESCRIPTION_FIELDS),
                    "maxItems": MOST_EVENTS_PER_DELIVERY,
                },
                "example": [{"pull_request": 42, "title": "Assign berths by draught", "author": "ada"}],
            }
        },
    )
    return Route("POST", f"{REPOSITORY_PATH}/pulls", Right.INGEST, describe, operation)
