"""Follows sources in a server. Of several servers on one database, one follows each source."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple, Protocol

import msgspec
import structlog

from mergecast.incoming.intake.importing.following import Followed, FollowState, Pace, follow
from mergecast.incoming.intake.importing.importer import Importer, OpenStay, Stored
from mergecast.incoming.intake.intake import Intake
from mergecast.incoming.intake.renames import rename_imported
from mergecast.incoming.sources.origin import Account, open_origin
from mergecast.incoming.sources.page import Identity, Item, Place, storable
from mergecast.incoming.sources.registry import SOURCES
from mergecast.process.background import Background, WantedLease, WorkLease, end
from mergecast.queues.answers.audit import AuditQuestion
from mergecast.queues.model.delivery import LEASE_SECONDS, LONGEST_LEASE_SECONDS, Delivery, following_name
from mergecast.queues.model.instant import DAY, SECOND, parse_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.stats.queue_contents import queue_contents
from mergecast.queues.store.errors import RepositoryRenamed
from mergecast.queues.store.set_ups import StoredSetUp, put_set_up
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import Cursor, KnownRepository

SINCE = 90 * DAY  # how far back an import reads

_PATIENCE_SECONDS = 10.0  # after an error

log = structlog.get_logger("mergecast.follow")


class Follow(NamedTuple):
    """What to follow, and with which credentials."""

    followed: Followed
    account: Account


class ChangingFollows(Protocol):
    """What to follow, while it changes."""

    async def follows(self) -> Mapping[str, Follow]:
        """By a key that changes whenever one of them must begin again."""

    async def wait(self) -> None:
        """Until they may have changed."""


class Follower(Background):
    """One per server. It keeps trying to follow what no other server follows."""

    renew_seconds = 30.0

    def __init__(self, store: Store, intake: Intake, now: Callable[[], int], holder: str) -> None:
        self._store, self._intake, self._now, self._holder = store, intake, now, holder
        super().__init__()

    def start(
        self, follows: Sequence[Follow], pace: Pace | None = None, added: ChangingFollows | None = None
    ) -> None:
        for wanted in follows:
            self._begin_following(wanted, pace or Pace())
        if added is not None:
            work = partial(self._keep_up, added, pace or Pace(), {})
            self._begin(self._repeat(work, log, "added sources cannot be read", lambda: _PATIENCE_SECONDS))

    def _begin_following(self, wanted: Follow, pace: Pace) -> asyncio.Task[None]:
        about = log.bind(source=wanted.followed.source)
        work = partial(self._try, wanted, pace)
        return self._begin(self._repeat(work, about, "following stopped", lambda: self.renew_seconds))

    async def _keep_up(
        self, added: ChangingFollows, pace: Pace, running: dict[str, asyncio.Task[None]]
    ) -> None:
        """Follow what was added, and stop following what was paused or deleted."""
        while True:
            wanted = await added.follows()
            await end(*(running.pop(key) for key in running.keys() - wanted.keys()))
            for key in wanted.keys() - running.keys():
                running[key] = self._begin_following(wanted[key], pace)
            await added.wait()

    async def _try(self, follow: Follow, pace: Pace) -> None:
        lease = _FollowLease(self._store, self._now, self._holder, follow.followed)
        try:
            if await lease.take():
                await self._follow(follow, lease, pace)
        finally:
            await lease.give_back()

    async def _follow(self, wanted: Follow, lease: "_FollowLease", pace: Pace) -> None:
        """Follow until the lease is lost."""
        origin, fetcher = open_origin(wanted.account, wanted.followed.repository, self._now)
        sink = StoreSink(self._store, self._intake, wanted.followed.name, wanted.followed.source, self._now)
        importer = Importer(origin, sink, self._now)
        following = asyncio.create_task(follow(importer, self._now() - SINCE, lease.report, pace))
        try:
            while await lease.take():
                await lease.wait(self.renew_seconds)
                if following.done():
                    following.result()  # raises what went wrong
        finally:
            await end(following)
            await fetcher.close()


class _FollowLease(WorkLease):
    """The lease of one source, which also tells other servers the state of following."""

    def __init__(self, store: Store, now: Callable[[], int], holder: str, followed: Followed) -> None:
        name = following_name(followed.source, followed.name)
        length, longest = LEASE_SECONDS * SECOND, LONGEST_LEASE_SECONDS * SECOND
        super().__init__(store, now, WantedLease(name, holder, length, longest))
        self._followed = followed
        self._has_changed = asyncio.Event()

    def report(self, state: FollowState) -> None:
        followed = self._followed
        if state.error is not None:
            log.warning(
                "poll failed", source=followed.source, repository=followed.repository, error=state.error
            )
        elif state.stored:
            log.info("polled", source=followed.source, repository=followed.repository, stored=state.stored)
        self.tell(state.next_at, state.error)
        self._has_changed.set()

    async def wait(self, seconds: float) -> None:
        """Wait until there is something to report, or the lease must be renewed."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._has_changed.wait()
        self._has_changed.clear()


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

    async def keep_set_up(self, set_up: AuditQuestion) -> None:
        known = await self._known()
        if known is not None:
            document = StoredSetUp(set_up.base_ref, self._now(), msgspec.json.encode(set_up))
            await self._store.change(known.repository, partial(put_set_up, set_up=document), create=False)

    async def _known(self) -> KnownRepository | None:
        found = await self._store.repository(self._name)
        return found or await self._store.repository_formerly_named(self._name)
