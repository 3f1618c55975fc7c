"""What metrics say about the queues of one repository: what was counted, and what is in them now."""

from collections import defaultdict
from typing import NamedTuple

from mergecast.queues.model.queue_counts import QueueCounts
from mergecast.queues.store.counting import numbers_of_queues, parse_counts
from mergecast.queues.store.reader import Reader

Queue = tuple[str, str]  # base ref and queue name


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


def read_figures(reader: Reader, repository_id: int, at: int) -> RepositoryFigures:
    """The figures of the queues that were reported first."""
    groups = reader.groups(repository_id)
    numbers = numbers_of_queues({group: id for id, group in groups.items()})
    counts = {queue: parse_counts(text) for queue, text in reader.rows("queue_counts", [repository_id])}
    contents = _contents(reader, repository_id, at)
    firsts = [groups[queue] for queue in sorted(set(numbers.values()))]
    every = {(group.base_ref, group.queue_name) for group in groups.values()}
    return RepositoryFigures(
        tuple(
            QueueFigures(*queue, counts.get(number, {}), contents.get(queue, Contents()))
            for number, first in zip(sorted(set(numbers.values())), firsts, strict=True)
            if (queue := (first.base_ref, first.queue_name))
        ),
        len(every) - len(firsts),
    )


def _contents(reader: Reader, repository_id: int, at: int) -> dict[Queue, Contents]:
    """What is in each queue that holds a pull request at this instant."""
    entries = reader.rows("queue_entries", [repository_id, at])
    if not entries:
        return {}
    queue_of = {row[3]: (row[0], row[1]) for row in entries}  # by stay
    runs: defaultdict[Queue, set[int]] = defaultdict(set)
    for stay, run, *_ in reader.rows("running_checks", [repository_id, at, list(queue_of)]):
        runs[queue_of[stay]].add(run)
    entered: defaultdict[Queue, list[int]] = defaultdict(list)
    for row in entries:
        entered[row[0], row[1]].append(row[6])
    return {queue: Contents(len(own), len(runs[queue]), min(own)) for queue, own in entered.items()}
