"""What happens next in the simulation."""

import heapq
from collections.abc import Callable
from itertools import count
from typing import TypeAlias

Action: TypeAlias = Callable[[], None]


class Agenda:
    """Future actions by time; those of the same instant in the order in which they were planned."""

    def __init__(self) -> None:
        self._order = count()
        self._entries: list[tuple[float, int, Action]] = []

    def plan(self, moment: float, action: Action) -> None:
        """Plan `action` for `moment`, in seconds since the start."""
        heapq.heappush(self._entries, (moment, next(self._order), action))

    def __len__(self) -> int:
        return len(self._entries)

    def pop(self) -> tuple[float, Action]:
        """Take the next action off the agenda."""
        moment, _, action = heapq.heappop(self._entries)
        return moment, action
