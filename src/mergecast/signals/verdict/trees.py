"""What each run tested: reconstructs the order of the train while it moves."""

from bisect import insort
from collections.abc import Set as AbstractSet
from copy import deepcopy
from dataclasses import dataclass, field

from mergecast.queues.model.batches_ahead import LAG, Kind, QueueOrder, Step, Train, cause


@dataclass(slots=True)
class Trees:
    """An exit may be reported some seconds after its effects, so steps wait that long for their order."""

    order: QueueOrder = field(default_factory=lambda: QueueOrder(Train(LAG, None)))
    waiting: list[Step] = field(default_factory=list)
    ends: list[float] = field(default_factory=list)  # of runs, the last few seconds
    places: dict[int, tuple[int, ...]] = field(default_factory=dict)  # the stays ahead of each run

    def join(self, number: int, batch_id: str, member: int) -> None:
        """Another member of a run that has started."""
        for step in (*self.waiting, *self.order.together):
            if step.kind is Kind.START and step.number == number:
                step.members = (*step.members, member)
        for batch in self.order.train.batches:
            if batch.batch_id == batch_id and member not in self.order.train.gone:
                batch.members.add(member)

    def end(self, at: int) -> None:
        self.ends.append(at)

    def stop(self, at: int, number: int, batch_id: str) -> None:
        self.add(Step(at, Kind.STOP, number, batch_id))

    def split(self, at: int, number: int, members: tuple[int, ...]) -> None:
        self.add(Step(cause(self.ends, at, LAG), Kind.SPLIT, number, members=members))

    def leave(self, at: int, stay: int, *, is_merged: bool) -> None:
        self.add(Step(cause(self.ends, at, LAG), Kind.EXIT, stay, is_merged=is_merged))

    def add(self, step: Step) -> None:
        insort(self.waiting, step, key=lambda other: other.order)

    def advance(self, now: int) -> None:
        """Let the train move up to an instant before which nothing can happen any more."""
        self.ends = [end for end in self.ends if end >= now - LAG]
        settled = now - LAG
        count = sum(step.at < settled for step in self.waiting)
        due, self.waiting = self.waiting[:count], self.waiting[count:]
        for step in due:
            self.places.update(self.order.take(step))
        if self.order.together and self.order.together[0].at + LAG < settled:
            self.places.update(self.order.finish())

    def ahead(self, number: int) -> tuple[int, ...]:
        """The stays ahead of a run, as far as is known now."""
        if number in self.places:
            return tuple(sorted(self.places[number]))
        order, places = deepcopy(self.order), dict[int, tuple[int, ...]]()
        for step in self.waiting:
            places.update(order.take(step))
        places.update(order.finish())
        return tuple(sorted(places.get(number, ())))

    def prune(self, start: int, stays: AbstractSet[int]) -> None:
        """Forget batches that began before an instant, and all stays but these."""
        train = self.order.train
        train.batches = [batch for batch in train.batches if batch.started >= start]
        train.gone &= stays

    def forget_run(self, number: int) -> None:
        self.places.pop(number, None)
