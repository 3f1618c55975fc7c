"""A small pool of child processes that answer questions."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, NamedTuple, TypeVar

import msgspec
import structlog

from mergecast.errors import Unavailable
from mergecast.sandbox.errors import ChildEnded, ChildError, Limit, LimitReached, TooMuchToRead
from mergecast.sandbox.fork_server import ForkServer
from mergecast.sandbox.forking import TaskLimits
from mergecast.sandbox.frames import LONGEST_FRAME, Question
from mergecast.sandbox.patience import PATIENCE, OutOfTime, Patience, Stopwatch, TooBusy, within_cpu_time
from mergecast.sandbox.process import Child, OnProgress
from mergecast.sandbox.turns import Turn

CHILDREN = 2
MOST_WAITING = 16
_PAUSES = (0.1, 0.5, 2.0, 5.0)
# How long a task works before it lets others who wait take their turn.
_SLICE_SECONDS = 1.0

T = TypeVar("T")

log = structlog.get_logger("mergecast.judge")


class Words(NamedTuple):
    """What people read about the work of a pool."""

    too_many_waiting: str
    none_is_free: str
    too_busy: str
    does_not_start: str
    too_long: str  # with the `length` of a question and the `most` that there may be
    limits: Mapping[Limit, str]  # may contain the `seconds` of the time limit


class Work(NamedTuple):
    """What the children of a pool do."""

    command: Sequence[str]  # starts the program that forks them
    limits: TaskLimits
    words: Words


class Pool:
    """Starts children on demand or by `start`; replaces children that die, overrun or use much memory."""

    def __init__(  # noqa: PLR0913 - all have defaults, and callers name most of them
        self,
        work: Work,
        children: int = CHILDREN,
        fork_server: ForkServer | None = None,
        seconds: float | None = None,
        *,
        children_at_start: int = 1,
        stops_abandoned: bool = False,
        patience: Patience = PATIENCE,
    ) -> None:
        """A task may take so many seconds of CPU time, by default what the limits of the work allow."""
        self._children, self.patience, self._words = children, patience, work.words
        self.seconds = work.limits.deadline_seconds if seconds is None else seconds
        self._fork_server = fork_server or ForkServer(work.command)
        self._children_at_start = children_at_start
        self._stops_abandoned = stops_abandoned  # a new child costs less than a task whose caller has gone
        self._idle: asyncio.LifoQueue[Child | None] = asyncio.LifoQueue()
        self._jobs: set[asyncio.Task[Any]] = set()
        self._exits: set[asyncio.Task[None]] = set()
        self._waiting = self._started = 0
        self._is_closed = False
        self._why_none_starts: str | None = None

    def start(self) -> None:
        """Start the first children without waiting for them, so that the first question finds one ready."""
        self._start_children(self._children_at_start)

    def _start_children(self, number: int) -> None:
        while self._started < number and not self._is_closed:
            self._started += 1
            self._begin(self._add_child())

    async def ask(  # noqa: PLR0913, PLR0917 - callers name what they need besides the question
        self,
        task: str,
        given: msgspec.Struct | bytes,
        answer: type[T],
        on_progress: OnProgress = lambda _: None,
        seconds: float | None = None,
        turn: Turn | None = None,
    ) -> T:
        """Let a child run a task; raises LimitReached if it exceeds a limit.

        With a turn, the child pauses while others take theirs.
        The task may take as much CPU time as any task of the pool, or so many seconds of it.
        """
        question = Question(task, given if isinstance(given, bytes) else msgspec.json.encode(given))
        # The child would end itself on such a frame, and the question would be blamed for a crash.
        if (length := len(question.given)) > LONGEST_FRAME:
            raise TooMuchToRead(self._words.too_long.format(length=length, most=LONGEST_FRAME))
        child = await self._free_child()
        # A caller that stops waiting does not stop a short task: its unread answer would be taken for the
        # answer to the next question. A long task is stopped with its child.
        job = self._begin(self._run(child, question, on_progress, seconds or self.seconds, turn))
        try:
            result = await asyncio.shield(job)
        finally:
            if self._stops_abandoned:
                job.cancel()
        return msgspec.json.decode(result, type=answer)

    async def close(self) -> None:
        """End all children, including busy ones."""
        self._is_closed = True
        for job in self._jobs:
            job.cancel()
        await asyncio.gather(*self._jobs, return_exceptions=True)
        while not self._idle.empty():
            if (child := self._idle.get_nowait()) is not None:
                self._end(child)
        await asyncio.gather(*self._exits)
        self._fork_server.close()
        # Wake everyone who still waits for a child.
        for _ in range(self._waiting):
            self._idle.put_nowait(None)

    async def _free_child(self) -> Child:
        self._check_that_children_start()
        self._start_children(self._children)
        if self._waiting >= MOST_WAITING:
            raise Unavailable(self._words.too_many_waiting)
        while not self._is_closed and (child := await self._wait_for_child()) is not None:
            if self._is_closed:  # closed after the child was handed over, before this task went on
                child.kill()
                await child.wait()
                break
            if child.is_alive():
                return child
            # It died while idle, so no question is to blame.
            self._replace(child)
        self._check_that_children_start()
        raise Unavailable("the service is stopping; try again in a moment")

    async def _wait_for_child(self) -> Child | None:
        self._waiting += 1
        try:
            async with asyncio.timeout(self.patience.waiting_seconds):
                return await self._idle.get()
        except TimeoutError:
            raise Unavailable(self._words.none_is_free) from None
        finally:
            self._waiting -= 1

    async def _run(
        self, child: Child, question: Question, on_progress: OnProgress, seconds: float, turn: Turn | None
    ) -> bytes:
        is_usable, watch = False, Stopwatch(asyncio.get_running_loop().time)

        def show(progress: bytes) -> None:
            watch.restart()
            on_progress(progress)

        try:
            async with _sharing(turn, child, watch):
                answering, most = child.ask(question, show), self.patience.factor * seconds
                reply, result = await within_cpu_time(seconds, child.seconds_worked, answering, (watch, most))
            is_usable = not reply.should_restart
        except ChildEnded:
            raise self._reached(Limit.CRASH) from None
        except OutOfTime:
            raise self._reached(Limit.TIME) from None
        except TooBusy:
            raise Unavailable(self._words.too_busy) from None
        finally:
            if is_usable:
                self._idle.put_nowait(child)
            else:
                self._replace(child)
        if reply.limit is not None:
            raise self._reached(Limit[reply.limit])
        if reply.error is not None:
            raise ChildError(reply.error)
        return result

    def _reached(self, limit: Limit) -> LimitReached:
        return LimitReached(limit, self._words.limits[limit].format(seconds=self.seconds))

    def _replace(self, child: Child) -> None:
        """End a child and start another one, without waiting for either."""
        self._end(child)
        if not self._is_closed:
            self._begin(self._add_child())

    def _end(self, child: Child) -> None:
        child.kill()
        # Jobs may be cancelled, but every child must be reaped.
        exit_ = asyncio.ensure_future(child.wait())
        self._exits.add(exit_)
        exit_.add_done_callback(self._exits.discard)

    async def _add_child(self) -> None:
        attempt = 0
        while True:
            try:
                self._idle.put_nowait(await Child.start(self._fork_server))
            except (ChildEnded, TimeoutError, OSError) as error:
                log.error("a child could not be started", error=str(error) or type(error).__name__)  # noqa: TRY400
                await asyncio.sleep(_PAUSES[min(attempt, len(_PAUSES) - 1)])
                attempt += 1
                if attempt == self.patience.failed_starts:
                    self._give_up(error)
                    return
            else:
                return

    def _give_up(self, error: Exception) -> None:
        """No child starts: whoever waits for one, or asks later, learns why."""
        self._why_none_starts = (
            f"{self._words.does_not_start}: {str(error) or type(error).__name__}; "
            f"run `{self._fork_server.shown_command}` to see why"
        )
        for _ in range(self._waiting):
            self._idle.put_nowait(None)

    def _check_that_children_start(self) -> None:
        if not self._is_closed and self._why_none_starts is not None:
            raise Unavailable(self._why_none_starts)

    def _begin(self, job: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        task = asyncio.ensure_future(job)
        self._jobs.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: "asyncio.Task[Any]") -> None:
        self._jobs.discard(task)
        if not task.cancelled():
            task.exception()  # mark it as retrieved, even if the caller is gone


@asynccontextmanager
async def _sharing(turn: Turn | None, child: Child, watch: Stopwatch) -> AsyncIterator[None]:
    """While the block runs, the child pauses for others who wait."""
    if turn is None:
        yield
        return
    taking_turns = asyncio.create_task(_take_turns(turn, child, watch))
    try:
        yield
    finally:
        taking_turns.cancel()
        await asyncio.wait({taking_turns})


async def _take_turns(turn: Turn, child: Child, watch: Stopwatch) -> None:
    while True:
        await asyncio.sleep(_SLICE_SECONDS)
        if turn.is_wanted():
            child.pause()
            watch.pause()
            try:
                await turn.pass_on()
            finally:
                watch.go_on()
                child.go_on()
