"""Compares baselines with the last days of their queues, every hour.

Of several servers on one database, the one that holds the lease does so. Each baseline knows up to which hour
it was compared, so a server that dies leaves nothing half done: another one continues within minutes.
"""

from collections.abc import Callable
from functools import partial

import msgspec
import structlog

from mergecast.process.background import Lease, LeasedBackground, WantedLease, logged, repeat
from mergecast.queues.model.baseline import Baseline
from mergecast.queues.model.instant import HOUR, MINUTE
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.window import Window
from mergecast.queues.store.baselines import (
    Compared,
    read_baselines,
    read_current_alerts,
    read_hours,
    read_pinned,
    store_comparison,
)
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import KnownRepository
from mergecast.signals.detection.alert_course import follow
from mergecast.signals.detection.baseline_comparison import compare, window_start
from mergecast.signals.watch.pinning import groups_of

_FAILURE = "comparing baselines failed"
_LEASE_LENGTH = 5 * MINUTE

log = structlog.get_logger("mergecast.alerts")


class AlertWatch(LeasedBackground):
    """One per server."""

    look_seconds = 60.0

    def __init__(self, store: Store, now: Callable[[], int], holder: str) -> None:
        self._store, self._now = store, now
        super().__init__(Lease(store, now, WantedLease("alerts", holder, _LEASE_LENGTH, _LEASE_LENGTH)))

    def start(self) -> None:
        self._begin(repeat(self.look, log, _FAILURE, lambda: self.look_seconds))

    async def look(self) -> None:
        """Compare every baseline that was not compared in this hour, if no other server does.

        A baseline that was just pinned is among them.
        """
        hour = self._now() // HOUR * HOUR
        for repository in await self._store.repositories_to_compare(hour):
            if not await self._lease.take():
                return
            # A repository that cannot be compared, for example because its machine is down, delays no other.
            with logged(log, _FAILURE, repository=str(repository)):
                await self._compare(repository, hour)

    async def _compare(self, repository: Repository, hour: int) -> None:
        known = await self._store.repository(repository)
        if known is None:
            return
        stored = await self._store.read(known.id, partial(read_baselines, repository_id=known.id))
        for baseline, compared_at, _ in stored:
            if (compared_at or 0) < hour:
                await self._compare_one(known, baseline, hour)

    async def _compare_one(self, known: KnownRepository, baseline: Baseline, hour: int) -> None:
        work = partial(compared, known=known, baseline=baseline, at=hour)
        result = await self._store.read(known.id, work)
        await self._store.change(known.repository, partial(store_comparison, compared=result), create=False)


def compared(reader: Reader, known: KnownRepository, baseline: Baseline, at: int) -> Compared:
    """How a baseline compares with the days before an hour, and what that means for its alerts."""
    groups = groups_of(reader, known.id, baseline.base_ref, baseline.queue_name)
    recent = read_hours(reader, known.id, Window(window_start(at), at), groups)
    pinned = read_pinned(reader, known.id, baseline.name)
    comparison = compare(baseline, pinned, recent, at)
    current = [alert for alert in read_current_alerts(reader, known.id) if alert.baseline == baseline.name]
    return Compared(baseline, at, msgspec.json.encode(comparison), follow(baseline, current, comparison))
