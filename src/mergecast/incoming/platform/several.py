"""Reads several things from a platform at a time."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

T = TypeVar("T")
Found = TypeVar("Found")


async def read_several(
    read: Callable[[T], Awaitable[list[Found]]], given: Iterable[T], most: int
) -> list[Found]:
    """What `read` finds for each of these, in their order; at most so many are read at a time.

    If one fails, the others are stopped.
    """
    turns = asyncio.Semaphore(most)

    async def in_turn(one: T) -> list[Found]:
        async with turns:
            return await read(one)

    tasks = [asyncio.create_task(in_turn(one)) for one in given]
    try:
        return [item for items in await asyncio.gather(*tasks) for item in items]
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
