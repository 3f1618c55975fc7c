"""The worker threads of a store; once they are stopped, further work is refused with `StoreClosed`."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from mergecast.store.errors import StoreClosed

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
