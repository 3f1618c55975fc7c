"""What a server does by itself, beside answering requests.

Of several servers that share a store, the one that holds the lease of some work does it.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any, NamedTuple, Protocol

from structlog.typing import FilteringBoundLogger

from mergecast.errors import MergecastError, Stopping


async def end(*tasks: asyncio.Task[None]) -> None:
    """Cancel tasks, and wait until they have ended."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@contextmanager
def logged(log: FilteringBoundLogger, failure: str, **about: object) -> Iterator[None]:
    """Log an error in the block, and go on after it: one repository that fails delays no other."""
    try:
        yield
    except Stopping:
        raise
    except MergecastError as error:
        log.warning(failure, **about, error=str(error))
    except Exception:
        log.exception(failure, **about)


class WantedLease(NamedTuple):
    """A lease as a server wants it, and what it tells the other servers. Times are in microseconds."""

    name: str
    holder: str
    length: int  # from now on
    longest: int  # a lease that lasts longer is from before the clock was set back, and over
    next_at: int | None = None
    error: str | None = None


class Leases(Protocol):
    """What servers share, so that one of them does some work."""

    async def lease(self, wanted: WantedLease, now: int, /) -> bool:
        """Take or renew a lease unless another server holds it; returns whether it was taken."""


class WorkLease:
    """The lease of some work, which at most one server holds."""

    def __init__(self, leases: Leases, now: Callable[[], int], wanted: WantedLease) -> None:
        self._leases, self._now, self._wanted = leases, now, wanted
        self._may_be_held = False

    def tell(self, next_at: int | None, error: str | None) -> None:
        """What other servers learn when the lease is renewed or given back."""
        self._wanted = self._wanted._replace(next_at=next_at, error=error)

    async def take(self) -> bool:
        """Take or renew it; returns whether this server holds it now."""
        self._may_be_held = True  # if this is cancelled, the store may have stored it nevertheless
        self._may_be_held = await self._leases.lease(self._wanted, self._now())
        return self._may_be_held

    async def give_back(self) -> None:
        """So that another server need not wait for the end of the lease."""
        if self._may_be_held:
            self._may_be_held = False
            with suppress(MergecastError):
                await self._leases.lease(self._wanted._replace(length=0), self._now())

    async def renew(self, seconds: float) -> None:
        """Renew it every so many seconds, until it is lost."""
        is_held = True
        while is_held:
            await asyncio.sleep(seconds)
            is_held = await self.take()

    @asynccontextmanager
    async def held(self, renew_seconds: float) -> AsyncIterator[bool]:
        """Whether this server holds it; if so, it is renewed during the block, and then given back."""
        renewing: list[asyncio.Task[None]] = []
        try:
            if await self.take():
                renewing = [asyncio.create_task(self._renew_patiently(renew_seconds))]
            yield bool(renewing)
        finally:
            await end(*renewing)
            await self.give_back()

    async def _renew_patiently(self, seconds: float) -> None:
        while True:
            with suppress(MergecastError):  # the next attempt comes before the lease ends
                return await self.renew(seconds)


class Background:
    """Work that a server does by itself until it stops. It counts its rounds, and what failed."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self.rounds = self.failures = 0

    async def _repeat(
        self,
        work: Callable[[], Awaitable[None]],
        log: FilteringBoundLogger,
        failure: str,
        pause: Callable[[], float],
        patience_seconds: float = 0.0,
    ) -> None:
        """Do the work, with pauses, until the server stops; after an unexpected error, pause longer."""
        while True:
            self.rounds += 1
            try:
                await work()
            except Stopping:
                return
            except MergecastError as error:
                self.failures += 1
                log.warning(failure, error=str(error))
            except Exception:
                self.failures += 1
                log.exception(failure)
                await asyncio.sleep(patience_seconds)
            await asyncio.sleep(pause())

    @contextmanager
    def _logged(self, log: FilteringBoundLogger, failure: str, **about: object) -> Iterator[None]:
        """Log an error in the block, and go on after it."""
        is_done = False
        with logged(log, failure, **about):
            yield
            is_done = True
        if not is_done:
            self.failures += 1

    def _begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def close(self) -> None:
        await end(*self._tasks)


class LeasedBackground(Background):
    """Work that one of the servers does."""

    def __init__(self, lease: WorkLease) -> None:
        super().__init__()
        self._lease = lease

    async def close(self) -> None:
        await super().close()
        await self._lease.give_back()
