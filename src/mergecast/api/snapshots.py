"""Handlers of recorded pull requests: record, show, take away."""

from collections.abc import Mapping

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mergecast.api.parameters import LARGEST_RECORDED, Input, read_input
from mergecast.api.request_body import JSON, RequestBody, decode_json
from mergecast.api.responses import json_response
from mergecast.api.services import Services
from mergecast.errors import FieldError, InvalidInput, NotFound
from mergecast.judge.errors import LimitReached
from mergecast.judge.messages import SNAPSHOT, SnapshotAnswer, SnapshotQuestion
from mergecast.model.instant import format_instant
from mergecast.store.snapshots import RecordedSnapshot

_BODY = RequestBody(8 << 20)


class SnapshotHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def record(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Replace what is recorded of a pull request; the answer comes once that is durable."""
        _BODY.check_head(request)
        given = _read_path(request, segments)
        number = given.values["number"]
        async with _BODY.read(self._services.buffers, request) as body:
            snapshot = await self._read(body, number)
        await self._services.database.put_snapshot(given.repository, snapshot)
        return json_response({"number": number, "open": snapshot.is_open})

    async def _read(self, body: bytes, number: int) -> RecordedSnapshot:
        now = self._services.now()
        # Here only its form is checked, without unfolding it; a child reads what it says.
        raw = decode_json(body, msgspec.Raw, "the body must be a JSON object")
        found = await self._check(SnapshotQuestion(number, now, raw))
        record = str(memoryview(raw), "utf-8")
        if not found.has_instant:
            # Behind all others: the last of two equal keys counts.
            record = f'{record[:-1]},"recorded_at":"{format_instant(now)}"}}'
        return RecordedSnapshot(number, found.is_open, record)

    async def _check(self, question: SnapshotQuestion) -> SnapshotAnswer:
        try:
            found = await self._services.judge.ask(SNAPSHOT, question, SnapshotAnswer)
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
        """What was recorded, as it was sent."""
        given = _read_path(request, segments)
        known = self._services.known(given.repository)
        record = await self._services.database.snapshot(known, given.values["number"])
        if record is None:
            raise _not_recorded(given)
        return Response(record, media_type=JSON)

    async def remove(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Take away what was recorded, and with its last trace the repository."""
        given = _read_path(request, segments)
        self._services.known(given.repository)
        if not await self._services.database.remove_snapshot(given.repository, given.values["number"]):
            raise _not_recorded(given)
        return json_response({"deleted": 1})


def _read_path(request: Request, segments: Mapping[str, str]) -> Input:
    given = read_input(segments, request.scope["query_string"])
    if given.values["number"] > LARGEST_RECORDED:
        message = f"must be at most {LARGEST_RECORDED}"
        raise InvalidInput([FieldError("path", "number", message)])
    return given


def _not_recorded(given: Input) -> NotFound:
    return NotFound(f"no snapshot of pull request {given.values['number']} of {given.repository} is recorded")
