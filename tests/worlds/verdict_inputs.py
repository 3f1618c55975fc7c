"""What the engine of verdicts is given, from events."""

from collections.abc import Iterable, Mapping

from mergecast.queues.model.ci_check import FAILURE
from mergecast.queues.model.event import (
    BISECTION_STARTED,
    CHECKS_ENDED,
    CHECKS_STARTED,
    QUEUE_ENTERED,
    QUEUE_LEFT,
    Event,
)
from mergecast.signals.verdict.happenings import Check, Happening, Report, RunId, Split, Stay, happenings

Names = Mapping[tuple[str, int], tuple[str, ...]]


def happened(events: Iterable[Event], heads: Mapping[str, str], names: Names) -> list[Happening]:
    """`heads` are the commits of stays, `names` the checks that failed in runs."""
    events = list(events)
    ends = {_run(event): event.happened_at for event in events if event.type == CHECKS_ENDED}
    reports = [
        Report(RunId(*run), name, ends[RunId(*run)], FAILURE)
        for run, failed in names.items()
        if run in ends
        for name in failed
    ]
    return happenings(_stays(events, heads), _checks(events), reports, _splits(events))


def _run(event: Event) -> RunId:
    return RunId(event.batch_id or "", event.attempt or 1)


def _pulls(event: Event) -> tuple[int, ...]:
    return tuple(int(text) for text in (event.batch_pull_requests or "").split(",") if text)


def _stays(events: list[Event], heads: Mapping[str, str]) -> list[Stay]:
    found: dict[str, Stay] = {}
    for event in events:
        if event.type not in {QUEUE_ENTERED, QUEUE_LEFT}:
            continue
        session, head = event.session_id or "", heads.get(event.session_id or "")
        stay = found.get(session) or Stay(session, event.pull_request or 0, None)
        if event.type == QUEUE_ENTERED:
            rule = event.priority_rule_name
            stay = stay._replace(entered_at=event.happened_at, entered_sha=head, priority_rule_name=rule)
        else:
            stay = stay._replace(left_at=event.happened_at, left_sha=head, reason=event.reason)
        found[session] = stay
    return list(found.values())


def _checks(events: list[Event]) -> list[Check]:
    found: dict[tuple[str, RunId], Check] = {}
    for event in events:
        if event.type not in {CHECKS_STARTED, CHECKS_ENDED}:
            continue
        key = (event.session_id or "", _run(event))
        session, run = key
        check = found.get(key) or Check(session, event.pull_request or 0, run, None)
        if event.type == CHECKS_STARTED:
            check = check._replace(started_at=event.happened_at, pull_requests=_pulls(event))
        else:
            check = check._replace(ended_at=event.happened_at, outcome=event.outcome)
        found[key] = check
    return list(found.values())


def _splits(events: list[Event]) -> list[Split]:
    started = [event for event in events if event.type == BISECTION_STARTED]
    return [Split(event.happened_at, event.batch_id or "", _pulls(event)) for event in started]
