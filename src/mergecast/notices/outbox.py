"""Turns the causes that are due, and the weekly digests, into messages that wait for their channels."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Sequence
from functools import partial
from typing import TypeVar

import structlog

from mergecast.errors import MergecastError
from mergecast.notices.channel import Channel
from mergecast.notices.digest import last_due, read_digest
from mergecast.notices.fan_out import (
    RECENT,
    Due,
    Sending,
    causes_of,
    due_causes,
    notice_id,
    notice_row,
    other_notices,
    removal_notices,
)
from mergecast.notices.notice import Notice
from mergecast.notices.removed import read_removed
from mergecast.queues.model.cause import BEGIN, DIGEST, END, LONGEST_AGE, ONCE, CauseName
from mergecast.queues.model.instant import HOUR, MINUTE, format_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.cause_rows import PendingCause
from mergecast.queues.store.channel_rows import (
    NoticeRow,
    add_notices,
    read_notices,
    repositories_with_causes,
    waiting_notices,
)
from mergecast.queues.store.errors import StoreClosed
from mergecast.queues.store.outbox import delete_old_causes, mark_as_done
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import KnownRepository

_MANY = 100_000
T = TypeVar("T")

log = structlog.get_logger("mergecast.notices")


class Outbox:
    def __init__(self, store: Store, now: Callable[[], int], public_url: str) -> None:
        self.store, self.now, self._public_url = store, now, public_url
        # Causes that are messages already, by channel, but not marked as done: the last server was killed.
        self._made: defaultdict[str, set[CauseName]] = defaultdict(set)
        # Digests of a channel that were made while others could not be, and when those are tried again.
        self._digested: dict[str, set[tuple[int, int]]] = {}
        self._digests_wait_until: dict[str, int] = {}
        self._tidied_at: int | None = None

    async def begin(self) -> None:
        self._made.clear()
        for row in await read_notices(self.store, _MANY):
            self._made[row.channel_id] |= causes_of(row)

    async def fill(self, channels: Sequence[Channel], under_way: Collection[str]) -> None:
        """Make messages of what is due; `under_way` are the channels that a message is being sent to."""
        now = self.now()
        for name in await repositories_with_causes(self.store, now, now - LONGEST_AGE):
            own = await self._of_repository(name, channels)
            known = await self.store.repository(name)
            if own and known is not None:
                await self._isolated(name, self._fan_out(known, own, under_way))
        await self._make_digests(channels, now)
        await self._tidy(now)

    async def _isolated(self, name: Repository, work: Awaitable[T]) -> T | None:
        """The result of the work; None if it failed."""
        try:
            return await work
        except StoreClosed:
            raise
        except MergecastError as error:
            # Other repositories go on, for example when one machine of a cluster is down.
            log.warning("notices wait", repository=str(name), error=str(error))
            return None

    async def _of_repository(self, name: Repository, channels: Sequence[Channel]) -> list[Channel]:
        """The channels of a repository, also those that were made under a former name."""
        known = await self.store.repository(name)
        names = {None, name.name.lower()}
        for former in known.names.former if known is not None else ():
            owner, _, own = former.partition("/")
            # After a move to another owner, the former owner must not learn what happens there.
            is_same_owner = owner == name.owner.lower()
            if is_same_owner and await self.store.repository(Repository(owner, own)) is None:
                names.add(own)
        return [
            channel
            for channel in channels
            if channel.owner == name.owner.lower() and channel.repository in names
        ]

    async def _fan_out(
        self, known: KnownRepository, channels: Sequence[Channel], under_way: Collection[str]
    ) -> None:
        now = self.now()
        read = partial(_read_causes, repository_id=known.id, now=now)
        due = due_causes(await self.store.read(known.id, read), now)
        if not due.all:
            return
        removed = partial(read_removed, repository_id=known.id, causes=due.removed)
        pulls = await self.store.read(known.id, removed) if due.removed else {}
        sending = Sending(str(known.repository), self._pages(known.repository), now)
        rows = [
            row
            for channel in channels
            for row in (
                *removal_notices(channel, self._new(channel, due), pulls, sending),
                *other_notices(channel, self._new(channel, due), sending),
            )
        ]
        # Messages that are made together keep their order.
        rows = [row._replace(created_at=row.created_at + place) for place, row in enumerate(rows)]
        rows, dropped = await self._without_unsent_beginnings(rows, under_way)
        if rows or dropped:
            await add_notices(self.store, rows, dropped)
        for row in rows:
            self._made[row.channel_id] |= causes_of(row)
        done = [cause.name for cause in due.all]
        await self.store.change(known.repository, partial(mark_as_done, names=done), create=False)
        for made in self._made.values():
            made.difference_update(done)

    def _new(self, channel: Channel, due: Due) -> Due:
        made: Collection[CauseName] = self._made.get(channel.id, ())
        return Due(
            tuple(cause for cause in due.removed if cause.name not in made),
            due.is_burst,
            tuple(cause for cause in due.others if cause.name not in made),
        )

    async def _without_unsent_beginnings(
        self, rows: list[NoticeRow], under_way: Collection[str]
    ) -> tuple[list[NoticeRow], list[str]]:
        """The messages without ends whose beginning still waits, and those beginnings."""
        begun = {
            row.id: notice_id(row.channel_id, row.kind, row.key, BEGIN)
            for row in rows
            if row.phase == END and row.channel_id not in under_way
        }
        waiting = await waiting_notices(self.store, list(begun.values())) if begun else set()
        dropped = {id: beginning for id, beginning in begun.items() if beginning in waiting}
        return [row for row in rows if row.id not in dropped], list(dropped.values())

    async def _make_digests(self, channels: Sequence[Channel], now: int) -> None:
        for channel in channels:
            due = last_due(channel.options.digest, now)
            is_due = DIGEST in channel.options.notify and due > (channel.digest_at or channel.created_at)
            if is_due and now >= self._digests_wait_until.get(channel.id, 0):
                await self._make_digests_of(channel, due, now)

    async def _make_digests_of(self, channel: Channel, due: int, now: int) -> None:
        """One message for each repository; those that cannot be read now are tried again for an hour."""
        rows, missing = [], 0
        if now - due < LONGEST_AGE and not channel.is_paused:
            made = self._digested.setdefault(channel.id, set())
            for known in await self._covered(channel):
                if (known.id, due) in made:
                    continue
                row = await self._isolated(known.repository, self._digest(channel, known, due))
                if row is None:
                    missing += 1
                else:
                    rows.append(row)
                    made.add((known.id, due))
        if missing:
            self._digests_wait_until[channel.id] = now + MINUTE
        else:
            self._digested.pop(channel.id, None)
        await add_notices(self.store, rows, digests=[] if missing else [(channel.id, due)])

    async def _covered(self, channel: Channel) -> list[KnownRepository]:
        """The repositories of a channel that have events."""
        found = await self.store.repositories()
        return [
            known
            for known in found
            if known.events and channel in await self._of_repository(known.repository, [channel])
        ]

    async def _digest(self, channel: Channel, known: KnownRepository, due: int) -> NoticeRow:
        pages = self._pages(known.repository)
        read = partial(read_digest, known=known, end=due, pages=pages)
        sentence, digest = await self.store.read(known.id, read)
        name = (DIGEST, f"{known.id} {due}", ONCE)
        notice = Notice(
            notice_id(channel.id, *name),
            DIGEST,
            ONCE,
            str(known.repository),
            None,
            None,
            format_instant(due),
            sentence,
            pages,
            digest=digest,
        )
        return notice_row(channel, notice, name, self.now())

    async def _tidy(self, now: int) -> None:
        """Delete old causes, now and then."""
        if self._tidied_at is not None and 0 <= now - self._tidied_at < 24 * HOUR:
            return
        self._tidied_at = now
        for known in await self.store.repositories():
            await self._isolated(
                known.repository, self.store.change(known.repository, delete_old_causes, create=False)
            )

    def _pages(self, repository: Repository) -> str:
        return f"{self._public_url}/r/{repository.owner}/{repository.name}"


def _read_causes(reader: Reader, repository_id: int, now: int) -> list[PendingCause]:
    rows = reader.rows("causes_to_send", [repository_id, now - LONGEST_AGE, now - RECENT])
    return [PendingCause(*row) for row in rows]
