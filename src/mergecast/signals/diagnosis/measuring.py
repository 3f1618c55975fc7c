"""Measures all queues of a repository in a reader thread."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from mergecast.queues.model.failed_check import FailedCheck
from mergecast.queues.model.instant import DAY
from mergecast.queues.store.failed_checks import failed_checks_of_runs
from mergecast.queues.store.problems import (
    ProblemChanges,
    StoredProblem,
    has_looked_back,
    open_problems,
    set_levels,
)
from mergecast.queues.store.reader import Reader
from mergecast.signals.detection.course import Course, Span
from mergecast.signals.detection.levels import LEARNED, LEAST_WEEKS, Levels, learn
from mergecast.signals.detection.looking_back import past_problems
from mergecast.signals.detection.queue_history import QueueHistory, happenings
from mergecast.signals.detection.queue_problem import EVERYONE_FAILS, QueueName
from mergecast.signals.detection.readings import Gauge, Reading, next_evaluation
from mergecast.signals.detection.sentences import problem_of
from mergecast.signals.detection.watching import Watched, watch
from mergecast.signals.diagnosis.documents import stored
from mergecast.signals.diagnosis.reading import Histories, read_histories

PRESENT = 3 * DAY  # how far back the present state of a queue can reach; longer than a weekend
LOOKED_BACK = 13 * 7 * DAY

LevelsOfQueues = Mapping[QueueName, Levels]
Calm = Mapping[tuple[QueueName, str], int]


@dataclass(frozen=True, slots=True)
class Measured:
    changes: ProblemChanges
    calm_since: Calm
    next_at: int | None  # when time alone may change something


def learn_levels(reader: Reader, repository_id: int, now: int) -> dict[QueueName, Levels]:
    """What is normal for each queue."""
    histories = read_histories(reader, repository_id, now - LEARNED, now)
    return {queue: learn(history, now) for queue, history in histories.queues.items()}


def measure(reader: Reader, repository_id: int, levels: LevelsOfQueues, calm: Calm, now: int) -> Measured:
    """Compare the present state of all queues with the problems that hold."""
    histories = read_histories(reader, repository_id, now - PRESENT, now)
    by_hand = set_levels(reader, repository_id)
    known = {problem.key: problem for problem in open_problems(reader, repository_id)}
    naming = partial(named, reader, repository_id)
    begun: list[StoredProblem] = []
    ended: list[StoredProblem] = []
    times: list[int | None] = []
    calm_since: dict[tuple[QueueName, str], int] = {}
    for queue in sorted({*levels, *histories.queues, *(QueueName(*key[:2]) for key in known)}):
        history = histories.queues.get(queue, QueueHistory())
        gauge = _gauge(history, levels.get(queue, Levels()), histories, by_hand.get(queue, {}), now)
        readings = gauge.read(now)
        change = watch(_watched(queue, known, calm), readings, now)
        begun += [stored(problem_of(queue, naming(reading), now)) for reading in change.begun]
        ended += [known[*queue, name]._replace(ended_at=at) for name, at in change.ended.items()]
        calm_since |= {(queue, name): since for name, since in change.watched.calm_since.items()}
        times.append(next_evaluation(readings, now, has_open=bool(change.watched.names)))
    next_at = min((at for at in times if at is not None), default=None)
    return Measured(ProblemChanges(tuple(begun), tuple(ended)), calm_since, next_at)


def _gauge(
    history: QueueHistory, levels: Levels, histories: Histories, by_hand: Mapping[str, float], now: int
) -> Gauge:
    course = Course(levels.slots)
    for happening in happenings(history):
        if happening.at <= now:
            course.tell(happening)
    return Gauge(course, levels, histories.last_sent, by_hand)


def _watched(queue: QueueName, known: Iterable[tuple[str, str, str]], calm: Calm) -> Watched:
    return Watched(
        frozenset(name for *of, name in known if tuple(of) == queue),
        {name: since for (of, name), since in calm.items() if of == queue},
    )


def look_back(reader: Reader, repository_id: int, now: int) -> list[StoredProblem] | None:
    """The problems of the past months; None if they are known, or if there is too little history."""
    if has_looked_back(reader, repository_id):
        return None
    histories = read_histories(reader, repository_id, now - LOOKED_BACK, now)
    window = Span(now - LOOKED_BACK, now)
    naming = partial(named, reader, repository_id)
    found: list[StoredProblem] = []
    for queue, history in histories.queues.items():
        found += [stored(problem) for problem in past_problems(queue, history, window, name=naming)]
    return found


def has_weeks(levels: LevelsOfQueues, first_at: int | None, now: int) -> bool:
    """Whether there is enough history to look back into."""
    is_long = first_at is not None and now - first_at >= LEAST_WEEKS * 7 * DAY
    return is_long and any(of_queue.is_enough for of_queue in levels.values())


def named(reader: Reader, repository_id: int, reading: Reading) -> Reading:
    """The reading with the ids of its batches, in the order of its runs.

    Names are read when a problem begins, and not with every measurement.
    """
    if not reading.runs:
        return reading
    batches = dict(reader.rows("batches_of_runs", [repository_id, list(reading.runs)]))
    # Attempts of one batch are several runs.
    ids = tuple(dict.fromkeys(batches[run] for run in reading.runs if run in batches))
    check = _common_check(reader, repository_id, reading) if reading.name == EVERYONE_FAILS else None
    return replace(reading, evidence=replace(reading.evidence, runs=ids, check=check))


def _common_check(reader: Reader, repository_id: int, reading: Reading) -> FailedCheck | None:
    """The check that failed in every run, with the link of the last; None if one is unknown or differs."""
    checks = failed_checks_of_runs(reader, repository_id, reading.runs)
    is_common = len(checks) == len(reading.runs) and len({check.name for check in checks.values()}) == 1
    return checks[reading.runs[-1]] if is_common else None
