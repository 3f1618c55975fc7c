"""A queue between threads in which owners take turns."""

import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Turns(Generic[T]):
    """A queue between threads; what one owner puts in comes out in the same order.

    Owners take turns: each waits for one piece of work of every other at most.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        # The owner that was served last is the last one.
        self._waiting: OrderedDict[str, deque[T]] = OrderedDict()
        self._is_closed = False

    def put(self, owner: str, job: T) -> None:
        with self._changed:
            self._waiting.setdefault(owner, deque()).append(job)
            self._changed.notify()

    def put_back(self, owner: str, job: T) -> None:
        """Make a job that was taken the next one again."""
        with self._changed:
            self._waiting.setdefault(owner, deque()).appendleft(job)
            self._waiting.move_to_end(owner, last=False)

    def close(self) -> None:
        """Say that no more jobs will be put in."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()

    def is_over(self) -> bool:
        """Whether no job waits, and none will be put in."""
        with self._changed:
            return self._is_closed and not self._waiting

    def take(self, seconds: float = 0) -> T | None:
        """The next job; None if there is none within this time, or nothing more will come."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._is_closed, seconds)
            return self._take_from(next(iter(self._waiting), None))

    def take_if(self, fits: Callable[[T], bool]) -> T | None:
        """The next job that fits and that no other job of its owner precedes, if there is one now."""
        with self._changed:
            fitting = (owner for owner, jobs in self._waiting.items() if fits(jobs[0]))
            return self._take_from(next(fitting, None))

    def _take_from(self, owner: str | None) -> T | None:
        if owner is None:
            return None
        jobs = self._waiting.pop(owner)
        job = jobs.popleft()
        if jobs:
            self._waiting[owner] = jobs
        return job
