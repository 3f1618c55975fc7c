"""What both simulators share: reading the request, finding what a document needs, live or recorded facts."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mergecast.api.openapi.operation import STRING, Operation, json_content, object_of
from mergecast.api.parameters import LARGEST_RECORDED, Input, read_input
from mergecast.api.platform_access import Access, access_for
from mergecast.api.problems import Renamed
from mergecast.api.responses import json_response
from mergecast.api.services import Services
from mergecast.api.simulation.submitted_document import (
    DEPRECATIONS,
    DOCUMENT_BODY,
    SubmittedDocument,
    SubmittedDocuments,
)
from mergecast.errors import Conflict, FieldError, NotFound
from mergecast.judge.messages import (
    NEEDS,
    NeedsAnswer,
    Setting,
    SimulationAnswer,
)
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.snapshot import Part
from mergecast.queues.stats.queue_contents import queue_contents
from mergecast.queues.store.reader import Reader

# Records go to a child in one message with the document, and take several times their size when decoded.
MOST_RECORD_BYTES = 16 << 20
_TEXT = "text/plain"
_UNKNOWN = "UNKNOWN"


class SimulationRequest(NamedTuple):
    """A request to simulate a document, as read from HTTP."""

    request: Request
    given: Input
    document: SubmittedDocument
    setting: Setting

    def replace(self, setting: Setting) -> "SimulationRequest":
        return self._replace(setting=setting)


class Simulations:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._documents = SubmittedDocuments(services)

    async def read(self, request: Request, segments: Mapping[str, str]) -> SimulationRequest:
        self._documents.check_head(request)
        given = read_input(segments, request.scope["query_string"])
        document = await self._documents.read(request)
        known = await self._services.database.repository(given.repository)
        setting = Setting(
            document.text,
            self._services.now(),
            given.repository.owner,
            given.repository.name,
            known.products if known else None,
            form="text" if _wants_text(request) else "markdown",
        )
        return SimulationRequest(request, given, document, setting)

    async def live_else_recorded(
        self,
        asked: SimulationRequest,
        live: Callable[[SimulationRequest, Access], Awaitable[Response]],
        recorded: Callable[[SimulationRequest, str], Awaitable[Response]],
    ) -> Response:
        """Facts come from the platform if there is access to it, otherwise from recorded snapshots.

        `recorded` receives the reason why there are no live facts. When nothing is recorded either, it raises
        NotFound or Renamed, and an invalid document is reported before that.
        """
        reason = "the service has no access to the code-hosting platform"
        access = await access_for(self._services.platform, asked.request, asked.given.repository)
        if access is not None:
            is_live = msgspec.structs.replace(asked.setting, is_live=True)
            try:
                return await live(asked.replace(is_live), access)
            except NotFound:
                reason = "the code-hosting platform does not show it"
        try:
            return await recorded(asked, reason)
        except (NotFound, Renamed):
            await self.needs(asked)
            raise

    async def needs(self, asked: SimulationRequest) -> NeedsAnswer:
        """What the document can depend on; an invalid document is refused."""
        return await self.ask_needs(asked, asked.setting)

    async def ask_needs(self, asked: SimulationRequest, setting: Setting) -> NeedsAnswer:
        return await self._documents.ask(asked.document, NEEDS, setting, NeedsAnswer)

    async def answer(self, asked: SimulationRequest, task: str, question: msgspec.Struct) -> Response:
        simulated = await self._documents.ask(asked.document, task, question, SimulationAnswer)
        self._documents.count_valid()
        if simulated.record_errors:
            raise _unreadable(simulated)
        if simulated.not_simulated:
            raise Conflict([FieldError("path", "number", f"not simulated: {simulated.not_simulated}")])
        if asked.setting.form == "text":
            return Response(simulated.summary, media_type=f"{_TEXT}; charset=utf-8")
        return json_response({
            "title": simulated.title,
            "summary": simulated.summary,
            "deprecations": simulated.deprecations,
        })  # fmt: skip


def with_remotes(setting: Setting, documents: Mapping[str, str]) -> Setting:
    """The setting with more documents of other repositories."""
    return msgspec.structs.replace(setting, remotes={**setting.remotes, **documents})


def simulation_operation(summary: str) -> Operation:
    """The description of a route that simulates a document."""
    answer = {
        **json_content(object_of({"title": STRING, "summary": STRING, "deprecations": DEPRECATIONS})),
        _TEXT: {"schema": STRING},
    }
    return Operation("Configuration", summary, answer, body=DOCUMENT_BODY)


def _unreadable(simulated: SimulationAnswer) -> Conflict:
    """A record was stored by a version that read records differently, or the platform has changed."""
    first = simulated.record_errors[0]
    message = f"its record cannot be read; record it again: {first.pointer}: {first.message}"
    return Conflict([FieldError("path", "number", message)])


def _wants_text(request: Request) -> bool:
    """Plain text only for a client that accepts nothing else; everyone else gets JSON."""
    return request.headers.get("accept", "").partition(";")[0].strip().lower() == _TEXT


async def with_queue(
    services: Services, repository: Repository, records: Sequence[tuple[int, bytes]]
) -> tuple[tuple[int, bytes], ...]:
    """The records with each pull request's position and last exit reason; unchanged without events."""
    known = await services.database.repository(repository)
    if known is None or not known.events:
        return tuple(records)
    numbers, at = [number for number, _ in records if number <= LARGEST_RECORDED], services.now()
    found = await services.database.read(known.id, lambda reader: _parts(reader, known.id, numbers, at))
    return tuple((number, _added(record, found.get(number, {}))) for number, record in records)


def _parts(
    reader: Reader, repository_id: int, numbers: Sequence[int], at: int
) -> dict[int, dict[str, object]]:
    places = {
        entry.pull_request: {
            "name": queue.queue_name,
            "position": entry.position - 1,
            "queued_at": entry.entered_at,
        }
        for queue in queue_contents(reader, repository_id, at)
        for entry in queue.entries
    }
    reasons = dict(reader.rows("last_exits", [repository_id, list(numbers), at]))
    return {number: _part(places.get(number), reasons.get(number)) for number in numbers}


def _part(place: Mapping[str, object] | None, reason: str | None) -> dict[str, object]:
    """Null means that the pull request is not queued, or never left; an unknown reason is omitted."""
    queue: dict[str, object] = {Part.QUEUE.key: place}
    return queue if reason == _UNKNOWN else {**queue, Part.DEQUEUE_REASON.key: reason}


def _added(record: bytes, parts: Mapping[str, object]) -> bytes:
    """The record with these parts as its last keys: of two equal keys, the last one counts."""
    if not parts:
        return record
    return record.rstrip()[:-1] + b"," + msgspec.json.encode(parts)[1:]
