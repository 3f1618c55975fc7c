"""The worker threads of a store; once they are stopped, further work is refused with `StoreClosed`."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from mergecast.errors import Unavailable
from mergecast.process.concurrently import outlasting
from mergecast.queues.store.errors import StoreClosed

P = ParamSpec("P")
T = TypeVar("T")

# The beginning of the message when the pool was stopped, or when the whole process is ending.
_STOPPED = "cannot schedule new futures"


class Threads(ThreadPoolExecutor):
    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        try:
            return super().submit(fn, *args, **kwargs)
        except RuntimeError as error:
            if not str(error).startswith(_STOPPED):
                raise
            raise StoreClosed("the store is closing") from error

    async def run(self, seconds: float, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `work` in a thread, unless no thread becomes free within this time.

        Work that has begun continues even if the caller stops waiting.
        """
        submitted = self.submit(work, *args, **kwargs)
        future = asyncio.wrap_future(submitted)
        try:
            # Not `wait_for`: on Python 3.11 it ignores being cancelled while the result arrives.
            async with asyncio.timeout(seconds):
                return await outlasting(future)
        except TimeoutError:
            if submitted.cancel():
                raise Unavailable("the store is busy; try again in a moment") from None
            return await outlasting(future)
        except asyncio.CancelledError:
            submitted.cancel()
            raise
