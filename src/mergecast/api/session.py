"""Signing in: `/v1/session` turns a token or a one-time code into a cookie, and says who is signed in."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from mergecast.access import audit
from mergecast.access.credential import LONGEST_TOKEN, credential_of
from mergecast.access.errors import Forbidden, Refusal
from mergecast.access.oidc import OidcSignIn
from mergecast.access.rights import AccessRequest, Caller, Credential, CredentialKind, Right
from mergecast.access.sessions import SESSION_LENGTH
from mergecast.api.cookies import (
    SESSION_COOKIE,
    has_cookie,
    is_foreign,
    is_own_origin,
    set_cookie,
    signing_in,
)
from mergecast.api.openapi.operation import (
    DATE_TIME,
    STRING,
    Operation,
    json_body,
    json_content,
    list_of,
    object_of,
)
from mergecast.api.parameters import refuse_query
from mergecast.api.request_body import ObjectBody
from mergecast.api.responses import json_response
from mergecast.api.routing import SESSION_PATH, Route, admission_of
from mergecast.api.services import Handlers, Services
from mergecast.errors import Conflict, FieldError, InvalidInput
from mergecast.inputs.field import Field, InvalidValue, object_schema
from mergecast.inputs.kinds import BOOLEAN
from mergecast.queues.model.credentials import Session
from mergecast.queues.model.instant import SECOND, format_instant

_NOT_SHOWN = (Right.PUBLIC, Right.BADGE, Right.TOOLS)


def _secret(value: Any) -> bytes:
    if not isinstance(value, str) or not value.isascii() or not 1 <= len(value) <= LONGEST_TOKEN:
        raise InvalidValue(f"must be a string of 1 to {LONGEST_TOKEN} ASCII characters")
    return value.encode()


_SECRET = Field(_secret, {"type": "string", "minLength": 1, "maxLength": LONGEST_TOKEN}, is_required=False)
_BODY = ObjectBody(
    {
        "token": _SECRET,
        "code": _SECRET,
        "replace": BOOLEAN.by_default(True).described(
            "If false, a browser that is signed in with another credential stays signed in with that (409)"
        ),
    },
    2 * LONGEST_TOKEN,
)


class SessionHandlers(Handlers):
    async def show(self, request: Request, _: Mapping[str, str]) -> Response:
        """Who is signed in. Being signed out is not an error: the dashboard starts with this request."""
        refuse_query(request)
        asked = signing_in(self._services, request, f"GET {SESSION_PATH}")
        found = None if asked.cookie is None else await self._services.guard.sessions.find(asked.cookie)
        if found is not None:
            session, credential = found
            try:
                caller = await self._services.guard.identify(credential, asked)
                return self._shown(session, caller)
            except Refusal:
                # The credential was revoked or has expired, and its session ends with it.
                await self._services.guard.sessions.end(asked.cookie or b"")
        response = self._shown(None, None)
        if has_cookie(self._services, request.scope["headers"], SESSION_COOKIE):
            response.headers["Set-Cookie"] = set_cookie(self._services, SESSION_COOKIE, "", seconds=0)
        return response

    async def sign_in(self, request: Request, _: Mapping[str, str]) -> Response:
        """Set the cookie of a new session, for a token of any kind or for a one-time code."""
        asked = signing_in(self._services, request, f"POST {SESSION_PATH}")
        self._services.visit(request)
        _BODY.check_head(request)
        refuse_query(request)
        headers = request.scope["headers"]
        if "origin" in request.headers and not is_own_origin(headers, self._services.public_url):
            raise Forbidden
        credential = await self._credential(request, asked)
        signed_in = await begin_session(self._services, credential, asked)
        response = self._shown(signed_in.session, signed_in.caller)
        response.headers["Set-Cookie"] = signed_in.cookie
        return response

    async def _credential(self, request: Request, asked: AccessRequest) -> Credential:
        texts = dict(await _BODY.texts(self._services.buffers, request))
        replaces = _BODY.value("replace", texts.pop("replace", b"true"))
        if len(texts) != 1:
            message = "the body must contain either token, a credential of any kind, or code, a one-time code"
            raise InvalidInput([FieldError("body", "", message)])
        ((name, text),) = texts.items()
        secret = _BODY.value(name, text)
        guard, is_code = self._services.guard, name == "code"
        found = await guard.sessions.credential_of_code(secret) if is_code else credential_of(secret)
        if found is not None and not replaces:
            await self._check_current(found, asked)
        if is_code:
            found = await guard.sessions.redeem(secret)
        if found is None:
            raise guard.refuse(asked, Refusal("unknown, used or expired code", "anonymous"))
        return found

    async def _check_current(self, credential: Credential, asked: AccessRequest) -> None:
        """Raise `Conflict` if the browser is signed in with another credential.

        It names who the browser would become. The holder of a code could learn that by using the code.
        """
        guard = self._services.guard
        current = None if asked.cookie is None else await guard.sessions.find(asked.cookie)
        if current is None or current[1].digest == credential.digest:
            return
        try:
            await guard.identify(current[1], asked)
        except Refusal:
            return  # the session ended with its credential
        caller = await guard.sign_in(credential, asked)
        name = await _name(self._services, credential, caller)
        message = f"you are signed in as {_described(current[0].kind, current[0].name)}; "
        message += f"this would sign you in as {_described(caller.kind, name)} instead"
        raise Conflict([FieldError("body", "", message)])

    async def sign_out(self, request: Request, _: Mapping[str, str]) -> Response:
        """End the session, if there is one, and delete its cookie."""
        refuse_query(request)
        asked = signing_in(self._services, request, f"DELETE {SESSION_PATH}")
        if asked.cookie is not None:
            if is_foreign("DELETE", request.scope["headers"], self._services.public_url):
                raise Forbidden
            session = await self._services.guard.sessions.end(asked.cookie)
            if session is not None:
                audit.signed_out(f"{session.kind} {session.name}".strip(), asked.address)
        cookie = set_cookie(self._services, SESSION_COOKIE, "", seconds=0)
        return Response(status_code=204, headers={"Set-Cookie": cookie})

    async def make_code(self, request: Request, _: Mapping[str, str]) -> Response:
        """A link that signs a browser in with the credential of this request, once within ten minutes."""
        refuse_query(request)
        admission = admission_of(request)
        if admission.credential is None:
            raise Forbidden
        code, session = await self._services.guard.sessions.make_code(admission.credential, admission.caller)
        audit.code_made(admission)
        link = {"code": code, "url": sign_in_link(self._services.public_url, code)}
        return json_response({**link, "expires_at": format_instant(session.expires_at)}, 201)

    def _shown(self, session: Session | None, caller: Caller | None) -> Response:
        return json_response(
            {
                "kind": session and session.kind,
                "name": session and session.name,
                "rights": [] if caller is None else _rights(caller),
                "expires_at": None if session is None else format_instant(session.expires_at),
                "github": self._services.guard.github is not None,
                "oidc": _offered(self._services.guard.oidc),
            }
        )


def sign_in_link(url: str, code: str) -> str:
    """The code is in the fragment, which browsers do not send and servers do not log."""
    return f"{url}/#code={code}"


class SignedIn(NamedTuple):
    caller: Caller
    session: Session
    cookie: str  # the header that sets it


async def begin_session(services: Services, credential: Credential, asked: AccessRequest) -> SignedIn:
    """Begin a session; it replaces the browser's current one, if any."""
    guard = services.guard
    caller = await guard.sign_in(credential, asked)
    secret, session = await guard.sessions.begin(
        credential, caller, await _name(services, credential, caller)
    )
    if asked.cookie is not None:
        await guard.sessions.end(asked.cookie)
    audit.signed_in(caller, asked.address)
    cookie = set_cookie(services, SESSION_COOKIE, secret, seconds=SESSION_LENGTH // SECOND)
    return SignedIn(caller, session, cookie)


async def _name(services: Services, credential: Credential, caller: Caller) -> str:
    """A display name for the caller: the name of a key, or of a user of the platform."""
    match caller.kind:
        case CredentialKind.APPLICATION:
            names = {key.id: key.name for key in await services.guard.keys.listed()}
            return names.get(caller.name, caller.name)
        case CredentialKind.PLATFORM | CredentialKind.OIDC:
            return await services.guard.login(credential) or caller.name
    return caller.name


def _offered(oidc: OidcSignIn | None) -> dict[str, str | None] | None:
    if oidc is None:
        return None
    return {"name": oidc.settings.shown_name, "contact": oidc.settings.contact or None}


def _rights(caller: Caller) -> list[str]:
    return [right for right in Right if right in caller.rights and right not in _NOT_SHOWN]


def _described(kind: str, name: str) -> str:
    return f"{name or 'the operator'} ({kind})"


_SESSION = object_of({
    "kind": {"type": ["string", "null"]},
    "name": {"type": ["string", "null"]},
    "rights": list_of({"enum": [right for right in Right if right not in _NOT_SHOWN]}),
    "expires_at": {"type": ["string", "null"], "format": "date-time"},
    "github": {"type": "boolean", "description": "Whether people can sign in with GitHub"},
    "oidc": {
        "oneOf": [object_of({"name": STRING, "contact": {"type": ["string", "null"]}}), {"type": "null"}],
        "description": "The OpenID Connect provider that people can sign in with, and the contact for access",
    },
})  # fmt: skip
_ONE_SECRET = {"oneOf": [{"required": ["token"]}, {"required": ["code"]}]}


def session_routes(services: Services) -> list[Route]:
    handlers, tag, described = SessionHandlers(services), "Session", json_content(_SESSION)
    code = json_content(object_of({"code": STRING, "url": STRING, "expires_at": DATE_TIME}))
    show = Operation(tag, "Who is signed in; null if no one is", described, refusals=(422,))
    sign_in = Operation(
        tag,
        "Sign a browser in with a token or a one-time code",
        described,
        body=json_body(object_schema(_BODY.fields) | _ONE_SECRET, {"code": "…"}),
        refusals=(403, 408, 409, 413, 415, 422, 429),
    )
    sign_out = Operation(
        tag, "Sign the browser out", {}, status=204, success="The cookie is deleted", refusals=(403, 422)
    )
    make = Operation(tag, "Create a one-time code that signs in with this credential", code, status=201)
    return [
        Route("GET", SESSION_PATH, Right.PUBLIC, handlers.show, show),
        Route("POST", SESSION_PATH, Right.PUBLIC, handlers.sign_in, sign_in),
        Route("DELETE", SESSION_PATH, Right.PUBLIC, handlers.sign_out, sign_out),
        Route("POST", f"{SESSION_PATH}/codes", Right.LIST, handlers.make_code, make),
    ]
