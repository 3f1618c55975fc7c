"""Channels of notices: create, change, list, delete and try them."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET
from msgspec.structs import asdict
from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.openapi.operation import Operation, json_body
from mergecast.api.parameters import ANY_TEXT, OWNER_NAME, TIME_ZONE, Parameter, read_input, refuse_query
from mergecast.api.request_body import RequestBody
from mergecast.api.responses import json_response
from mergecast.api.routing import REPOSITORY_PATH, Route
from mergecast.api.rules import RULES_SCHEMA, read_rules, texts, unknown_queues
from mergecast.api.services import Handlers, Services
from mergecast.errors import FieldError, InvalidInput
from mergecast.inputs.field import Field, InvalidValue, object_schema, read_fields
from mergecast.inputs.json_object import read_described
from mergecast.inputs.kinds import integer, matching, one_of, text
from mergecast.queues.answers import channels as answers
from mergecast.queues.answers.channels import Schedule
from mergecast.queues.model.instant import format_instant
from mergecast.queues.model.notification import Rule
from mergecast.queues.model.repository import Repository
from mergecast.signals.notices.channel import BY_DEFAULT, KINDS, LOG, Channel
from mergecast.signals.notices.channels import Change, Listed, Wanted
from mergecast.signals.notices.digest import DAYS
from mergecast.signals.notices.scope import Scope, scope_of

_BODY = RequestBody(128 << 10, may_be_gzip=False)
_MOST_RECIPIENTS = 20
_LONGEST = 2000
_LONGEST_NAME = 64
_NAME = re.compile(r"[_.#-]*[A-Za-z0-9][A-Za-z0-9_.#-]*")
OWNER_PATH = "/v1/owners/{owner}"
CHANNEL_ID = Parameter("id", "path", ANY_TEXT, "Id or name of the channel")


class ChannelHandlers(Handlers):
    async def make(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Create a channel. Only this response contains the secret of a webhook."""
        _BODY.check_head(request)
        scope = await self._scope(request, segments)
        async with _BODY.read(self._services.buffers, request) as body:
            wanted = read_wanted(body)
        await self._check_queues(request, scope, wanted.rules)
        listed, secret = await self._services.channels.add(scope, wanted)
        await self._note_change(request, "channel created", scope, listed.channel)
        shown = asdict(_shown(listed))
        return json_response(answers.AddedChannel(**shown, secret=UNSET if secret is None else secret), 201)

    async def change(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Change the name, the rules or the schedule; what is left out stays as it is."""
        _BODY.check_head(request)
        scope = await self._scope(request, segments)
        async with _BODY.read(self._services.buffers, request) as body:
            change = read_change(body)
        await self._check_queues(request, scope, change.rules or ())
        listed = await self._services.channels.change(scope, segments["id"], change)
        await self._note_change(request, "channel changed", scope, listed.channel)
        return json_response(_shown(listed))

    async def list(self, request: Request, segments: Mapping[str, str]) -> Response:
        scope = await self._scope(request, segments)
        own = await self._listed(scope)
        if scope.repository is None:
            return json_response(answers.Channels(own))
        return json_response(answers.ChannelsOfRepository(own, await self._listed(scope.of_owner)))

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
        return json_response(answers.TriedChannel(outcome.is_sent, outcome.detail))

    async def _listed(self, scope: Scope) -> tuple[answers.Channel, ...]:
        return tuple(_shown(listed) for listed in await self._services.channels.listed(scope))

    async def _note_change(self, request: Request, event: str, scope: Scope, channel: Channel) -> None:
        """The address of a channel is a secret."""
        about = scope.owner if scope.repository is None else Repository(scope.owner, scope.repository)
        details = {"channel": channel.id, "name": channel.name, "kind": channel.kind}
        await self._note(request, event, about, **details)

    async def _check_queues(self, request: Request, scope: Scope, rules: Sequence[Rule]) -> None:
        """A rule of a repository names queues that it has; those of an owner may be in any repository."""
        if scope.repository is None or not any(rule.queues for rule in rules):
            return
        known = await self._services.find(Repository(scope.owner, scope.repository))
        if known is None:
            return
        groups = await self._services.query(request, known.id, lambda reader: reader.groups(known.id))
        queues = sorted({group.queue_name for group in groups.values()})
        if errors := unknown_queues(rules, queues, "/rules"):
            raise InvalidInput(errors)

    async def _scope(self, request: Request, segments: Mapping[str, str]) -> Scope:
        if "repository" not in segments:
            refuse_query(request)
            return Scope(_owner(segments["owner"]), None)
        named = {name: segments[name] for name in ("owner", "repository")}
        repository = read_input(request, named).repository
        await self._services.find(repository)
        return await scope_of(self._services.database, repository)


def _owner(text: str) -> str:
    try:
        return str(OWNER_NAME.read(text)).lower()
    except InvalidValue as error:
        raise InvalidInput([FieldError("path", "owner", str(error))]) from None


def _shown(listed: Listed) -> answers.Channel:
    channel, options, result = listed.channel, listed.channel.options, listed.channel.result
    last = None
    if result is not None:
        last = answers.ChannelResult(format_instant(result.at), result.is_sent, result.detail)
    return answers.Channel(
        *(channel.id, options.name, channel.kind, options.shown, options.rules, options.digest),
        *(format_instant(channel.created_at), listed.state, listed.waiting),
        last,
    )


_SCHEDULE = {
    "day": one_of(*DAYS).by_default("monday"),
    "hour": integer(0, 23, named="an hour").by_default(9),
    "time_zone": TIME_ZONE.by_default("UTC"),
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


_CHANGED = {
    "name": matching(
        lambda name: len(name) <= _LONGEST_NAME and _NAME.fullmatch(name) is not None,
        _LONGEST_NAME,
        f"^{_NAME.pattern}$",
        f"must be 1 to {_LONGEST_NAME} letters, digits or any of - _ . #, with a letter or digit",
    ).or_null(),
    # Read apart, so that an error names its rule.
    "rules": Field(lambda value: value, {"oneOf": [RULES_SCHEMA, {"type": "null"}]}).by_default(
        None, shown=[{"what": rule.what} for rule in BY_DEFAULT]
    ),
    "digest": Field(_schedule, object_schema(_SCHEDULE)).or_null(),
}
_FIELDS = {
    "kind": one_of(*KINDS, LOG).described("`log` exists in the demo only"),
    "url": text(_LONGEST).or_null().described("For kinds other than email: where messages are posted"),
    "secret": text(200).or_null().described("For a webhook: the key of its signatures; generated if omitted"),
    "to": texts(_MOST_RECIPIENTS, "email addresses", text(320)).by_default((), shown=[]),
    **_CHANGED,
}


def read_wanted(body: bytes) -> Wanted:
    """The channel that a body asks for, or every error in it at once."""
    values = _read(_FIELDS, body, "a channel")
    rules, digest = (values.pop(name) for name in ("rules", "digest"))
    return Wanted(**values, rules=BY_DEFAULT if rules is None else rules, digest=digest or Schedule())


def read_change(body: bytes) -> Change:
    return Change(**_read(_CHANGED, body, "a change of a channel"))


def _read(fields: Mapping[str, Field], body: bytes, whole: str) -> dict[str, Any]:
    values, errors = read_described(body, fields, whole)
    if values.get("rules") is not None:
        values["rules"], wrong = read_rules(values["rules"], "/rules")
        errors += wrong
    if errors:
        raise InvalidInput(errors)
    return values


_EXAMPLE: dict[str, object] = {
    "kind": "slack",
    "url": "https://hooks.slack.com/services/T0/B0/x",
    "name": "merge-queue",
    "rules": [{"what": "removed"}, {"what": "alert", "figures": ["no_run_started", "nothing_merges"]}],
}


def channel_routes(services: Services) -> list[Route]:
    handlers, tag = ChannelHandlers(services), "Notices"
    routes = []
    for above, whose, several in (
        (REPOSITORY_PATH, "a repository", answers.ChannelsOfRepository),
        (OWNER_PATH, "an owner", answers.Channels),
    ):
        path = f"{above}/channels"
        own = (CHANNEL_ID,)
        listed = Operation(tag, f"Channels of {whose}", several)
        make = Operation(
            tag,
            f"Create a channel of {whose}",
            answers.AddedChannel,
            body=json_body(object_schema(_FIELDS), _EXAMPLE),
            status=201,
            success="Created; only this response contains the secret of a webhook",
        )
        change = Operation(
            tag,
            f"Change the name, the rules or the schedule of a channel of {whose}",
            answers.Channel,
            own,
            body=json_body(object_schema(_CHANGED), {"rules": [{"what": "alert"}]}),
        )
        routes += [
            Route("POST", path, Right.CHANNELS, handlers.make, make),
            Route("GET", path, Right.CHANNELS, handlers.list, listed),
            Route("PUT", f"{path}/{{id}}", Right.CHANNELS, handlers.change, change),
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
                Operation(tag, f"Send a sample to a channel of {whose}", answers.TriedChannel, own),
                is_costly=True,
            ),
        ]
    return routes
