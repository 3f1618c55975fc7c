"""Simulate a document on all open pull requests of a repository."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.platform_access import Access, OpenRecords
from mergecast.api.routing import REPOSITORY_PATH, Route, admission_of
from mergecast.api.services import Services
from mergecast.api.simulation.forecast import SimulationForecasts
from mergecast.api.simulation.request import (
    MOST_RECORD_BYTES,
    SimulationRequest,
    Simulations,
    simulation_operation,
    with_queue,
    with_remotes,
)
from mergecast.judge.errors import LimitReached
from mergecast.judge.messages import (
    LONGEST_DOCUMENT,
    NEEDS,
    REPOSITORY,
    ForecastFound,
    NeedsAnswer,
    Record,
    RepositoryQuestion,
    Setting,
    json_text,
)
from mergecast.judge.pool import with_extended
from mergecast.queues.model.snapshot import Needs
from mergecast.queues.store.values import count_fitting

MOST_PULL_REQUESTS = 100
_BEYOND_LIMITS = "The current document exceeds the limits, so there is no comparison with it"


@dataclass(frozen=True, slots=True)
class _CurrentDocument:
    """The document on the default branch now; no text when there is none, or none that can be simulated."""

    text: str | None = None
    needs: Needs = field(default_factory=lambda: Needs(frozenset()))
    remotes: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


class RepositorySimulator:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._simulations = Simulations(services)
        self._forecasts = SimulationForecasts(services)

    async def simulate(self, request: Request, segments: Mapping[str, str]) -> Response:
        asked = await self._simulations.read(request, segments)
        return await self._simulations.live_else_recorded(asked, self._live, self._recorded)

    async def _live(self, asked: SimulationRequest, access: Access) -> Response:
        """Both documents are simulated on the same facts, so fetch what either of them needs."""
        own = await self._simulations.needs(asked)  # an invalid document costs no call to the platform
        ask = partial(self._simulations.ask_needs, asked)
        (setting, needed), current = await asyncio.gather(
            with_extended(ask, asked.setting, own, access.remotes),
            _read_current_document(self._services, asked.request, asked.setting, access),
        )
        needs = Needs(needed.parts, needed.teams) | current.needs
        asked = asked.replace(with_remotes(setting, current.remotes))
        found, forecast = await asyncio.gather(
            access.open_pull_requests(asked.given.repository, needs),
            self._forecasts.forecast(asked, current.text),
        )
        bounded = _bounded(found)
        records = await with_queue(self._services, asked.given.repository, bounded.records)
        return await self._simulate(asked, _Bounded(records, bounded.not_looked_at), current, forecast)

    async def _recorded(self, asked: SimulationRequest, _: str) -> Response:
        known = await self._services.known(asked.given.repository)
        await self._simulations.needs(asked)  # an invalid document waits for no forecast
        forecast = await self._forecasts.forecast(asked)
        async with self._services.queries.turn(admission_of(asked.request).caller.identity):
            found = await self._services.database.open_snapshots(known, MOST_PULL_REQUESTS, MOST_RECORD_BYTES)
        return await self._simulate(asked, found, _CurrentDocument(), forecast)

    async def _simulate(
        self,
        asked: SimulationRequest,
        found: OpenRecords,
        current: _CurrentDocument,
        forecast: ForecastFound | None,
    ) -> Response:
        records = tuple(Record(number, msgspec.Raw(record)) for number, record in found.records)
        question = RepositoryQuestion(
            asked.setting, records, found.not_looked_at, current.text, current.remarks, forecast
        )
        return await self._simulations.answer(asked, REPOSITORY, question)


def repository_simulator(services: Services) -> Route:
    simulator = RepositorySimulator(services)
    operation = simulation_operation("Simulate a document on the open pull requests")
    path = f"{REPOSITORY_PATH}/simulator"
    return Route("POST", path, Right.READ, simulator.simulate, operation, is_costly=True)


@dataclass(frozen=True, slots=True)
class _Bounded:
    records: tuple[tuple[int, bytes], ...]
    not_looked_at: int


def _bounded(found: OpenRecords) -> OpenRecords:
    """As many of the first records as one message may hold; the store bounds recorded ones itself."""
    kept = count_fitting((len(record) for _, record in found.records), MOST_RECORD_BYTES)
    return _Bounded(found.records[:kept], found.not_looked_at + len(found.records) - kept)


async def _read_current_document(
    services: Services, request: Request, setting: Setting, access: Access
) -> _CurrentDocument:
    """Fetch the document and find what it needs, so that facts for both documents are fetched together."""
    text = await access.forge.document(setting.owner, setting.repository, access.token)
    if text is None:
        return _CurrentDocument()
    if len(text) > LONGEST_DOCUMENT:
        return _CurrentDocument(remarks=(_BEYOND_LIMITS,))
    its_own = msgspec.structs.replace(setting, text=json_text(text), remotes={})
    ask = partial(services.ask_child, request, NEEDS, answer=NeedsAnswer)
    try:
        # An invalid document needs nothing; the simulation reports that it is invalid.
        found = await ask(its_own)
        its_own, found = await with_extended(ask, its_own, found, access.remotes)
    except LimitReached:
        # In one task with the submitted document, the submitted one would be blamed.
        return _CurrentDocument(remarks=(_BEYOND_LIMITS,))
    return _CurrentDocument(text, Needs(found.parts, found.teams), its_own.remotes)
