"""The task of a server that turns causes into messages and sends them. Of several servers, one does it.

Messages of a channel are sent one after the other, those of different channels side by side. A message is
deleted once its channel has taken it, so a server that is killed repeats at most the one it was sending.
"""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

import msgspec
import structlog

from mergecast.errors import MergecastError
from mergecast.notices.channel import LOG, Channel, Result, from_row
from mergecast.notices.delivery import Post, attempted, deliver
from mergecast.notices.keys import Keys
from mergecast.notices.notice import Notice
from mergecast.notices.outbox import Outbox
from mergecast.notices.outcome import Outcome
from mergecast.notices.sealing import CannotDecrypt
from mergecast.queues.model.instant import DAY, HOUR, SECOND
from mergecast.queues.store.channel_rows import (
    NoticeRow,
    end_notice,
    postpone_notice,
    read_channels,
    read_notices,
    reseal_channel,
)
from mergecast.queues.store.errors import StoreClosed
from mergecast.queues.store.values import Lease

LEASE = "notices"
LEASE_SECONDS = 60
RENEW_SECONDS = 20.0
LONGEST_LOOK_SECONDS = 15.0
LONGEST_ATTEMPTS = DAY
FIRST_PAUSE, LONGEST_PAUSE = 10 * SECOND, HOUR
MOST_AT_ONCE = 200
_DOUBLINGS = 12

log = structlog.get_logger("mergecast.notices")


class Sender:
    """One per server."""

    def __init__(self, outbox: Outbox, post: Post, keys: Keys, holder: str) -> None:
        self._outbox, self._post, self._keys, self._holder = outbox, post, keys, holder
        self._store, self._now = outbox.store, outbox.now
        self._task: asyncio.Task[None] | None = None
        self._under_way: dict[str, asyncio.Task[None]] = {}  # by channel

    @property
    def look_seconds(self) -> float:
        return min(self._store.look_seconds, LONGEST_LOOK_SECONDS)

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """What is being sent is finished, because otherwise it would be sent again."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        if self._under_way:
            await asyncio.wait(self._under_way.values(), timeout=self._post.poster.limits.seconds)
        for task in list(self._under_way.values()):
            task.cancel()
        with suppress(MergecastError):
            await self._take_lease(0)
        self._post.poster.close()
        if self._post.mailer is not None:
            self._post.mailer.close()

    async def _run(self) -> None:
        while True:
            try:
                if await self._take_lease(LEASE_SECONDS):
                    await self._lead()
            except StoreClosed:
                return
            except MergecastError as error:
                log.warning("sending notices stopped", error=str(error))
            except Exception:
                log.exception("sending notices stopped")
            await asyncio.sleep(self.look_seconds)

    async def _take_lease(self, seconds: int) -> bool:
        now = await self._store.shared_now(self._now())
        lease = Lease(LEASE, self._holder, now + seconds * SECOND)
        return await self._store.take_lease(lease, now, LEASE_SECONDS * SECOND)

    async def _lead(self) -> None:
        """Send until the lease is lost."""
        loop = asyncio.get_running_loop()
        await self._reseal()
        await self._outbox.begin()
        renewed_at = loop.time()
        while True:
            if loop.time() - renewed_at > RENEW_SECONDS:
                if not await self._take_lease(LEASE_SECONDS):
                    return
                renewed_at = loop.time()
            channels = {row.id: from_row(row) for row in await read_channels(self._store)}
            if channels:
                await self._outbox.fill(list(channels.values()), self._under_way.keys())
                await self._send(channels)
            await asyncio.sleep(self.look_seconds)

    async def _reseal(self) -> None:
        """Encrypt targets with the first key, so that an older one can be removed."""
        if (seal := self._keys.seal()) is None:
            return
        for row in await read_channels(self._store):
            with suppress(CannotDecrypt):
                if row.kind != LOG and (sealed := seal.renewed(row.sealed, row.id)) is not None:
                    await reseal_channel(self._store, row, sealed)

    async def _send(self, channels: dict[str, Channel]) -> None:
        # A message that is taken while the messages are read may be among them, and must not be sent again.
        busy = set(self._under_way)
        for notice in await read_notices(self._store):
            channel, now = channels.get(notice.channel_id), self._now()
            is_free = notice.channel_id not in busy and len(self._under_way) < MOST_AT_ONCE
            if channel is not None and is_free and notice.next_at <= now:
                self._begin(notice.channel_id, self._work_off(channel, notice))

    def _begin(self, channel_id: str, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._under_way[channel_id] = task
        task.add_done_callback(lambda _: self._under_way.pop(channel_id, None))

    async def _work_off(self, channel: Channel, notice: NoticeRow) -> None:
        """Send a message, and note what came of it."""
        try:
            await self._note(channel, notice, await attempted(channel, self._deliver(channel, notice)))
        except StoreClosed:
            return
        except MergecastError as error:
            log.warning("a notice was not sent", channel=channel.id, error=str(error))
        except Exception:
            log.exception("a notice was not sent", channel=channel.id)

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
            log.warning("a notice was given up", channel=channel.id, kind=channel.kind, reason=outcome.detail)
        await end_notice(
            self._store, notice, encoded(now, outcome), paused_at, drops_all=outcome.pauses_channel
        )


def notice_of(row: NoticeRow) -> Notice:
    return msgspec.json.decode(row.document, type=Notice)


def encoded(now: int, outcome: Outcome, detail: str | None = None) -> str:
    return msgspec.json.encode(Result(now, outcome.is_sent, detail or outcome.detail)).decode()


def pause(attempts: int, wanted_seconds: float | None) -> int:
    """How long to wait after this many earlier attempts, in microseconds; at least as long as asked for."""
    growing: int = min(FIRST_PAUSE << min(attempts, _DOUBLINGS), LONGEST_PAUSE)
    if wanted_seconds is None:
        return growing
    return max(growing, min(int(wanted_seconds * SECOND), DAY))
