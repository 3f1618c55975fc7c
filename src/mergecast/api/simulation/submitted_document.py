"""The document in a request's body, and questions to a child process about it."""

from collections.abc import Mapping
from typing import NamedTuple, TypeVar

import msgspec
from starlette.requests import Request

from mergecast.api.fair_shares import while_connected
from mergecast.api.openapi.operation import STRING, Content, json_body, list_of, object_of
from mergecast.api.problems import InvalidDocument
from mergecast.api.request_body import ObjectBody, json_kind
from mergecast.api.services import Services
from mergecast.errors import FieldError, InvalidInput
from mergecast.judge.errors import LimitReached
from mergecast.judge.messages import LONGEST_DOCUMENT, Answer, ReportedError

# The second name is an alias that an existing command-line client sends.
DOCUMENT_FIELDS = ("config_yml", "mergify_yml")
_BODY = ObjectBody(DOCUMENT_FIELDS, 13 << 20)

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
DEPRECATIONS = list_of(
    object_of({
        "message": STRING,
        "deadline": {"type": "string", "format": "date"},
        "path_to_field": {"oneOf": [list_of(STRING), {"type": "null"}]},
    })
)  # fmt: skip

A = TypeVar("A", bound=Answer)


class SubmittedDocument(NamedTuple):
    """The body's field that holds the document, and its text as JSON, which only a child decodes."""

    field: str
    text: msgspec.Raw
    request: Request


class SubmittedDocuments:
    """Reads documents from requests and asks child processes about them."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def check_head(self, request: Request) -> None:
        _BODY.check_head(request)

    async def read(self, request: Request) -> SubmittedDocument:
        return _find(await _BODY.fields(self._services.buffers, request), request)

    async def ask(
        self, document: SubmittedDocument, task: str, question: msgspec.Struct, answer: type[A]
    ) -> A:
        """A child's answer. InvalidDocument if the document is invalid or exceeds a limit."""
        pointer = f"/{document.field}"
        try:
            asked = self._services.ask_child(document.request, task, question, answer)
            answered = await while_connected(document.request, asked)
        except LimitReached as reached:
            self._services.metrics.document(reached.limit.name.lower())
            whole = ReportedError(str(reached), str(reached), (), 1, 1)
            raise InvalidDocument(pointer, [whole]) from None
        if answered.errors:
            self._services.metrics.document("invalid")
            raise InvalidDocument(pointer, answered.errors, answered.more_errors)
        return answered

    def count_valid(self) -> None:
        """Called once per request, which may ask several questions about its document."""
        self._services.metrics.document("valid")


def _find(fields: Mapping[str, bytes], request: Request) -> SubmittedDocument:
    first, alias = DOCUMENT_FIELDS
    if not fields:
        raise _refusal(first, "is missing; it holds the text of a configuration document")
    if len(fields) > 1:
        raise _refusal(alias, f"is another name of {first}; give one of them")
    ((field, value),) = fields.items()
    if json_kind(value) != "a string":
        raise _refusal(field, f"must be a string, the text of a document; got {json_kind(value)}")
    try:
        value.decode("utf-8")
    except UnicodeDecodeError:
        raise _refusal(field, "is not UTF-8") from None
    return SubmittedDocument(field, msgspec.Raw(value), request)


def _refusal(field: str, message: str) -> InvalidInput:
    return InvalidInput([FieldError("body", f"/{field}", message)])
