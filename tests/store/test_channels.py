"""Channels in every kind of store."""

import asyncio
from functools import partial

from mergecast.queues.store.channel_rows import ChannelRow, add_channel, put_rules_in, read_channels
from mergecast.queues.store.store import Store

_CHANNEL = ChannelRow("c1", "acme", "widgets", "slack", "sealed", '{"rules":[]}', 1, None, None, 1)


def test_a_channel_that_changed_meanwhile_is_not_overwritten(store: Store) -> None:
    """Whoever read it before is told, and reads it again."""

    async def changed() -> tuple[list[bool], str]:
        await add_channel(store, _CHANNEL)
        puts = [partial(put_rules_in, before=_CHANNEL, document=text) for text in ('{"a":1}', '{"b":1}')]
        is_put = [await store.change_shared(put) for put in puts]
        (stored,) = await read_channels(store)
        return is_put, stored.document

    assert ([True, False], '{"a":1}') == asyncio.run(changed())
