"""Runs coroutines at the same time, and waits for work that callers share."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

S = TypeVar("S")
T = TypeVar("T")


async def run_all(work: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Run the coroutines concurrently and return their results in order.

    The first failure cancels the others and is raised as it is, not in an exception group.
    """
    async with _group() as group:
        tasks = [group.create_task(coroutine) for coroutine in work]
    return [task.result() for task in tasks]


async def run_both(first: Coroutine[Any, Any, S], second: Coroutine[Any, Any, T]) -> tuple[S, T]:
    """`run_all` for two coroutines whose results have different types."""
    async with _group() as group:
        tasks = group.create_task(first), group.create_task(second)
    return tasks[0].result(), tasks[1].result()


async def outlasting(work: "asyncio.Future[T]") -> T:
    """The result of work that goes on if the caller stops waiting for it.

    An error that comes after that is of no use to anyone. `asyncio.shield` alone would log it as never
    retrieved.
    """
    work.add_done_callback(_retrieve)
    return await asyncio.shield(work)


async def finished(work: Coroutine[Any, Any, T]) -> T:
    """The result of work. A caller that is cancelled meanwhile is cancelled when the work has ended."""
    task = asyncio.ensure_future(work)
    try:
        return await outlasting(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise


def abandon(work: "asyncio.Future[Any]") -> None:
    """Cancel work whose result, or error, is of no interest any more."""
    work.add_done_callback(_retrieve)
    work.cancel()


def _retrieve(work: "asyncio.Future[Any]") -> None:
    if not work.cancelled():
        work.exception()


@asynccontextmanager
async def _group() -> AsyncIterator[asyncio.TaskGroup]:
    try:
        async with asyncio.TaskGroup() as group:
            yield group
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None
