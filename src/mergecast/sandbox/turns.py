"""Turns at work that few may have at once, and the line of those who wait for one."""

from collections.abc import Callable
from typing import NamedTuple, Protocol


class Turn(Protocol):
    """The right to work now, which a task shares with others who wait for it."""

    def is_wanted(self) -> bool: ...

    async def pass_on(self) -> None:
        """Let the others go first, and wait for the next turn."""


class Place(NamedTuple):
    """Where somebody is in line."""

    position: int  # 1 is next; 0 has a turn
    under_way: int  # others that have a turn


OnPlace = Callable[[Place], None]


def untold(_: Place) -> None:
    """For those who need not know their place."""
