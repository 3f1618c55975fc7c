"""What classes of handlers share."""

from starlette.requests import Request

from mergecast.api.routing import admission_of
from mergecast.api.services import Services
from mergecast.queues.model.repository import Repository


class Handlers:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def _note(self, request: Request, event: str, about: Repository | str, **details: object) -> None:
        """Write into the audit who did this."""
        await self._services.audit.note(admission_of(request), event, about, **details)
