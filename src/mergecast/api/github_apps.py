"""GitHub Apps: register one by a manifest, by way of GitHub's pages; list what it can read; delete it.

A cookie ties the way back to the browser that began. It is encrypted, and contains a one-time code that
stands for the credential that began: the session's own cookie is not sent when another site redirects here.
"""

from collections.abc import Mapping
from contextlib import suppress
from hmac import compare_digest
from secrets import token_urlsafe
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.address import limit_key
from mergecast.access.errors import Forbidden, Refusal, TooManyRequests
from mergecast.access.rights import AccessRequest, Admission, Caller, Credential, Right
from mergecast.api.cookies import comes_back_here, cookie_value, set_cookie, signing_in
from mergecast.api.fair_shares import FairShare
from mergecast.api.openapi.operation import STRING, Operation, json_body, json_content, list_of, object_of
from mergecast.api.parameters import ANY_TEXT, Parameter, refuse_query
from mergecast.api.request_body import RequestBody
from mergecast.api.responses import json_response
from mergecast.api.routing import APP_CREATED_PATH, APP_INSTALLED_PATH, Route, admission_of
from mergecast.api.services import Handlers, Services
from mergecast.errors import Conflict, FieldError, InvalidInput, MergecastError, NotFound, Unavailable
from mergecast.incoming.connecting.github_apps import GitHubApps, WantedApp, install_url
from mergecast.inputs.field import object_schema
from mergecast.inputs.json_object import read_described
from mergecast.inputs.kinds import BOOLEAN, matching, web_address
from mergecast.process.sealing import CannotDecrypt
from mergecast.queues.model.instant import HOUR, SECOND
from mergecast.queues.store.added_sources import GitHubAppRow, read_added_sources

_BODY = RequestBody(16 << 10, may_be_gzip=False)
_COOKIE = "mergecast_github_app"
_ABOUT = "the registration of a github app"
_LENGTH = HOUR  # GitHub's limit for the whole flow
_STATE_BYTES = 32
_WAIT_SECONDS = 10.0
_LONGEST_OWNER = 100
_PATH = "/v1/github-apps"
_APP_ID = Parameter("id", "path", ANY_TEXT, "Id of the GitHub App")


class _Attempt(msgspec.Struct, frozen=True):
    """What the cookie keeps while the browser is at GitHub."""

    state: str
    code: str  # stands for the credential that began, once
    url: str
    has_webhook: bool
    app_id: str = ""  # once the App is registered


class _Begun(NamedTuple):
    """An attempt that came back, and whose it is."""

    attempt: _Attempt
    credential: Credential
    caller: Caller
    asked: AccessRequest


class _Failed(MergecastError):
    """Its text is what the dashboard reads from the fragment of its URL."""


class GitHubAppHandlers(Handlers):
    def __init__(self, services: Services) -> None:
        super().__init__(services)
        # Invented codes must not take the calls from those who register an App.
        self._exchanges = FairShare(4, 1, most_waiting=8, what="registrations of GitHub Apps")

    @property
    def _apps(self) -> GitHubApps:
        return self._services.github_apps

    async def begin(self, request: Request, _: Mapping[str, str]) -> Response:
        """What the browser sends to GitHub in a form. The cookie is lax: it must be there on the way back."""
        _BODY.check_head(request)
        refuse_query(request)
        async with _BODY.read(self._services.buffers, request) as body:
            wanted = _read_wanted(body, self._apps.places.default)
        state, admission = token_urlsafe(_STATE_BYTES), admission_of(request)
        if admission.credential is None:
            raise Forbidden
        registration = self._apps.register(wanted, state)
        self._check_way_back(request)
        attempt = _Attempt(state, "", wanted.url, wanted.has_webhook)
        response = json_response(registration._asdict())
        cookie = await self._remembered(attempt, admission.credential, admission.caller)
        response.headers["Set-Cookie"] = cookie
        return response

    def _check_way_back(self, request: Request) -> None:
        """GitHub redirects to the public URL, where a browser that is here by another name has no cookie."""
        home = self._services.public_url
        if not comes_back_here(request.scope["headers"], home):
            message = f"GitHub would send the browser back to {home}: open this page there, or set "
            message += "MERGECAST_PUBLIC_URL to the address that you use"
            raise Conflict([FieldError("header", "origin", message)])

    async def created(self, request: Request, _: Mapping[str, str]) -> Response:
        """Exchange the code that GitHub redirects with, and go on to the page that installs the App."""
        query = _query(request)
        try:
            begun = await self._begun(request, query, APP_CREATED_PATH)
            app = await self._create(query.get("code"), begun)
        except _Failed as failure:
            return self._back(f"failed={failure}")
        attempt = msgspec.structs.replace(begun.attempt, app_id=app.id)
        cookie = await self._remembered(attempt, begun.credential, begun.caller)
        location = f"{install_url(app)}?{urlencode({'state': attempt.state})}"
        return Response(None, 303, {"Location": location, "Set-Cookie": cookie})

    async def installed(self, request: Request, _: Mapping[str, str]) -> Response:
        """Read where the App is installed from GitHub: anyone can invent the id that it redirects with."""
        query = _query(request)
        try:
            begun = await self._begun(request, query, APP_INSTALLED_PATH)
        except _Failed:
            return self._back("")  # for example someone who approved the installation later
        with suppress(NotFound, Conflict, Unavailable):  # the page asks again, and shows why this fails
            await self._apps.refresh(begun.attempt.app_id)
        return self._back(f"app={begun.attempt.app_id}")

    async def repositories(self, request: Request, segments: Mapping[str, str]) -> Response:
        """What an App can read now, and which of that is added already."""
        refuse_query(request)
        readable = await self._apps.repositories(segments["id"])
        rows = await read_added_sources(self._services.database)
        added = {row.repository.lower() for row in rows if row.source == "github"}
        listed = [{"name": name, "is_added": name.lower() in added} for name in readable.repositories]
        return json_response({"repositories": listed, "installed": readable.owners})

    async def delete(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Delete an App here, with its secrets. On GitHub, its owner deletes it."""
        refuse_query(request)
        app = await self._apps.delete(segments["id"])
        await self._note(request, "GitHub App deleted", app.owner, app=app.id, slug=app.slug)
        return Response(status_code=204)

    async def _create(self, code: str | None, begun: _Begun) -> GitHubAppRow:
        if code is None:
            raise _Failed("denied")
        attempt, asked, guard = begun.attempt, begun.asked, self._services.guard
        try:
            async with self._exchanges.turn(limit_key(asked.address), seconds=_WAIT_SECONDS):
                guard.spare_platform(asked)
                app = await self._apps.create_from_code(attempt.url, code, has_webhook=attempt.has_webhook)
        except InvalidInput as error:
            guard.refuse(asked, Refusal(str(error), str(begun.caller)))
            raise _Failed("used") from None
        except Conflict:
            raise _Failed("exists") from None
        except (Refusal, TooManyRequests, Unavailable):
            raise _Failed("unavailable") from None
        details = {"app": app.id, "slug": app.slug, "url": app.url, "has_webhook": app.has_webhook}
        by = Admission(begun.caller, asked.address)
        await self._services.audit.note(by, "GitHub App created", app.owner, **details)
        return app

    async def _begun(self, request: Request, query: Mapping[str, str], path: str) -> _Begun:
        """The attempt that this browser began, which comes back once; `_Failed` for any other."""
        attempt = self._attempt(request)
        is_created = path == APP_INSTALLED_PATH
        is_own = attempt is not None and compare_digest(
            attempt.state.encode(), query.get("state", "").encode()
        )
        if attempt is None or not is_own or bool(attempt.app_id) != is_created:
            raise _Failed("state")
        guard, asked = self._services.guard, signing_in(self._services, request, f"GET {path}")
        credential = await guard.sessions.redeem(attempt.code.encode())
        if credential is None:
            raise _Failed("state")
        try:
            caller = await guard.identify(credential, asked)
        except Refusal as refusal:
            guard.refuse(asked, refusal)
            raise _Failed("no-access") from None
        if not caller.may(Right.SOURCES, None):
            raise _Failed("no-access")
        return _Begun(attempt, credential, caller, asked)

    async def _remembered(self, attempt: _Attempt, credential: Credential, caller: Caller) -> str:
        """The cookie of an attempt, with a new code."""
        code, _ = await self._services.guard.sessions.make_code(credential, caller, _LENGTH)
        content = msgspec.json.encode(msgspec.structs.replace(attempt, code=code))
        return self._cookie(self._apps.keys.make_seal().close(content, _ABOUT), _LENGTH // SECOND)

    def _attempt(self, request: Request) -> _Attempt | None:
        kept = cookie_value(self._services, request.scope["headers"], _COOKIE)
        seal = self._apps.keys.seal()
        if kept is None or seal is None:
            return None
        try:
            return msgspec.json.decode(seal.open(kept.decode("latin-1"), _ABOUT), type=_Attempt)
        except CannotDecrypt:
            return None

    def _back(self, fragment: str) -> Response:
        """Redirect to the dashboard; the fragment of the URL says what happened."""
        location = f"{self._services.prefix}/sources{'#' if fragment else ''}{fragment}"
        return Response(None, 303, {"Location": location, "Set-Cookie": self._cookie("", 0)})

    def _cookie(self, value: str, seconds: int) -> str:
        return set_cookie(self._services, _COOKIE, value, seconds=seconds, same_site="Lax")


def _query(request: Request) -> dict[str, str]:
    return dict(parse_qsl(request.scope["query_string"].decode("latin-1")))


def _is_owner(text: str) -> bool:
    return len(text) <= _LONGEST_OWNER and text.isascii() and text.replace("-", "").replace("_", "").isalnum()


_FIELDS = {
    "owner": matching(
        _is_owner,
        _LONGEST_OWNER,
        "^[-_]*[A-Za-z0-9][A-Za-z0-9_-]*$",
        "must be the name of an organization or a user on GitHub",
    )
    .or_null()
    .described("The account that will own the App; a private App can be installed on no other"),
    "is_organization": BOOLEAN,
    "url": web_address(500).or_null().described("Of the API; null for the one that the server uses"),
    "has_webhook": BOOLEAN.described("Whether GitHub sends events; false if it cannot reach this server"),
}


def _read_wanted(body: bytes, default_url: str) -> WantedApp:
    values, errors = read_described(body, _FIELDS, "a GitHub App")
    if errors:
        raise InvalidInput(errors)
    return WantedApp(**{**values, "url": (values["url"] or default_url).rstrip("/")})


_EXAMPLE: dict[str, object] = {"owner": "acme", "is_organization": True, "has_webhook": True}
_REGISTRATION = object_of({
    "action": {**STRING, "description": "Where a form with the field `manifest` is posted"},
    "manifest": {"type": "object", "description": "The value of that field, as JSON"},
})  # fmt: skip
_READABLE = object_of({
    "repositories": list_of(object_of({"name": STRING, "is_added": {"type": "boolean"}})),
    "installed": {**list_of(STRING), "description": "Owners of the App's installations"},
})  # fmt: skip


def github_app_routes(services: Services) -> list[Route]:
    handlers, tag = GitHubAppHandlers(services), "Sources"
    begin = Operation(
        tag,
        "Register a GitHub App by a manifest",
        json_content(_REGISTRATION),
        body=json_body(object_schema(_FIELDS), _EXAMPLE),
        success="What the browser sends to GitHub; a cookie recognizes it on the way back",
        refusals=(409,),
    )
    created, installed = (
        Operation(tag, summary, {}, status=303, success=success)
        for summary, success in (
            ("The callback of registering a GitHub App", "Redirect to GitHub, or to the dashboard"),
            ("The callback of installing a GitHub App", "Redirect to the dashboard"),
        )
    )
    own = (_APP_ID,)
    readable = Operation(
        tag, "Repositories that a GitHub App can read", json_content(_READABLE), own, refusals=(409, 503)
    )
    delete = Operation(
        tag, "Delete a GitHub App here", {}, own, status=204, success="Deleted", refusals=(409,)
    )
    return [
        Route("POST", f"{_PATH}/begin", Right.SOURCES, handlers.begin, begin),
        Route("GET", APP_CREATED_PATH, Right.PUBLIC, handlers.created, created),
        Route("GET", APP_INSTALLED_PATH, Right.PUBLIC, handlers.installed, installed),
        Route("GET", f"{_PATH}/{{id}}/repositories", Right.SOURCES, handlers.repositories, readable),
        Route("DELETE", f"{_PATH}/{{id}}", Right.SOURCES, handlers.delete, delete),
    ]
