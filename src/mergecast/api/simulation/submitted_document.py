"""The document in a request's body, and questions to a child process about it."""

from collections.abc import Awaitable
from typing import NamedTuple, TypeVar

import msgspec
from starlette.requests import Request

from mergecast.api.fair_shares import while_connected
from mergecast.api.openapi.operation import Content, json_body, object_of, schema_of
from mergecast.api.problems import InvalidDocument
from mergecast.api.request_body import RequestBody
from mergecast.api.services import Services
from mergecast.errors import FieldError, InvalidInput
from mergecast.judge.document_body import DOCUMENT_FIELDS, LONGEST_IN_SERVER, DocumentPlace, find_document
from mergecast.judge.messages import BODY, LONGEST_DOCUMENT, BodyAnswer, DeprecationFound, ReportedError
from mergecast.sandbox.errors import LimitReached
from mergecast.simulation.documents import DocumentRefused

_BODY = RequestBody(13 << 20)

_TEXT = {"type": "string", "maxLength": LONGEST_DOCUMENT}
_EXAMPLE = """\
queue_rules:
  - name: default
    merge_conditions:
      - check-success = build
"""
DOCUMENT_BODY: Content = json_body(
    {"oneOf": [{**object_of({name: _TEXT}), "additionalProperties": False} for name in DOCUMENT_FIELDS]},
    {DOCUMENT_FIELDS[0]: _EXAMPLE},
)
DEPRECATIONS = schema_of(list[DeprecationFound])

T = TypeVar("T")


class SubmittedDocument(NamedTuple):
    """The body's field that holds the document, and its text as JSON, which only a child decodes."""

    field: str
    text: msgspec.Raw


class SubmittedDocuments:
    """Reads documents from requests and asks child processes about them."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def check_head(self, request: Request) -> None:
        _BODY.check_head(request)

    async def read(self, request: Request) -> SubmittedDocument:
        async with _BODY.read(self._services.buffers, request) as body:
            pass  # from here on the limits on waiting documents bound the memory
        if len(body) <= LONGEST_IN_SERVER:
            place = find_document(body)
        else:
            place = await self._find_in_child(request, body)
        text = msgspec.Raw(memoryview(body)[place.start : place.end])
        return SubmittedDocument(place.field, text)

    async def _find_in_child(self, request: Request, body: bytes) -> DocumentPlace:
        asking = self.ask(request, BODY, body, BodyAnswer)
        found = await self._within_limits(DOCUMENT_FIELDS[0], asking)
        if found.errors:
            errors = [FieldError("body", error.pointer, error.message) for error in found.errors]
            raise InvalidInput(errors, found.more_errors)
        return DocumentPlace(found.field, found.start, found.end)

    async def ask(
        self, request: Request, task: str, question: msgspec.Struct | bytes, answer: type[T], /
    ) -> T:
        """A child's answer. The question is withdrawn when the client disconnects."""
        return await while_connected(request, self._services.ask_child(request, task, question, answer))

    async def judged(self, document: SubmittedDocument, work: Awaitable[T]) -> T:
        """The result of work on the document, which is counted as valid or not.

        Raises InvalidDocument if the document is invalid or exceeds a limit.
        """
        try:
            result = await self._within_limits(document.field, work)
        except DocumentRefused as refused:
            self._services.metrics.document("invalid")
            raise InvalidDocument(f"/{document.field}", refused.errors, refused.more) from None
        self._services.metrics.document("valid")
        return result

    async def _within_limits(self, field: str, work: Awaitable[T]) -> T:
        try:
            return await work
        except LimitReached as reached:
            self._services.metrics.document(reached.limit.name.lower())
            whole = ReportedError(str(reached), str(reached), (), 1, 1)
            raise InvalidDocument(f"/{field}", [whole]) from None
