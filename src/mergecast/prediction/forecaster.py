"""Asks the forecasting processes. Callers take turns, and so does the work that a server does by itself."""

from collections.abc import Callable, Hashable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol, TypeVar

import msgspec

from mergecast.queues.store.reader import Reader
from mergecast.queues.store.store import Store
from mergecast.sandbox.pool import Pool
from mergecast.sandbox.process import OnProgress
from mergecast.sandbox.turns import OnPlace, Turn, untold

T = TypeVar("T")


class Turns(Protocol):
    def turn(
        self,
        key: Hashable,
        /,
        *,
        seconds: float | None = None,
        has_begun: bool = False,
        on_place: OnPlace = untold,
    ) -> AbstractAsyncContextManager[Turn, bool | None]:
        """Wait for a turn, at most this many seconds; the block runs while the turn lasts.

        One that `has_begun` is not refused, however many wait. `on_place` is called when the place changes.
        """


@dataclass(frozen=True, slots=True)
class Forecaster:
    store: Store
    now: Callable[[], int]
    judge: Pool
    queries: Turns
    forecasts: Turns
    recommendations: Turns  # they have a line of their own, so that none waits behind forecasts
    time: Turns  # of all that is under way

    async def query(self, caller: Hashable, repository_id: int, work: Callable[[Reader], T]) -> T:
        async with self.queries.turn(caller):
            return await self.store.read(repository_id, work)

    async def ask(  # noqa: PLR0913 - the last three are named
        self,
        caller: Hashable,
        task: str,
        question: msgspec.Struct | bytes,
        answer: type[T],
        *,
        on_progress: OnProgress = lambda _: None,
        on_place: OnPlace = untold,
        seconds: float | None = None,
    ) -> T:
        """A child's answer, in line with other callers. With `on_place`, it waits as long as it takes."""
        most = self.judge.patience.waiting_seconds if on_place is untold else None
        async with self.forecasts.turn(caller, seconds=most, on_place=on_place):
            return await self.work(caller, task, question, answer, on_progress=on_progress, seconds=seconds)

    async def work(  # noqa: PLR0913 - the last two are named
        self,
        caller: Hashable,
        task: str,
        question: msgspec.Struct | bytes,
        answer: type[T],
        *,
        on_progress: OnProgress,
        seconds: float | None = None,
    ) -> T:
        """A child's answer for one whose turn it is; all that is under way takes turns at working."""
        async with self.time.turn(caller) as turn:
            return await self.judge.ask(task, question, answer, on_progress, seconds, turn)
