"""Sources that are added to the running server: test, add, list, pause and delete them."""

import re
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.openapi.operation import STRING, Operation, json_body
from mergecast.api.parameters import ANY_TEXT, Parameter, refuse_query
from mergecast.api.request_body import RequestBody
from mergecast.api.responses import json_response
from mergecast.api.routing import Route, admission_of
from mergecast.api.services import Handlers, Services
from mergecast.errors import FieldError, InvalidInput
from mergecast.incoming.connecting.github_apps import install_url
from mergecast.incoming.connecting.reachable import is_reachable
from mergecast.incoming.connecting.wanted import WantedSource
from mergecast.incoming.intake.importing.following import name_here
from mergecast.incoming.sources.registry import SOURCES
from mergecast.inputs import kinds
from mergecast.inputs.field import Field, InvalidValue, object_schema
from mergecast.inputs.json_object import read_described
from mergecast.queues.answers.sources import ListedApp, ListedSource, ListedSources, TestedSource
from mergecast.queues.model.instant import format_instant
from mergecast.queues.model.repository import Repository, is_plain_path
from mergecast.queues.store.added_sources import GitHubAppRow

PATH = "/v1/sources"
_BODY = RequestBody(64 << 10, may_be_gzip=False)
_ID = Parameter("id", "path", ANY_TEXT, "Id of the source, as `GET /v1/sources` lists it")
_LONGEST_TOKEN = 4096
_LONGEST_NAME = 500
_NAME = re.compile(r"[^\s/]+(/[^\s/]+)+")


class AddedSourceHandlers(Handlers):
    async def list(self, request: Request, _: Mapping[str, str]) -> Response:
        """All sources, and the GitHub Apps that can read them."""
        refuse_query(request)
        sources, url = self._services.added_sources, self._services.public_url
        can_add, missing = sources.keys.can_encrypt, sources.keys.missing
        listed, apps = tuple(await sources.listed()), map(_shown_app, (await sources.apps()).values())
        why_not = None if can_add else missing
        return json_response(ListedSources(listed, tuple(apps), can_add, why_not, is_reachable(url), url))

    async def test(self, request: Request, _: Mapping[str, str]) -> Response:
        """Whether a source can be imported; nothing is stored."""
        return json_response(await self._services.added_sources.test(await self._wanted(request)))

    async def add(self, request: Request, _: Mapping[str, str]) -> Response:
        """Test a source and add it; its import begins at once."""
        wanted = await self._wanted(request)
        added = await self._services.added_sources.add(wanted, str(admission_of(request).caller))
        details = {"source": added.source, "id": added.id, "at": added.repository, "url": added.url}
        await self._note(request, "source added", wanted.here, **details)
        return json_response(added, 201)

    async def change(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Pause a source, or resume it where it stopped."""
        _BODY.check_head(request)
        refuse_query(request)
        async with _BODY.read(self._services.buffers, request) as body:
            is_paused = _read(body, _CHANGE, "a change of a source")["is_paused"]
        sources, id = self._services.added_sources, segments["id"]
        changed, has_changed = await sources.set_paused(id, is_paused=is_paused)
        if has_changed:
            event = "source paused" if is_paused else "source resumed"
            details = {"source": changed.source, "id": changed.id, "at": changed.repository}
            await self._note(request, event, Repository(*changed.name.split("/")), **details)
        return json_response(changed)

    async def delete(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Delete a source with its token; what it delivered stays."""
        refuse_query(request)
        row = await self._services.added_sources.delete(segments["id"])
        details = {"source": row.source, "id": row.id, "at": row.repository}
        await self._note(request, "source deleted", row.here, **details)
        return Response(status_code=204)

    async def _wanted(self, request: Request) -> WantedSource:
        _BODY.check_head(request)
        refuse_query(request)
        async with _BODY.read(self._services.buffers, request) as body:
            return read_wanted(body, self._services.added_sources.settings.urls)


def _shown_app(app: GitHubAppRow) -> ListedApp:
    return ListedApp(
        *(app.id, app.slug, app.owner, app.url, app.has_webhook, tuple(app.installed_owners)),
        *(install_url(app), format_instant(app.created_at)),
    )


def _repository(value: Any) -> str:
    if (
        isinstance(value, str)
        and len(value) <= _LONGEST_NAME
        and _NAME.fullmatch(value)
        and is_plain_path(value)
    ):
        return value
    raise InvalidValue("must be the name of a repository on the platform, such as OWNER/REPO")


def _here(value: Any) -> Repository:
    found = name_here(value) if isinstance(value, str) else None
    if found is None:
        raise InvalidValue("must look like OWNER/REPO")
    return found


def _token(value: Any) -> str:
    is_text = isinstance(value, str) and 1 <= len(value) <= _LONGEST_TOKEN and value.isascii()
    if not is_text or not value.isprintable() or " " in value:
        raise InvalidValue(f"must be a token of 1 to {_LONGEST_TOKEN} visible ASCII characters")
    return str(value)


def _url(value: Any) -> str:
    url = str(_TEXT.read(value)).rstrip("/")
    if not is_plain_path(url.partition("://")[2]):
        raise InvalidValue("must not contain a query, a fragment, `%`, or a segment `.` or `..`")
    return url


_TEXT = kinds.text(2000)
_FIELDS = {
    "source": kinds.one_of(*SOURCES),
    "repository": Field(_repository, {"type": "string", "minLength": 3, "maxLength": _LONGEST_NAME}),
    "as": Field(_here, STRING)
    .or_null()
    .described("Its name here, OWNER/REPO; by default, that on the platform"),
    "url": Field(_url, {"type": "string", "minLength": 1, "maxLength": 2000})
    .or_null()
    .described("Where the platform is, if not at its usual address"),
    "token": Field(_token, {"type": "string", "minLength": 1, "maxLength": _LONGEST_TOKEN}).or_null(),
    "github_app": kinds.text(100).or_null().described("Id of a GitHub App, in place of a token"),
}
_CHANGE = {"is_paused": kinds.BOOLEAN}


def read_wanted(body: bytes, urls: Mapping[str, str]) -> WantedSource:
    """The source that a body asks for, or every error in it; the operator may have set other URLs."""
    given = _read(body, _FIELDS, "a source")
    source, repository, here = given["source"], given["repository"], given.get("as")
    token, app = given.get("token"), given.get("github_app")
    errors = []
    if here is None and (here := name_here(re.split("[@:]", repository)[0])) is None:
        errors.append(FieldError("body", "/as", "is missing: choose a name for it here, OWNER/REPO"))
    if (token is None) == (app is None):
        message = "is missing" if app is None else "must be left out with github_app"
        errors.append(FieldError("body", "/token", message))
    if app is not None and SOURCES[source].app_settings is None:
        errors.append(FieldError("body", "/github_app", "is for the source github only"))
    if errors or here is None:
        raise InvalidInput(errors)
    url = given.get("url") or urls.get(source) or SOURCES[source].url
    return WantedSource(source, repository, here, url, token, app)


def _read(body: bytes, fields: Mapping[str, Field], what: str) -> dict[str, Any]:
    values, errors = read_described(body, fields, what)
    if errors:
        raise InvalidInput(errors)
    return values


_EXAMPLE: dict[str, object] = {"source": "gitlab", "repository": "orbit/lander", "token": "glpat-…"}


def added_source_routes(services: Services) -> list[Route]:
    handlers, tag = AddedSourceHandlers(services), "Sources"
    wanted = json_body(object_schema(_FIELDS), _EXAMPLE)
    listed = Operation(tag, "All sources that this server follows, and their state", ListedSources)
    test = Operation(tag, "Whether a source can be imported; nothing is stored", TestedSource, body=wanted)
    add = Operation(
        tag, "Add a source", ListedSource, body=wanted, status=201, success="Added; its import has begun"
    )
    change = Operation(
        tag, "Pause or resume an added source", ListedSource, (_ID,),
        body=json_body(object_schema(_CHANGE), {"is_paused": True}),
    )  # fmt: skip
    delete = Operation(
        tag, "Delete an added source", {}, (_ID,), status=204, success="Deleted; what it delivered stays"
    )
    by_id = f"{PATH}/{{id}}"
    return [
        Route("GET", PATH, Right.SOURCES, handlers.list, listed),
        Route("POST", PATH, Right.SOURCES, handlers.add, add, is_costly=True),
        Route("POST", f"{PATH}/test", Right.SOURCES, handlers.test, test, is_costly=True),
        Route("PUT", by_id, Right.SOURCES, handlers.change, change),
        Route("DELETE", by_id, Right.SOURCES, handlers.delete, delete),
    ]
