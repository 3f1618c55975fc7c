"""Reads from the store what a diagnosis needs to know about the queues of a repository."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

from mergecast.queues.model.instant import WEEK
from mergecast.queues.store.reader import Reader
from mergecast.signals.detection.levels import SIGN
from mergecast.signals.detection.queue_history import QueueHistory, SeenRun, SeenSplit, SeenStay
from mergecast.signals.detection.queue_problem import QueueName

LONGEST = 2 * WEEK  # what has been open for longer has probably ended unnoticed

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Histories:
    """The queues of a repository since an instant, and when each source was last heard of."""

    queues: dict[QueueName, QueueHistory]
    last_sent: dict[str, int]


def read_histories(reader: Reader, repository_id: int, since: int, now: int) -> Histories:
    earliest = since - LONGEST
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
            [SeenSplit(*row) for row in splits[queue]],
            {source: instants[source] for source in sorted(feeding[queue])},
        )
        for queue in sorted({*stays, *checks, *splits, *feeding})
    }
    return Histories(queues, _last_sent(reader, repository_id, sent))


def _last_sent(reader: Reader, repository_id: int, sent: Iterable[Row]) -> dict[str, int]:
    """When each source was last heard of.

    A delivery counts when it was received, whatever it says and whatever time its events have. Of events that
    clients sent as such, only their own time is known.
    """
    heard: defaultdict[str, list[int]] = defaultdict(list)
    for _, source, _, _, _, received_at in reader.rows("sources", [repository_id]):
        heard[source].append(received_at)
    for _, _, source, _, sent_at in sent:
        heard[source] += [] if sent_at is None else [sent_at]
    return {source: max(instants) for source, instants in heard.items() if instants}


def _by_queue(rows: Iterable[Row]) -> defaultdict[QueueName, list[Row]]:
    found: defaultdict[QueueName, list[Row]] = defaultdict(list)
    for base_ref, queue_name, *rest in rows:
        found[QueueName(base_ref, queue_name)].append(tuple(rest))
    return found


def _runs(checks: Sequence[Row]) -> list[SeenRun]:
    """The CI runs, of which each pull request has a check."""
    return [_run(number, list(members)) for number, members in groupby(checks, key=itemgetter(0))]


def _run(number: int, checks: Sequence[Row]) -> SeenRun:
    started_at = min(started for _, _, started, _, _ in checks)
    numbers = tuple(dict.fromkeys(pull for _, pull, _, _, _ in checks))
    if any(ended is None for _, _, _, ended, _ in checks):
        return SeenRun(number, started_at, None, None, numbers)
    # What was taken out of a batch ended earlier than the run itself.
    ended_at, outcome = max((ended, outcome) for _, _, _, ended, outcome in checks)
    return SeenRun(number, started_at, ended_at, outcome, numbers)
