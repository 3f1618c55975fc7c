"""How long the server waits for a child that the machine gives little CPU time."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple, TypeVar

# The system counts the CPU time of other processes in steps of this length.
_STEP_SECONDS = 0.01

T = TypeVar("T")


class Patience(NamedTuple):
    """How long a caller waits on a busy machine before the answer is 503."""

    waiting_seconds: float = 20.0  # for a free child
    # For an answer or for the next progress: this many times the CPU time that the task may use.
    factor: float = 5.0
    failed_starts: int | None = None  # after so many in a row, a child is not waited for any longer


PATIENCE = Patience()
# For a command: no other callers wait, and a busy machine may take long to start the child. A server tries
# again until it is stopped, but a child that never starts would only keep the user of a command waiting.
PATIENCE_OF_COMMANDS = Patience(300, 75, 3)


class OutOfTime(Exception):
    """A task has used all its CPU time."""


class TooBusy(Exception):
    """The machine gave a task too little CPU time."""


class Stopwatch:
    """How long a task has taken since its last progress, without the turns of others."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now, self._since = now, now()
        self._paused_at: float | None = None

    def seconds(self) -> float:
        return (self._now() if self._paused_at is None else self._paused_at) - self._since

    def restart(self) -> None:
        self._since += self.seconds()

    def pause(self) -> None:
        self._paused_at = self._now()

    def go_on(self) -> None:
        if self._paused_at is not None:
            self._since += self._now() - self._paused_at
            self._paused_at = None


async def within_cpu_time(
    seconds: float,
    seconds_worked: Callable[[], float],
    task: Coroutine[Any, Any, T],
    watched: tuple[Stopwatch, float],
) -> T:
    """The result of a task whose process uses at most so much CPU time; raises OutOfTime if it uses more.

    CPU time, because a busy machine must not make a question invalid. Raises TooBusy if the process gets too
    little of it: the stopwatch, with the most that it may show.
    """
    loop, (watch, most) = asyncio.get_running_loop(), watched
    worked_before = seconds_worked()
    timer: asyncio.TimerHandle | None = None

    def seconds_left() -> float:
        return seconds - (seconds_worked() - worked_before)

    def check() -> None:
        nonlocal timer
        left, patient = seconds_left(), most - watch.seconds()
        if left <= 0 or patient <= 0:
            limit.reschedule(loop.time())
        else:
            timer = loop.call_later(max(_STEP_SECONDS, min(left, patient)), check)

    # CPU time does not pass faster than real time.
    timer = loop.call_later(seconds, check)
    try:
        async with asyncio.timeout(None) as limit:
            return await task
    except TimeoutError:
        if seconds_left() <= 0:
            raise OutOfTime from None
        raise TooBusy from None
    finally:
        timer.cancel()
