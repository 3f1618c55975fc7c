"""Asks the forecasting processes. Callers take turns, and so does the work that a server does by itself."""

from collections.abc import Callable, Hashable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol, TypeVar

import msgspec

from mergecast.errors import MergecastError
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.store import Store
from mergecast.sandbox.errors import Limit, LimitReached
from mergecast.sandbox.fork_server import FORECASTS, ForkServer
from mergecast.sandbox.limits import FORECAST_LIMITS
from mergecast.sandbox.pool import Judge, Turn
from mergecast.sandbox.process import OnProgress

# How many callers can have a forecast under way; they take turns within it.
FORECASTERS = 4
_LIMITS = {
    Limit.TIME: "this takes more than {:g} seconds, the time limit",
    Limit.MEMORY: "this takes more memory than a forecast may use",
    Limit.CRASH: "the forecasting process ended without an answer, perhaps because it ran out of memory",
}

T = TypeVar("T")


def forecasting_process() -> Judge:
    """A few processes, of which one works at a time: statistics need the other processors."""
    return Judge(FORECASTERS, ForkServer(FORECASTS), FORECAST_LIMITS.deadline_seconds, stops_abandoned=True)


class TakesTooMuch(MergecastError):
    """The forecast reached a limit."""


class Turns(Protocol):
    def turn(
        self, key: Hashable, /, *, seconds: float | None = None
    ) -> AbstractAsyncContextManager[Turn, bool | None]:
        """Wait for a turn, at most this many seconds; the block runs while the turn lasts."""


@dataclass(frozen=True, slots=True)
class Forecaster:
    store: Store
    now: Callable[[], int]
    judge: Judge
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
            try:
                return await self.judge.ask(task, question, answer, on_progress, seconds, turn)
            except LimitReached as reached:
                raise TakesTooMuch(_LIMITS[reached.limit].format(self.judge.seconds)) from None
