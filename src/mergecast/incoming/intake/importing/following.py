"""Keeps an import current by polling, less often while nothing happens or after an error."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from mergecast.errors import MergecastError
from mergecast.incoming.intake.importing.importer import Importer, Stored
from mergecast.queues.model.instant import SECOND

CONFIRM_SECONDS = 60.0  # a pull request that merges leaves the queue some seconds before it counts as merged


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds between polls."""

    shortest: float = 60.0
    longest_quiet: float = 300.0
    longest_failing: float = 900.0

    def after(self, pause: float, stored: int | None) -> float:
        """The next pause; `stored` is None when the poll failed."""
        if stored is None:
            return min(max(pause, self.shortest) * 2, self.longest_failing)
        return self.shortest if stored else min(max(pause, self.shortest) * 1.5, self.longest_quiet)


@dataclass(frozen=True, slots=True)
class FollowState:
    """The result of a poll, for display."""

    polled_at: int
    next_at: int
    current_until: int | None  # everything up to here was read; None before the first successful poll
    stored: int = 0
    error: str | None = None


async def follow(
    importer: Importer,
    since: int,
    report: Callable[[FollowState], None],
    pace: Pace,
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
) -> None:
    """Poll until cancelled; errors are reported and retried."""
    pause, current_until = pace.shortest, None
    while True:
        at = importer.now()
        try:
            polled = await poll(importer, since)
            current_until, stored, error = at, polled.stored, None
        except MergecastError as failure:
            stored, error = None, str(failure)
        pause = pace.after(pause, stored)
        done = importer.now()
        report(FollowState(done, done + round(pause * SECOND), current_until, stored or 0, error))
        await sleep(pause)


async def poll(importer: Importer, since: int) -> Stored:
    stored = await importer.run(since)
    return stored.plus(await importer.check_queue())


async def import_once(
    importer: Importer, since: int, sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
) -> Stored:
    """Import everything, then close stays whose pull requests have left the queue unnoticed."""
    stored = await poll(importer, since)
    if importer.missing:
        await sleep(CONFIRM_SECONDS)
        stored = stored.plus(await importer.check_queue())
    return stored
