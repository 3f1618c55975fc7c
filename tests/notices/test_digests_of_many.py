"""A digest that cannot be made delays no other message."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from builders import entered
from empty_store import copy_empty_store
from mergecast.errors import Unavailable
from mergecast.incoming.intake.event_bodies import read_json
from mergecast.notices.channel import Channel, Options, Schedule, from_row, to_row
from mergecast.notices.outbox import Outbox
from mergecast.notices.sender import notice_of
from mergecast.queues.model.instant import HOUR, MINUTE, parse_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.channel_rows import add_channel, read_channels, read_notices
from mergecast.queues.store.duckdb.store import DuckDBStore
from mergecast.queues.store.opening import FILE_NAME
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.store import QUERY_SECONDS

T = TypeVar("T")
_MONDAY = parse_instant("2026-03-09T09:00:00Z")


class _PartlyDown(DuckDBStore):
    """A store of which some repositories cannot be read, as if their machine were down."""

    down: frozenset[int] = frozenset()

    async def read(
        self, repository_id: int | None, work: Callable[[Reader], T], *, seconds: float = QUERY_SECONDS
    ) -> T:
        if repository_id in self.down:
            raise Unavailable("no connection to worker-2")
        return await super().read(repository_id, work, seconds=seconds)


def test_a_repository_that_is_down_delays_its_own_digest_only(tmp_path: Path) -> None:
    """It is tried again after a minute, and none is made twice."""
    copy_empty_store(tmp_path)
    store = _PartlyDown(tmp_path / FILE_NAME)
    now = [_MONDAY - HOUR]

    async def made(outbox: Outbox) -> list[str]:
        channels = [from_row(row) for row in await read_channels(store)]
        await outbox.fill(channels, ())
        return [notice_of(row).repository for row in await read_notices(store, 100)]

    async def run() -> list[list[str]]:
        for name in ("one", "two"):
            events = read_json(json.dumps([entered("2026-03-08T10:00:00Z", name, 1)]).encode(), _MONDAY)
            await store.record(Repository("acme", name), events)
        first = await store.repository(Repository("acme", "one"))
        assert first is not None
        options = Options("?", ("digest",), None, Schedule())
        await add_channel(
            store, to_row(Channel("c", "acme", None, "slack", "", options, now[0], digest_at=now[0]))
        )
        outbox = Outbox(store, lambda: now[0], "http://localhost")
        store.down = frozenset({first.id})
        found = []
        for moment in (_MONDAY, _MONDAY + MINUTE // 2, _MONDAY + 2 * MINUTE, _MONDAY + 3 * MINUTE):
            now[0] = moment
            found.append(sorted(await made(outbox)))
            if moment > _MONDAY:
                store.down = frozenset()
        return found

    try:
        found = asyncio.run(run())
    finally:
        store.close()

    assert [["acme/two"], ["acme/two"], ["acme/one", "acme/two"], ["acme/one", "acme/two"]] == found
