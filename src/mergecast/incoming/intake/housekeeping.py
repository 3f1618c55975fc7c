"""What is done to a stored history while nothing arrives.

Days of CI checks are summed, what is too old is deleted, and what an earlier version translated is translated
again.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import NamedTuple

import structlog

from mergecast.errors import MergecastError, Stopping
from mergecast.incoming.intake.given_up import TranslationFailed
from mergecast.incoming.intake.outdated import outdated_repositories
from mergecast.incoming.intake.translate import Translated
from mergecast.process.background import Background, WantedLease
from mergecast.queues.model.instant import DAY, HOUR, is_ahead
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.alerts import delete_old_alerts
from mergecast.queues.store.audit_rows import drop_old_audit_lines
from mergecast.queues.store.ci.day_sums import QUIET, sum_days
from mergecast.queues.store.expire_events import drop_old_ci_checks, drop_old_events
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import Lease

KEEP = 90 * DAY
CHECKS_KEEP = 400 * DAY
_LEASE = "drop old deliveries"

log = structlog.get_logger("mergecast.intake")


class Keep(NamedTuple):
    """How long something is kept, in microseconds."""

    bodies: int = KEEP  # of deliveries
    checks: int = CHECKS_KEEP
    events: int | None = None  # None: for ever


class Housekeeping(Background):
    """One per server."""

    # How often it looks for days of CI checks that are over.
    sum_seconds = 60.0

    def __init__(self, store: Store, now: Callable[[], int], holder: str, keep: Keep) -> None:
        self._store, self._now, self._holder, self._keep = store, now, holder, keep
        self._drop_at = 0
        self._sum_at = 0.0  # by the clock of the event loop
        super().__init__()
        self._dropping: asyncio.Task[None] | None = None
        self.steps = (self._drop_old, self._sum_days)

    async def _sum_days(self) -> None:
        """Once a minute, sum the days of CI checks that are over; several servers may do so."""
        now = asyncio.get_running_loop().time()
        if now < self._sum_at:
            return
        self._sum_at = now + self.sum_seconds
        now = self._now()
        for name in await self._store.repositories_listed(
            "repositories_with_ci_days", now // DAY, now - QUIET
        ):
            while await self._store.change(name, sum_days, create=False):
                pass

    async def _drop_old(self) -> None:
        """Once an hour, one server deletes what is too old."""
        if is_ahead(self._drop_at, self._now(), HOUR):
            return
        now = await self._store.shared_now(self._now())
        last = next((lease for lease in await self._store.leases() if lease.name == _LEASE), None)
        rest = last.until - now if last is not None and is_ahead(last.until, now, HOUR) else 0
        self._drop_at = self._now() + (rest or HOUR)
        if rest:
            return
        wanted = WantedLease(_LEASE, self._holder, HOUR, HOUR, next_at=_trusted_from(last, now))
        if await self._store.lease(wanted, self._now()) and wanted.next_at == now:
            self.rounds += 1
            await drop_old_audit_lines(self._store, now)
            for known in await self._store.repositories():
                if known.deliveries:
                    await self._store.drop_old_deliveries(known.repository, now, self._keep.bodies)
                await self._store.change(known.repository, partial(delete_old_alerts, now=now), create=False)
                if known.ci_checks:
                    await drop_old_ci_checks(self._store, known.repository, now, self._keep.checks)
            if self._keep.events is not None and (self._dropping is None or self._dropping.done()):
                self._dropping = self._begin(self._drop_old_events(now, self._keep.events))

    async def _drop_old_events(self, now: int, keep: int) -> None:
        """It may take long the first time, and translations do not wait for it."""
        with suppress(Stopping):
            for known in await self._store.repositories():
                with self._logged(log, "deleting old events failed", repository=str(known.repository)):
                    if known.events:
                        await drop_old_events(self._store, known.repository, now, keep)


def _trusted_from(last: Lease | None, now: int) -> int:
    """When the clock is trusted: now, or once it has run for a day without a jump of a day.

    After a jump, everything may look old. If the clock is wrong, the operator has a day to correct it. The
    same happens after a pause of more than a day, which looks the same.
    """
    if last is not None and last.next_at is not None and 0 <= now - (last.until - HOUR) <= DAY:
        return max(now, last.next_at)
    if last is not None:
        log.warning("the clock jumped, or no server ran for a day; nothing is deleted for a day")
    return now + DAY


class TranslatingAgain:
    """Translates again what an earlier version translated, while nothing new waits."""

    # During a rolling upgrade, a server of the earlier version translates for a while.
    look_seconds = 3600.0
    # After a failure.
    patience_seconds = 30.0

    def __init__(self, store: Store, translate: Callable[[Repository], Awaitable[Translated]]) -> None:
        self._store, self._translate = store, translate
        self._left: list[Repository] = []
        self._look_at = self._continue_at = 0.0  # by the clock of the event loop

    @property
    def rest_seconds(self) -> float:
        """How long there is nothing to do."""
        next_at = self._continue_at if self._left else self._look_at
        return max(0.0, next_at - _clock())

    async def translate_some(self) -> None:
        """Translate as much as one transaction should, then rest as long as that took of the processor."""
        if _clock() >= self._look_at:
            self._look_at = _clock() + self.look_seconds
            self._left = await outdated_repositories(self._store)
        if not self._left or _clock() < self._continue_at:
            return
        name = self._left.pop(0)
        rest = self.patience_seconds
        try:
            done = await self._translate(name)
            rest = done.seconds
        except Stopping:
            raise
        except MergecastError as error:  # for example, the machine of the repository is down
            log.warning("translating again failed", repository=str(name), error=str(error))
            done = Translated(is_done=False)
        except TranslationFailed:
            done = Translated(is_done=False)
        self._continue_at = _clock() + rest
        if not done.is_done:
            self._left.append(name)
        else:
            log.info("translated again", repository=str(name))


def _clock() -> float:
    return asyncio.get_running_loop().time()
