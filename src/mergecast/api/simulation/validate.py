"""Handlers of configuration documents: judge a candidate, and show the schema of the language."""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import blake2b

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mergecast.api.parameters import read_input, refuse_query
from mergecast.api.platform_access import Access, access_for
from mergecast.api.responses import json_response, matches_etag
from mergecast.api.services import Services
from mergecast.api.simulation.submitted_document import Candidate, Candidates
from mergecast.judge.messages import (
    CONFIGURATION,
    SCHEMA,
    ConfigurationOutline,
    ConfigurationQuestion,
    SchemaQuestion,
)
from mergecast.model.instant import SECOND
from mergecast.model.repository import Repository

_VALID = "The configuration is valid"
_SCHEMA_SECONDS = 300


class SimulatorHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._candidates = Candidates(services)
        self._schema: bytes | None = None
        self._asking_schema = asyncio.Lock()

    async def configuration(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Judge a candidate document for a repository."""
        self._candidates.check_head(request)
        repository = read_input(segments, request.scope["query_string"]).repository
        access = access_for(self._services.platform, request)
        judged = await self._judge(repository, await self._candidates.read(request), access)
        self._candidates.count_valid()
        seen = await self._as_seen(repository, access)
        return json_response({
            "message": "\n".join([_VALID, *(f"* {note}" for note in judged.notes)]),
            "deprecations": judged.deprecations,
            "unused_sections": self._unused_sections(seen, judged),
        })  # fmt: skip

    async def _as_seen(self, repository: Repository, access: Access | None) -> Repository:
        """The repository in the spelling first seen; one that is not known here may be on the platform."""
        known = self._services.database.find(repository)
        if known is not None:
            return known.repository
        if access is None:
            return self._services.known(repository).repository
        await access.forge.find(repository, access.token)
        return repository

    async def _judge(
        self, repository: Repository, candidate: Candidate, access: Access | None
    ) -> ConfigurationOutline:
        known = self._services.database.find(repository)
        today = datetime.fromtimestamp(self._services.now() / SECOND, UTC).date()
        products = known.products if known else None
        document = ConfigurationQuestion(candidate.text, today, repository.name, products)
        judged = await self._candidates.ask(candidate, CONFIGURATION, document, ConfigurationOutline)
        if access is None or judged.extends is None:
            return judged
        for extended in (await access.remotes(repository.owner, judged.extends)).values():
            document = msgspec.structs.replace(document, extended=extended)
            judged = await self._candidates.ask(candidate, CONFIGURATION, document, ConfigurationOutline)
        return judged

    def _unused_sections(
        self, repository: Repository, judged: ConfigurationOutline
    ) -> list[dict[str, str]] | None:
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
                made = await self._services.judge.ask(SCHEMA, SchemaQuestion(), dict[str, object])
                self._schema = msgspec.json.encode(made)
        etag = f'"{blake2b(self._schema, digest_size=16).hexdigest()}"'
        headers = {"ETag": etag, "Cache-Control": f"public, max-age={_SCHEMA_SECONDS}"}
        if matches_etag(request, etag):
            return Response(None, 304, headers)
        return Response(self._schema, headers=headers, media_type="application/schema+json")
