"""Pull requests: `GET …/pulls/{number}/history`, every stay and why it waits; `…/pulls`, titles."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.body_buffers import LARGEST_BODY
from mergecast.api.openapi.operation import INTEGER, Operation, json_content, object_of, schema_of
from mergecast.api.parameters import LARGEST_RECORDED, QUERY, read_input
from mergecast.api.request_body import RequestBody
from mergecast.api.responses import json_response
from mergecast.api.routing import PULL_REQUEST_PATH, REPOSITORY_PATH, Route
from mergecast.api.services import Services
from mergecast.api.waiting import Present, Waiting
from mergecast.errors import NotFound
from mergecast.incoming.intake.event_bodies import MOST_EVENTS_PER_DELIVERY
from mergecast.incoming.intake.pull_descriptions import DESCRIPTION_FIELDS, read_descriptions
from mergecast.inputs.field import object_schema
from mergecast.queues.answers.pulls import AboutPull, FoundPulls
from mergecast.queues.stats.kept_since import schema_with_kept_since, with_kept_since
from mergecast.queues.stats.pull_history import StayInDetail, pull_history
from mergecast.queues.stats.pull_search import Search, about_pull, search_pulls
from mergecast.queues.stats.waiting_sentence import WaitingFor
from mergecast.queues.store.add_deliveries import describe_pull_requests
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.values import KnownRepository

_BODY = RequestBody(LARGEST_BODY, ("application/json",))
_PARAMETERS = ("search", "after", "limit")


class PullHistory(Struct, frozen=True):
    pull_request: int
    pull: AboutPull | None
    waiting_for: WaitingFor | None
    stays: Sequence[StayInDetail]


class _Read(NamedTuple):
    """All of one moment."""

    stays: Sequence[StayInDetail] = ()
    pull: AboutPull | None = None
    present: Present | None = None  # if one of its stays is open


def pull_history_route(services: Services, waiting: Waiting) -> Route:
    async def show(request: Request, segments: Mapping[str, str]) -> Response:
        given = read_input(request, segments)
        known, number = await services.known(given.repository), given.values["number"]
        found = _Read()
        if number <= LARGEST_RECORDED:
            known, found = await read(request, known, number)
        if not found.stays and found.pull is None:
            message = f"pull request {number} of {given.repository} is not known here: "
            raise NotFound(
                f"{message}it has not been in a queue, and neither a source nor a snapshot describes it"
            )
        place = found.present and found.present.queues.place_of(number)
        waits = waiting.waiting_for(known, found.present, place) if found.present and place else None
        answer = PullHistory(number, found.pull, waits, found.stays)
        return json_response(
            answer if known.kept_since is None else with_kept_since(answer, known.kept_since)
        )

    async def read(request: Request, known: KnownRepository, number: int) -> tuple[KnownRepository, _Read]:
        at = services.now()

        def work(reader: Reader, current: KnownRepository) -> _Read:
            stays = pull_history(reader, current, number, at)
            pull = about_pull(reader, current.id, number)
            is_open = any(stay.left_at is None for stay in stays)
            return _Read(stays, pull, waiting.present(reader, current, at) if is_open else None)

        current, found = await services.query_current(request, known, work)
        if found.present is None:
            return current, found
        # Measuring the queues may begin or end alerts: then all of the answer is read again.
        alerts = await services.watch.alerts(current)
        if {alert.id for alert in alerts} == {alert.id for alert in found.present.alerts}:
            return current, found
        return await services.query_current(request, current, work)

    operation = Operation(
        "Statistics",
        "Every stay of a pull request, the newest first, and what it waits for",
        json_content(schema_with_kept_since(schema_of(PullHistory))),
    )
    return Route("GET", f"{PULL_REQUEST_PATH}/history", Right.READ, show, operation)


def pull_search_route(services: Services) -> Route:
    async def show(request: Request, segments: Mapping[str, str]) -> Response:
        given = read_input(request, segments, _PARAMETERS)
        search = Search(**{name: value for name, value in given.values.items() if name in _PARAMETERS})
        known = await services.known(given.repository)
        found = await services.query(request, known.id, lambda reader: search_pulls(reader, known.id, search))
        return json_response(found)

    operation = Operation(
        "Statistics",
        "Pull requests by words of their titles, the newest first",
        FoundPulls,
        tuple(QUERY[name] for name in _PARAMETERS),
    )
    return Route("GET", f"{REPOSITORY_PATH}/pulls", Right.READ, show, operation)


def pull_description_route(services: Services) -> Route:
    async def describe(request: Request, segments: Mapping[str, str]) -> Response:
        _BODY.check_head(request)
        given = read_input(request, segments)
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
