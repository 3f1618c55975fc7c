"""Reconstructs which batch was ahead of which: the tree that each recorded run tested.

Instants may have any unit; `lag` has the same.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

from mergecast.queues.model.instant import SECOND

# Sources report starts and exits some seconds late: what follows the end of a run this closely was caused
# by it. Batches that start after the same event start within this time of each other, in any order.
LAG: Final = 15 * SECOND
# A run that ends so leaves its batch where it is.
KEEPS_ITS_PLACE: Final = frozenset({"INTERMEDIATE_RESULTS_SKIPPED", "CHECKS_INTERRUPTED"})


class Kind(IntEnum):
    """What happens in the train, in this order at one instant."""

    STOP = 0
    SPLIT = 1
    EXIT = 2
    START = 3


@dataclass(slots=True)
class Step:
    """`number` is that of the run, the split or the stay; `members` are numbers of stays."""

    at: float
    kind: Kind
    number: int
    batch_id: str = ""
    members: tuple[int, ...] = ()
    is_merged: bool = False  # of an exit
    entered: float = 0.0  # of a start: when its first member entered the queue
    priority_rule_name: str | None = None  # of a start: that of its first member

    @property
    def order(self) -> tuple[float, Kind, int]:
        return self.at, self.kind, self.number


@dataclass(slots=True)
class _Batch:
    batch_id: str
    members: set[int]
    started: float


@dataclass(slots=True)
class Train:
    """The batches under test, the head first."""

    lag: float
    staying: frozenset[int] | None  # stays that never left, as far as is recorded; None: any may be one
    batches: list[_Batch] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)

    def leave(self, stay: int, at: float, *, is_merged: bool) -> None:
        self.gone.add(stay)
        for place, batch in enumerate(self.batches):
            if stay in batch.members:
                batch.members.discard(stay)
                if not is_merged:
                    self._drop_from(place, at)
                else:
                    self._merge_at(place)
                return

    def _merge_at(self, place: int) -> None:
        # Merges follow the order of the train. If a batch ahead never left, its exit was not recorded.
        staying = self.staying
        kept = [] if staying is None else [b for b in self.batches[:place] if b.members.isdisjoint(staying)]
        merged = self.batches[place]
        self.batches[: place + 1] = [*kept, merged] if merged.members else kept

    def dissolve(self, batch_id: str) -> None:
        for place, batch in enumerate(self.batches):
            if batch.batch_id == batch_id:
                del self.batches[place]
                return

    def split(self, members: tuple[int, ...]) -> None:
        for place, batch in enumerate(self.batches):
            if not batch.members.isdisjoint(members):
                del self.batches[place:]
                return

    def start(self, step: Step) -> tuple[int, ...]:
        """Add the batch of this run, unless it is a retry, and return the stays ahead of it."""
        place = self._place(step.batch_id)
        if place is None:
            self._forget_elsewhere(set(step.members), step.at)
            place = len(self.batches)
            # The members of a very short run may have left before its start is looked at.
            if members := set(step.members) - self.gone:
                self.batches.append(_Batch(step.batch_id, members, step.at))
        return tuple(stay for batch in self.batches[:place] for stay in batch.members)

    def _place(self, batch_id: str) -> int | None:
        for place, batch in enumerate(self.batches):
            if batch.batch_id == batch_id:
                return place
        return None

    def _forget_elsewhere(self, members: set[int], at: float) -> None:
        # A member that starts in another batch shows that its old one, and all behind it, were dissolved.
        for place, batch in enumerate(self.batches):
            if not batch.members.isdisjoint(members):
                self._drop_from(place, at)
                return

    def _drop_from(self, place: int, at: float) -> None:
        """Dissolve a batch and all behind it, except those that have started again since."""
        behind = self.batches[place + 1 :]
        self.batches[place:] = [other for other in behind if at - other.started <= self.lag]


Ahead = tuple[int, tuple[int, ...]]  # the number of a run, and the stays ahead of its batch


@dataclass(slots=True)
class QueueOrder:
    """Passes steps on to the train. Starts that were reported together happened in the order of the queue.

    An exit or a split that is reported among them came before: it is why they started.
    """

    train: Train
    together: list[Step] = field(default_factory=list)

    def take(self, step: Step) -> Iterator[Ahead]:
        """Steps come in their order. Yields the runs whose place is now known."""
        if self.together and self._is_later(step):
            yield from self.finish()
        if step.kind is Kind.START:
            self.together.append(step)
        elif step.kind is Kind.STOP:
            self.train.dissolve(step.batch_id)
        elif step.kind is Kind.SPLIT:
            self.train.split(step.members)
        else:
            self.train.leave(step.number, step.at, is_merged=step.is_merged)

    def _is_later(self, step: Step) -> bool:
        return step.kind is Kind.STOP or step.at - self.together[0].at > self.train.lag

    def finish(self) -> Iterator[Ahead]:
        starts, self.together = _by_age(self.together), []
        for step in starts:
            yield step.number, self.train.start(step)


def _by_age(starts: list[Step]) -> list[Step]:
    if len({step.priority_rule_name for step in starts}) > 1:
        return starts
    return sorted(starts, key=lambda step: step.entered)


def cause(ends: Sequence[float], at: float, lag: float) -> float:
    """The end of a run that caused what was reported at this instant, or the instant itself."""
    place = bisect_right(ends, at)
    return ends[place - 1] if place and at - ends[place - 1] <= lag else at
