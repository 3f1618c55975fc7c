"""`GET …/configuration`: the document that a repository uses now, if the platform returns it."""

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.openapi.operation import STRING, Operation, json_content, object_of, or_null
from mergecast.api.parameters import read_input
from mergecast.api.platform_access import access_for
from mergecast.api.responses import json_response
from mergecast.api.routing import REPOSITORY_PATH, Route
from mergecast.api.services import Services
from mergecast.errors import MergecastError
from mergecast.queues.model.repository import Repository
from mergecast.simulation.documents import current_text
from mergecast.simulation.errors import CurrentDocumentTooLong

_NO_ACCESS = "the service has no access to the code-hosting platform"
_NONE = "the repository has no configuration document"
_TOO_LONG = "the current document is too long to be read"


def current_document_route(services: Services) -> Route:
    async def show(request: Request, segments: Mapping[str, str]) -> Response:
        repository = read_input(segments, request.scope["query_string"]).repository
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
