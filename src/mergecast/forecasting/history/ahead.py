"""Reconstructs which batch was ahead of which: the tree that each recorded run tested."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

from mergecast.forecasting.history.structure import History, Run

# Sources report starts and exits some seconds late: what follows the end of a run this closely was caused
# by it.
LAG: Final = 15.0
# Batches that start after the same event start within this time of each other, in any order.
_TOGETHER: Final = LAG


class _Kind(IntEnum):
    """What happens in the train, in this order at one instant."""

    STOP = 0
    SPLIT = 1
    EXIT = 2
    START = 3


@dataclass(slots=True)
class _Step:
    at: float
    kind: _Kind
    number: int


@dataclass(slots=True)
class _Batch:
    batch_id: str
    members: set[int]
    started: float


@dataclass(slots=True)
class _Train:
    """The batches under test, the head first."""

    staying: frozenset[int]  # stays that never left, as far as is recorded
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
        kept = [batch for batch in self.batches[:place] if batch.members.isdisjoint(self.staying)]
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

    def start(self, run: Run, at: float) -> tuple[int, ...]:
        """Add the batch of this run, unless it is a retry, and return the stays ahead of it."""
        place = self._place(run)
        if place is None:
            self._forget_elsewhere(run, at)
            place = len(self.batches)
            # The members of a very short run may have left before its start is looked at.
            if members := set(run.members) - self.gone:
                self.batches.append(_Batch(run.batch_id, members, at))
        return tuple(stay for batch in self.batches[:place] for stay in batch.members)

    def _place(self, run: Run) -> int | None:
        for place, batch in enumerate(self.batches):
            if batch.batch_id == run.batch_id:
                return place
        return None

    def _forget_elsewhere(self, run: Run, at: float) -> None:
        # A member that starts in another batch shows that its old one, and all behind it, were dissolved.
        members = set(run.members)
        for place, batch in enumerate(self.batches):
            if not batch.members.isdisjoint(members):
                self._drop_from(place, at)
                return

    def _drop_from(self, place: int, at: float) -> None:
        """Dissolve a batch and all behind it, except those that have started again since."""
        behind = self.batches[place + 1 :]
        self.batches[place:] = [other for other in behind if at - other.started <= _TOGETHER]


def stays_ahead(history: History) -> list[tuple[int, ...]]:
    """For each run of one train, the stays that were ahead of its batch when it started."""
    ahead: list[tuple[int, ...]] = [()] * len(history.runs)
    train = _Train(frozenset(stay.number for stay in history.stays if stay.left is None))
    for step in _in_queue_order(history, _steps(history)):
        if step.kind is _Kind.START:
            run = history.runs[step.number]
            ahead[step.number] = train.start(run, step.at)
        elif step.kind is _Kind.STOP:
            train.dissolve(history.runs[step.number].batch_id)
        elif step.kind is _Kind.SPLIT:
            train.split(history.splits[step.number].members)
        else:
            stay = history.stays[step.number]
            train.leave(step.number, step.at, is_merged=stay.is_merged)
    return ahead


def _steps(history: History) -> list[_Step]:
    ends = sorted(run.ended for run in history.runs if run.ended is not None)
    # Late reports can make a run end before it starts; it was under test for a moment nevertheless.
    steps = [
        _Step(run.started if run.ended is None else min(run.started, run.ended), _Kind.START, run.number)
        for run in history.runs
        if run.members
    ]
    steps += [
        _Step(run.ended, _Kind.STOP, run.number)
        for run in history.runs
        if run.ended is not None
        and not run.has_verdict
        and run.outcome not in {"INTERMEDIATE_RESULTS_SKIPPED", "CHECKS_INTERRUPTED"}
    ]
    steps += [_Step(cause(ends, s.at), _Kind.SPLIT, number) for number, s in enumerate(history.splits)]
    steps += [
        _Step(cause(ends, stay.left), _Kind.EXIT, stay.number)
        for stay in history.stays
        if stay.left is not None
    ]
    return sorted(steps, key=lambda step: (step.at, step.kind, step.number))


def cause(ends: list[float], at: float) -> float:
    """The end of a run that caused what was reported at this instant, or the instant itself."""
    place = bisect_right(ends, at)
    return ends[place - 1] if place and at - ends[place - 1] <= LAG else at


def _in_queue_order(history: History, steps: list[_Step]) -> Iterator[_Step]:
    """Starts that were reported together happened in the order of the queue.

    An exit or a split that is reported among them came before: it is why they started.
    """
    together: list[_Step] = []
    for step in steps:
        if together and (step.kind is _Kind.STOP or step.at - together[0].at > _TOGETHER):
            yield from _by_age(history, together)
            together = []
        if step.kind is _Kind.START:
            together.append(step)
        else:
            yield step
    yield from _by_age(history, together)


def _by_age(history: History, starts: list[_Step]) -> list[_Step]:
    stays = [history.stays[history.runs[step.number].members[0]] for step in starts]
    if len({stay.priority_rule_name for stay in stays}) > 1:
        return starts
    ages = [stay.entered for stay in stays]
    return [starts[place] for place in sorted(range(len(starts)), key=ages.__getitem__)]
