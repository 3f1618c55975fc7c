"""Snapshots of pull requests: record, show, delete."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.openapi.operation import (
    DATE_TIME,
    DELETED,
    INTEGER,
    Operation,
    json_body,
    json_content,
    object_of,
)
from mergecast.api.parameters import LARGEST_RECORDED, NUMBER, Input, read_input
from mergecast.api.request_body import JSON, RequestBody
from mergecast.api.responses import json_response
from mergecast.api.routing import PULL_REQUEST_PATH, Route
from mergecast.api.services import Handlers, Services
from mergecast.errors import FieldError, InvalidInput, NotFound
from mergecast.inputs.field import Schema, closed_schema
from mergecast.inputs.json_object import decode_json
from mergecast.inputs.kinds import decimal
from mergecast.judge.messages import SNAPSHOT, SnapshotAnswer, SnapshotQuestion
from mergecast.queues.model.instant import format_instant
from mergecast.queues.model.snapshot import RECORD_KEYS
from mergecast.queues.store.values import RecordedSnapshot
from mergecast.sandbox.errors import LimitReached

_BODY = RequestBody(8 << 20)


class SnapshotHandlers(Handlers):
    async def record(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Replace the snapshot of a pull request; the response is sent once that is durable."""
        _BODY.check_head(request)
        given = _read_path(request, segments)
        number = given.values["number"]
        async with _BODY.read(self._services.buffers, request) as body:
            snapshot = await self._read(request, body, number)
        write = partial(self._services.database.put_snapshot, given.repository, snapshot)
        await self._services.write(given.repository, write)
        return json_response({"number": number, "open": snapshot.is_open})

    async def _read(self, request: Request, body: bytes, number: int) -> RecordedSnapshot:
        now = self._services.now()
        # Only the syntax is checked here, without building objects; a child process reads the content.
        raw = decode_json(body, msgspec.Raw, "the body must be a JSON object")
        found = await self._check(request, SnapshotQuestion(number, now, raw))
        record = str(memoryview(raw), "utf-8")
        if not found.has_instant:
            # As the last key: of two equal keys, the last one counts.
            record = f'{record[:-1]},"recorded_at":"{format_instant(now)}"}}'
        return RecordedSnapshot(number, found.is_open, record)

    async def _check(self, request: Request, question: SnapshotQuestion) -> SnapshotAnswer:
        try:
            found = await self._services.ask_child(request, SNAPSHOT, question, SnapshotAnswer)
        except LimitReached:
            message = (
                "reading it takes more time or memory than allowed; record fewer files, commits or parts"
            )
            raise InvalidInput([FieldError("body", "", message)]) from None
        if found.errors:
            errors = [FieldError("body", error.pointer, error.message) for error in found.errors]
            raise InvalidInput(errors, found.more_errors)
        return found

    async def show(self, request: Request, segments: Mapping[str, str]) -> Response:
        """The snapshot as it was sent."""
        given = _read_path(request, segments)
        known = await self._services.known(given.repository)
        record = await self._services.snapshot(request, known, given.values["number"])
        if record is None:
            raise _not_recorded(given)
        return Response(record, media_type=JSON)

    async def delete(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Delete a snapshot, and the repository when nothing else is stored for it."""
        given = _read_path(request, segments)
        await self._services.known(given.repository)
        if not await self._services.database.delete_snapshot(given.repository, given.values["number"]):
            raise _not_recorded(given)
        await self._note(request, "snapshot deleted", given.repository, number=given.values["number"])
        return json_response({"deleted": 1})


def _read_path(request: Request, segments: Mapping[str, str]) -> Input:
    given = read_input(request, segments)
    if given.values["number"] > LARGEST_RECORDED:
        message = f"must be at most {LARGEST_RECORDED}"
        raise InvalidInput([FieldError("path", "number", message)])
    return given


def _not_recorded(given: Input) -> NotFound:
    return NotFound(f"no snapshot of pull request {given.values['number']} of {given.repository} is recorded")


_NUMBER = replace(NUMBER, field=decimal(0, LARGEST_RECORDED))
_PULL = {"type": "object", "description": "The platform's answer to `GET /repos/…/pulls/{number}`"}
# The parts are the platform's own answers, which its documentation describes.
_PARTS: dict[str, Schema] = {key: {} for key in RECORD_KEYS}
_RECORD = closed_schema({**_PARTS, "pull": _PULL, "recorded_at": DATE_TIME}, ("pull",))


def snapshot_routes(services: Services) -> list[Route]:
    handlers, path, tag = SnapshotHandlers(services), f"{PULL_REQUEST_PATH}/snapshot", "Configuration"
    record = Operation(
        tag,
        "Record what the platform says about a pull request",
        json_content(object_of({"number": INTEGER, "open": {"type": "boolean"}})),
        (_NUMBER,),
        json_body(_RECORD, {"pull": {"number": 42}}),
    )
    show = Operation(tag, "The snapshot of a pull request", json_content({"type": "object"}), (_NUMBER,))
    delete = Operation(tag, "Delete the snapshot of a pull request", DELETED, (_NUMBER,))
    return [
        Route("PUT", path, Right.INGEST, handlers.record, record, is_costly=True),
        Route("GET", path, Right.INGEST, handlers.show, show),
        Route("DELETE", path, Right.INGEST, handlers.delete, delete),
    ]
