"""Stores the items and cursors of imports that the server itself runs."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress

import msgspec

from mergecast.incoming.intake.importing.importer import OpenStay, Stored
from mergecast.incoming.intake.intake import Intake
from mergecast.incoming.intake.renames import rename_imported
from mergecast.incoming.sources.page import Identity, Item, Place, storable
from mergecast.incoming.sources.registry import SOURCES
from mergecast.queues.model.delivery import Delivery
from mergecast.queues.model.instant import parse_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.stats.queue_contents import queue_contents
from mergecast.queues.store.errors import RepositoryRenamed
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import Cursor, KnownRepository


class StoreSink:
    """One repository, for one source; a repository that was renamed is found by its former name."""

    def __init__(
        self, store: Store, intake: Intake, name: Repository, source: str, now: Callable[[], int]
    ) -> None:
        self._store, self._intake, self._name, self._source, self._now = store, intake, name, source, now

    async def identify(self, identity: Identity) -> None:
        """Rename the repository if the platform did; the operator, who set what to follow, may do that."""
        if identity.is_named(str(self._name)):
            await rename_imported(self._store, self._name, identity, lambda _: True)
            await self._intake.receive_import(self._name, [], None, platform_id=identity.id)

    async def cursor(self) -> str | None:
        known = await self._known()
        return None if known is None else (await self._store.cursor(known, self._source)).position

    async def store(self, items: Sequence[Item], cursor: str | None, reached: int | None) -> Stored:
        # Thousands of items take long enough to delay other requests.
        deliveries = await asyncio.to_thread(self._read, items)
        position = None if cursor is None else Cursor(self._source, cursor, reached)
        while True:
            known = await self._known()
            name, id = (self._name, None) if known is None else (known.repository, known.id)
            with suppress(RepositoryRenamed):
                receipt = await self._intake.receive_import(name, deliveries, position, repository_id=id)
                return Stored(*receipt)

    def _read(self, items: Sequence[Item]) -> list[Delivery]:
        read, at = SOURCES[self._source].translator().read_item, self._now()
        return [
            read(storable(item.id), storable(item.kind), msgspec.json.encode(item.body), at) for item in items
        ]

    async def open_stays(self) -> list[OpenStay]:
        known, at = await self._known(), self._now()
        if known is None:
            return []
        queues = await self._store.read(known.id, lambda reader: queue_contents(reader, known.id, at))
        return [
            OpenStay(Place(queue.base_ref, entry.pull_request), parse_instant(entry.entered_at))
            for queue in queues
            for entry in queue.entries
            if entry.session_id.startswith(f"{self._source}:")
        ]

    async def _known(self) -> KnownRepository | None:
        found = await self._store.repository(self._name)
        return found or await self._store.repository_formerly_named(self._name)
