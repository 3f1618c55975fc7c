"""What would a document do to a pull request?"""

from collections.abc import Mapping

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mergecast.api.parameters import LARGEST_RECORDED
from mergecast.api.platform_access import Access, access_for
from mergecast.api.services import Services
from mergecast.api.simulation.request import MOST_CHARACTERS, Asked, Simulations
from mergecast.errors import Conflict, FieldError, NotFound
from mergecast.judge.messages import PULL_REQUEST, PullRequestQuestion


class PullRequestSimulator:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._simulations = Simulations(services)

    async def simulate(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Facts come from the platform where there is access, otherwise from the recorded snapshot."""
        asked = await self._simulations.read(request, segments)
        access = access_for(self._services.platform, request)
        if access is not None:
            try:
                return await self._simulate_live(asked, access)
            except NotFound:
                return await self._simulate_recorded(asked, "the code-hosting platform does not show it")
        reason = "the service has no access to the code-hosting platform"
        return await self._simulate_recorded(asked, reason)

    async def _simulate_live(self, asked: Asked, access: Access) -> Response:
        live, needs = await self._simulations.on_platform(asked, access)
        number = asked.given.values["number"]
        record = await access.pull_request(asked.given.repository, number, needs)
        if len(record) > MOST_CHARACTERS:
            raise _too_large(len(record))
        return await self._simulate(live, record)

    async def _simulate_recorded(self, asked: Asked, reason: str) -> Response:
        record = await self._recorded(asked)
        if record is None:
            await self._simulations.needs(asked)  # an invalid document is told first
            number, repository = asked.given.values["number"], asked.given.repository
            raise NotFound(
                f"pull request {number} of {repository} is not known here: "
                f"no snapshot of it is recorded, and {reason}"
            )
        return await self._simulate(asked, record)

    async def _recorded(self, asked: Asked) -> bytes | None:
        known = self._services.database.find(asked.given.repository)
        number = asked.given.values["number"]
        if known is None or number > LARGEST_RECORDED:
            return None
        return await self._services.database.snapshot(known, number)

    async def _simulate(self, asked: Asked, record: bytes) -> Response:
        question = PullRequestQuestion(asked.setting, asked.given.values["number"], msgspec.Raw(record))
        return await self._simulations.answer(asked, PULL_REQUEST, question)


def _too_large(length: int) -> Conflict:
    """The limit of memory would be reached, and the document would be blamed for it."""
    message = (
        f"what the code-hosting platform tells of it takes {length >> 20} MiB, "
        f"more than the {MOST_CHARACTERS >> 20} MiB that can be simulated"
    )
    return Conflict([FieldError("path", "number", message)])
