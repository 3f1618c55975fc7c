"""Simulate a document on one pull request, or on all open pull requests of a repository."""

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.openapi.operation import (
    INTEGER,
    STRING,
    Content,
    Operation,
    json_content,
    list_of,
    object_of,
    or_null,
)
from mergecast.api.parameters import QUERY, Input, read_input
from mergecast.api.platform_access import access_for
from mergecast.api.responses import json_response
from mergecast.api.routing import PULL_REQUEST_PATH, REPOSITORY_PATH, Route
from mergecast.api.services import Services
from mergecast.api.simulation.forecast import SimulationForecast
from mergecast.api.simulation.pull_requests import LivePullRequests, RecordedPullRequests
from mergecast.api.simulation.submitted_document import (
    DEPRECATIONS,
    DOCUMENT_BODY,
    SubmittedDocument,
    SubmittedDocuments,
)
from mergecast.errors import Conflict, FieldError
from mergecast.inputs.field import Schema
from mergecast.judge.messages import Setting, SimulationAnswer
from mergecast.simulation.simulation import LiveSimulation, RecordedSimulation, Simulation

_TEXT = "text/plain"


class _Asked(NamedTuple):
    """A request to simulate a document, as read from HTTP."""

    request: Request
    given: Input
    document: SubmittedDocument
    setting: Setting


class SimulationHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._documents = SubmittedDocuments(services)

    async def pull_request(self, request: Request, segments: Mapping[str, str]) -> Response:
        asked = await self._read(request, segments)
        simulation, number = await self._simulation(asked), asked.given.values["number"]
        simulating = simulation.pull_request(asked.setting, number)
        return _response(asked.setting, await self._documents.judged(asked.document, simulating))

    async def repository(self, request: Request, segments: Mapping[str, str]) -> Response:
        asked = await self._read(request, segments)
        simulating = (await self._simulation(asked)).repository(asked.setting)
        return _response(asked.setting, await self._documents.judged(asked.document, simulating))

    async def _read(self, request: Request, segments: Mapping[str, str]) -> _Asked:
        self._documents.check_head(request)
        given = read_input(request, segments, ("details",))
        document = await self._documents.read(request)
        known = await self._services.database.repository(given.repository)
        setting = Setting(
            document.text,
            self._services.now(),
            given.repository.owner,
            given.repository.name,
            known.products if known else None,
            form="text" if _wants_text(request) else "markdown",
            has_details=given.values.get("details", False),
        )
        return _Asked(request, given, document, setting)

    async def _simulation(self, asked: _Asked) -> Simulation:
        services, request, repository = self._services, asked.request, asked.given.repository
        ask = partial(self._documents.ask, request)
        # Whoever asks for data shows a forecast apart, and need not wait for it here.
        is_forecast = not asked.setting.has_details
        forecast = SimulationForecast(services, request, repository) if is_forecast else None
        recorded = RecordedPullRequests(services, request, repository)
        access = await access_for(services.platform, request, repository)
        live = None if access is None else LivePullRequests(services, access)
        return Simulation(
            None if live is None else LiveSimulation(ask, live, forecast),
            RecordedSimulation(ask, recorded, forecast),
        )


def _wants_text(request: Request) -> bool:
    """Plain text only for a client that accepts nothing else; everyone else gets JSON."""
    return request.headers.get("accept", "").partition(";")[0].strip().lower() == _TEXT


def _response(setting: Setting, simulated: SimulationAnswer) -> Response:
    if simulated.record_errors:
        raise _unreadable(simulated)
    if simulated.not_simulated:
        raise Conflict([FieldError("path", "number", f"not simulated: {simulated.not_simulated}")])
    if setting.form == "text":
        return Response(simulated.summary, media_type=f"{_TEXT}; charset=utf-8")
    details = {"details": simulated.details} if setting.has_details else {}
    return json_response({
        "title": simulated.title,
        "summary": simulated.summary,
        "deprecations": simulated.deprecations,
        **details,
    })  # fmt: skip


def _unreadable(simulated: SimulationAnswer) -> Conflict:
    """A record was stored by a version that read records differently, or the platform has changed."""
    first = simulated.record_errors[0]
    message = f"its record cannot be read; record it again: {first.pointer}: {first.message}"
    return Conflict([FieldError("path", "number", message)])


OUTCOMES = (
    *("is queued", "would enter", "waiting to enter", "is blocked", "can be queued by command"),
    *("is not admitted", "no queue", "not simulated"),
)
_OR_NULL = or_null(STRING)
_REPORT = object_of({
    "title": STRING,
    "parts": list_of(
        object_of({
            "title": _OR_NULL,
            "blocks": list_of(
                object_of({
                    "kind": {"enum": ["heading", "text", "bullet", "conditions", "table"]},
                    "text": STRING,
                    "conditions": list_of(
                        object_of({
                            "depth": INTEGER,
                            "state": {"enum": ["holds", "fails", "unknown", None]},
                            "text": STRING,
                        })
                    ),
                    "rows": list_of(list_of(STRING)),
                })
            ),
        })
    ),
})  # fmt: skip
_ROW = object_of({
    "number": INTEGER,
    "title": STRING,
    "outcome": {"enum": list(OUTCOMES)},
    "now": {**_OR_NULL, "description": "Under the current document; null if that is not known"},
    "then": {**_OR_NULL, "description": "Under the submitted document"},
    "changes": {"oneOf": [list_of(STRING), {"type": "null"}]},
    "why": list_of(STRING),
    "rules": {**list_of(STRING), "description": "The rules that match"},
    "error": {**_OR_NULL, "description": "Why it was not simulated"},
})  # fmt: skip
_ROWS = object_of({
    "is_compared": {"type": "boolean", "description": "With the current document"},
    "not_looked_at": INTEGER,
    "pull_requests": list_of(_ROW),
    "notes": list_of(STRING),
})  # fmt: skip


def _content(details: Schema) -> Content:
    always = {"title": STRING, "summary": STRING, "deprecations": DEPRECATIONS}
    meaning = "With `details=true`. Names and code are between backticks, and no forecast is computed"
    whole = object_of(always, {"details": {**details, "description": meaning}})
    return {**json_content(whole), _TEXT: {"schema": STRING}}


def simulation_routes(services: Services) -> list[Route]:
    handlers, parameters = SimulationHandlers(services), (QUERY["details"],)
    of_repository = Operation(
        "Configuration",
        "Simulate a document on the open pull requests",
        _content(_ROWS),
        parameters,
        body=DOCUMENT_BODY,
    )
    of_one = Operation(
        "Configuration",
        "Simulate a document on one pull request",
        _content(object_of({"report": _REPORT})),
        parameters,
        body=DOCUMENT_BODY,
    )
    simulators = (
        (REPOSITORY_PATH, handlers.repository, of_repository),
        (PULL_REQUEST_PATH, handlers.pull_request, of_one),
    )
    return [
        Route("POST", f"{path}/simulator", Right.READ, handler, operation, is_costly=True)
        for path, handler, operation in simulators
    ]
