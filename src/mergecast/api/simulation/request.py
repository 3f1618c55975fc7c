"""What the simulators of a pull request and of a repository share: the setting, the needs, the answer."""

from collections.abc import Mapping
from typing import NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mergecast.api.parameters import Input, read_input
from mergecast.api.platform_access import Access
from mergecast.api.responses import json_response
from mergecast.api.services import Services
from mergecast.api.simulation.submitted_document import Candidate, Candidates
from mergecast.errors import Conflict, FieldError
from mergecast.judge.messages import NEEDS, NeedsAnswer, NeedsQuestion, Setting, SimulationAnswer
from mergecast.model.snapshot import Needs

# Together with the document, records go to a child in one piece, which unfolds to several times its length.
MOST_CHARACTERS = 16 << 20
_TEXT = "text/plain"


class Asked(NamedTuple):
    """A request for a simulation, read."""

    given: Input
    candidate: Candidate
    setting: Setting

    def on_platform(self) -> "Asked":
        return self._replace(setting=msgspec.structs.replace(self.setting, is_live=True))

    def knowing(self, documents: Mapping[str, str]) -> "Asked":
        """With documents of other repositories."""
        remotes = {**self.setting.remotes, **documents}
        return self._replace(setting=msgspec.structs.replace(self.setting, remotes=remotes))


class Simulations:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._candidates = Candidates(services)

    async def read(self, request: Request, segments: Mapping[str, str]) -> Asked:
        self._candidates.check_head(request)
        given = read_input(segments, request.scope["query_string"])
        candidate = await self._candidates.read(request)
        known = self._services.database.find(given.repository)
        setting = Setting(
            candidate.text,
            self._services.now(),
            given.repository.owner,
            given.repository.name,
            known.products if known else None,
            form="text" if _wants_text(request) else "markdown",
        )
        return Asked(given, candidate, setting)

    async def needs(self, asked: Asked) -> NeedsAnswer:
        """What the document can depend on; an invalid one is refused."""
        return await self._candidates.ask(asked.candidate, NEEDS, NeedsQuestion(asked.setting), NeedsAnswer)

    async def on_platform(self, asked: Asked, access: Access) -> tuple[Asked, Needs]:
        """The same request with what `extends` names, and what is to be fetched for it."""
        live = asked.on_platform()
        return await self.extended(live, await self.needs(live), access)

    async def extended(self, live: Asked, found: NeedsAnswer, access: Access) -> tuple[Asked, Needs]:
        if found.extends is not None:
            live = live.knowing(await access.remotes(live.setting.owner, found.extends))
            found = await self.needs(live)
        return live, Needs(found.parts, found.teams)

    async def answer(self, asked: Asked, task: str, question: msgspec.Struct) -> Response:
        simulated = await self._candidates.ask(asked.candidate, task, question, SimulationAnswer)
        self._candidates.count_valid()
        if simulated.record_errors:
            raise _unreadable(simulated)
        if asked.setting.form == "text":
            return Response(simulated.summary, media_type=f"{_TEXT}; charset=utf-8")
        return json_response({
            "title": simulated.title,
            "summary": simulated.summary,
            "deprecations": simulated.deprecations,
        })  # fmt: skip


def _unreadable(simulated: SimulationAnswer) -> Conflict:
    """A record was stored by a program that read records differently, or the platform has changed."""
    first = simulated.record_errors[0]
    message = f"what is known of it cannot be read, record it again: {first.pointer}: {first.message}"
    return Conflict([FieldError("path", "number", message)])


def _wants_text(request: Request) -> bool:
    """Only who asks for nothing else gets the plain text; everybody else gets JSON."""
    return request.headers.get("accept", "").partition(";")[0].strip().lower() == _TEXT
