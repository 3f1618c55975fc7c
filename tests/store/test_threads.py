"""The threads of a store: work waits for one, but not for ever."""

import asyncio
import gc
import threading

import pytest

from mergecast.errors import Unavailable
from mergecast.queues.store.threads import Threads


def test_work_that_no_thread_takes_in_time_is_not_done() -> None:
    """Work that has begun goes on, however long it takes."""
    has_begun, may_end = threading.Event(), threading.Event()
    done: list[str] = []

    def hold() -> str:
        has_begun.set()
        may_end.wait()
        return "held"

    async def begin(threads: Threads) -> "asyncio.Task[str]":
        """Hold the thread; on a busy machine it may take the work too late at first."""
        while True:
            holding = asyncio.create_task(threads.run(0.01, hold))
            while not (has_begun.is_set() or holding.done()):  # noqa: ASYNC110 - another thread sets it
                await asyncio.sleep(0.001)
            if has_begun.is_set():
                return holding
            assert isinstance(holding.exception(), Unavailable)

    async def run() -> None:
        with Threads(1) as threads:
            holding = await begin(threads)
            with pytest.raises(Unavailable, match="the store is busy; try again in a moment"):
                await threads.run(0.01, done.append, "late")
            may_end.set()
            assert "held" == await holding
            await threads.run(60, done.append, "in time")

    asyncio.run(run())

    assert ["in time"] == done


def test_work_whose_caller_goes_away() -> None:
    """It ends if it has begun, and does not begin otherwise."""
    has_begun, may_end = threading.Event(), threading.Event()
    done: list[str] = []

    def hold() -> None:
        has_begun.set()
        may_end.wait()
        done.append("begun")

    async def run() -> None:
        with Threads(1) as threads:
            tasks = [asyncio.create_task(threads.run(60, hold))]
            await asyncio.to_thread(has_begun.wait)
            tasks.append(asyncio.create_task(threads.run(60, done.append, "waiting")))
            await asyncio.sleep(0)
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            may_end.set()

    asyncio.run(run())

    assert ["begun"] == done


@pytest.mark.parametrize("steps", range(6))
@pytest.mark.parametrize("fails", [False, True])
def test_a_caller_is_cancelled_even_if_its_work_ends_at_that_moment(steps: int, *, fails: bool) -> None:
    """Whatever the event loop has done about the result by then: a server that closes would wait forever."""
    may_end, has_ended = threading.Event(), threading.Event()

    def work() -> None:
        may_end.wait()
        if fails:
            raise Unavailable("for a test")

    async def scenario() -> bool:
        caller = asyncio.create_task(threads.run(60, work))
        await asyncio.sleep(0)
        may_end.set()
        threads.submit(has_ended.set)  # the only thread has finished its work
        has_ended.wait()
        for _ in range(steps):
            await asyncio.sleep(0)
        was_running = caller.cancel()
        await asyncio.wait([caller])
        return caller.cancelled() or not was_running

    threads = Threads(1)
    try:
        assert asyncio.run(scenario())
    finally:
        threads.shutdown()


def test_work_that_fails_after_its_caller_has_gone_is_not_logged() -> None:
    """On PostgreSQL, the query of a client that disconnects is stopped, and so ends with an error."""
    has_begun, may_end = threading.Event(), threading.Event()
    logged: list[str] = []

    def fail() -> None:
        has_begun.set()
        may_end.wait()
        raise Unavailable("for a test")

    async def run() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: logged.append(context["message"]))
        with Threads(1) as threads:
            caller = asyncio.create_task(threads.run(60, fail))
            await asyncio.to_thread(has_begun.wait)
            caller.cancel()
            await asyncio.wait([caller])
            may_end.set()
            await threads.run(60, int)  # the only thread has finished its work
            await asyncio.sleep(0)
        gc.collect()

    asyncio.run(run())

    assert [] == logged
