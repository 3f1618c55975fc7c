"""The task of a server that turns causes into messages and sends them. Of several servers, one does it.

Messages of a channel are sent one after the other, those of different channels side by side. A message is
deleted once its channel has taken it, so a server that is killed repeats at most the one it was sending.
Digests are made beside that, because nothing else may wait for them.
"""

import asyncio
from collections import Counter
from collections.abc import Collection, Coroutine, Mapping
from contextlib import suppress
from typing import Any

import msgspec
import structlog

from mergecast.errors import Stopping
from mergecast.process.background import LeasedBackground, WantedLease, WorkLease, end
from mergecast.process.sealing import CannotDecrypt, Keys
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, SECOND
from mergecast.queues.model.notification import DIGEST
from mergecast.queues.store.channel_rows import (
    NoticeRow,
    begin_channel,
    end_notice,
    postpone_notice,
    read_channels,
    read_notices,
    reseal_channel,
)
from mergecast.signals.notices.channel import LOG, Channel, Result, from_row
from mergecast.signals.notices.delivery import Post, attempted, deliver
from mergecast.signals.notices.digest import Digests, NewChanges, no_changes
from mergecast.signals.notices.notice import Notice
from mergecast.signals.notices.outbox import Outbox
from mergecast.signals.notices.outcome import Outcome
from mergecast.signals.notices.subscriptions import Subscriptions

_notice = msgspec.json.Decoder(Notice)

LEASE = "notices"
# A server that is killed keeps the others waiting for as long as its lease lasts.
LEASE_SECONDS, RENEW_SECONDS = 15, 5.0
# Of a store with a single server: it waits for no lease, and need not write this often.
LONE_LEASE_SECONDS, LONE_RENEW_SECONDS = 60, 20.0
# As with LONGEST_LEASE_SECONDS of sources; earlier versions take leases of a minute on PostgreSQL too.
LONGEST_LEASE_SECONDS = LONE_LEASE_SECONDS + 60
LONGEST_LOOK_SECONDS = 15.0
LONGEST_ATTEMPTS = DAY
FIRST_PAUSE, LONGEST_PAUSE = 10 * SECOND, HOUR
MOST_AT_ONCE = 200
_DOUBLINGS = 12

log = structlog.get_logger("mergecast.notices")


class Sender(LeasedBackground):
    """One per server."""

    def __init__(
        self, outbox: Outbox, post: Post, keys: Keys, holder: str, new_changes: NewChanges = no_changes
    ) -> None:
        self._outbox, self._post, self._keys = outbox, post, keys
        self._store, self._now = outbox.store, outbox.now
        self._digests = Digests(outbox, new_changes)
        self._subscriptions = Subscriptions(self._store, self._now)
        is_shared = self._store.is_shared
        length = (LEASE_SECONDS if is_shared else LONE_LEASE_SECONDS) * SECOND
        wanted = WantedLease(LEASE, holder, length, LONGEST_LEASE_SECONDS * SECOND)
        super().__init__(WorkLease(self._store, self._now, wanted))
        self._renew_seconds = RENEW_SECONDS if is_shared else LONE_RENEW_SECONDS
        self._under_way = UnderWay(MOST_AT_ONCE)

    @property
    def look_seconds(self) -> float:
        return min(self._store.look_seconds, LONGEST_LOOK_SECONDS)

    def start(self) -> None:
        pause = min(self.look_seconds, RENEW_SECONDS)
        self._begin(self._repeat(self._lead, log, "sending notices stopped", lambda: pause))

    async def close(self) -> None:
        """What is being sent is finished, because otherwise it would be sent again."""
        await end(*self._tasks)
        if tasks := self._under_way.tasks:
            await asyncio.wait(tasks, timeout=self._post.poster.limits.seconds)
        for task in tasks:
            task.cancel()
        await super().close()
        self._post.close()

    async def _lead(self) -> None:
        """Send until the lease is lost, if it is free. It is renewed however long everything else takes."""
        if not await self._lease.take():
            return
        chores = self._repeat(self._do_chores, log, "digests could not be made", lambda: self.look_seconds)
        works = [
            asyncio.create_task(work)
            for work in (self._lease.renew(self._renew_seconds), self._send_all(), chores)
        ]
        try:
            done, _ = await asyncio.wait(works, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            await end(*works)

    async def _send_all(self) -> None:
        await self._reseal()
        while True:
            await self._follow_clock()
            channels = await self._channels()
            if channels:
                await self._outbox.fill(list(channels.values()), self._under_way.channels)
                with self._logged(log, "subscriptions wait"):
                    await self._subscriptions.fulfil(channels.values(), self._outbox.pages)
                await self._send(channels)
            await asyncio.sleep(self.look_seconds)

    async def _follow_clock(self) -> None:
        """A channel that was created later than now takes nothing until then: the clock was set back.

        It begins a little earlier than now, because something may have happened since.
        """
        channels = await read_channels(self._store)
        # Read afterwards: a channel may be created while they are read.
        now = self._now()
        for row in channels:
            if row.created_at > now:
                await begin_channel(self._store, row.id, now - MINUTE)

    async def _do_chores(self) -> None:
        if channels := await self._channels():
            await self._digests.make(list(channels.values()))
            await self._outbox.tidy()

    async def _channels(self) -> dict[str, Channel]:
        return {row.id: from_row(row) for row in await read_channels(self._store)}

    async def _reseal(self) -> None:
        """Encrypt targets with the first key, so that an older one can be removed."""
        if (seal := self._keys.seal()) is None:
            return
        for row in await read_channels(self._store):
            with suppress(CannotDecrypt):
                if row.kind != LOG and (sealed := seal.renewed(row.sealed, row.id)) is not None:
                    await reseal_channel(self._store, row, sealed)

    async def _send(self, channels: Mapping[str, Channel]) -> None:
        # A message that is taken while the messages are read may be among them, and must not be sent again.
        busy = set(self._under_way.channels)
        for notice in await read_notices(self._store):
            channel, now = channels.get(notice.channel_id), self._now()
            if channel is None or channel.id in busy or notice.next_at > now:
                continue
            if self._under_way.has_room(channel, is_urgent=notice.kind != DIGEST):
                self._under_way.begin(channel, self._work_off(channel, notice))

    async def _work_off(self, channel: Channel, notice: NoticeRow) -> None:
        """Send a message, and store the result."""
        with suppress(Stopping), self._logged(log, "a notice was not sent", channel=channel.id):
            await self._note(channel, notice, await attempted(channel, self._deliver(channel, notice)))

    async def _deliver(self, channel: Channel, notice: NoticeRow) -> Outcome:
        return await deliver(self._post, self._keys.seal(), channel, notice_of(notice), self._now())

    async def _note(self, channel: Channel, notice: NoticeRow, outcome: Outcome) -> None:
        now = self._now()
        if not outcome.is_final:
            next_at = now + pause(notice.attempts, outcome.retry_seconds)
            if next_at < notice.created_at + LONGEST_ATTEMPTS:
                detail = f"{outcome.detail}; it is tried again"
                await postpone_notice(self._store, notice, next_at, encoded(now, outcome, detail))
                return
        paused_at = now if outcome.pauses_channel else None
        if not outcome.is_sent:
            log.warning("gave up on a notice", channel=channel.id, kind=channel.kind, reason=outcome.detail)
        await end_notice(
            self._store, notice, encoded(now, outcome), paused_at, drops_all=outcome.pauses_channel
        )


def notice_of(row: NoticeRow) -> Notice:
    return _notice.decode(row.document)


def encoded(now: int, outcome: Outcome, detail: str | None = None) -> str:
    return msgspec.json.encode(Result(now, outcome.is_sent, detail or outcome.detail)).decode()


def pause(attempts: int, wanted_seconds: float | None) -> int:
    """How long to wait after this many earlier attempts, in microseconds; at least as long as asked for."""
    growing: int = min(FIRST_PAUSE << min(attempts, _DOUBLINGS), LONGEST_PAUSE)
    if wanted_seconds is None:
        return growing
    return max(growing, min(int(wanted_seconds * SECOND), DAY))


class UnderWay:
    """A number of places, one for each channel that a message is being sent to."""

    def __init__(self, places: int) -> None:
        self._places = places
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._owners: Counter[str] = Counter()

    @property
    def channels(self) -> Collection[str]:
        return self._tasks.keys()

    @property
    def tasks(self) -> Collection[asyncio.Task[None]]:
        return list(self._tasks.values())

    def has_room(self, channel: Channel, *, is_urgent: bool) -> bool:
        """Whether a message may be sent to a channel now; half of the places are for urgent ones only.

        An owner may hold no more places than are free. One owner with slow receivers leaves half of them to
        others, two owners leave a third, and so on: there is always room for the next one.
        """
        places = self._places if is_urgent else self._places // 2
        return channel.id not in self._tasks and self._owners[channel.owner] < places - len(self._tasks)

    def begin(self, channel: Channel, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks[channel.id] = task
        self._owners[channel.owner] += 1
        task.add_done_callback(lambda _: self._end(channel))

    def _end(self, channel: Channel) -> None:
        del self._tasks[channel.id]
        self._owners[channel.owner] -= 1
        if not self._owners[channel.owner]:
            del self._owners[channel.owner]
