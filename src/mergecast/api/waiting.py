"""What a pull request in a queue waits for. What is in the queues is read once for all who ask together."""

import threading
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mergecast.api.services import Services
from mergecast.prediction.expected_merges import Expected, while_working
from mergecast.process.lru import BoundedCache
from mergecast.queues.model.alert import Alert
from mergecast.queues.model.instant import SECOND, format_instant
from mergecast.queues.stats.queue_contents import Place, PresentQueues, Queue, read_present_queues
from mergecast.queues.stats.waiting_for import Situation, Trouble, waits
from mergecast.queues.stats.waiting_sentence import WaitingFor, described
from mergecast.queues.store.alerts import open_alerts
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.values import KnownRepository
from mergecast.signals.thresholds.judged import ALERTED_NOW, SOURCE_SILENT

_NOTHING = Expected(state="too_little_history")
_KEPT_BYTES = 16 << 20
_ENTRY_BYTES = 2_000  # what an entry of a queue or an alert takes, about
# Titles, and positions that a source reports, change without another version of the repository.
_FRESH = 5 * SECOND


class Present(NamedTuple):
    """What is in the queues of a repository at one moment, and the alerts that were open then."""

    key: tuple[int, int, int]
    at: int
    queues: PresentQueues
    alerts: Sequence[Alert]


class Waiting:
    """What is in the queues of each repository, and what pull requests in them wait for."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._kept: BoundedCache[int, Present] = BoundedCache(_KEPT_BYTES, _size)
        self._lock = threading.Lock()  # reader threads share what is kept

    def waiting_for(self, known: KnownRepository, present: Present, place: Place) -> WaitingFor:
        """Rules and expected merges are computed in the background."""
        (entry, queue), at = place, self._services.now()
        of_branches = self._services.expected_merges.of_branches(known, [queue.base_ref], at)
        of_branch = while_working(of_branches.get(queue.base_ref, _NOTHING), queue, present.alerts)
        situation = Situation(
            entry=entry,
            queue=queue,
            branch=[other for other in present.queues.queues if other.base_ref == queue.base_ref],
            newest_event_at=known.last_at or 0,
            has_passed=present.queues.has_passed(entry),
            rules=of_branch.rules.get(queue.queue_name),
            troubles=[*_troubles(present.alerts, queue)],
            tested=present.queues.tested,
            expected=of_branch.recent(entry.session_id, at),
            expected_state=of_branch.state_of(queue.entries),
        )
        return described(waits(situation, at), at)

    def present(self, reader: Reader, current: KnownRepository, at: int) -> Present:
        """What the reader sees; `current` is the state that it sees.

        What was read for another request is of the same moment if it is of the same version.
        """
        key = (current.id, current.version, current.ci_version)
        with self._lock:
            kept = self._kept.get(current.id)
        if kept is not None and kept.key == key and 0 <= at - kept.at < _FRESH:
            return kept
        queues = read_present_queues(reader, current.id, at)
        found = Present(key, at, queues, open_alerts(reader, current.id))
        with self._lock:
            self._kept.put(current.id, found)
        return found


def _troubles(alerts: Iterable[Alert], queue: Queue) -> Iterable[Trouble]:
    """The alerts about a queue as it is now; a source that is silent concerns all queues."""
    for alert in alerts:
        is_here = alert.base_ref == queue.base_ref and queue.queue_name in alert.queues
        if alert.figure in ALERTED_NOW and (is_here or alert.figure == SOURCE_SILENT):
            yield Trouble(alert.figure, format_instant(alert.since), alert.evidence.source)


def _size(present: Present) -> int:
    entries = sum(len(queue.entries) for queue in present.queues.queues)
    return _ENTRY_BYTES * (1 + entries + len(present.alerts))
