"""Runs imports from an imitated platform to a store in memory, or to a real one."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from mergecast.errors import MergecastError
from mergecast.incoming.intake.importing.following import import_once
from mergecast.incoming.intake.importing.importer import Importer, OpenStay, Stored
from mergecast.incoming.platform.fetch import Fetcher
from mergecast.incoming.platform.patient import PatientApi, Waiting, fixed_headers
from mergecast.incoming.sources.origin import Origin
from mergecast.incoming.sources.page import Identity, Item
from mergecast.queues.answers.audit import AuditQuestion
from mergecast.queues.model.instant import DAY
from sources.faulty_server import FaultyServer
from sources.github_deliveries import clock
from waiting import MOST_SECONDS

NOW = clock(600)
SINCE = NOW - 9 * DAY
HEADERS = {
    "github": {"Authorization": "Bearer ghp_reader"},
    "activity-log": {"Authorization": "Bearer log-key"},
    "bors": {"Authorization": "Bearer ghp_reader"},
    "gitlab": {"PRIVATE-TOKEN": "glpat-reader"},
}


@dataclass
class MemorySink:
    """Keeps what it is given, as a store does: an id once, and the cursor with the items."""

    kept: dict[str, Item] = field(default_factory=dict)
    text: str | None = None
    reached: int | None = None
    identity: Identity | None = None
    open: list[OpenStay] = field(default_factory=list)
    set_ups: list[AuditQuestion] = field(default_factory=list)
    duplicates: int = 0
    fails_after: int | None = None
    fails_at: int | None = None  # this request fails
    first_waits: bool = False  # the first request ends only when the second one has begun
    second_has_begun: asyncio.Event = field(default_factory=asyncio.Event)
    requests: int = 0
    under_way: int = 0
    most_under_way: int = 0

    async def identify(self, identity: Identity) -> None:
        self.identity = identity

    async def cursor(self) -> str | None:
        return self.text

    async def store(self, items: Sequence[Item], cursor: str | None, reached: int | None) -> Stored:
        self.requests += 1
        number = self.requests
        if number == 2:
            self.second_has_begun.set()
        self.under_way += 1
        self.most_under_way = max(self.under_way, self.most_under_way)
        await asyncio.sleep(0.01)
        if self.first_waits and number == 1:
            async with asyncio.timeout(MOST_SECONDS):
                await self.second_has_begun.wait()
        self.under_way -= 1
        if number == self.fails_at:
            raise MergecastError("the store is full")
        if self.fails_after is not None and len(self.kept) + len(items) > self.fails_after:
            raise MergecastError("the store is full")
        new = {item.id: item for item in items if item.id not in self.kept}
        self.kept |= new
        if cursor is not None:
            self.text, self.reached = cursor, reached
        self.duplicates += len(items) - len(new)
        return Stored(len(new), len(items) - len(new))

    async def open_stays(self) -> list[OpenStay]:
        return self.open

    async def keep_set_up(self, set_up: AuditQuestion) -> None:
        self.set_ups.append(set_up)


@dataclass
class Setup:
    source: str
    server: FaultyServer
    sink: Any = field(default_factory=MemorySink)
    now: int = NOW
    slept: list[float] = field(default_factory=list)
    on_sleep: Callable[[], None] = lambda: None
    items_at_once: int = 6000
    last_events: dict[int, int] = field(default_factory=dict)  # of missing pull requests; now by default
    waits: list[Waiting] = field(default_factory=list)
    name: str = "acme-orbit/lander"

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += round(seconds * 1_000_000)
        self.on_sleep()
        await asyncio.sleep(0)

    def clock(self) -> int:
        return self.now

    def once(self, since: int = SINCE) -> Stored:
        return self.run(lambda importer: import_once(importer, since, self.last_event, self.sleep))

    async def last_event(self, stay: OpenStay) -> int:
        return self.last_events.get(stay.place.number, self.now)

    def run(self, use: Callable[[Importer], Awaitable[Stored]]) -> Stored:
        async def main() -> Stored:
            fetcher = Fetcher(MOST_SECONDS)
            headers = fixed_headers(HEADERS[self.source])
            api = PatientApi(
                fetcher, headers, self.clock, self.waits.append, sleep=self.sleep, jitter=lambda: 0
            )
            name = "orbit/space/lander" if self.source == "gitlab" else self.name
            origin = Origin(self.source, api, self.server.url, name)
            try:
                return await use(Importer(origin, self.sink, self.clock, items_at_once=self.items_at_once))
            finally:
                await fetcher.close()

        return asyncio.run(main())
