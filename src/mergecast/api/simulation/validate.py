"""A configuration document: validate one, serve the one in force, and the JSON schema of the language."""

import asyncio
from collections.abc import Mapping
from hashlib import blake2b

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.openapi.operation import STRING, Operation, json_content, list_of, object_of, or_null
from mergecast.api.parameters import read_input, refuse_query
from mergecast.api.platform_access import access_for
from mergecast.api.responses import json_response, matches_etag
from mergecast.api.routing import REPOSITORY_PATH, Route
from mergecast.api.services import Services
from mergecast.api.simulation.submitted_document import (
    DEPRECATIONS,
    DOCUMENT_BODY,
    SubmittedDocument,
    SubmittedDocuments,
)
from mergecast.errors import MergecastError
from mergecast.judge.messages import (
    CONFIGURATION,
    SCHEMA,
    ConfigurationOutline,
    ConfigurationQuestion,
    SchemaQuestion,
)
from mergecast.queues.model.instant import to_datetime
from mergecast.queues.model.repository import PRODUCTS, Repository
from mergecast.simulation.documents import CurrentDocumentTooLong, accepted, current_text, with_extended
from mergecast.simulation.ports import Access

_VALID = "The configuration is valid"
_SCHEMA_SECONDS = 300


class ConfigurationHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._documents = SubmittedDocuments(services)
        self._schema: bytes | None = None
        self._making_schema = asyncio.Lock()

    async def validate(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Validate a document for a repository."""
        self._documents.check_head(request)
        repository = read_input(request, segments).repository
        access = await access_for(self._services.platform, request, repository)
        document = await self._documents.read(request)
        outline = await self._documents.judged(document, self._ask(request, repository, document, access))
        spelled = await self._first_spelling(repository, access)
        return json_response({
            "message": "\n".join([_VALID, *(f"* {note}" for note in outline.notes)]),
            "deprecations": outline.deprecations,
            "unused_sections": self._unused_sections(spelled, outline),
        })  # fmt: skip

    async def _first_spelling(self, repository: Repository, access: Access | None) -> Repository:
        """The repository as it was first spelled; one that is not stored here may be on the platform."""
        known = await self._services.database.repository(repository)
        if known is not None:
            return known.repository
        if access is None:
            return (await self._services.known(repository)).repository
        await access.find()
        return repository

    async def _ask(
        self, request: Request, repository: Repository, document: SubmittedDocument, access: Access | None
    ) -> ConfigurationOutline:
        known = await self._services.database.repository(repository)
        today = to_datetime(self._services.now()).date()
        products = known.products if known else None
        question = ConfigurationQuestion(document.text, today, repository.owner, repository.name, products)

        async def ask(question: ConfigurationQuestion) -> ConfigurationOutline:
            return accepted(await self._documents.ask(request, CONFIGURATION, question, ConfigurationOutline))

        outline = await ask(question)
        if access is not None:
            _, outline = await with_extended(ask, question, outline, access)
        return outline

    def _unused_sections(
        self, repository: Repository, outline: ConfigurationOutline
    ) -> list[dict[str, str]] | None:
        if outline.unused_sections is None:
            return None
        page = f"{self._services.public_url}/repos/{repository}/products"
        return [
            {
                "section": unused.section,
                "product": unused.product,
                "product_name": unused.product_name,
                "product_url": f"{page}?enable={unused.product}",
            }
            for unused in outline.unused_sections
        ]

    async def schema(self, request: Request, _: Mapping[str, str]) -> Response:
        """The JSON schema of the document, for editors; a child makes it once."""
        refuse_query(request)
        async with self._making_schema:
            if self._schema is None:
                made = await self._services.judge.ask(SCHEMA, SchemaQuestion(), dict[str, object])
                self._schema = msgspec.json.encode(made)
        etag = f'"{blake2b(self._schema, digest_size=16).hexdigest()}"'
        headers = {"ETag": etag, "Cache-Control": f"public, max-age={_SCHEMA_SECONDS}"}
        if matches_etag(request, etag):
            return Response(None, 304, headers)
        return Response(self._schema, headers=headers, media_type="application/schema+json")


_OUTLINE = object_of({
    "message": STRING,
    "deprecations": DEPRECATIONS,
    "unused_sections": or_null(
        list_of(
            object_of({
                "section": STRING,
                "product": {"enum": list(PRODUCTS)},
                "product_name": STRING,
                "product_url": STRING,
            })
        )
    ),
})  # fmt: skip


def configuration_routes(services: Services) -> list[Route]:
    handlers, path = ConfigurationHandlers(services), f"{REPOSITORY_PATH}/configuration-simulator"
    validate = Operation(
        "Configuration", "Validate a configuration document", json_content(_OUTLINE), body=DOCUMENT_BODY
    )
    answer = {"application/schema+json": {"schema": {"type": "object"}}}
    schema = Operation("Service", "JSON schema of the configuration document", answer)
    return [
        Route("POST", path, Right.READ, handlers.validate, validate, is_costly=True),
        Route("GET", "/v1/configuration-schema.json", Right.PUBLIC, handlers.schema, schema),
    ]


_NO_ACCESS = "the service has no access to the code-hosting platform"
_NONE = "the repository has no configuration document"
_TOO_LONG = "the current document is too long to be read"


def current_document_route(services: Services) -> Route:
    async def show(request: Request, segments: Mapping[str, str]) -> Response:
        repository = read_input(request, segments).repository
        text, detail = await _document(services, request, repository)
        return json_response({"config_yml": text, "detail": detail})

    answer = object_of({
        "config_yml": {**or_null(STRING), "description": "The whole document, without what it extends"},
        "detail": {**or_null(STRING), "description": "Why there is no document"},
    })  # fmt: skip
    operation = Operation("Configuration", "The current document of a repository", json_content(answer))
    return Route("GET", f"{REPOSITORY_PATH}/configuration", Right.READ, show, operation)


async def _document(
    services: Services, request: Request, repository: Repository
) -> tuple[str | None, str | None]:
    """The document, or why there is none. A platform that does not answer is no error of the request."""
    access = await access_for(services.platform, request, repository)
    if access is None:
        return None, _NO_ACCESS
    try:
        text = await current_text(access)
    except CurrentDocumentTooLong:
        return None, _TOO_LONG
    except MergecastError as error:
        return None, str(error)
    return text, None if text is not None else _NONE
