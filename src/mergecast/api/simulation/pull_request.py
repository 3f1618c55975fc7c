"""Simulate a document on one pull request."""

from collections.abc import Mapping
from functools import partial

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.parameters import LARGEST_RECORDED
from mergecast.api.platform_access import Access
from mergecast.api.routing import PULL_REQUEST_PATH, Route
from mergecast.api.services import Services
from mergecast.api.simulation.request import (
    MOST_RECORD_BYTES,
    SimulationRequest,
    Simulations,
    simulation_operation,
    with_queue,
)
from mergecast.errors import Conflict, FieldError, NotFound
from mergecast.judge.messages import PULL_REQUEST, PullRequestQuestion
from mergecast.judge.pool import with_extended
from mergecast.queues.model.snapshot import Needs


class PullRequestSimulator:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._simulations = Simulations(services)

    async def simulate(self, request: Request, segments: Mapping[str, str]) -> Response:
        asked = await self._simulations.read(request, segments)
        return await self._simulations.live_else_recorded(asked, self._live, self._recorded)

    async def _live(self, asked: SimulationRequest, access: Access) -> Response:
        own = await self._simulations.needs(asked)
        ask = partial(self._simulations.ask_needs, asked)
        setting, found = await with_extended(ask, asked.setting, own, access.remotes)
        needs = Needs(found.parts, found.teams)
        record = await access.pull_request(asked.given.repository, asked.given.values["number"], needs)
        if len(record) > MOST_RECORD_BYTES:
            raise _too_large(len(record))
        number = asked.given.values["number"]
        ((_, record),) = await with_queue(self._services, asked.given.repository, [(number, record)])
        return await self._simulate(asked.replace(setting), record)

    async def _recorded(self, asked: SimulationRequest, reason: str) -> Response:
        number, repository = asked.given.values["number"], asked.given.repository
        known = await self._services.find(repository)
        record = None
        if known is not None and number <= LARGEST_RECORDED:
            record = await self._services.snapshot(asked.request, known, number)
        if record is None:
            raise NotFound(
                f"pull request {number} of {repository} is not known here: "
                f"no snapshot of it is recorded, and {reason}"
            )
        return await self._simulate(asked, record)

    async def _simulate(self, asked: SimulationRequest, record: bytes) -> Response:
        question = PullRequestQuestion(asked.setting, asked.given.values["number"], msgspec.Raw(record))
        return await self._simulations.answer(asked, PULL_REQUEST, question)


def pull_request_simulator(services: Services) -> Route:
    simulator = PullRequestSimulator(services)
    operation = simulation_operation("Simulate a document on one pull request")
    path = f"{PULL_REQUEST_PATH}/simulator"
    return Route("POST", path, Right.READ, simulator.simulate, operation, is_costly=True)


def _too_large(length: int) -> Conflict:
    """Refused here, because a child would run out of memory and report the document as the cause."""
    message = (
        f"the platform's answer about it takes {length >> 20} MiB, "
        f"more than the {MOST_RECORD_BYTES >> 20} MiB that can be simulated"
    )
    return Conflict([FieldError("path", "number", message)])
