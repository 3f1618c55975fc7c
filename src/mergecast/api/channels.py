"""Channels of notices: create, list, delete and try them."""

from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.openapi.operation import (
    DATE_TIME,
    INTEGER,
    STRING,
    Operation,
    json_body,
    json_content,
    list_of,
    object_of,
    or_null,
)
from mergecast.api.parameters import ANY_TEXT, OWNER_NAME, Parameter, read_input, refuse_query
from mergecast.api.request_body import RequestBody
from mergecast.api.responses import json_response
from mergecast.api.routing import REPOSITORY_PATH, Route
from mergecast.api.services import Handlers, Services
from mergecast.errors import FieldError, InvalidInput
from mergecast.inputs.field import Field, InvalidValue, closed_schema, object_schema, read_fields
from mergecast.inputs.json_object import decode_json, unknown_fields
from mergecast.inputs.kinds import integer, one_of, text
from mergecast.queues.model.cause import KINDS as CAUSES
from mergecast.queues.model.instant import format_instant
from mergecast.queues.model.repository import Repository
from mergecast.signals.notices.channel import BY_DEFAULT, KINDS, LOG, Channel, Schedule
from mergecast.signals.notices.channels import STATES, Listed, Scope, Wanted
from mergecast.signals.notices.digest import DAYS

_BODY = RequestBody(16 << 10, may_be_gzip=False)
_MOST_RECIPIENTS = 20
_MOST_QUEUES = 100
_LONGEST = 2000
OWNER_PATH = "/v1/owners/{owner}"
CHANNEL_ID = Parameter("id", "path", ANY_TEXT, "Id of the channel")


class ChannelHandlers(Handlers):
    async def make(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Create a channel. Only this response contains the secret of a webhook."""
        _BODY.check_head(request)
        scope = await self._scope(request, segments)
        async with _BODY.read(self._services.buffers, request) as body:
            wanted = read_wanted(body)
        listed, secret = await self._services.channels.add(scope, wanted)
        await self._note_change(request, "channel created", scope, listed.channel)
        more = {} if secret is None else {"secret": secret}
        return json_response({**_shown(listed), **more}, 201)

    async def list(self, request: Request, segments: Mapping[str, str]) -> Response:
        scope = await self._scope(request, segments)
        return json_response({"channels": list(map(_shown, await self._services.channels.listed(scope)))})

    async def delete(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Delete a channel with the messages that wait for it."""
        scope = await self._scope(request, segments)
        channel = await self._services.channels.delete(scope, segments["id"])
        await self._note_change(request, "channel deleted", scope, channel)
        return Response(status_code=204)

    async def try_out(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Send a sample, and return the result."""
        scope = await self._scope(request, segments)
        outcome = await self._services.channels.try_out(scope, segments["id"])
        return json_response({"is_sent": outcome.is_sent, "detail": outcome.detail})

    async def _note_change(self, request: Request, event: str, scope: Scope, channel: Channel) -> None:
        """The address of a channel is a secret."""
        about = scope.owner if scope.repository is None else Repository(scope.owner, scope.repository)
        details = {"channel": channel.id, "kind": channel.kind}
        await self._note(request, event, about, **details)

    async def _scope(self, request: Request, segments: Mapping[str, str]) -> Scope:
        query = request.scope["query_string"]
        if "repository" not in segments:
            refuse_query(query)
            return Scope(_owner(segments["owner"]), None)
        named = {name: segments[name] for name in ("owner", "repository")}
        repository = read_input(named, query).repository
        await self._services.find(repository)
        return Scope(repository.owner.lower(), repository.name.lower())


def _owner(text: str) -> str:
    try:
        return str(OWNER_NAME.read(text)).lower()
    except InvalidValue as error:
        raise InvalidInput([FieldError("path", "owner", str(error))]) from None


def _shown(listed: Listed) -> dict[str, object]:
    channel, result = listed.channel, listed.channel.result
    options = channel.options
    return {
        "id": channel.id,
        "kind": channel.kind,
        "target": options.shown,
        "notify": options.notify,
        "queues": options.queues,
        "digest": options.digest,
        "created_at": format_instant(channel.created_at),
        "state": listed.state,
        "waiting": listed.waiting,
        "last_result": None
        if result is None
        else {"at": format_instant(result.at), "is_sent": result.is_sent, "detail": result.detail},
    }


def _texts(most: int, longest: int, what: str) -> Field:
    one = text(longest)

    def read(value: Any) -> tuple[str, ...]:
        if not isinstance(value, list) or not 1 <= len(value) <= most:
            raise InvalidValue(f"must be a list of 1 to {most} {what}")
        return tuple(dict.fromkeys(one.read(entry) for entry in value))

    return Field(read, {"type": "array", "items": one.schema, "minItems": 1, "maxItems": most})


def _causes(value: Any) -> tuple[str, ...]:
    is_list = isinstance(value, list) and value and all(isinstance(one, str) for one in value)
    if not is_list or not set(value) <= set(CAUSES) or len(set(value)) < len(value):
        raise InvalidValue(f"must be a list of any of {', '.join(CAUSES)}, each at most once")
    return tuple(cause for cause in CAUSES if cause in value)


def _time_zone(value: Any) -> str:
    name = text(100).read(value)
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InvalidValue("must be the name of a time zone, such as Europe/Berlin") from None
    return str(name)


_SCHEDULE = {
    "day": one_of(*DAYS).by_default("monday"),
    "hour": integer(0, 23, named="an hour").by_default(9),
    "time_zone": Field(_time_zone, {"type": "string", "maxLength": 100}).by_default("UTC"),
}


def _schedule(value: Any) -> Schedule:
    if not isinstance(value, dict):
        raise InvalidValue("must be an object with day, hour and time_zone")
    unknown = [name for name in value if name not in _SCHEDULE]
    values, errors = read_fields(_SCHEDULE, value)
    if unknown or errors:
        first = f"{unknown[0][:100]} is not one of day, hour and time_zone" if unknown else None
        raise InvalidValue(first or f"{errors[0].name.removeprefix('/')} {errors[0].message}")
    return Schedule(**values)


_FIELDS = {
    "kind": one_of(*KINDS, LOG).described("`log` exists in the demo only"),
    "url": text(_LONGEST).or_null().described("For kinds other than email: where messages are posted"),
    "secret": text(200).or_null().described("For a webhook: the key of its signatures; generated if omitted"),
    "to": _texts(_MOST_RECIPIENTS, 320, "email addresses").by_default((), shown=[]),
    "notify": Field(
        _causes,
        {"type": "array", "items": {"enum": list(CAUSES)}, "minItems": 1, "uniqueItems": True},
    ).by_default(BY_DEFAULT, shown=list(BY_DEFAULT)),
    "queues": _texts(_MOST_QUEUES, 255, "names of queues").or_null().described("Null: all queues"),
    "digest": Field(_schedule, object_schema(_SCHEDULE)).by_default(
        Schedule(), shown={"day": "monday", "hour": 9, "time_zone": "UTC"}
    ),
}


def read_wanted(body: bytes) -> Wanted:
    """The channel that a body asks for, or every error in it at once."""
    content = decode_json(body, dict[str, Any], "the body must be a JSON object that describes a channel")
    unknown = unknown_fields(content, _FIELDS, "a channel")
    values, errors = read_fields(_FIELDS, content)
    if unknown or errors:
        raise InvalidInput(unknown + errors)
    return Wanted(**values)


_RESULT = object_of({"at": DATE_TIME, "is_sent": {"type": "boolean"}, "detail": STRING})
_CHANNEL = object_of({
    "id": STRING,
    "kind": STRING,
    "target": {**STRING, "description": "Where messages go, without its secret part"},
    "notify": list_of(STRING),
    "queues": or_null(list_of(STRING)),
    "digest": closed_schema({"day": STRING, "hour": INTEGER, "time_zone": STRING}),
    "created_at": DATE_TIME,
    "state": {"enum": list(STATES)},
    "waiting": {**INTEGER, "description": "Messages that the channel has not accepted yet"},
    "last_result": or_null(_RESULT),
})  # fmt: skip
_EXAMPLE: dict[str, object] = {
    "kind": "slack",
    "url": "https://hooks.slack.com/services/T0/B0/x",
    "notify": ["removed"],
}


def channel_routes(services: Services) -> list[Route]:
    handlers, tag = ChannelHandlers(services), "Notices"
    tried = json_content(object_of({"is_sent": {"type": "boolean"}, "detail": STRING}))
    routes = []
    for above, whose in ((REPOSITORY_PATH, "a repository"), (OWNER_PATH, "an owner")):
        path = f"{above}/channels"
        own = (CHANNEL_ID,)
        make = Operation(
            tag,
            f"Create a channel of {whose}",
            json_content({**_CHANNEL, "properties": {**_CHANNEL["properties"], "secret": STRING}}),
            body=json_body(object_schema(_FIELDS), _EXAMPLE),
            status=201,
            success="Created; only this response contains the secret of a webhook",
        )
        listed = json_content(object_of({"channels": list_of(_CHANNEL)}))
        routes += [
            Route("POST", path, Right.CHANNELS, handlers.make, make),
            Route("GET", path, Right.CHANNELS, handlers.list, Operation(tag, f"Channels of {whose}", listed)),
            Route(
                "DELETE",
                f"{path}/{{id}}",
                Right.CHANNELS,
                handlers.delete,
                Operation(tag, f"Delete a channel of {whose}", {}, own, status=204, success="Deleted"),
            ),
            Route(
                "POST",
                f"{path}/{{id}}/test",
                Right.CHANNELS,
                handlers.try_out,
                Operation(tag, f"Send a sample to a channel of {whose}", tried, own),
                is_costly=True,
            ),
        ]
    return routes
