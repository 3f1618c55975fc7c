"""What is in the queues now: positions, time waited, and the batches that CI is running or has run."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from msgspec import UNSET, Struct

from mergecast.queues.answers.described import DateTime
from mergecast.queues.answers.queue import Entry, ExpectedState, FailedRun, QueueTrust
from mergecast.queues.model.instant import format_instant
from mergecast.queues.model.seconds import in_seconds
from mergecast.queues.stats.waiting_stays import RunOfStay, Waiting, WaitingStays, waiting_stays
from mergecast.queues.store.failed_checks import failed_names_of_runs
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.rows import PullRequestRow
from mergecast.queues.store.stored_rows import read_rows

_LAST = 2**63


class Batch(Struct, frozen=True):
    batch_id: str
    attempt: int
    started_at: DateTime
    pull_requests: tuple[int, ...]


class Queue(Struct, frozen=True):
    base_ref: str
    queue_name: str
    batches: tuple[Batch, ...]
    entries: tuple[Entry, ...]
    expected_merges: ExpectedState = "too_little_history"
    trust: QueueTrust | None = None  # how far to trust `expected_merge`


class _Position(NamedTuple):
    number: int
    is_estimated: bool


class _Details(NamedTuple):
    """What is known about the pull requests of all queues."""

    runs: Mapping[int, Sequence[Batch]]  # in progress, by stay
    failed: Mapping[int, FailedRun]  # by stay
    notes: Mapping[int, PullRequestRow]  # by pull request


def queue_contents(reader: Reader, repository_id: int, at: int) -> tuple[Queue, ...]:
    """Every queue that holds a pull request at this instant, by base ref and name."""
    return queues_of(reader, repository_id, waiting_stays(reader, repository_id, at), at)


def queues_of(reader: Reader, repository_id: int, waiting: WaitingStays, at: int) -> tuple[Queue, ...]:
    """The queues of these stays."""
    runs = _runs_by_stay(waiting.running)
    failed = _failed_runs(reader, repository_id, waiting, runs)
    numbers = [row.pull_request for row in waiting.stays]
    notes = read_rows(reader, repository_id, PullRequestRow, number=numbers)
    details = _Details(runs, failed, {note.number: note for note in notes})
    return tuple(
        _queue(base_ref, queue_name, list(members), details, at)
        for (base_ref, queue_name), members in groupby(
            waiting.stays, key=attrgetter("base_ref", "queue_name")
        )
    )


def _runs_by_stay(running: Iterable[RunOfStay]) -> dict[int, list[Batch]]:
    """The CI runs in progress for each stay, in order of their start."""
    runs: dict[int, list[Batch]] = {}
    for _, members in groupby(running, key=attrgetter("run")):
        of_run = list(members)
        batch = _batch(of_run)
        for stay in dict.fromkeys(one.stay for one in of_run):
            runs.setdefault(stay, []).append(batch)
    return runs


def _batch(of_run: Sequence[RunOfStay]) -> Batch:
    first = of_run[0]
    return Batch(first.batch_id, first.attempt, format_instant(first.at), _members(of_run))


def _members(of_run: Sequence[RunOfStay]) -> tuple[int, ...]:
    """If the events of a run disagree about its batch, the longest list of pull requests counts."""
    longest = max((one.pull_requests for one in of_run), key=lambda numbers: numbers.count(","))
    return tuple(int(number) for number in longest.split(","))


def _failed_runs(
    reader: Reader, repository_id: int, waiting: WaitingStays, runs: Mapping[int, Sequence[Batch]]
) -> dict[int, FailedRun]:
    """By stay; what happens next follows from the run in progress."""
    names = failed_names_of_runs(reader, repository_id, {one.name for one in waiting.failed})
    on_top = _on_top_of_others(waiting, runs)
    found: dict[int, FailedRun] = {}
    for _, members in groupby(waiting.failed, key=attrgetter("run")):
        of_run = list(members)
        first, numbers = of_run[0], _members(of_run)
        name = names.get(first.name)
        for stay in dict.fromkeys(one.stay for one in of_run):
            current = runs.get(stay)
            tested = current[-1].pull_requests if current else None
            sentence = after_failure(numbers, name, tested, has_others_ahead=stay in on_top)
            found[stay] = FailedRun(
                first.batch_id, first.attempt, format_instant(first.at), numbers, name, sentence
            )
    return found


def _on_top_of_others(waiting: WaitingStays, runs: Mapping[int, Sequence[Batch]]) -> set[int]:
    """The stays whose run in progress may test others too: they entered later, or their run began later."""
    found: set[int] = set()
    for _, members in groupby(waiting.stays, key=attrgetter("base_ref", "queue_name")):
        started = {row.stay: runs[row.stay][-1].started_at for row in members if row.stay in runs}
        longest, first = min(started.values(), default=""), next(iter(started), None)
        found |= {stay for stay, at in started.items() if stay != first or at != longest}
    return found


def after_failure(
    failed: Sequence[int], check: str | None, tested: Sequence[int] | None, *, has_others_ahead: bool = False
) -> str:
    """What failed and what happens next: the pull requests of both runs; None if none is in progress.

    >>> after_failure([1, 2, 3], "types", [1]), after_failure([1], None, None)
    ('Its batch of 3 failed `types`; being tested alone now', 'Its CI failed; it waits to be tested again')
    >>> after_failure([1, 2], None, [2], has_others_ahead=True)
    'Its batch of 2 failed; being tested in a batch of its own now'
    """
    batch = f"Its batch of {len(failed)}" if len(failed) > 1 else "Its CI"
    what = f"{batch} failed `{check}`" if check else f"{batch} failed"
    if tested is None:
        return f"{what}; it waits to be tested again"
    alone = "in a batch of its own" if has_others_ahead else "alone"
    together = alone if len(tested) == 1 else f"in a batch of {len(tested)}"
    return f"{what}; being tested {'again' if tuple(tested) == tuple(failed) else together} now"


def _queue(base_ref: str, queue_name: str, rows: Sequence[Waiting], details: _Details, at: int) -> Queue:
    batches = dict.fromkeys(batch for row in rows for batch in details.runs.get(row.stay, ()))
    in_order = sorted(batches, key=lambda batch: (batch.started_at, batch.batch_id, batch.attempt))
    said = _reported_positions(rows, details)
    # Pull requests that entered after the queue was read are behind those that were in it.
    places = sorted(range(len(rows)), key=lambda place: (said.get(rows[place].stay, _LAST), place))
    entries = tuple(
        _entry(_Position(position, rows[place].stay not in said), rows[place], details, at)
        for position, place in enumerate(places, 1)
    )
    return Queue(base_ref, queue_name, tuple(in_order), entries)


def _reported_positions(rows: Sequence[Waiting], details: _Details) -> dict[int, int]:
    """The positions of stays when the source's queue was last read."""
    read = {
        row.stay: (note.position, note.positioned_at or 0)
        for row in rows
        if (note := details.notes.get(row.pull_request)) is not None
        and note.position is not None
        and (note.positioned_at or 0) >= row.entered_at
    }
    newest = max((read_at for _, read_at in read.values()), default=0)
    return {stay: place for stay, (place, read_at) in read.items() if read_at == newest}


def _entry(position: _Position, row: Waiting, details: _Details, at: int) -> Entry:
    # Of several runs in progress, the one that started last is the pull request's current batch.
    current = details.runs.get(row.stay, (None,))[-1]
    note = details.notes.get(row.pull_request)
    return Entry(
        position=position.number,
        is_estimated=position.is_estimated,
        pull_request=row.pull_request,
        session_id=row.session_id,
        priority_rule_name=row.priority_rule_name,
        entered_at=format_instant(row.entered_at),
        waited_seconds=in_seconds(at - row.entered_at),
        batch_id=current.batch_id if current else None,
        failed=details.failed.get(row.stay),
        title=(note and note.title) or UNSET,
        author=(note and note.author) or UNSET,
        url=(note and note.url) or UNSET,
    )


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
