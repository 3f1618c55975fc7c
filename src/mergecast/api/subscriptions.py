"""`…/pulls/{number}/subscriptions`: tell a channel once when a pull request merges or is removed."""

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.channels import CHANNEL_ID
from mergecast.api.openapi.operation import Operation
from mergecast.api.parameters import LARGEST_RECORDED, read_input
from mergecast.api.responses import json_response
from mergecast.api.routing import PULL_REQUEST_PATH, Route
from mergecast.api.services import Handlers, Services
from mergecast.errors import Conflict, FieldError, NotFound
from mergecast.queues.answers.channels import NamedChannel, PossibleSubscriptions, SubscribedChannels
from mergecast.queues.stats.pull_state import PullEndings, read_endings
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.values import KnownRepository
from mergecast.signals.notices.channel import Channel
from mergecast.signals.notices.scope import scope_of
from mergecast.signals.notices.subscriptions import Changed, Subscriptions, subscribed

_PATH = ("owner", "repository", "number")


class SubscriptionHandlers(Handlers):
    async def list(self, request: Request, segments: Mapping[str, str]) -> Response:
        """The channels that could be told, and those that will be."""
        known, number = await self._pull(request, segments)
        scope = await scope_of(self._services.database, known.repository)
        usable = await self._services.channels.usable(scope)
        told = subscribed(usable, scope, number)
        return json_response(PossibleSubscriptions(_shown(usable), _shown(told)))

    async def put(self, request: Request, segments: Mapping[str, str]) -> Response:
        known, number = await self._pull(request, segments)

        def read(reader: Reader, current: KnownRepository) -> PullEndings:
            return read_endings(reader, current.id, number)

        found = PullEndings()
        if number <= LARGEST_RECORDED:
            known, found = await self._services.query_current(request, known, read)
        if found.last is None:
            raise NotFound(f"pull request {number} of {known.repository} has not been in a queue")
        if found.is_merged:
            raise Conflict([FieldError("path", "number", f"pull request {number} is merged already")])
        changed = await self._subscriptions.add(known, number, segments["id"], found)
        await self._note_change(request, "subscription added", known, number, changed)
        return json_response(SubscribedChannels(_shown([changed.channel])))

    async def delete(self, request: Request, segments: Mapping[str, str]) -> Response:
        known, number = await self._pull(request, segments)
        changed = await self._subscriptions.delete(known.repository, number, segments["id"])
        await self._note_change(request, "subscription deleted", known, number, changed)
        return Response(status_code=204)

    @property
    def _subscriptions(self) -> Subscriptions:
        return Subscriptions(self._services.database, self._services.now)

    async def _pull(self, request: Request, segments: Mapping[str, str]) -> tuple[KnownRepository, int]:
        given = read_input(request, {name: segments[name] for name in _PATH})
        return await self._services.known(given.repository), given.values["number"]

    async def _note_change(
        self, request: Request, event: str, known: KnownRepository, number: int, changed: Changed
    ) -> None:
        if not changed.is_changed:
            return
        channel = changed.channel
        details = {"pull_request": number, "channel": channel.id, "name": channel.name}
        await self._note(request, event, known.repository, **details)


def _shown(channels: list[Channel]) -> tuple[NamedChannel, ...]:
    return tuple(NamedChannel(channel.id, channel.name, channel.kind) for channel in channels)


def subscription_routes(services: Services) -> list[Route]:
    handlers, tag, path = SubscriptionHandlers(services), "Notices", f"{PULL_REQUEST_PATH}/subscriptions"
    what = "when a pull request merges or is removed"
    own = (CHANNEL_ID,)
    return [
        Route(
            "GET",
            path,
            Right.CHANNELS,
            handlers.list,
            Operation(tag, f"Which channels get a message {what}", PossibleSubscriptions),
        ),
        Route(
            "PUT",
            f"{path}/{{id}}",
            Right.CHANNELS,
            handlers.put,
            Operation(tag, f"Send a channel one message {what}", SubscribedChannels, own),
        ),
        Route(
            "DELETE",
            f"{path}/{{id}}",
            Right.CHANNELS,
            handlers.delete,
            Operation(tag, f"Send a channel no message {what}", {}, own, status=204, success="Deleted"),
        ),
    ]
