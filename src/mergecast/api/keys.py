"""Application keys: create, list, revoke."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import asdict
from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.application_keys import WantedKey
from mergecast.access.rights import ANY_OWNER, Right
from mergecast.api.openapi.operation import Operation, json_body
from mergecast.api.parameters import ANY_TEXT, OWNER_NAME, Parameter, refuse_query
from mergecast.api.request_body import RequestBody
from mergecast.api.responses import json_response
from mergecast.api.routing import Route
from mergecast.api.services import Handlers, Services
from mergecast.errors import FieldError, InvalidInput
from mergecast.inputs.field import Field, InvalidValue, object_schema
from mergecast.inputs.json_object import read_described
from mergecast.queues.answers.keys import Key, Keys, MadeKey
from mergecast.queues.model.credentials import SCOPES, ApplicationKey
from mergecast.queues.model.instant import NotAnInstant, format_instant, format_optional, parse_instant

_BODY = RequestBody(16 << 10, may_be_gzip=False)
LONGEST_NAME = 100
_ID = Parameter("id", "path", ANY_TEXT, "Id of the key: the part between `mck_` and the next `_`")


class KeyHandlers(Handlers):
    async def make(self, request: Request, _: Mapping[str, str]) -> Response:
        """Create a key. Only this response contains its secret."""
        _BODY.check_head(request)
        refuse_query(request)
        async with _BODY.read(self._services.buffers, request) as body:
            wanted = read_wanted_key(body, self._services.now())
        key, secret = await self._services.guard.keys.make(wanted)
        expires = format_optional(key.expires_at)
        details = {"key": key.id, "name": key.name, "scopes": key.scopes, "expires_at": expires}
        await self._note(request, "key created", key.owner, **details)
        return json_response(MadeKey(**asdict(_shown(key)), key=secret), 201)

    async def list(self, request: Request, _: Mapping[str, str]) -> Response:
        refuse_query(request)
        return json_response(Keys(tuple(map(_shown, await self._services.guard.keys.listed()))))

    async def revoke(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Revoke a key; it stops working immediately."""
        refuse_query(request)
        key = await self._services.guard.keys.revoke(segments["id"])
        details = {"key": key.id, "name": key.name}
        await self._note(request, "key revoked", key.owner, **details)
        return Response(status_code=204)


def _shown(key: ApplicationKey) -> Key:
    times = (format_optional(at) for at in (key.expires_at, key.last_used_at))
    return Key(key.id, key.name, key.owner, key.scopes, format_instant(key.created_at), *times)


def _owner(value: Any) -> str:
    return ANY_OWNER if value == ANY_OWNER else str(OWNER_NAME.read(value))


def _name(value: Any) -> str:
    if not isinstance(value, str) or not 1 <= len(value) <= LONGEST_NAME or not value.isprintable():
        raise InvalidValue(f"must be a string of 1 to {LONGEST_NAME} printable characters")
    return value


def _scopes(value: Any) -> frozenset[str]:
    is_list = isinstance(value, list) and all(isinstance(scope, str) for scope in value)
    if not is_list or not value or not set(value) <= set(SCOPES) or len(set(value)) < len(value):
        raise InvalidValue(f"must be a list of any of {', '.join(SCOPES)}, each at most once")
    return frozenset(value)


def _expiry(value: Any) -> int | None:
    if value is None:
        return None
    try:
        return parse_instant(value if isinstance(value, str) else "")
    except NotAnInstant as error:
        raise InvalidValue(f"{error}; null for a key that does not expire") from None


_NULLABLE_TIME = {"type": ["string", "null"], "format": "date-time"}
_SCOPES = {"type": "array", "items": {"enum": list(SCOPES)}, "minItems": 1, "uniqueItems": True}
_FIELDS = {
    "owner": Field(
        _owner, {**OWNER_NAME.schema, "pattern": rf"^\*$|{OWNER_NAME.schema['pattern']}"}
    ).described("* for all owners, which the scope `sources` needs"),
    "name": Field(_name, {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}),
    "scopes": Field(_scopes, _SCOPES).by_default(frozenset({"read"}), shown=["read"]),
    "expires_at": Field(_expiry, _NULLABLE_TIME).by_default(None),
}


def read_wanted_key(body: bytes, now: int) -> WantedKey:
    """The key that a body asks for, or every error in it at once."""
    values, errors = read_described(body, _FIELDS, "a key")
    expires_at = values.get("expires_at")
    if expires_at is not None and expires_at <= now:
        errors.append(FieldError("body", "/expires_at", "must be in the future"))
    if "sources" in values.get("scopes", ()) and values.get("owner", ANY_OWNER) != ANY_OWNER:
        errors.append(
            FieldError("body", "/owner", "must be * with the scope sources, which belongs to no owner")
        )
    if errors:
        raise InvalidInput(errors)
    return WantedKey(**values)


def key_routes(services: Services) -> list[Route]:
    handlers = KeyHandlers(services)
    make = Operation(
        "Keys",
        "Create an application key",
        MadeKey,
        body=json_body(object_schema(_FIELDS), {"owner": "acme", "name": "dashboard", "scopes": ["read"]}),
        status=201,
        success="Created; only this response contains the key itself",
    )
    listed = Operation("Keys", "All application keys", Keys)
    revoke = Operation(
        "Keys",
        "Revoke an application key",
        {},
        (_ID,),
        status=204,
        success="Revoked; the key no longer works",
    )
    return [
        Route("POST", "/v1/keys", Right.OPERATE, handlers.make, make),
        Route("GET", "/v1/keys", Right.OPERATE, handlers.list, listed),
        Route("DELETE", "/v1/keys/{id}", Right.OPERATE, handlers.revoke, revoke),
    ]
