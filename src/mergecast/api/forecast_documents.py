"""The documents of a forecast: the current one, and those that a document extends."""

from msgspec.structs import replace
from starlette.requests import Request

from mergecast.api.platform_access import Access, access_for
from mergecast.api.services import Services
from mergecast.errors import FieldError, InvalidInput, MergecastError
from mergecast.judge.errors import LimitReached
from mergecast.judge.messages import (
    LONGEST_DOCUMENT,
    NEEDS,
    Baseline,
    NeedsAnswer,
    PolicyGiven,
    Setting,
    json_text,
)
from mergecast.model.repository import Repository

_FROM_HISTORY = "the baseline is inferred from the history."


class ForecastDocuments:
    """Fetches documents from the platform, if there is access to it."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def complete(
        self, request: Request, repository: Repository, given: PolicyGiven, pointer: str
    ) -> PolicyGiven:
        """A document with the one that it extends. The child reports what cannot be read."""
        text = given.config_yml
        if text is None:
            return given
        given = replace(given, owner=repository.owner, repository=repository.name)
        access = await access_for(self._services.platform, request, repository)
        if access is None or "extends" not in text:
            return given
        try:
            return await self._with_extended(request, given, access)
        except LimitReached as reached:
            raise InvalidInput([FieldError("body", f"{pointer}/config_yml", str(reached))]) from None

    async def baseline(self, request: Request, repository: Repository, asked: PolicyGiven | None) -> Baseline:
        """The requested baseline, otherwise the current document if the platform returns it."""
        if asked is not None:
            return Baseline(await self.complete(request, repository, asked, "/baseline"))
        access = await access_for(self._services.platform, request, repository)
        if access is None:
            return Baseline()
        try:
            return await self._in_force(request, repository, access)
        except (MergecastError, LimitReached) as error:
            return Baseline(remarks=(f"The current document could not be read ({error}); {_FROM_HISTORY}",))

    async def _in_force(self, request: Request, repository: Repository, access: Access) -> Baseline:
        text = await access.forge.document(repository.owner, repository.name, access.token)
        if text is None:
            return Baseline()
        if len(text) > LONGEST_DOCUMENT:
            return Baseline(remarks=(f"The current document is too long to be read; {_FROM_HISTORY}",))
        given = PolicyGiven(config_yml=text, owner=repository.owner, repository=repository.name)
        if "extends" in text:
            given = await self._with_extended(request, given, access)
        return Baseline(in_force=given)

    async def _with_extended(self, request: Request, given: PolicyGiven, access: Access) -> PolicyGiven:
        setting = Setting(
            json_text(given.config_yml or ""), self._services.now(), given.owner, given.repository or ""
        )
        needs = await self._services.ask_child(request, NEEDS, setting, NeedsAnswer)
        if needs.extends is None:
            return given
        return replace(given, remotes=await access.remotes(given.owner, needs.extends))
