"""The candidate document of a request, and questions about it to a child."""

import asyncio
from collections.abc import Coroutine, Mapping
from typing import Any, NamedTuple, TypeVar

import msgspec
from starlette.requests import Request

from mergecast.api.problems import HttpError, InvalidDocument
from mergecast.api.request_body import ObjectBody, json_kind
from mergecast.api.services import Services
from mergecast.errors import FieldError, InvalidInput
from mergecast.judge.errors import LimitReached
from mergecast.judge.messages import Answer, ReportedError

# The second is what a command-line client in use sends; it stands in place of the first.
DOCUMENT_FIELDS = ("config_yml", "mergify_yml")
_BODY_LIMIT = 13 << 20

T = TypeVar("T")
V = TypeVar("V", bound=Answer)


class Candidate(NamedTuple):
    """The field that holds the document, and its text as JSON: only a child unfolds it."""

    field: str
    text: msgspec.Raw
    request: Request


class Candidates:
    """Reads documents from requests, and has them judged."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._body = ObjectBody(DOCUMENT_FIELDS, _BODY_LIMIT)

    def check_head(self, request: Request) -> None:
        self._body.check_head(request)

    async def read(self, request: Request) -> Candidate:
        return _find(await self._body.fields(self._services.buffers, request), request)

    async def ask(self, candidate: Candidate, task: str, question: msgspec.Struct, answer: type[V]) -> V:
        """What a child says; an invalid document, or one that cannot be judged, is refused."""
        pointer = f"/{candidate.field}"
        try:
            asked = self._services.judge.ask(task, question, answer)
            verdict = await while_connected(candidate.request, asked)
        except LimitReached as reached:
            self._services.metrics.document(reached.limit.name.lower())
            whole = ReportedError(str(reached), str(reached), (), 1, 1)
            raise InvalidDocument(pointer, [whole]) from None
        if verdict.errors:
            self._services.metrics.document("invalid")
            raise InvalidDocument(pointer, verdict.errors, verdict.more_errors)
        return verdict

    def count_valid(self) -> None:
        """Once for a request, which may have several questions about its document."""
        self._services.metrics.document("valid")


async def while_connected(request: Request, asked: Coroutine[Any, Any, T]) -> T:
    """Whoever has gone needs no answer: a question that still waits gives its place to others."""
    question = asyncio.create_task(asked)
    gone = asyncio.ensure_future(request.receive())  # after the body, only the end of the connection comes
    try:
        await asyncio.wait({question, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not question.done():
            raise HttpError(408, "the client disconnected")
        return question.result()
    finally:
        question.cancel()
        gone.cancel()


def _find(fields: Mapping[str, bytes], request: Request) -> Candidate:
    first, other = DOCUMENT_FIELDS
    if not fields:
        raise _refusal(first, "is missing; it holds the text of a configuration document")
    if len(fields) > 1:
        raise _refusal(other, f"is another name of {first}; give one of them")
    ((field, value),) = fields.items()
    if json_kind(value) != "a string":
        raise _refusal(field, f"must be a string, the text of a document; it came as {json_kind(value)}")
    try:
        value.decode("utf-8")
    except UnicodeDecodeError:
        raise _refusal(field, "is not UTF-8") from None
    return Candidate(field, msgspec.Raw(value), request)


def _refusal(field: str, message: str) -> InvalidInput:
    return InvalidInput([FieldError("body", f"/{field}", message)])
