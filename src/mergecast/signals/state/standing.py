"""How the queues of a repository stand: what waits in each, when it last merged, and its alerts."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from mergecast.queues.model.event import Group
from mergecast.queues.model.threshold import BUILT_IN, REFERENCE, SetThreshold, switched_off
from mergecast.queues.store.alerts import open_alerts_of
from mergecast.queues.store.present_stays import Queue, present_stays
from mergecast.queues.store.reader import Reader
from mergecast.signals.thresholds.built_in import LOOK_BACK
from mergecast.signals.thresholds.judged import OF_NOW


@dataclass(slots=True)
class QueueStanding:
    waiting: int = 0
    oldest_at: int | None = None  # when the one that waits longest entered
    merged_at: int | None = None  # the last merge; None: none within `LOOK_BACK`
    # Since when, by figure. Those of reference periods are apart: they never say that a queue is failing.
    alerts: dict[str, int] = field(default_factory=dict)
    reference_alerts: dict[str, int] = field(default_factory=dict)
    off: frozenset[str] = frozenset()  # figures that are switched off

    def enter(self, at: int) -> None:
        self.waiting += 1
        self.oldest_at = at if self.oldest_at is None else min(self.oldest_at, at)

    def slower_since(self, figure: str) -> int | None:
        """Since when an alert of any origin is open."""
        found = (self.alerts.get(figure), self.reference_alerts.get(figure))
        return min((since for since in found if since is not None), default=None)

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
    is_looking: bool = False  # nothing has looked at what is stored yet

    @property
    def waiting(self) -> int:
        return sum(queue.waiting for queue in self.queues.values())


def read_standings(
    reader: Reader,
    kept: Mapping[int, Collection[int]],
    thresholds: Mapping[int, Sequence[SetThreshold]],
    at: int,
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
    _add_alerts(reader, ids, {id: {_queue(groups[id][group]) for group in kept[id]} for id in ids}, found)
    for id, set_for in thresholds.items():
        for queue, standing in found[id].items():
            standing.off = switched_off(set_for, *queue)
    return {id: dict(queues) for id, queues in found.items()}


def _add_alerts(
    reader: Reader,
    ids: Sequence[int],
    queues: Mapping[int, Collection[Queue]],
    found: Mapping[int, defaultdict[Queue, QueueStanding]],
) -> None:
    for id, alerts in open_alerts_of(reader, ids).items():
        for alert in alerts:
            queue = (alert.base_ref, alert.queue_name)
            # Fixed rules about a queue as it is now are judged at once, and not only once an hour.
            if queue in queues[id] and (alert.origin != BUILT_IN or alert.figure not in OF_NOW):
                standing = found[id][queue]
                since = standing.reference_alerts if alert.origin == REFERENCE else standing.alerts
                since[alert.figure] = min(alert.since, since.get(alert.figure, alert.since))


def _queue(group: Group) -> Queue:
    return group.base_ref, group.queue_name
