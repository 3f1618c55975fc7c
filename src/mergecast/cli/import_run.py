"""One import by a command: from a source to a server, once or until interrupted."""

import asyncio
import time
from collections.abc import Iterator, Sequence

import msgspec

from mergecast.cli.import_display import ImportDisplay
from mergecast.client.client import Client
from mergecast.client.errors import ErrorResponse
from mergecast.incoming.intake.importing.following import Pace, follow, import_once
from mergecast.incoming.intake.importing.importer import Importer, OpenStay, Stored
from mergecast.incoming.sources.origin import Account, open_origin
from mergecast.incoming.sources.page import Identity, Item, Place, storable
from mergecast.queues.model.instant import format_instant, parse_instant

_MOST_BYTES, _MOST_ITEMS = 6 << 20, 6000
_NOT_FOUND = 404
_encode = msgspec.json.Encoder().encode


class ClientSink:
    """A repository of a server, for one source."""

    def __init__(self, client: Client, repository: str, source: str) -> None:
        self._client, self._repository, self._source = client, repository, source

    async def identify(self, identity: Identity) -> None:
        if identity.is_named(self._repository):  # --as gives it another name, which stays
            body = msgspec.json.encode({"items": [], "repository": identity._asdict()})
            await asyncio.to_thread(self._client.deliver, self._repository, self._source, body)

    async def cursor(self) -> str | None:
        return await asyncio.to_thread(self._client.cursor, self._repository, self._source)

    async def store(self, items: Sequence[Item], cursor: str | None, reached: int | None) -> Stored:
        return await asyncio.to_thread(self.send, items, cursor, reached)

    def send(self, items: Sequence[Item], cursor: str | None = None, reached: int | None = None) -> Stored:
        """The cursor goes with the last part, when everything before it is stored."""
        *first, last = list(_parts(items))
        instant = None if reached is None else format_instant(reached)
        total = Stored()
        for part in first:
            total = total.plus(self._post(part, None, None))
        return total.plus(self._post(last, cursor, instant))

    def _post(self, items: Sequence[msgspec.Raw], cursor: str | None, reached: str | None) -> Stored:
        body = msgspec.json.encode({"items": items, "cursor": cursor, "reached": reached})
        answer = self._client.deliver(self._repository, self._source, body)
        return Stored(**answer)

    async def open_stays(self) -> list[OpenStay]:
        return await asyncio.to_thread(self._open_stays)

    def _open_stays(self) -> list[OpenStay]:
        try:
            queues = self._client.queue(self._repository).value.queues
        except ErrorResponse as error:
            if error.status == _NOT_FOUND:  # nothing is stored yet
                return []
            raise
        return [
            OpenStay(Place(queue.base_ref, entry.pull_request), parse_instant(entry.entered_at))
            for queue in queues
            for entry in queue.entries
            # Ids of stays that a source reports begin with its name.
            if entry.session_id.startswith(f"{self._source}:")
        ]


def _parts(items: Sequence[Item]) -> Iterator[list[msgspec.Raw]]:
    part: list[msgspec.Raw] = []
    size = 0
    for item in items:
        text = msgspec.Raw(_encode({"id": storable(item.id), "kind": storable(item.kind), "body": item.body}))
        if len(part) == _MOST_ITEMS or (part and size + len(text) > _MOST_BYTES):
            yield part
            part, size = [], 0
        part.append(text)
        size += len(text)
    yield part


class Import:
    def __init__(
        self, client: Client, account: Account, repository: str, name: str, display: ImportDisplay
    ) -> None:
        """`repository` is the name at the source, `name` the one here."""
        self._account, self._repository, self._display = account, repository, display
        self._sink = ClientSink(client, name, account.source)

    async def once(self, since: int) -> Stored:
        origin, fetcher = open_origin(self._account, self._repository, _now, self._display.waiting)
        try:
            return await import_once(Importer(origin, self._sink, _now, self._display.progress), since)
        finally:
            await fetcher.close()

    async def follow(self, since: int) -> None:
        origin, fetcher = open_origin(self._account, self._repository, _now, self._display.waiting)
        try:
            await follow(Importer(origin, self._sink, _now), since, self._display.following, Pace())
        finally:
            await fetcher.close()


def _now() -> int:
    return time.time_ns() // 1000
