"""What would a document do to the open pull requests of a repository?"""

import asyncio
from collections.abc import Mapping

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mergecast.api.platform_access import Access, OpenRecords, access_for
from mergecast.api.services import Services
from mergecast.api.simulation import Asked, Simulations
from mergecast.api.statistics import find
from mergecast.errors import NotFound
from mergecast.judge.simulations import REPOSITORY, Record, RepositoryQuestion

MOST_PULL_REQUESTS = 100
# Together with the document they go to a child in one piece, which unfolds to several times its length.
_MOST_CHARACTERS = 16 << 20


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
        live, needs = await self._simulations.on_platform(asked, access)
        repository = asked.given.repository
        forge, token = access.forge, access.token
        found, in_force = await asyncio.gather(
            forge.open_pull_requests(repository, needs, token, access.calls),
            forge.document(repository.owner, repository.name, token),
        )
        return await self._simulate(live, found, in_force)

    async def _simulate_recorded(self, asked: Asked) -> Response:
        try:
            known = find(self._services, asked.given.repository)
        except NotFound:
            await self._simulations.needs(asked)  # an invalid document is told first
            raise
        found = await self._services.database.open_snapshots(known, MOST_PULL_REQUESTS, _MOST_CHARACTERS)
        return await self._simulate(asked, found, None)

    async def _simulate(self, asked: Asked, found: OpenRecords, in_force: str | None) -> Response:
        records = tuple(Record(number, msgspec.Raw(record)) for number, record in found.records)
        question = RepositoryQuestion(asked.setting, records, found.not_looked_at, in_force)
        return await self._simulations.answer(asked, REPOSITORY, question)
