"""The messages that are being sent, and who may send another one now."""

import asyncio
from collections import Counter
from collections.abc import Collection, Coroutine
from typing import Any

from mergecast.signals.notices.channel import Channel


class UnderWay:
    """A number of places, one for each channel that a message is being sent to."""

    def __init__(self, places: int) -> None:
        self._places = places
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._owners: Counter[str] = Counter()

    @property
    def channels(self) -> Collection[str]:
        return self._tasks.keys()

    @property
    def tasks(self) -> Collection[asyncio.Task[None]]:
        return list(self._tasks.values())

    def has_room(self, channel: Channel, *, is_urgent: bool) -> bool:
        """Whether a message may be sent to a channel now; half of the places are for urgent ones only.

        An owner may hold no more places than are free. One owner with slow receivers leaves half of them to
        others, two owners leave a third, and so on: there is always room for the next one.
        """
        places = self._places if is_urgent else self._places // 2
        return channel.id not in self._tasks and self._owners[channel.owner] < places - len(self._tasks)

    def begin(self, channel: Channel, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks[channel.id] = task
        self._owners[channel.owner] += 1
        task.add_done_callback(lambda _: self._end(channel))

    def _end(self, channel: Channel) -> None:
        del self._tasks[channel.id]
        self._owners[channel.owner] -= 1
        if not self._owners[channel.owner]:
            del self._owners[channel.owner]
