"""Handlers of configuration documents: judge a candidate, and show the schema of the language."""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import blake2b

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mergecast.api.events import json_response
from mergecast.api.fields import ObjectBody, kind_of
from mergecast.api.parameters import read_input, refuse_query
from mergecast.api.problems import InvalidDocument
from mergecast.api.services import Services
from mergecast.api.statistics import find, is_named
from mergecast.errors import Fault, InvalidInput
from mergecast.judge.documents import (
    CONFIGURATION,
    LONGEST_DOCUMENT,
    SCHEMA,
    Document,
    FaultFound,
    Judged,
    NoDetails,
)
from mergecast.judge.errors import LimitReached
from mergecast.model.instant import SECOND
from mergecast.model.repository import Repository

# The second is what a command-line client in use sends; it stands in place of the first.
DOCUMENT_FIELDS = ("config_yml", "mergify_yml")
_BODY_LIMIT = 13 << 20
_VALID = "The configuration is valid"
_SCHEMA_SECONDS = 300


class SimulatorHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._body = ObjectBody(DOCUMENT_FIELDS, _BODY_LIMIT)
        self._schema: bytes | None = None
        self._asking_schema = asyncio.Lock()

    async def configuration(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Judge a candidate document for a repository."""
        self._body.check_head(request)
        repository = read_input(segments, request.scope["query_string"]).repository
        fields = await self._body.read(self._services, request)
        field, text = _read_document(fields)
        judged = await self._judge(repository, f"/{field}", text)
        known = find(self._services, repository)
        return json_response({
            "message": "\n".join([_VALID, *(f"* {note}" for note in judged.notes)]),
            "deprecations": [
                {"message": one.message, "deadline": one.deadline, "path_to_field": one.path_to_field}
                for one in judged.deprecations
            ],
            "unused_sections": self._unused_sections(known.repository, judged),
        })  # fmt: skip

    async def _judge(self, repository: Repository, field: str, text: str) -> Judged:
        known = self._services.database.find(repository)
        today = datetime.fromtimestamp(self._services.now() / SECOND, UTC).date()
        document = Document(text, today, repository.name, known.products if known else None)
        try:
            judged = await self._services.judge.ask(CONFIGURATION, document, Judged)
        except LimitReached as reached:
            self._services.metrics.document(reached.limit.name.lower())
            whole = FaultFound(str(reached), str(reached), (), 1, 1)
            raise InvalidDocument(field, [whole]) from None
        self._services.metrics.document("invalid" if judged.faults else "valid")
        if judged.faults:
            raise InvalidDocument(field, judged.faults, judged.more_faults)
        return judged

    def _unused_sections(self, repository: Repository, judged: Judged) -> list[dict[str, str]] | None:
        if judged.unused_sections is None:
            return None
        page = f"{self._services.public_url}/repos/{repository}/products"
        return [
            {
                "section": unused.section,
                "product": unused.product,
                "product_name": unused.product_name,
                "product_url": f"{page}?enable={unused.product}",
            }
            for unused in judged.unused_sections
        ]

    async def schema(self, request: Request, _: Mapping[str, str]) -> Response:
        """The JSON schema of the document, for editors; made once, by a child."""
        refuse_query(request.scope["query_string"])
        async with self._asking_schema:
            if self._schema is None:
                made = await self._services.judge.ask(SCHEMA, NoDetails(), dict[str, object])
                self._schema = msgspec.json.encode(made)
        etag = f'"{blake2b(self._schema, digest_size=16).hexdigest()}"'
        headers = {"ETag": etag, "Cache-Control": f"public, max-age={_SCHEMA_SECONDS}"}
        if is_named(request, etag):
            return Response(None, 304, headers)
        return Response(self._schema, headers=headers, media_type="application/schema+json")


def _read_document(fields: Mapping[str, bytes]) -> tuple[str, str]:
    """The field that holds the document, and the document."""
    first, other = DOCUMENT_FIELDS
    if not fields:
        raise _refusal(first, "is missing; it holds the text of a configuration document")
    if len(fields) > 1:
        raise _refusal(other, f"is another name of {first}; give one of them")
    ((field, value),) = fields.items()
    if kind_of(value) != "a string":
        raise _refusal(field, f"must be a string, the text of a document; it came as {kind_of(value)}")
    try:
        text = msgspec.json.decode(value, type=str)
    except UnicodeDecodeError:
        raise _refusal(field, "is not UTF-8") from None
    if len(text) > LONGEST_DOCUMENT:
        raise _refusal(field, f"may have {LONGEST_DOCUMENT} characters at most; it has {len(text)}")
    return field, text


def _refusal(field: str, message: str) -> InvalidInput:
    return InvalidInput([Fault("body", f"/{field}", message)])
