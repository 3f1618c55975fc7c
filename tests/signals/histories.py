"""Events as the history that a diagnosis reads."""

from collections import defaultdict
from collections.abc import Iterable

from mergecast.queues.model.event import (
    BISECTION_ENDED,
    BISECTION_STARTED,
    CHECKS_ENDED,
    CHECKS_STARTED,
    QUEUE_ENTERED,
    QUEUE_LEFT,
    Event,
)
from mergecast.signals.thresholds.queue_history import QueueHistory, QueueName, SeenRun, SeenSplit, SeenStay


def histories_of_events(events: Iterable[Event]) -> dict[QueueName, QueueHistory]:
    """The history of each queue."""
    of_queues: defaultdict[QueueName, list[Event]] = defaultdict(list)
    for event in events:
        of_queues[QueueName(event.base_ref, event.queue_name)].append(event)
    return {queue: history_of_events(own) for queue, own in sorted(of_queues.items())}


def history_of_events(events: Iterable[Event]) -> QueueHistory:
    """The history of one queue from all its events."""
    by_type: defaultdict[str, list[Event]] = defaultdict(list)
    sources: defaultdict[str, list[int]] = defaultdict(list)
    for event in sorted(events, key=lambda event: event.happened_at):
        by_type[event.type].append(event)
        sources[event.source].append(event.happened_at)
    return QueueHistory(_stays(by_type), _runs(by_type), _splits(by_type), dict(sources))


def _stays(events: dict[str, list[Event]]) -> list[SeenStay]:
    left = {event.session_id: event for event in events[QUEUE_LEFT]}
    stays = []
    for event in events[QUEUE_ENTERED]:
        end = left.get(event.session_id)
        at, reason = (end.happened_at, end.reason) if end else (None, None)
        stays.append(
            SeenStay(event.pull_request or 0, event.happened_at, at, reason, event.priority_rule_name)
        )
    return stays


def _runs(events: dict[str, list[Event]]) -> list[SeenRun]:
    started: dict[tuple[str | None, int | None], Event] = {}
    for event in events[CHECKS_STARTED]:
        started.setdefault((event.batch_id, event.attempt), event)
    ended = {(event.batch_id, event.attempt): event for event in events[CHECKS_ENDED]}
    runs = []
    for number, (key, event) in enumerate(started.items()):
        end = ended.get(key)
        at, outcome = (end.happened_at, end.outcome) if end else (None, None)
        runs.append(SeenRun(number, event.happened_at, at, outcome, _members(event)))
    return runs


def _members(event: Event) -> tuple[int, ...]:
    return tuple(map(int, (event.batch_pull_requests or "0").split(",")))


def _splits(events: dict[str, list[Event]]) -> list[SeenSplit]:
    ended = {event.batch_id: event.happened_at for event in events[BISECTION_ENDED]}
    numbers = {
        batch: number for number, batch in enumerate({e.batch_id: 0 for e in events[BISECTION_STARTED]})
    }
    return [
        SeenSplit(
            numbers[event.batch_id],
            event.depth or 0,
            event.happened_at,
            ended.get(event.batch_id),
            _members(event),
        )
        for event in events[BISECTION_STARTED]
    ]
