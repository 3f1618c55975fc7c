"""However alerts begin and end, a channel gets one message when an incident begins, and one when it ends."""

import asyncio
from collections import defaultdict
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import pytest

from empty_store import copy_empty_store
from mergecast.queues.model.alert import Alert
from mergecast.queues.model.cause import BEGIN, END
from mergecast.queues.model.instant import MINUTE, parse_instant
from mergecast.queues.model.notification import ALERT, Rule
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.alerts import announced_to, store_alerts
from mergecast.queues.store.channel_rows import (
    add_channel,
    end_notice,
    put_rules_in,
    read_channels,
    read_notices,
)
from mergecast.queues.store.opening import FILE_NAME
from mergecast.queues.store.sqlite.store import SQLiteStore
from mergecast.signals.notices.channel import Channel, Options, from_row, to_row, with_rules
from mergecast.signals.notices.outbox import Outbox

_FIGURES = ("source_silent", "run_too_long", "nothing_merges", "runs_slow")
_QUEUES = ("default", "hotfix")
_ORIGINS = ("learned", "set")
_RULES = (
    (Rule(ALERT),),
    (Rule(ALERT, figures=("run_too_long", "runs_slow")), Rule(ALERT, queues=("hotfix",))),
    (Rule(ALERT, origins=("set",)),),
    (),
)
_STEPS = 40
_SENT = '{"at": 0, "is_sent": true, "detail": ""}'
Message = tuple[str, str]  # incident and phase


class Ticking:
    """A clock that goes on by three minutes at each look: some alerts end before their notice is due."""

    def __init__(self, now: int) -> None:
        self.now = now

    def tick(self) -> int:
        self.now += 3 * MINUTE
        return self.now


class _World:
    """A repository with two channels, and servers that start before each thing they do."""

    def __init__(self, store: SQLiteStore, clock: Ticking, number: int) -> None:
        self._store, self._clock = store, clock
        self._repository = Repository(f"owner{number}", "widgets")
        self.channels = [f"{number}-{name}" for name in ("first", "second")]
        self.open: list[Alert] = []
        self.begun: list[str] = []
        self.taken: defaultdict[str, list[Message]] = defaultdict(list)

    async def prepare(self) -> None:
        for id, rules in zip(self.channels, _RULES, strict=False):
            options = Options("?", id, rules)
            channel = Channel(id, self._repository.owner, None, "slack", "", options, 0)
            await add_channel(self._store, to_row(channel))

    async def step(self, random: Random) -> None:
        """Something happens, at random."""
        (what,) = random.choices(("begin", "end", "send on", "take", "rules"), (9, 5, 7, 8, 1))
        channel = random.choice(self.channels)
        if what == "begin":
            await self._begin(random.choice(_FIGURES), random.choice(_ORIGINS), random.choice(_QUEUES))
        elif what == "end" and self.open:
            await self._end(self.open.pop(random.randrange(len(self.open))))
        elif what == "send on":
            await asyncio.gather(*(self._send_on() for _ in range(random.choice((1, 2)))))
        elif what == "take":
            await self._take(channel)
        elif what == "rules":
            await self._change_rules(channel, random.choice(_RULES))

    async def finish(self) -> None:
        for alert in self.open:
            await self._end(alert)
        await self._send_on()
        for channel in self.channels:
            while await self._take(channel):
                pass

    async def announced(self) -> dict[str, list[str] | None]:
        known = await self._store.repository(self._repository)
        if known is None:
            return {}
        return await self._store.read(known.id, partial(announced_to, repository_id=known.id, ids=self.begun))

    async def _begin(self, figure: str, origin: str, queue: str) -> None:
        now = self._clock.tick()
        words = (figure, "Look.")
        id = f"{now}"
        alert = Alert(id, figure, origin, "main", queue, now - 5 * MINUTE, now, 2.0, 1.0, *words)
        if alert.place not in {one.place for one in self.open}:
            self.open.append(alert)
            self.begun.append(alert.id)
            await self._store.change(
                self._repository, partial(store_alerts, begun=[alert], ended=[]), create=True
            )

    async def _end(self, alert: Alert) -> None:
        ended = replace(alert, ended_at=self._clock.tick(), end_reason="recovered")
        await self._store.change(
            self._repository, partial(store_alerts, begun=[], ended=[ended]), create=True
        )

    async def _send_on(self) -> None:
        """As a server does that has just started."""
        now = self._clock.tick()
        channels = [from_row(row) for row in await read_channels(self._store)]
        await Outbox(self._store, lambda: now, "").fill(channels, ())

    async def _take(self, channel: str) -> bool:
        """The channel takes the message that has waited longest."""
        for row in await read_notices(self._store):
            if row.channel_id == channel:
                self.taken[channel].append((row.key, row.phase))
                await end_notice(self._store, row, _SENT, None)
                return True
        return False

    async def _change_rules(self, id: str, rules: tuple[Rule, ...]) -> None:
        (before,) = (row for row in await read_channels(self._store) if row.id == id)
        document = to_row(with_rules(from_row(before), rules)).document
        await self._store.change_shared(partial(put_rules_in, before=before, document=document))


@pytest.mark.thorough
def test_an_incident_has_one_beginning_and_one_end_in_each_channel(tmp_path: Path) -> None:
    """Servers are restarted, several send at once, rules change, and messages may wait."""
    copy_empty_store(tmp_path)
    clock = Ticking(parse_instant("2026-03-09T09:00:00Z"))
    store = SQLiteStore(tmp_path / FILE_NAME, now=lambda: clock.now)
    worlds = [_World(store, clock, number) for number in range(8)]
    try:
        announced = [asyncio.run(_live(world, Random(number))) for number, world in enumerate(worlds)]
    finally:
        store.close()

    for world, sent_to in zip(worlds, announced, strict=True):
        for channel in world.channels:
            messages = world.taken[channel]
            begun = [incident for incident, phase in messages if phase == BEGIN]
            assert sorted(begun) == sorted({incident for incident, phase in messages if phase == END})
            assert len(messages) == 2 * len(set(begun))
            assert all(messages.index((one, BEGIN)) < messages.index((one, END)) for one in begun)
            # Only what a channel has received counts as sent to it.
            assert set(begun) <= {id for id, channels in sent_to.items() if channel in (channels or ())}
            assert begun or not any(channel in (channels or ()) for channels in sent_to.values())
    messages_of_all = [message for world in worlds for taken in world.taken.values() for message in taken]
    alerts = sum(len(world.begun) for world in worlds)
    assert 40 < len(messages_of_all) < alerts * 4, (
        "messages were sent, but fewer than two per alert and channel"
    )


async def _live(world: _World, random: Random) -> dict[str, list[str] | None]:
    await world.prepare()
    for _ in range(_STEPS):
        await world.step(random)
    await world.finish()
    return await world.announced()
