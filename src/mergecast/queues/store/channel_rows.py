"""Channels of notices and the messages that wait for them; they belong to no repository."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mergecast.queues.model.repository import Repository
from mergecast.queues.store.held_repository import SharedRows
from mergecast.queues.store.store import Store


class ChannelRow(NamedTuple):
    id: str
    owner: str
    repository: str  # empty for a channel of all repositories of the owner
    kind: str
    sealed: str
    document: str
    created_at: int
    paused_at: int | None
    result: str | None
    digest_at: int | None


class NoticeRow(NamedTuple):
    """A message that its channel has not accepted yet."""

    id: str
    channel_id: str
    kind: str
    key: str
    phase: str
    created_at: int
    document: str
    attempts: int
    next_at: int
    waiting: int = 0  # how many messages of this channel wait


async def repositories_with_causes(store: Store, now: int, oldest: int) -> list[Repository]:
    """The repositories with causes of notices that are due and happened after `oldest`."""
    return await store.repositories_listed("repositories_with_causes", now, oldest)


async def read_channels(store: Store) -> list[ChannelRow]:
    rows = await store.read(None, lambda reader: reader.rows("channels", []))
    return [ChannelRow(*row) for row in rows]


def read_channels_in(shared: SharedRows) -> list[ChannelRow]:
    """The channels, in a transaction that changes them."""
    return [ChannelRow(*row) for row in shared.rows("channels")]


async def add_channel(store: Store, channel: ChannelRow) -> None:
    await store.change_shared(lambda shared: add_channel_in(shared, channel))


async def copy_channel(store: Store, channel: ChannelRow) -> None:
    """Add a channel of another store with what became of it, or make an earlier copy the same.

    Messages that wait for the copy stay.
    """

    def put(shared: SharedRows) -> None:
        before = next((row for row in read_channels_in(shared) if row.id == channel.id), None)
        if before is None:
            add_channel_in(shared, channel)
        else:
            put_rules_in(shared, before, channel.document)
            shared.change("mark_channel_as_sealed", channel.id, before.sealed, channel.sealed)
            shared.change("mark_digest", channel.id, channel.digest_at)
        shared.change("mark_channel", channel.id, channel.paused_at, channel.result)

    await store.change_shared(put)


def add_channel_in(shared: SharedRows, channel: ChannelRow) -> None:
    shared.change("add_channel", *channel[:7], channel.digest_at)


def put_rules_in(shared: SharedRows, before: ChannelRow, document: str) -> bool:
    """Replace the name, the rules and the schedule of a channel; False if they have changed meanwhile.

    On PostgreSQL, another transaction may change a channel after this one has read it.
    """
    return shared.change("change_channel", before.id, before.document, document) > 0


async def reseal_channel(store: Store, channel: ChannelRow, sealed: str) -> None:
    """Replace the encrypted target of a channel."""

    def reseal(shared: SharedRows) -> None:
        shared.change("mark_channel_as_sealed", channel.id, channel.sealed, sealed)

    await store.change_shared(reseal)


async def begin_channel(store: Store, id: str, at: int) -> None:
    """Let a channel take what is stored from this instant on."""
    await store.change_shared(lambda shared: shared.change("mark_channel_as_created", id, at))


async def delete_channel(store: Store, id: str) -> bool:
    """Delete a channel with its messages; returns whether there was one."""

    def delete(shared: SharedRows) -> bool:
        shared.change("delete_notices_of_channel", id)
        return shared.change("delete_channel", id) > 0

    return await store.change_shared(delete)


async def read_notices(store: Store, of_each: int = 1) -> list[NoticeRow]:
    """The messages that wait longest, a few of each channel."""
    rows = await store.read(None, lambda reader: reader.rows("notices", [of_each]))
    return [NoticeRow(*row) for row in rows]


async def add_notices(
    store: Store,
    notices: Sequence[NoticeRow],
    digests: Iterable[tuple[str, int]] = (),
) -> None:
    """Add messages that are not there yet, and note which digests are done."""
    await store.change_shared(lambda shared: add_notices_in(shared, notices, digests=digests))


def add_notices_in(
    shared: SharedRows,
    notices: Sequence[NoticeRow],
    dropped: Iterable[str] = (),
    digests: Iterable[tuple[str, int]] = (),
) -> None:
    """Add messages that are not there yet, delete others, and note which digests are done.

    A message of a channel that was deleted while the message was made would wait for ever.
    """
    if ids := list(dropped):
        shared.change("delete_notices", ids)
    known = known_notices_in(shared, [notice.id for notice in notices])
    channels = {channel.id for channel in read_channels_in(shared)}
    for notice in notices:
        if notice.id not in known and notice.channel_id in channels:
            shared.change("add_notice", *notice[:7], notice.next_at)
            known.add(notice.id)
    for digest in digests:
        shared.change("mark_digest", *digest)


def known_notices_in(shared: SharedRows, ids: Sequence[str]) -> set[str]:
    """Which of these messages wait."""
    return {id for (id,) in shared.rows("known_notices", list(ids))} if ids else set()


def waiting_beginnings_in(shared: SharedRows, incidents: Sequence[str]) -> dict[tuple[str, str], str]:
    """The ids of messages that wait and say that incidents began, by channel and incident.

    An earlier version may have given them other ids than this one would.
    """
    rows = shared.rows("waiting_beginnings", list(incidents)) if incidents else []
    return {(channel, incident): id for channel, incident, id in rows}


async def end_notice(
    store: Store, notice: NoticeRow, result: str, paused_at: int | None, *, drops_all: bool = False
) -> None:
    """The message was accepted or abandoned; a channel that is paused loses all its messages."""

    def end(shared: SharedRows) -> None:
        if drops_all:
            shared.change("delete_notices_of_channel", notice.channel_id)
        else:
            shared.change("delete_notices", [notice.id])
        shared.change("mark_channel", notice.channel_id, paused_at, result)

    await store.change_shared(end)


async def postpone_notice(store: Store, notice: NoticeRow, next_at: int, result: str) -> None:
    def postpone(shared: SharedRows) -> None:
        shared.change("mark_notice", notice.id, notice.attempts + 1, next_at)
        shared.change("mark_channel", notice.channel_id, None, result)

    await store.change_shared(postpone)


async def note_result(store: Store, channel_id: str, paused_at: int | None, result: str) -> None:
    await store.change_shared(lambda shared: shared.change("mark_channel", channel_id, paused_at, result))
