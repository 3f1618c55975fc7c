"""Turns the events of one base branch into its history."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from mergecast.forecasting.history.lost_reports import with_lost_ends, with_lost_exits
from mergecast.forecasting.history.seconds import in_seconds
from mergecast.forecasting.history.structure import VERDICTS, History, Run, Split, Stay
from mergecast.queues.model.event import (
    BISECTION_ENDED,
    BISECTION_STARTED,
    CHECKS_ENDED,
    CHECKS_STARTED,
    QUEUE_ENTERED,
    QUEUE_LEFT,
    Event,
)
from mergecast.queues.model.instant import Window

_Settled = dict[str, dict[tuple[object, ...], Event]]


def read_history(events: Iterable[Event], window: Window) -> History:
    """The history of one base branch from its events; what happened after the window is ignored.

    Of two events that say the same about the same subject, the earlier one counts, so neither order nor
    repetition matters. Events from before the window show what was in the queue when it began.
    """
    settled = _settle(event for event in events if event.happened_at < window.end)
    stays = _stays(settled, window)
    runs = with_lost_ends(_runs(settled, stays, window), stays)
    stays = with_lost_exits(stays, runs)
    return History(
        length=in_seconds(window.end - window.start),
        stays=tuple(stays),
        runs=tuple(runs),
        splits=tuple(_splits(settled, stays, window)),
        searches_ended={
            event.batch_id or "": _seconds(event, window) for event in settled[BISECTION_ENDED].values()
        },
        sources=frozenset(event.source for event in settled[QUEUE_ENTERED].values()),
    )


def _seconds(event: Event, window: Window) -> float:
    return in_seconds(event.happened_at - window.start)


def _settle(events: Iterable[Event]) -> _Settled:
    """The earliest event of each type about each subject, by type and subject."""
    settled: _Settled = defaultdict(dict)
    for event in events:
        subject = (event.session_id, event.batch_id, event.attempt, event.depth)
        if event.type in {QUEUE_ENTERED, QUEUE_LEFT}:
            subject = (event.session_id, None, None, None)
        rival = settled[event.type].get(subject)
        if rival is None or (event.happened_at, event.id) < (rival.happened_at, rival.id):
            settled[event.type][subject] = event
    return settled


def _stays(settled: _Settled, window: Window) -> list[Stay]:
    entries = {event.session_id: event for event in settled[QUEUE_ENTERED].values()}
    exits = {event.session_id: event for event in settled[QUEUE_LEFT].values()}
    first_seen = {session: event.happened_at for session, event in exits.items()}
    for event in settled[CHECKS_STARTED].values():
        session = event.session_id
        first_seen[session] = min(first_seen.get(session, event.happened_at), event.happened_at)
    first_seen |= {session: event.happened_at for session, event in entries.items()}
    # The most telling event about each stay: its entry, or its exit, or a start of its checks.
    known = {event.session_id: event for event in settled[CHECKS_STARTED].values()} | exits | entries
    order = sorted(first_seen, key=lambda session: (first_seen[session], session or ""))
    missed = _missed_exits([known[session] for session in order], exits)
    return [
        _stay(number, known[session], first_seen[session], exits.get(session) or missed.get(session), window)
        for number, session in enumerate(order)
    ]


def _missed_exits(entries: list[Event], exits: dict[str | None, Event]) -> dict[str | None, Event]:
    """The exits that were not recorded: a stay ends when its pull request enters the same queue again."""
    missed: dict[str | None, Event] = {}
    latest: dict[tuple[int | None, str], Event] = {}
    for event in entries:
        place = (event.pull_request, event.queue_name)
        before = latest.get(place)
        if before is not None and before.session_id not in exits:
            missed[before.session_id] = before._replace(
                type=QUEUE_LEFT, happened_at=event.happened_at, reason="UNKNOWN"
            )
        latest[place] = event
    return missed


def _stay(number: int, known: Event, first_seen: int, leave: Event | None, window: Window) -> Stay:
    entered = in_seconds(first_seen - window.start)
    return Stay(
        number=number,
        session_id=known.session_id or "",
        pull_request=known.pull_request or 0,
        queue_name=known.queue_name,
        priority_rule_name=known.priority_rule_name,
        entered=entered,
        entering_is_known=known.type == QUEUE_ENTERED,
        left=max(entered, _seconds(leave, window)) if leave else None,
        reason=leave.reason if leave else None,
        schedule_wait=in_seconds(leave.schedule_wait or 0) if leave else 0.0,
        freeze_wait=in_seconds(leave.freeze_wait or 0) if leave else 0.0,
    )


def _runs(settled: _Settled, stays: list[Stay], window: Window) -> list[Run]:
    of_session = {stay.session_id: stay.number for stay in stays}
    of_pull = _by_pull(stays)
    starts, ends = _by_run(settled[CHECKS_STARTED].values()), _by_run(settled[CHECKS_ENDED].values())
    begun = sorted((min(event.happened_at for event in found), key) for key, found in starts.items())
    runs = [_run(number, starts[key], ends[key], of_session, window) for number, (_, key) in enumerate(begun)]
    return [_with_lost_members(run, starts[key], of_pull) for run, (_, key) in zip(runs, begun, strict=True)]


def _with_lost_members(run: Run, starts: list[Event], of_pull: dict[int, list[Stay]]) -> Run:
    """The run with the members that others name although their own start was not recorded."""
    named = max((event.batch_pull_requests or "" for event in starts), key=len)
    if len(run.members) > named.count(","):
        return run
    listed = _open_stays(named, of_pull, run.started)
    members = [stay.number for stay in listed if stay.left is None or stay.left > run.started]
    return replace(run, members=tuple(dict.fromkeys((*members, *run.members))))


def _by_run(events: Iterable[Event]) -> dict[tuple[str, int], list[Event]]:
    """The events of each batch and attempt."""
    found: dict[tuple[str, int], list[Event]] = defaultdict(list)
    for event in events:
        found[event.batch_id or "", event.attempt or 1].append(event)
    return found


def _run(
    number: int, starts: list[Event], ends: list[Event], of_session: dict[str, int], window: Window
) -> Run:
    first = min(starts, key=lambda event: (event.happened_at, event.id))
    place = {int(text): at for at, text in enumerate((first.batch_pull_requests or "").split(",")) if text}
    ordered = sorted(starts, key=lambda event: place.get(event.pull_request or 0, len(place)))
    last = max(ends, key=lambda event: (event.outcome in VERDICTS, event.happened_at, event.id), default=None)
    return Run(
        number=number,
        batch_id=first.batch_id or "",
        attempt=first.attempt or 1,
        queue_name=first.queue_name,
        members=tuple(of_session[event.session_id or ""] for event in ordered),
        started=_seconds(first, window),
        ended=max(_seconds(event, window) for event in ends) if ends else None,
        outcome=last.outcome if last else None,
    )


def _splits(settled: _Settled, stays: list[Stay], window: Window) -> list[Split]:
    of_pull = _by_pull(stays)
    return [
        Split(
            event.batch_id or "",
            event.depth or 0,
            at,
            event.queue_name,
            tuple(stay.number for stay in _open_stays(event.batch_pull_requests or "", of_pull, at)),
        )
        for at, event in sorted(
            ((_seconds(event, window), event) for event in settled[BISECTION_STARTED].values()),
            key=lambda pair: (pair[0], pair[1].id),
        )
    ]


def _by_pull(stays: list[Stay]) -> dict[int, list[Stay]]:
    found: dict[int, list[Stay]] = defaultdict(list)
    for stay in stays:
        found[stay.pull_request].append(stay)
    return found


def _open_stays(pull_requests: str, of_pull: dict[int, list[Stay]], at: float) -> Iterable[Stay]:
    """The stay that each of these pull requests was in at this instant: the last one it had begun."""
    for text in pull_requests.split(","):
        begun = [stay for stay in of_pull.get(int(text), []) if stay.entered <= at] if text else []
        if begun:
            yield begun[-1]
