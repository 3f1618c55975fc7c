"""Asks the forecasting processes. Callers take turns, and so does the work that a server does by itself."""

from collections.abc import Callable, Hashable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol, TypeVar

import msgspec

from mergecast.queues.store.reader import Reader
from mergecast.queues.store.store import Store
from mergecast.sandbox.pool import Pool, Turn
from mergecast.sandbox.process import OnProgress

T = TypeVar("T")


class Turns(Protocol):
    def turn(
        self, key: Hashable, /, *, seconds: float | None = None
    ) -> AbstractAsyncContextManager[Turn, bool | None]:
        """Wait for a turn, at most this many seconds; the block runs while the turn lasts."""


@dataclass(frozen=True, slots=True)
class Forecaster:
    store: Store
    now: Callable[[], int]
    judge: Pool
    queries: Turns
    forecasts: Turns
    time: Turns  # of the forecasts that are under way

    async def query(self, caller: Hashable, repository_id: int, work: Callable[[Reader], T]) -> T:
        async with self.queries.turn(caller):
            return await self.store.read(repository_id, work)

    async def ask(  # noqa: PLR0913 - the last two are named
        self,
        caller: Hashable,
        task: str,
        question: msgspec.Struct,
        answer: type[T],
        *,
        on_progress: OnProgress = lambda _: None,
        seconds: float | None = None,
    ) -> T:
        """A child's answer; callers take turns, also while a long forecast is under way."""
        waiting_seconds = self.judge.patience.waiting_seconds
        async with (
            self.forecasts.turn(caller, seconds=waiting_seconds),
            self.time.turn(caller, seconds=waiting_seconds) as turn,
        ):
            return await self.judge.ask(task, question, answer, on_progress, seconds, turn)
