"""How the queues of a repository stand: what waits in each, when it last merged, and its problems."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from mergecast.queues.model.event import Group
from mergecast.queues.model.instant import DAY
from mergecast.queues.store.present_stays import Queue, present_stays
from mergecast.queues.store.reader import Reader

LOOK_BACK = 28 * DAY  # how far back the last merge is looked for


@dataclass(slots=True)
class QueueStanding:
    waiting: int = 0
    oldest_at: int | None = None  # when the one that waits longest entered
    merged_at: int | None = None  # the last merge; None: none within `LOOK_BACK`
    problems: dict[str, int] = field(default_factory=dict)  # since when, by name

    def enter(self, at: int) -> None:
        self.waiting += 1
        self.oldest_at = at if self.oldest_at is None else min(self.oldest_at, at)

    def merge(self, at: int) -> None:
        self.merged_at = at if self.merged_at is None else max(self.merged_at, at)


Standings = Mapping[Queue, QueueStanding]


@dataclass(frozen=True, slots=True)
class Standing:
    """All queues of a repository at an instant."""

    at: int
    queues: Standings
    first_at: int | None  # the first and the last event of the repository
    last_at: int | None
    is_looking: bool = False  # the diagnosis has not looked at what is stored yet

    @property
    def waiting(self) -> int:
        return sum(queue.waiting for queue in self.queues.values())


def read_standings(
    reader: Reader, kept: Mapping[int, Collection[int]], at: int
) -> dict[int, dict[Queue, QueueStanding]]:
    """The queues of some repositories that the reader sees together; `kept` has the groups that count."""
    ids = list(kept)
    groups = {id: reader.groups(id) for id in ids}
    found: dict[int, defaultdict[Queue, QueueStanding]] = {id: defaultdict(QueueStanding) for id in ids}
    for id, stays in present_stays(reader, ids, at).items():
        for stay in stays:
            if stay.group in kept[id]:
                found[id][_queue(groups[id][stay.group])].enter(stay.entered_at)
    for id, group, merged_at in reader.rows("last_merges", [ids, at - LOOK_BACK, at]):
        if group in kept[id]:
            found[id][_queue(groups[id][group])].merge(merged_at)
    _add_problems(reader, ids, {id: _queues(groups[id], kept[id]) for id in ids}, found)
    return {id: dict(queues) for id, queues in found.items()}


def _add_problems(
    reader: Reader,
    ids: Sequence[int],
    queues: Mapping[int, Collection[Queue]],
    found: Mapping[int, defaultdict[Queue, QueueStanding]],
) -> None:
    for id, base_ref, queue_name, name, since in reader.rows("problems_now", [ids]):
        if (base_ref, queue_name) in queues[id]:
            found[id][base_ref, queue_name].problems[name] = since


def _queues(groups: Mapping[int, Group], kept: Collection[int]) -> set[Queue]:
    return {_queue(groups[id]) for id in kept}


def _queue(group: Group) -> Queue:
    return group.base_ref, group.queue_name
