"""Runs a coroutine that may wait for minutes until Ctrl-C ends it."""

import asyncio
import signal
import threading
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def run_until_interrupted(work: Coroutine[Any, Any, T]) -> T:
    """Like `asyncio.run`, but no signal is overlooked.

    `asyncio.run` lets Python handle the signal. If it arrives right before the loop begins to wait, Python
    handles it after the wait, which may take an hour if a rate limit is used up. A handler of the loop itself
    wakes the loop up.
    """
    try:
        return asyncio.run(_cancelled_by_interrupt(work))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


class _Abandoned(ThreadPoolExecutor):
    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002
        super().shutdown(wait=False, cancel_futures=cancel_futures)


def abandon_threads() -> None:
    """Let the running loop end without its threads: one may look up a name while the network is down."""
    asyncio.get_running_loop().set_default_executor(_Abandoned())


async def _cancelled_by_interrupt(work: Coroutine[Any, Any, T]) -> T:
    task = asyncio.current_task()
    if task is not None and threading.current_thread() is threading.main_thread():
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, task.cancel)
    return await work
