"""Compares baselines with the last days of their queues, every hour.

Of several servers on one database, the one that holds the lease does so. Each baseline knows up to which hour
it was compared, so a server that dies leaves nothing half done: another one continues within minutes.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import msgspec
import structlog

from mergecast.errors import MergecastError
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
from mergecast.queues.store.errors import StoreClosed
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import KnownRepository, Lease
from mergecast.signals.detection.alert_course import follow
from mergecast.signals.detection.baseline_comparison import compare, window_start
from mergecast.signals.watch.pinning import groups_of

_LEASE = "alerts"
_LEASE_LENGTH = 5 * MINUTE

log = structlog.get_logger("mergecast.alerts")


class AlertWatch:
    """One per server."""

    look_seconds = 60.0

    def __init__(self, store: Store, now: Callable[[], int], holder: str) -> None:
        self._store, self._now, self._holder = store, now, holder
        self._has_led = False
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        if self._has_led:
            # Another server need not wait for the end of the lease.
            with suppress(MergecastError):
                await self._take_lease(0)

    async def _run(self) -> None:
        while True:
            try:
                await self.look()
            except StoreClosed:
                return
            except MergecastError as error:
                log.warning("comparing baselines failed", error=str(error))
            except Exception:
                log.exception("comparing baselines failed")
            await asyncio.sleep(self.look_seconds)

    async def look(self) -> None:
        """Compare every baseline that was not compared in this hour, if no other server does.

        A baseline that was just pinned is among them.
        """
        hour = self._now() // HOUR * HOUR
        for repository in await self._store.repositories_to_compare(hour):
            self._has_led = True
            if not await self._take_lease(_LEASE_LENGTH):
                return
            await self._compare(repository, hour)

    async def _take_lease(self, length: int) -> bool:
        now = await self._store.shared_now(self._now())
        return await self._store.take_lease(Lease(_LEASE, self._holder, now + length), now, _LEASE_LENGTH)

    async def _compare(self, repository: Repository, hour: int) -> None:
        """A repository that cannot be compared, for example because its machine is down, delays no other."""
        try:
            known = await self._store.repository(repository)
            if known is None:
                return
            stored = await self._store.read(known.id, partial(read_baselines, repository_id=known.id))
            for baseline, compared_at, _ in stored:
                if (compared_at or 0) < hour:
                    await self._compare_one(known, baseline, hour)
        except StoreClosed:
            raise
        except MergecastError as error:
            log.warning("comparing baselines failed", repository=str(repository), error=str(error))
        except Exception:
            log.exception("comparing baselines failed", repository=str(repository))

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
