"""Handlers of application keys: make one, show all, revoke one."""

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from mergecast.access import audit
from mergecast.api.admission import admission_of
from mergecast.api.body import check_announced_length, is_packed, media_type
from mergecast.api.key_body import read_wanted_key
from mergecast.api.parameters import refuse_query
from mergecast.api.problems import HttpError
from mergecast.api.responses import json_response
from mergecast.api.services import Services
from mergecast.model.application_key import ApplicationKey
from mergecast.model.instant import format_instant

BODY_LIMIT = 16 << 10


class KeyHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def make(self, request: Request, _: Mapping[str, str]) -> Response:
        """A new key, whose secret is in this answer and in no other."""
        media_type(request, ("application/json",))
        if is_packed(request):
            raise HttpError(415, "the body of this request may not be encoded")
        check_announced_length(request, BODY_LIMIT)
        refuse_query(request.scope["query_string"])
        async with self._services.buffers.receive(request, BODY_LIMIT) as body:
            wanted = read_wanted_key(body, self._services.now())
        key, secret = await self._services.guard.keys.make(wanted)
        audit.key_made(admission_of(request), key)
        return json_response({**_shown(key), "key": secret}, 201)

    async def show(self, request: Request, _: Mapping[str, str]) -> Response:
        refuse_query(request.scope["query_string"])
        return json_response({"keys": [_shown(key) for key in self._services.guard.keys.listed()]})

    async def revoke(self, request: Request, segments: Mapping[str, str]) -> Response:
        """From the moment of the answer on, the key is worth nothing."""
        refuse_query(request.scope["query_string"])
        key = await self._services.guard.keys.revoke(segments["id"])
        audit.key_revoked(admission_of(request), key)
        return Response(status_code=204)


def _shown(key: ApplicationKey) -> dict[str, object]:
    return {
        "id": key.id,
        "name": key.name,
        "owner": key.owner,
        "scopes": key.scopes,
        "created_at": format_instant(key.created_at),
        "expires_at": _moment(key.expires_at),
        "last_used_at": _moment(key.last_used_at),
    }


def _moment(instant: int | None) -> str | None:
    return None if instant is None else format_instant(instant)
