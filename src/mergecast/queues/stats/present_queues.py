"""What is in the queues now, with what the CI runs of the waiting pull requests came to."""

from typing import NamedTuple

from mergecast.queues.answers.queue import Entry
from mergecast.queues.stats.queue_contents import Queue, queues_of
from mergecast.queues.stats.waiting_stays import waiting_stays
from mergecast.queues.store.reader import Reader


class Place(NamedTuple):
    """Where a pull request waits."""

    entry: Entry
    queue: Queue


class PresentQueues(NamedTuple):
    queues: tuple[Queue, ...]
    tested: frozenset[int]  # pull requests of which a CI run has ended
    passed: frozenset[str]  # sessions whose CI run that started last has passed

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
        return entry.session_id in self.passed


def read_present_queues(reader: Reader, repository_id: int, at: int) -> PresentQueues:
    waiting = waiting_stays(reader, repository_id, at)
    return PresentQueues(queues_of(reader, repository_id, waiting, at), waiting.tested, waiting.passed)
