"""What would a document do to the open pull requests of a repository?"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mergecast.api.platform_access import Access, OpenRecords, access_for
from mergecast.api.services import Services
from mergecast.api.simulation.current_document import InForce, read_in_force
from mergecast.api.simulation.request import MOST_CHARACTERS, Asked, Simulations
from mergecast.errors import NotFound
from mergecast.judge.messages import REPOSITORY, Record, RepositoryQuestion

MOST_PULL_REQUESTS = 100


class RepositorySimulator:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._simulations = Simulations(services)

    async def simulate(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Facts come from the platform where there is access, otherwise from recorded snapshots."""
        asked = await self._simulations.read(request, segments)
        access = access_for(self._services.platform, request)
        if access is not None:
            try:
                return await self._simulate_live(asked, access)
            except NotFound:
                pass  # not for this token; perhaps it was recorded
        return await self._simulate_recorded(asked)

    async def _simulate_live(self, asked: Asked, access: Access) -> Response:
        """Both documents are simulated on the same facts, so fetch what either of them needs."""
        live = asked.on_platform()
        own = await self._simulations.needs(live)  # an invalid document costs no call
        (live, needs), in_force = await asyncio.gather(
            self._simulations.extended(live, own, access),
            read_in_force(self._services.judge, live.setting, access),
        )
        found = await access.open_pull_requests(asked.given.repository, needs | in_force.needs)
        return await self._simulate(live.knowing(in_force.remotes), _bounded(found), in_force)

    async def _simulate_recorded(self, asked: Asked) -> Response:
        try:
            known = self._services.known(asked.given.repository)
        except NotFound:
            await self._simulations.needs(asked)  # an invalid document is told first
            raise
        found = await self._services.database.open_snapshots(known, MOST_PULL_REQUESTS, MOST_CHARACTERS)
        return await self._simulate(asked, found, InForce())

    async def _simulate(self, asked: Asked, found: OpenRecords, in_force: InForce) -> Response:
        records = tuple(Record(number, msgspec.Raw(record)) for number, record in found.records)
        question = RepositoryQuestion(
            asked.setting, records, found.not_looked_at, in_force.text, in_force.remarks
        )
        return await self._simulations.answer(asked, REPOSITORY, question)


@dataclass(frozen=True, slots=True)
class _Bounded:
    records: tuple[tuple[int, bytes], ...]
    not_looked_at: int


def _bounded(found: OpenRecords) -> OpenRecords:
    """The first of them, as many as may go to a child; recorded ones are counted by the store."""
    lengths = accumulate(len(record) for _, record in found.records)
    kept = sum(length <= MOST_CHARACTERS for length in lengths)
    return _Bounded(found.records[:kept], found.not_looked_at + len(found.records) - kept)
