"""Work on repositories that one of the servers of a store does by itself: the one that holds the lease."""

import asyncio
from abc import abstractmethod
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from typing import Any, ClassVar, Final, TypeVar

from structlog.typing import FilteringBoundLogger

from mergecast.process.background import LeasedBackground, WantedLease, WorkLease
from mergecast.queues.model.instant import MINUTE
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import KnownRepository

T = TypeVar("T")
Turn = Callable[[], AbstractAsyncContextManager[object]]
_TERM: Final = 2 * MINUTE
_QUERY_SECONDS: Final = 30.0


class Leading(LeasedBackground):
    name: ClassVar[str]  # of the lease
    log: ClassVar[FilteringBoundLogger]
    failure: ClassVar[str]  # what the log says if looking for work fails
    # How often it looks for work.
    look_seconds: float
    # How long it waits after an unexpected error.
    patience_seconds = 30.0
    # How long it rests after work, as a multiple of the time that took, so that it never keeps a server busy.
    rest_factor: float

    def __init__(self, store: Store, now: Callable[[], int], holder: str, turn: Turn) -> None:
        self._store, self._now, self._turn = store, now, turn
        super().__init__(WorkLease(store, now, WantedLease(self.name, holder, _TERM, _TERM)))
        self._under_way: dict[int, asyncio.Task[None]] = {}
        self._leads_until = 0

    def start(self) -> None:
        self._begin(self._repeat(self._look, self.log, self.failure, self._pause, self.patience_seconds))

    def _pause(self) -> float:
        return max(self.look_seconds, self._store.look_seconds)

    @abstractmethod
    async def _look(self) -> None:
        """Do what is due, if this server leads."""

    async def _leads(self) -> bool:
        """Whether this server is the one that does it."""
        if not self._store.is_shared or self._now() < self._leads_until:
            return True
        now = self._now()
        if now >= self._lease_ends_at:
            self._lead_again()
        is_taken = await self._lease.take()
        self._leads_until = now + _TERM // 2 if is_taken else 0
        return is_taken

    @property
    def _lease_ends_at(self) -> int:
        """From then on another server may lead, unless the lease is renewed."""
        return self._leads_until + _TERM // 2

    def _lead_again(self) -> None:
        """Another server may have led meanwhile."""

    def _once(
        self, known: KnownRepository, work: Callable[[KnownRepository], Coroutine[Any, Any, None]]
    ) -> asyncio.Task[None]:
        """The task that does this work on a repository, once, however many callers wait for it."""
        task = self._under_way.get(known.id)
        if task is None:
            task = self._under_way[known.id] = self._begin(work(known))
            task.add_done_callback(lambda _: self._under_way.pop(known.id, None))
        return task

    async def _read(self, known: KnownRepository, work: Callable[[Reader], T]) -> T:
        async with self._turn():
            return await self._store.read(known.id, work, seconds=_QUERY_SECONDS)
