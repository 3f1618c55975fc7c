"""One question to a child process, as everywhere; for commands that need no server."""

import asyncio
import logging
from typing import TypeVar

import msgspec

from mergecast.judge.pool import Judge
from mergecast.logs import log_as_json

T = TypeVar("T")


def ask_once(task: str, given: msgspec.Struct, answer: type[T]) -> T:
    log_as_json(logging.ERROR)
    return asyncio.run(_ask(task, given, answer))


async def _ask(task: str, given: msgspec.Struct, answer: type[T]) -> T:
    judge = Judge(1)
    try:
        return await judge.ask(task, given, answer)
    finally:
        await judge.close()
