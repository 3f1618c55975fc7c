"""Several questions at once: the first failure ends the others and is raised as it is, in no group."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

S = TypeVar("S")
T = TypeVar("T")


async def together(questions: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Their answers, in order."""
    async with _group() as group:
        tasks = [group.create_task(question) for question in questions]
    return [task.result() for task in tasks]


async def both(one: Coroutine[Any, Any, S], other: Coroutine[Any, Any, T]) -> tuple[S, T]:
    async with _group() as group:
        tasks = group.create_task(one), group.create_task(other)
    return tasks[0].result(), tasks[1].result()


@asynccontextmanager
async def _group() -> AsyncIterator[asyncio.TaskGroup]:
    try:
        async with asyncio.TaskGroup() as group:
            yield group
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None
