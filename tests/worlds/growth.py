"""How long CI takes for a batch, given how long it takes for each member alone."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol


class Growth(Protocol):
    """`alone(k)` is the length of CI for the k-th member alone, from 0, relative to the usual length."""

    def length(self, alone: Callable[[int], float], size: int) -> float: ...


@dataclass(frozen=True)
class PerMember:
    """Each further member takes this share of the first one's time; at 0, size does not matter at all."""

    share: float = 0.0

    def length(self, alone: Callable[[int], float], size: int) -> float:
        average = sum(alone(member) for member in range(size)) / size
        return average * (1 + self.share * (size - 1))


ANY_SIZE: Final = PerMember()


@dataclass(frozen=True)
class Slowest:
    """All members are built at the same time: a batch takes as long as its slowest member."""

    def length(self, alone: Callable[[int], float], size: int) -> float:
        return max(alone(member) for member in range(size))


@dataclass(frozen=True)
class CappedSum:
    """Members are built one after the other, but a batch never takes longer than a full build."""

    cap: float

    def length(self, alone: Callable[[int], float], size: int) -> float:
        return min(self.cap, sum(alone(member) for member in range(size)))
