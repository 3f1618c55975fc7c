"""What is in the queues now, with what the CI runs of the waiting pull requests came to."""

from typing import NamedTuple

from mergecast.queues.model.instant import format_instant
from mergecast.queues.stats.queue_contents import Entry, Queue, queue_contents
from mergecast.queues.store.reader import Reader

_PASSED = "SUCCESS"
_Stay = tuple[int, str]  # a pull request, and when it entered


class Place(NamedTuple):
    """Where a pull request waits."""

    entry: Entry
    queue: Queue


class PresentQueues(NamedTuple):
    queues: tuple[Queue, ...]
    tested: frozenset[int]  # pull requests of which a CI run has ended
    passed: frozenset[_Stay]  # whose CI run that started last has passed

    def place_of(self, number: int) -> Place | None:
        """None if it is in no queue; of several places, the one that it entered last."""
        found = [
            Place(entry, queue)
            for queue in self.queues
            for entry in queue.entries
            if entry.pull_request == number
        ]
        return max(found, key=lambda place: place.entry.entered_at, default=None)

    def has_passed(self, entry: Entry) -> bool:
        return (entry.pull_request, entry.entered_at) in self.passed


def read_present_queues(reader: Reader, repository_id: int, at: int) -> PresentQueues:
    queues = queue_contents(reader, repository_id, at)
    numbers = [entry.pull_request for queue in queues for entry in queue.entries]
    rows = reader.rows("runs_of_waiting", [repository_id, numbers]) if numbers else []
    last: dict[_Stay, str | None] = {
        (number, format_instant(entered_at)): outcome for number, entered_at, _, outcome in rows
    }
    return PresentQueues(
        queues,
        frozenset(number for number, _, ended_at, _ in rows if ended_at is not None),
        frozenset(stay for stay, outcome in last.items() if outcome == _PASSED),
    )
