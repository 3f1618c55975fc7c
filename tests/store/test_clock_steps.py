"""The clock is set forward and back: nothing is deleted because of that."""

import asyncio
from pathlib import Path

import pytest

from empty_store import copy_empty_store
from mergecast.incoming.intake.housekeeping import Keep
from mergecast.incoming.intake.intake import Intake
from mergecast.incoming.sources.github.deliveries import webhook_delivery
from mergecast.queues.model.delivery import Delivery
from mergecast.queues.model.instant import DAY, HOUR
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.store import Store
from sources.github_deliveries import clock
from sources.github_stories import STORIES

pytestmark = pytest.mark.thorough

LANDER = Repository("acme-orbit", "lander")
_BEGIN = clock(24 * 60)
_KEEP = 90 * DAY
_LONGEST_WAIT = 60.0


class _SetClock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = _BEGIN

    def __call__(self) -> int:
        return self.now


class _Running:
    """An intake that looks at the clock all the time."""

    def __init__(self, store: Store) -> None:
        self._store, self.clock = store, _SetClock()
        self.intake = Intake(store, self.clock, "tests", Keep(_KEEP, events=_KEEP))
        self.intake.look_seconds = 0.005

    async def set_clock(self, now: int) -> None:
        """Returns once the intake has noticed: it notes when it has looked for old deliveries."""
        self.clock.now = now
        async with asyncio.timeout(_LONGEST_WAIT):
            while now + HOUR not in [lease.until for lease in await self._store.leases()]:  # noqa: ASYNC110
                await asyncio.sleep(0.002)

    async def run_for(self, hours: int) -> None:
        for _ in range(hours):
            await self.set_clock(self.clock.now + HOUR)

    async def kept(self) -> tuple[int, int]:
        """How many bodies and events."""
        # The intake notes its look before it deletes anything; this waits for the same writer.
        await self._store.change(LANDER, lambda _: None, create=False)
        known = await self._store.repository(LANDER)
        assert known is not None
        pages = self._store.deliveries(known)
        return sum([one.body is not None async for page in pages for one in page]), known.events


def _told() -> list[Delivery]:
    story = STORIES[1]()
    return [webhook_delivery(one.event, one.id, one.body, one.received_at)[1] for one in story.deliveries]


def test_nothing_is_deleted_after_a_jump_of_the_clock(tmp_path: Path) -> None:
    """Only once the clock has run for a day without another jump."""

    async def scenario(store: Store) -> list[tuple[int, int]]:
        running = _Running(store)
        await running.intake.receive(LANDER, _told())
        await running.intake.translate(LANDER)
        running.intake.start()
        await running.set_clock(_BEGIN)
        await running.run_for(26)
        kept = [await running.kept()]
        await running.set_clock(_BEGIN + 200 * DAY)
        await running.run_for(3)
        kept.append(await running.kept())
        await running.set_clock(_BEGIN + 28 * HOUR)
        await running.run_for(26)
        kept.append(await running.kept())
        await running.set_clock(_BEGIN + 300 * DAY)
        await running.run_for(26)
        async with asyncio.timeout(_LONGEST_WAIT):
            while (await running.kept())[1]:  # noqa: ASYNC110 - events are deleted in the background
                await asyncio.sleep(0.002)
        kept.append(await running.kept())
        await running.intake.close()
        return kept

    copy_empty_store(tmp_path)
    store = open_store(tmp_path)
    try:
        before, ahead, back, at_last = asyncio.run(scenario(store))
    finally:
        store.close()

    assert before == ahead == back > (0, 0) == at_last
