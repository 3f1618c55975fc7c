"""Problems of queues in the store: when they began and ended, and the levels that a person has set."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from mergecast.queues.model.cause import BEGIN, END, PROBLEM, Cause
from mergecast.queues.model.instant import DAY
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.outbox import add_causes
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.rows import LookedBackRow, QueueProblemRow, ThresholdRow
from mergecast.queues.store.stored_rows import read_rows, stored_rows

KEEP = 400 * DAY
MILLION = 1_000_000

QueueKey = tuple[str, str]  # base ref and name


class StoredProblem(NamedTuple):
    found_at: int
    base_ref: str
    queue_name: str
    name: str
    since: int
    ended_at: int | None
    document: str  # what describes it, in JSON

    @property
    def key(self) -> tuple[str, str, str]:
        """A queue has each problem at most once at a time."""
        return self.base_ref, self.queue_name, self.name


class ProblemChanges(NamedTuple):
    begun: tuple[StoredProblem, ...] = ()
    ended: tuple[StoredProblem, ...] = ()


def open_problems(reader: Reader, repository_id: int) -> list[StoredProblem]:
    """The problems that hold now."""
    return [StoredProblem(*row[1:]) for row in reader.rows("open_queue_problems", [repository_id])]


def problems_between(reader: Reader, repository_id: int, start: int, end: int) -> list[StoredProblem]:
    """The problems that held in a window, by their beginning."""
    return [StoredProblem(*row[1:]) for row in reader.rows("queue_problems", [repository_id, start, end])]


def set_levels(reader: Reader, repository_id: int) -> dict[QueueKey, dict[str, float]]:
    """The levels that a person has set, by queue and problem."""
    found: dict[QueueKey, dict[str, float]] = {}
    rows = read_rows(reader, repository_id, ThresholdRow)
    for row in sorted(rows):
        found.setdefault((row.base_ref, row.queue_name), {})[row.name] = row.millionths / MILLION
    return found


def has_looked_back(reader: Reader, repository_id: int) -> bool:
    return bool(read_rows(reader, repository_id, LookedBackRow))


def store_problems(held: HeldRepository, changes: ProblemChanges) -> ProblemChanges:
    """Store what began and what ended; returns what was new, because several servers may find the same."""
    held_now = {StoredProblem(*row[1:]).key for row in held.rows("open_queue_problems")}
    begun = tuple(problem for problem in changes.begun if problem.key not in held_now)
    held.insert([QueueProblemRow(held.state.id, *problem) for problem in begun])
    ended = tuple(problem for problem in changes.ended if _end(held, problem))
    if begun or ended:
        # Answers that tell of problems have changed, although no event has.
        held.save(replace(held.state, version=held.state.version + 1))
    add_causes(held, [_cause(problem, BEGIN) for problem in begun])
    add_causes(held, [_cause(problem, END) for problem in ended])
    return ProblemChanges(begun, ended)


def _cause(problem: StoredProblem, phase: str) -> Cause:
    """A notice is due; that a problem ended is known a while after it did."""
    key = "\n".join((str(problem.found_at), *problem.key))
    happened_at = problem.found_at if phase == BEGIN else problem.ended_at or problem.found_at
    return Cause(PROBLEM, key, phase, happened_at, problem.base_ref, problem.queue_name, problem.document)


def _end(held: HeldRepository, problem: StoredProblem) -> bool:
    parameters = (problem.found_at, *problem.key, problem.ended_at)
    return held.change_rows("mark_queue_problem_as_ended", *parameters) > 0


def store_past_problems(held: HeldRepository, problems: Sequence[StoredProblem], until: int) -> None:
    """Store the problems found in the history, once per repository."""
    if stored_rows(held.rows, LookedBackRow):
        return
    known = {StoredProblem(*row[1:]).key for row in held.rows("open_queue_problems")}
    new = [problem for problem in problems if problem.ended_at is not None or problem.key not in known]
    held.insert([QueueProblemRow(held.state.id, *problem) for problem in new])
    held.insert([LookedBackRow(held.state.id, until)])
    is_heard = any(problem.ended_at is None for problem in new)
    held.save(replace(held.state, version=held.state.version + 1) if is_heard else held.state)


def set_thresholds(held: HeldRepository, queue: QueueKey, levels: Mapping[str, float]) -> None:
    """Replace the levels that were set for a queue."""
    held.change_rows("delete_thresholds", *queue)
    held.insert(
        [
            ThresholdRow(held.state.id, *queue, name, round(level * MILLION))
            for name, level in sorted(levels.items())
        ]
    )
    held.save(held.state)


def delete_thresholds(held: HeldRepository, base_ref: str | None, queue_name: str | None) -> int:
    """Delete the levels that were set; returns how many there were."""
    deleted = held.change_rows("delete_thresholds", base_ref, queue_name)
    if deleted:
        held.save(held.state)
    return deleted


def delete_old_problems(held: HeldRepository, now: int) -> None:
    """Delete problems that ended more than 400 days ago."""
    if held.change_rows("delete_old_queue_problems", now - KEEP):
        held.save(held.state)
