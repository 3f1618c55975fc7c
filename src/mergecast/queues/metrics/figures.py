"""What metrics say about the queues of one repository: what was counted, and what is in them now.

The statements are simpler than those of `queues/stats/queue_contents.py`, because a scrape asks them for many
repositories. A test compares the two.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mergecast.queues.model.event import Group
from mergecast.queues.model.queue_counts import QueueCounts
from mergecast.queues.store.counting import numbers_of_queues, parse_counts
from mergecast.queues.store.present_stays import PresentStay, Queue, present_stays
from mergecast.queues.store.reader import Reader

CountsOfQueues = Mapping[int, QueueCounts]  # by the number of the queue


class Contents(NamedTuple):
    """What is in a queue."""

    size: int = 0
    running: int = 0  # CI runs
    oldest_entered_at: int | None = None


class QueueFigures(NamedTuple):
    base_ref: str
    queue_name: str
    counts: QueueCounts
    contents: Contents


class RepositoryFigures(NamedTuple):
    queues: tuple[QueueFigures, ...]
    left_out: int  # queues beyond the limit


class _Read(NamedTuple):
    """What was read of one repository."""

    stays: Sequence[PresentStay]
    in_ci: Sequence[tuple[int, int]]  # stays and their CI runs in progress


def read_counts(reader: Reader, repository_ids: Sequence[int]) -> dict[int, CountsOfQueues]:
    """What was counted in the queues of each repository."""
    found: defaultdict[int, dict[int, QueueCounts]] = defaultdict(dict)
    for repository_id, queue, text in reader.rows("queue_counts", [list(repository_ids)]):
        found[repository_id][queue] = parse_counts(text)
    return dict(found)


def read_figures(
    reader: Reader, repository_ids: Sequence[int], counts: Mapping[int, CountsOfQueues], at: int
) -> dict[int, RepositoryFigures]:
    """The figures of some repositories that the reader sees together, each for its first queues."""
    parameters = [list(repository_ids), at]
    stays = present_stays(reader, repository_ids, at)
    in_ci: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for repository_id, number, run in reader.rows("stays_in_ci", parameters) if stays else ():
        in_ci[repository_id].append((number, run))
    return {
        id: _figures(reader.groups(id), counts.get(id, {}), _Read(stays.get(id, ()), in_ci[id]))
        for id in repository_ids
    }


def _figures(groups: Mapping[int, Group], counts: CountsOfQueues, read: _Read) -> RepositoryFigures:
    queues = {id: (group.base_ref, group.queue_name) for id, group in groups.items()}
    shown = sorted(set(numbers_of_queues({group: id for id, group in groups.items()}).values()))
    contents = _contents(read, queues)
    return RepositoryFigures(
        tuple(
            QueueFigures(*queues[first], counts.get(first, {}), contents.get(queues[first], Contents()))
            for first in shown
        ),
        len(set(queues.values())) - len(shown),
    )


def _contents(read: _Read, queues: Mapping[int, Queue]) -> dict[Queue, Contents]:
    """What is in each queue that holds a pull request."""
    queue_of = {stay.number: queues[stay.group] for stay in read.stays}
    runs: defaultdict[Queue, set[int]] = defaultdict(set)
    for stay, run in read.in_ci:
        if stay in queue_of:
            runs[queue_of[stay]].add(run)
    entered: defaultdict[Queue, list[int]] = defaultdict(list)
    for one in read.stays:
        entered[queues[one.group]].append(one.entered_at)
    return {queue: Contents(len(own), len(runs[queue]), min(own)) for queue, own in entered.items()}
