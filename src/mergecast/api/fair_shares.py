"""Limits of what callers may do at once: fair shares of work, and the number of open streams."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Coroutine, Hashable
from contextlib import asynccontextmanager
from functools import partial
from itertools import zip_longest
from typing import Any, TypeVar

from starlette.requests import Request

from mergecast.access.address import limit_key
from mergecast.access.errors import TooManyRequests
from mergecast.api.problems import HttpError
from mergecast.errors import Unavailable
from mergecast.process.concurrently import abandon
from mergecast.process.counts import Counts
from mergecast.sandbox.turns import OnPlace, Place, untold

T = TypeVar("T")


class FairShare:
    """At most `total` at once, at most `per_key` of one key; keys that wait take turns."""

    def __init__(self, total: int, per_key: int, most_waiting: int, what: str) -> None:
        self._total, self._per_key, self._most_waiting = total, per_key, most_waiting
        self._what = what
        self._running: Counts[Hashable] = Counts()
        # The key that was served last is the last one.
        self._waiting: OrderedDict[Hashable, deque[asyncio.Future[None]]] = OrderedDict()
        # What to call when a place in line changes, with the turn that it waits for; None if it has one.
        self._told: dict[OnPlace, asyncio.Future[None] | None] = {}

    def __len__(self) -> int:
        """How many wait for a turn."""
        return sum(not turn.cancelled() for queue in self._waiting.values() for turn in queue)

    @asynccontextmanager
    async def turn(
        self,
        key: Hashable,
        *,
        seconds: float | None = None,
        has_begun: bool = False,
        on_place: OnPlace = untold,
    ) -> AsyncIterator["Turn"]:
        """Wait for a turn, at most this many seconds; the block runs while the turn lasts.

        An answer that `has_begun` is never refused: its status has been sent, so it could only be cut off.
        `on_place` is called when the place in line changes, until the turn ends.
        """
        if on_place is not untold:
            self._told[on_place] = None
        turn = None
        try:
            turn = await self.take(key, seconds=seconds, has_begun=has_begun, on_place=on_place)
            self._tell()
            yield turn
        finally:
            self._told.pop(on_place, None)
            if turn is not None:
                turn.end()

    async def take(
        self,
        key: Hashable,
        *,
        seconds: float | None,
        has_begun: bool = False,
        on_place: OnPlace = untold,
    ) -> "Turn":
        """A turn that the caller ends, for work that does not end with a block."""
        try:
            async with asyncio.timeout(seconds):
                await self.start(key, has_begun=has_begun, on_place=on_place)
        except TimeoutError:
            raise Unavailable(f"{self._what} are busy; try again in a moment") from None
        return Turn(self, key)

    def _is_free(self, key: Hashable) -> bool:
        return self._running.total() < self._total and self._running[key] < self._per_key

    async def start(self, key: Hashable, *, has_begun: bool, on_place: OnPlace = untold) -> None:
        """Take a turn, or wait for one; `end` gives it back."""
        waiting = sum(not turn.cancelled() for turn in self._waiting.get(key, ()))
        if self._is_free(key) and not waiting:
            self._running[key] += 1
            return
        if waiting >= self._most_waiting and not has_begun:
            message = (
                f"{waiting} requests of this credential are already waiting for {self._what}; wait for one"
            )
            raise TooManyRequests(message, 1)
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(key, deque()).append(turn)
        if on_place in self._told:
            self._told[on_place] = turn
            self._tell()
        try:
            await turn
        except asyncio.CancelledError:
            self._told.pop(on_place, None)
            if turn.cancelled():
                self._tell()  # the others move up
            else:
                self.end(key)  # the turn came at the same moment
            raise

    def end(self, key: Hashable) -> None:
        self._running.release(key)
        self._start_next()
        self._tell()

    def _start_next(self) -> None:
        for key, queue in list(self._waiting.items()):
            while queue and queue[0].cancelled():
                queue.popleft()  # its client has gone
            is_served = bool(queue) and self._is_free(key)
            if is_served:
                self._running[key] += 1
                self._waiting.move_to_end(key)
                queue.popleft().set_result(None)
            if not queue:
                del self._waiting[key]  # whoever comes later is behind the others
            if is_served:
                return

    def _tell(self) -> None:
        """Tell everyone who wants to know the place in line."""
        if not self._told:
            return
        rounds = zip_longest(
            *([turn for turn in queue if not turn.cancelled()] for queue in self._waiting.values())
        )
        in_order = [turn for one_round in rounds for turn in one_round if turn is not None]
        positions = {turn: position for position, turn in enumerate(in_order, 1)}
        running = self._running.total()
        for on_place, turn in list(self._told.items()):
            position = 0 if turn is None else positions.get(turn, 0)
            on_place(Place(position, running if position else running - 1))


class Turn:
    """One turn, which can be passed on to others before it ends."""

    def __init__(self, share: FairShare, key: Hashable) -> None:
        self._share, self._key, self._is_held = share, key, True

    def is_wanted(self) -> bool:
        return len(self._share) > 0

    async def pass_on(self) -> None:
        """Let the others go first, and wait for the next turn."""
        self.end()
        await self._share.start(self._key, has_begun=True)
        self._is_held = True

    def end(self) -> None:
        if self._is_held:
            self._is_held = False
            self._share.end(self._key)


async def while_connected(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Cancel the work when its client disconnects, so that its turn goes to others."""
    task = asyncio.create_task(work)
    gone = asyncio.create_task(_disconnected(request))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise HttpError(408, "the client disconnected")
        return task.result()
    finally:
        abandon(task)
        abandon(gone)


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


class Streams:
    """Counts the open streams, in total, per credential and per address."""

    def __init__(self, most: int, most_of_address: int) -> None:
        self._most, self._most_of_caller = max(1, most), max(1, most // 10)
        self._most_of_address = max(1, most_of_address)
        self._open: Counts[Hashable] = Counts()
        self._of_address: Counts[str] = Counts()

    def take(self, caller: Hashable, address: str | None) -> Callable[[], None]:
        """Take one stream; call the result to give it back. A proxy has no address of its own: None.

        Addresses count as they do for connections, so that a site with many of them has one share.
        """
        address = None if address is None else limit_key(address)
        if self._open[caller] >= self._most_of_caller:
            raise _too_many(self._most_of_caller, "credential")
        if address is not None and self._of_address[address] >= self._most_of_address:
            raise _too_many(self._most_of_address, "address")
        if self._open.total() >= self._most:
            raise Unavailable("too many streams are open; try again in a minute", 60)
        self._open[caller] += 1
        if address is not None:
            self._of_address[address] += 1
        return partial(self._give_back, caller, address)

    def _give_back(self, caller: Hashable, address: str | None) -> None:
        self._open.release(caller)
        if address is not None:
            self._of_address.release(address)


def _too_many(most: int, whose: str) -> TooManyRequests:
    return TooManyRequests(f"{most} streams of this {whose} are open; close one first", 60)
