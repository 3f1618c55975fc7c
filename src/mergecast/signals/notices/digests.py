"""Makes the weekly digests that are due: one message of each channel, and one repository after the other.

A digest takes far longer to read than any other notice, and many are due at the same hour. So they are made
beside the sending of messages, which does not wait for them.
"""

from collections.abc import Sequence
from functools import partial

from mergecast.queues.model.cause import DIGEST, LONGEST_AGE, ONCE
from mergecast.queues.model.instant import MINUTE, format_instant
from mergecast.queues.store.channel_rows import NoticeRow, add_notices
from mergecast.queues.store.values import KnownRepository
from mergecast.signals.notices.channel import Channel
from mergecast.signals.notices.digest import last_due, read_digest, together
from mergecast.signals.notices.fan_out import KEY_MARK, notice_id, notice_row
from mergecast.signals.notices.notice import Notice, RepositoryDigest
from mergecast.signals.notices.outbox import Outbox


class Digests:
    def __init__(self, outbox: Outbox) -> None:
        self._outbox, self._store, self._now = outbox, outbox.store, outbox.now
        # By channel: what was made while other repositories could not be read, and when they are tried again.
        self._made: dict[str, set[tuple[int, int]]] = {}
        self._wait_until: dict[str, int] = {}

    async def make(self, channels: Sequence[Channel]) -> None:
        for channel in channels:
            now = self._now()
            due = last_due(channel.options.digest, now)
            is_due = DIGEST in channel.options.notify and due > (channel.digest_at or channel.created_at)
            if is_due and now >= self._wait_until.get(channel.id, 0):
                await self._make_for(channel, due, now)

    async def _make_for(self, channel: Channel, due: int, now: int) -> None:
        """One message about all repositories; those that cannot be read now are tried again for an hour."""
        read: dict[int, RepositoryDigest] = {}
        missing, made = 0, self._made.setdefault(channel.id, set())
        if now - due < LONGEST_AGE and not channel.is_paused:
            for known in await self._covered(channel):
                if (known.id, due) not in made:
                    found = await self._outbox.isolated(known.repository, self._read(known, due))
                    if found is None:
                        missing += 1
                    else:
                        read[known.id] = found
        rows = [self._row(channel, read, due)] if read else []
        await add_notices(self._store, rows, digests=[] if missing else [(channel.id, due)])
        if missing:
            made.update((id, due) for id in read)
            self._wait_until[channel.id] = now + MINUTE
        else:
            self._made.pop(channel.id, None)

    async def _covered(self, channel: Channel) -> list[KnownRepository]:
        """The repositories of a channel that have events."""
        found = await self._store.repositories()
        return [
            known
            for known in found
            if known.events and channel in await self._outbox.of_repository(known.repository, [channel])
        ]

    async def _read(self, known: KnownRepository, due: int) -> RepositoryDigest:
        pages = self._outbox.pages(known.repository)
        return await self._store.read(known.id, partial(read_digest, known=known, end=due, pages=pages))

    def _row(self, channel: Channel, read: dict[int, RepositoryDigest], due: int) -> NoticeRow:
        name = (DIGEST, KEY_MARK.join(f"{id} {due}" for id in sorted(read)), ONCE)
        id, at = notice_id(channel.id, *name), format_instant(due)
        if len(read) == 1:
            (one,) = read.values()
            notice = Notice(
                id, DIGEST, ONCE, one.repository, None, None, at, one.sentence, one.url, digest=one.digest
            )
        else:
            sentence, digests = together(channel.owner, list(read.values()))
            url = self._outbox.public_url
            notice = Notice(id, DIGEST, ONCE, channel.owner, None, None, at, sentence, url, digests=digests)
        return notice_row(channel, notice, name, self._now())
