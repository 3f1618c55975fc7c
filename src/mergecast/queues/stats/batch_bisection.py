"""How often are failed batches split, and is the culprit found?"""

from msgspec import Struct

from mergecast.queues.stats.answer import Bounds, Entry, GroupEntries, Question, with_intervals
from mergecast.queues.stats.statistic import GROUPS, WINDOW, Statistic
from mergecast.queues.store.reader import Reader


class BisectionsStarted(Entry, frozen=True):
    bisection_count: int
    avg_depth: float
    max_depth: int
    avg_batch_size_before_split: float


class BisectionsCompleted(Entry, frozen=True):
    bisection_completed_count: int
    culprit_found_count: int
    max_failure_reached_count: int


class Bisections(Struct):
    started: list[GroupEntries[BisectionsStarted]]
    completed: list[GroupEntries[BisectionsCompleted]]


def answer(reader: Reader, question: Question) -> object:
    started = reader.rows("batch_bisection_started", question.by_interval())
    completed = reader.rows("batch_bisection_completed", question.by_interval())
    return {
        "started": with_intervals(question, started, _started),
        "completed": with_intervals(question, completed, _completed),
    }


def _started(bounds: Bounds, bisections: int, depths: int, deepest: int, sizes: int) -> BisectionsStarted:
    return BisectionsStarted(*bounds, bisections, int(depths) / bisections, deepest, int(sizes) / bisections)


def _completed(bounds: Bounds, bisections: int, culprits: int, given_up: int) -> BisectionsCompleted:
    return BisectionsCompleted(*bounds, bisections, culprits, given_up)


STATISTIC = Statistic(
    name="batch_bisection",
    summary="Bisections of failed batches, by time intervals",
    parameters=(*GROUPS, *WINDOW),
    answer=answer,
    answer_type=Bisections,
)
