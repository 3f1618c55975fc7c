"""One task per server: it measures the queues that changed, and those in which time alone may matter.

Once an hour it judges the last hours of every queue. Of several servers on one database, the one that holds
the lease does so. Each alert knows when it was last judged, and each reference period up to which hour it was
compared, so a server that dies leaves nothing half done.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

import structlog

from mergecast.errors import MergecastError
from mergecast.process.concurrently import outlasting
from mergecast.process.lru import RecentEntries
from mergecast.queues.model.alert import Alert
from mergecast.queues.model.instant import DAY, HOUR, MINUTE
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.alerts import note_examined, open_alerts, store_alerts, store_past_alerts
from mergecast.queues.store.errors import StoreClosed
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.reference_periods import (
    read_reference_periods,
    store_changed_alerts,
    store_comparison,
)
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import KnownRepository
from mergecast.signals.alerts.hourly import compared, judged
from mergecast.signals.alerts.measuring import (
    Calm,
    LevelsOfQueues,
    has_weeks,
    learn_levels,
    look_back,
    measure,
)
from mergecast.signals.leading import Leading, Turn
from mergecast.signals.thresholds.levels import LEAST_RUNS, Levels
from mergecast.signals.thresholds.queue_history import LEARNED_FROM, QueueName

_FAILURE = "measuring the queues of a repository failed"
_JUDGING_FAILURE = "judging the last hours of a repository failed"
_MOST_REPOSITORIES = 10_000  # whose levels are in memory
# While a history is imported, its newest event may be old. It is complete when nothing was added for a while.
_CURRENT = HOUR
_SETTLING = 2 * MINUTE
_GROWTH = 1.05  # levels are learned again when there are so many times the events

log = structlog.get_logger("mergecast.alerts")

# For how long branches of a repository wait to fill a batch, as far as a configuration says it.
KnownWaits = Callable[[KnownRepository], Awaitable[Mapping[str, int]]]


async def no_known_waits(_: KnownRepository) -> Mapping[str, int]:
    return {}


@dataclass(frozen=True, slots=True)
class _Known:
    """What this server knows about a repository."""

    levels: LevelsOfQueues = field(default_factory=dict)
    learned_at: int = 0
    learned_events: int = 0
    version: int | None = None  # when it was measured last
    measured_at: int = 0
    next_at: int | None = None
    calm_since: Calm = field(default_factory=dict)
    has_looked_back: bool = False
    is_noted: bool = False  # that it was measured, for the other servers of the store

    def is_learned(self, known: KnownRepository, now: int) -> bool:
        is_fresh = 0 <= now - self.learned_at < DAY
        return is_fresh and known.events <= _GROWTH * self.learned_events

    def must_look_back(self, known: KnownRepository, now: int) -> bool:
        """Whether the time before the repository was watched has yet to be examined."""
        return not self.has_looked_back and has_weeks(self.levels, known.first_at, now)


class _Seen(NamedTuple):
    """The version of a repository that was seen last, and since when it has not changed."""

    version: int
    since: int


class AlertWatch(Leading):
    name, log, failure = "alerts", log, "watching the queues failed"
    look_seconds = 5.0
    looks_per_judgement = 12  # whether an hour is over, or a period was pinned, is looked up once a minute
    rest_factor = 3.0

    def __init__(
        self,
        store: Store,
        now: Callable[[], int],
        holder: str,
        turn: Turn,
        waits: KnownWaits = no_known_waits,
    ) -> None:
        super().__init__(store, now, holder, turn)
        self._waits = waits
        self._known: RecentEntries[int, _Known] = RecentEntries(_MOST_REPOSITORIES)
        self._seen: RecentEntries[int, _Seen] = RecentEntries(_MOST_REPOSITORIES)
        self._judged: RecentEntries[int, int] = RecentEntries(_MOST_REPOSITORIES)  # up to which hour
        self._looks = 0

    async def alerts(self, known: KnownRepository) -> list[Alert]:
        """The open alerts; the queues are measured first unless that was done within a minute."""
        await self.refresh(known)
        return await self.stored_alerts(known)

    async def stored_alerts(self, known: KnownRepository) -> list[Alert]:
        """The open alerts as far as the store knows, for callers who must not wait."""
        return await self._store.read(known.id, lambda reader: open_alerts(reader, known.id))

    async def levels(self, known: KnownRepository) -> Mapping[QueueName, Levels] | None:
        """What is normal for each queue; None until it was learned."""
        await self.refresh(known)
        found = self._known.get(known.id)
        return found.levels if found is not None else None

    def is_looking(self, known: KnownRepository) -> bool:
        """Whether a history that does not reach up to now has yet to be examined, as far as it knows.

        For example, it was imported a moment ago, and perhaps its source has been silent for days. If another
        server has examined it, only the store can tell.
        """
        now, found = self._now(), self._known.get(known.id)
        # A silence of days is found by looking back.
        if found is not None and found.measured_at and not found.must_look_back(known, now):
            return False
        is_old = known.last_at is not None and now - LEARNED_FROM < known.last_at <= now - _CURRENT
        return is_old and _has_enough(known)

    async def refresh(self, known: KnownRepository) -> None:
        before = self._known.get(known.id)
        is_fresh = before is not None and 0 <= self._now() - before.measured_at < MINUTE
        if is_fresh or not self._is_settled(known):
            return
        try:
            await self.measure(known)
        except StoreClosed:
            raise
        except MergecastError as error:
            log.warning(_FAILURE, repository=str(known.repository), error=str(error))

    def forget_levels(self, known: KnownRepository) -> None:
        """Measure and judge again soon, because something else than events has changed."""
        self._known.pop(known.id)
        self._judged.pop(known.id)

    async def measure(self, known: KnownRepository) -> None:
        """Measure a repository once, however many callers wait for it."""
        await outlasting(self._once(known, self._measure))

    async def _measure(self, known: KnownRepository) -> None:
        now, before = self._now(), self._known.get(known.id) or _Known()
        levels, learned_at, learned_events = before.levels, before.learned_at, before.learned_events
        if not before.is_learned(known, now):
            waits = await self._waits(known)
            learning = partial(learn_levels, repository_id=known.id, waits=waits, now=now)
            levels = await self._read(known, learning)
            learned_at, learned_events = now, known.events
        work = partial(measure, repository_id=known.id, levels=levels, calm=before.calm_since, now=now)
        found = await self._read(known, work)
        if found.begun or found.ended:
            await self._change(known, partial(store_alerts, begun=found.begun, ended=found.ended))
        after = _Known(
            levels, learned_at, learned_events, known.version, now, found.next_at, found.calm_since,
            before.has_looked_back, before.is_noted,
        )  # fmt: skip
        self._known.put(known.id, await self._noted(known, after))

    async def _noted(self, known: KnownRepository, after: _Known) -> _Known:
        """Other servers, which do not measure it, wait for the store to say that it was looked at."""
        is_due = self._store.is_shared and not after.is_noted and _has_enough(known)
        if not is_due or after.must_look_back(known, after.measured_at):
            return after
        await self._change(known, note_examined)
        return replace(after, is_noted=True)

    async def _change(self, known: KnownRepository, work: Callable[[HeldRepository], object]) -> None:
        """Store what was found, unless the repository was deleted: another one may have its name by now."""

        def work_on_the_same(held: HeldRepository) -> None:
            if held.state.id == known.id:
                work(held)

        await self._store.change(known.repository, work_on_the_same, create=False)

    async def _look(self) -> None:
        """Measure what is due, if no other server of this store does."""
        if not await self._leads():
            return
        for known in await self._store.repositories():
            if self._is_due(known):
                await self._measure_calmly(known)
        if self._looks % self.looks_per_judgement == 0:
            await self.judge_hour()
        self._looks += 1

    async def judge_hour(self) -> None:
        """Judge what was not judged up to this hour, if no other server of this store does.

        A reference period that was just pinned is among it.
        """
        if not await self._leads():
            return
        hour = self._now() // HOUR * HOUR
        for name in await self._store.repositories_to_compare(hour):
            # A repository that cannot be judged, for example because its machine is down, delays no other.
            with self._logged(log, _JUDGING_FAILURE, repository=str(name)):
                await self._compare(name, hour)
        for known in await self._store.repositories():
            if self._judged.get(known.id) != hour and self._is_settled(known):
                with self._logged(log, _JUDGING_FAILURE, repository=str(known.repository)):
                    await self._judge(known, hour)

    async def _compare(self, name: Repository, hour: int) -> None:
        known = await self._store.repository(name)
        if known is None:
            return
        for period, compared_at, _ in await self._read(
            known, partial(read_reference_periods, repository_id=known.id)
        ):
            if (compared_at or 0) < hour:
                work = partial(compared, repository_id=known.id, period=period, at=hour)
                result = await self._read(known, work)
                await self._change(known, partial(store_comparison, compared=result))

    async def _judge(self, known: KnownRepository, hour: int) -> None:
        """Thresholds that were set for the last hours, and fixed rules."""
        found = await self._read(known, partial(judged, known=known, at=hour))
        if found:
            await self._change(known, partial(store_changed_alerts, alerts=found))
        self._judged.put(known.id, hour)

    def _is_settled(self, known: KnownRepository) -> bool:
        """Whether the stored history reaches up to now, as far as that can be seen."""
        now, seen = self._now(), self._seen.get(known.id)
        if seen is None or seen.version != known.version or seen.since > now:
            seen = _Seen(known.version, now)
            self._seen.put(known.id, seen)
        is_current = known.last_at is not None and known.last_at > now - _CURRENT
        return is_current or now - seen.since >= _SETTLING

    def _is_due(self, known: KnownRepository) -> bool:
        now, before = self._now(), self._known.get(known.id)
        if not self._is_settled(known):
            return False
        if before is None:
            return known.last_at is not None and known.last_at > now - LEARNED_FROM
        is_time = before.next_at is not None and before.next_at <= now
        # A request may have measured it first, which does not look back.
        return is_time or before.version != known.version or before.must_look_back(known, now)

    async def _measure_calmly(self, known: KnownRepository) -> None:
        started, is_done = asyncio.get_running_loop().time(), False
        with self._logged(log, _FAILURE, repository=str(known.repository)):
            await self.measure(known)
            if await self._look_back(known):
                await self.measure(known)
            is_done = True
        if not is_done:
            self._try_again_later(known)
        took = asyncio.get_running_loop().time() - started
        await asyncio.sleep(self.rest_factor * took)

    def _try_again_later(self, known: KnownRepository) -> None:
        self._known.put(known.id, _Known(version=known.version, next_at=self._now() + MINUTE))

    async def _look_back(self, known: KnownRepository) -> bool:
        """Once for each repository, find the alerts of the time before it was watched."""
        before, now = self._known.get(known.id), self._now()
        if before is None or not before.must_look_back(known, now):
            return False
        found = await self._read(known, partial(look_back, repository_id=known.id, now=now))
        if found is not None:
            await self._change(known, partial(store_past_alerts, alerts=found, until=now))
        # What is normal is learned again, now without these times.
        current = self._known.get(known.id) or before  # it may have been measured meanwhile
        self._known.put(known.id, replace(current, has_looked_back=True, learned_at=0))
        return True


def _has_enough(known: KnownRepository) -> bool:
    """Whether there may be enough CI runs to learn from, each of which has two events."""
    return known.events >= 2 * LEAST_RUNS
