"""Reads all queues of a repository and measures them, in a reader thread."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeVar

from mergecast.queues.model.alert import RECOVERED, Alert
from mergecast.queues.model.failed_check import FailedCheck
from mergecast.queues.model.instant import DAY, WEEK, Window
from mergecast.queues.model.threshold import LEARNED, SET
from mergecast.queues.store.alerts import alerts_between, has_looked_back, open_alerts
from mergecast.queues.store.failed_checks import failed_checks_of_runs
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.rows import SourceRow
from mergecast.queues.store.stored_rows import read_rows
from mergecast.queues.store.thresholds import read_thresholds
from mergecast.signals.thresholds.branch_alerts import (
    Judged,
    judge_branch,
    past_standstills,
)
from mergecast.signals.thresholds.course import Course, Span
from mergecast.signals.thresholds.judged import ALERTED_NOW, EVERYONE_FAILS, FORGOTTEN, NO_RUN_STARTED
from mergecast.signals.thresholds.levels import LEAST_WEEKS, SIGN, Levels, learn
from mergecast.signals.thresholds.looking_back import past_alerts
from mergecast.signals.thresholds.queue_history import (
    LEARNED_FROM,
    QueueHistory,
    QueueName,
    SeenRun,
    SeenSplit,
    SeenStay,
    happenings,
)
from mergecast.signals.thresholds.readings import Chosen, Gauge, Reading, chosen_levels, next_evaluation
from mergecast.signals.thresholds.sentences import alert_of
from mergecast.signals.thresholds.standing_still import (
    MONTH,
    NOT_KNOWN,
    Branch,
    in_order,
    learn_branch,
)
from mergecast.signals.thresholds.watching import Watched, watch

PRESENT = 3 * DAY  # how far back the present state of a queue can reach; longer than a weekend
LOOKED_BACK = 13 * 7 * DAY
_LONGEST = 2 * WEEK  # what has been open for longer has probably ended unnoticed

LevelsOfQueues = Mapping[QueueName, Levels]
Calm = Mapping[tuple[QueueName, str], int]
_Row = tuple[Any, ...]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Histories:
    """The queues of a repository since an instant, and when each source was last heard of."""

    queues: dict[QueueName, QueueHistory]
    last_sent: dict[str, int]


def _read_histories(reader: Reader, repository_id: int, since: int, now: int) -> _Histories:
    earliest = since - _LONGEST
    stays = _by_queue(reader.rows("diagnosis_stays", [repository_id, since, earliest]))
    checks = _by_queue(reader.rows("diagnosis_checks", [repository_id, since, earliest]))
    splits = _by_queue(reader.rows("diagnosis_splits", [repository_id, since]))
    sent = reader.rows("diagnosis_sources", [repository_id, since, SIGN, now])
    instants: defaultdict[str, list[int]] = defaultdict(list)
    feeding: defaultdict[QueueName, set[str]] = defaultdict(set)
    for base_ref, queue_name, source, first, _ in sent:
        instants[source].append(first)
        feeding[QueueName(base_ref, queue_name)].add(source)
    queues = {
        queue: QueueHistory(
            [SeenStay(*row) for row in stays[queue]],
            _runs(checks[queue]),
            [_split(row) for row in splits[queue]],
            {source: instants[source] for source in sorted(feeding[queue])},
        )
        for queue in sorted({*stays, *checks, *splits, *feeding})
    }
    return _Histories(queues, _last_sent(reader, repository_id, sent))


def read_histories(reader: Reader, repository_id: int, since: int, now: int) -> dict[QueueName, QueueHistory]:
    """What happened to each queue since an instant."""
    return _read_histories(reader, repository_id, since, now).queues


def _last_sent(reader: Reader, repository_id: int, sent: Iterable[_Row]) -> dict[str, int]:
    """When each source was last heard of.

    A delivery counts when it was received, whatever it says and whatever time its events have. Of events that
    clients sent as such, only their own time is known.
    """
    heard: defaultdict[str, list[int]] = defaultdict(list)
    for row in sorted(read_rows(reader, repository_id, SourceRow)):
        heard[row.source].append(row.last_at)
    for _, _, source, _, sent_at in sent:
        heard[source] += [] if sent_at is None else [sent_at]
    return {source: max(instants) for source, instants in heard.items() if instants}


def _by_queue(rows: Iterable[_Row]) -> defaultdict[QueueName, list[_Row]]:
    found: defaultdict[QueueName, list[_Row]] = defaultdict(list)
    for base_ref, queue_name, *rest in rows:
        found[QueueName(base_ref, queue_name)].append(tuple(rest))
    return found


def _split(row: _Row) -> SeenSplit:
    bisection, depth, at, ended_at, members = row
    numbers = tuple(map(int, members.split(","))) if members else ()
    return SeenSplit(bisection, depth, at, ended_at, numbers)


def _runs(checks: Sequence[_Row]) -> list[SeenRun]:
    """The CI runs, of which each pull request has a check."""
    return [_run(number, list(members)) for number, members in groupby(checks, key=itemgetter(0))]


def _run(number: int, checks: Sequence[_Row]) -> SeenRun:
    started_at = min(started for _, _, started, _, _ in checks)
    numbers = tuple(dict.fromkeys(pull for _, pull, _, _, _ in checks))
    if any(ended is None for _, _, _, ended, _ in checks):
        return SeenRun(number, started_at, None, None, numbers)
    # What was taken out of a batch ended earlier than the run itself.
    ended_at, outcome = max((ended, outcome) for _, _, _, ended, outcome in checks)
    return SeenRun(number, started_at, ended_at, outcome, numbers)


@dataclass(frozen=True, slots=True)
class Measured:
    begun: tuple[Alert, ...]
    ended: tuple[Alert, ...]
    calm_since: Calm
    next_at: int | None  # when time alone may change something


def learn_levels(
    reader: Reader, repository_id: int, waits: Mapping[str, int], now: int
) -> dict[QueueName, Levels]:
    """What is normal for each queue; `waits` says for how long branches wait to fill a batch, if known."""
    histories = read_histories(reader, repository_id, now - LEARNED_FROM, now)
    branches = {
        base_ref: learn_branch(base_ref, of_branch, waits.get(base_ref), now)
        for base_ref, of_branch in _by_branch(histories).items()
    }
    return {
        queue: replace(learn(history, now), branch=branches[queue.base_ref])
        for queue, history in histories.items()
    }


def _by_branch(of_queues: Mapping[QueueName, T]) -> dict[str, dict[str, T]]:
    found: defaultdict[str, dict[str, T]] = defaultdict(dict)
    for queue, of_queue in of_queues.items():
        found[queue.base_ref][queue.queue_name] = of_queue
    return dict(found)


def measure(reader: Reader, repository_id: int, levels: LevelsOfQueues, calm: Calm, now: int) -> Measured:
    """Compare the present state of all queues with the alerts that are open."""
    histories = _read_histories(reader, repository_id, now - PRESENT, now)
    thresholds = read_thresholds(reader, [repository_id]).get(repository_id, [])
    known = _known(open_alerts(reader, repository_id))
    chosen_of = {
        queue: chosen_levels(thresholds, *queue) for queue in sorted({*levels, *histories.queues, *known})
    }
    naming = partial(named, reader, repository_id)
    begun: list[Alert] = []
    ended: list[Alert] = []
    times: list[int | None] = []
    calm_since: dict[tuple[QueueName, str], int] = {}
    for queue, chosen in chosen_of.items():
        history = histories.queues.get(queue, QueueHistory())
        of_queue, current = levels.get(queue, Levels()), known.get(queue, {})
        course = Course(of_queue.pause, chosen.get(FORGOTTEN), _forgotten(history, current.get(FORGOTTEN)))
        _tell(course, history, now)
        readings = Gauge(course, of_queue, histories.last_sent, chosen).read(now)
        before = {name: since for (of, name), since in calm.items() if of == queue}
        change = watch(Watched(frozenset(current), before), readings, now)
        begun += [alert_of(queue, naming(reading), now) for reading in change.begun]
        ended += [
            replace(current[name], ended_at=at, end_reason=RECOVERED) for name, at in change.ended.items()
        ]
        calm_since |= {(queue, name): since for name, since in change.watched.calm_since.items()}
        times.append(next_evaluation(readings, now, has_open=bool(change.watched.names)))
    stored = alerts_between(reader, repository_id, Window(now - MONTH, now + 1))
    of_branches = _by_branch(histories.queues)
    stood = [
        judged
        for branch in _branches(levels, chosen_of)
        for judged in _measure_branch(branch, of_branches.get(branch.base_ref, {}), stored, now)
    ]
    begun += [alert for one in stood if (alert := one.begun) is not None]
    ended += [alert for one in stood if (alert := one.ended) is not None]
    times += [one.next_at for one in stood]
    next_at = min((at for at in times if at is not None), default=None)
    return Measured(tuple(begun), tuple(ended), calm_since, next_at)


def _branches(levels: LevelsOfQueues, chosen: Mapping[QueueName, Chosen]) -> Iterator[Branch]:
    for base_ref, of_queues in _by_branch(chosen).items():
        known = [of_queue.branch for queue, of_queue in levels.items() if queue.base_ref == base_ref]
        values = {name: own[NO_RUN_STARTED] for name, own in of_queues.items() if NO_RUN_STARTED in own}
        yield Branch(base_ref, known[0] if known else NOT_KNOWN, values)


def _measure_branch(
    branch: Branch, histories: Mapping[str, QueueHistory], stored: Iterable[Alert], now: int
) -> list[Judged]:
    """Whether the branch stands still."""
    for queue, happening in in_order(histories):
        if happening.at <= now:
            branch.tell(queue, happening)
    own = [one for one in stored if (one.base_ref, one.figure) == (branch.base_ref, NO_RUN_STARTED)]
    earlier = sorted(alert.since for alert in own)
    # An earlier version had one for each queue.
    current = [alert for alert in own if alert.ended_at is None]
    return [judge_branch(branch, one, earlier, now) for one in current or (None,)]


def _known(alerts: Iterable[Alert]) -> dict[QueueName, dict[str, Alert]]:
    """The open alerts that are judged here, by queue and figure."""
    found: defaultdict[QueueName, dict[str, Alert]] = defaultdict(dict)
    for alert in alerts:
        is_of_queue = alert.figure in ALERTED_NOW and alert.figure != NO_RUN_STARTED
        if is_of_queue and alert.origin in (LEARNED, SET):
            found[QueueName(alert.base_ref, alert.queue_name)][alert.figure] = alert
    return found


def _tell(course: Course, history: QueueHistory, now: int) -> None:
    for happening in happenings(history):
        if happening.at <= now:
            course.tell(happening)


def _forgotten(history: QueueHistory, alert: Alert | None) -> set[tuple[int, int]]:
    """The pull requests of an open alert, and when they entered: what passed them over may be too old."""
    if alert is None:
        return set()
    return {
        (stay.pull_request, stay.entered_at)
        for stay in history.stays
        if stay.pull_request in alert.evidence.pull_requests and stay.entered_at <= alert.found_at
    }


def look_back(reader: Reader, repository_id: int, now: int) -> list[Alert] | None:
    """The alerts of the past months; None if they are known, or if there is too little history."""
    if has_looked_back(reader, repository_id):
        return None
    histories = _read_histories(reader, repository_id, now - LOOKED_BACK, now)
    window = Span(now - LOOKED_BACK, now)
    naming = partial(named, reader, repository_id)
    found: list[Alert] = []
    for queue, history in histories.queues.items():
        found += past_alerts(queue, history, window, name=naming)
    for base_ref, of_queues in _by_branch(histories.queues).items():
        found += past_standstills(base_ref, of_queues, window)
    return found


def has_weeks(levels: LevelsOfQueues, first_at: int | None, now: int) -> bool:
    """Whether there is enough history to look back into."""
    is_long = first_at is not None and now - first_at >= LEAST_WEEKS * 7 * DAY
    return is_long and any(of_queue.is_enough for of_queue in levels.values())


def named(reader: Reader, repository_id: int, reading: Reading) -> Reading:
    """The reading with the ids of its batches, in the order of its runs.

    Names are read when an alert begins, and not with every measurement.
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
