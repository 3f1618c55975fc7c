"""Observations of one merge request → the events of its stays on merge trains."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

from mergecast.model.event import (
    CHECK_OUTCOMES,
    CHECKS_ENDED,
    CHECKS_STARTED,
    MERGED_REASONS,
    QUEUE_ENTERED,
    QUEUE_LEFT,
    Event,
)
from mergecast.model.instant import MINUTE, SECOND
from mergecast.sources.gitlab.observation import Observation, Seen
from mergecast.sources.translation import Translation, Untranslated

SOURCE = "gitlab"
QUEUE = "default"  # a branch has one train, which has no name
_SAME = 120 * SECOND  # a note and a car this close to each other describe the same entry
_SKEW = 60 * SECOND
_SHORTLY_BEFORE = 5 * MINUTE
_END_OF_TIME = 1 << 62
_MERGED = "PR_MERGED"
_UNKNOWN = "UNKNOWN"
_LONGEST_REASON = 60  # what follows is an explanation of the individual case
_OUTCOMES = {"success": "SUCCESS", "failed": "CHECKS_FAILED"}
_CANCELLED = frozenset({"canceled", "skipped"})
# The text of a note after `because` contains one of these words.
_REASONS = (
    ("pipeline did not succeed", "CHECKS_FAILED"),
    ("pipeline must succeed", "CHECKS_FAILED"),
    ("source branch was updated", "PULL_REQUEST_UPDATED"),
    ("could not be prepared", "CONFLICT_WITH_PULL_AHEAD"),
    ("conflict", "CONFLICT_WITH_PULL_AHEAD"),
    ("target branch was changed", "BASE_BRANCH_CHANGED"),
    ("target branch changed", "BASE_BRANCH_CHANGED"),
    ("in time", "PR_UNEXPECTEDLY_FAILED_TO_MERGE"),
    ("unexpected error", "PR_UNEXPECTEDLY_FAILED_TO_MERGE"),
    ("not mergeable", "PR_DEQUEUED"),
    ("draft", "PR_DEQUEUED"),
    ("closed", "PR_DEQUEUED"),
)


class TrainAround(NamedTuple):
    """What happened on the train around a merge request."""

    members: Mapping[int, Sequence[int]] = {}  # of each pipeline: the merge requests ahead of it, in order
    removals: Sequence[tuple[int, str]] = ()  # when others ahead of it were removed, and why


class TrainExit(NamedTuple):
    at: int
    reason: str


class TrainStay(NamedTuple):
    entered_at: int
    base_ref: str
    key: str
    exit: TrainExit | None
    pipelines: tuple[Observation, ...] = ()


def translate(number: int, observations: Sequence[Observation], around: TrainAround) -> Translation:
    """The events of every stay, whatever the order of the observations."""
    stays = train_stays(observations)
    events = tuple(event for stay in stays for event in _events(number, stay, around))
    return Translation(events, tuple(_unknown_reasons(observations)))


def _unknown_reasons(observations: Sequence[Observation]) -> Iterator[Untranslated]:
    """Removals whose reason this version does not know."""
    notes = {one.id: one for one in observations if one.seen is Seen.LEFT}
    for note in sorted(notes.values(), key=lambda one: one.id):
        if note.reason is not None and _exit_reason(note.reason) == _UNKNOWN:
            yield Untranslated(f"unknown reason: {note.reason[:_LONGEST_REASON]}", note.at)


def train_stays(observations: Sequence[Observation]) -> list[TrainStay]:
    """The stays of one merge request on trains, oldest first."""
    closed = _close_missed(_with_exits(_entries(observations), observations), observations)
    return _with_pipelines(closed, observations)


def _entries(observations: Sequence[Observation]) -> list[TrainStay]:
    """A stay per car, and per entry note whose car has disappeared."""
    cars: dict[int, Observation] = {}
    for one in sorted(observations, key=lambda one: (one.ended_at is None, one.at)):
        if one.seen is Seen.CAR:
            cars.setdefault(one.id, one)
    stays = [TrainStay(car.at, car.base_ref, f"car-{car.id}", _landing(car)) for car in cars.values()]
    notes = {one.id: one for one in observations if one.seen is Seen.ENTERED}
    for _, car in sorted(cars.items()):
        near = [note for note in notes.values() if abs(car.at - note.at) <= _SAME]
        if near:
            del notes[min(near, key=lambda note: (abs(car.at - note.at), note.id)).id]
    stays += [TrainStay(one.at, one.base_ref, f"note-{one.id}", None) for one in notes.values()]
    return sorted({stay.key: stay for stay in stays}.values(), key=lambda stay: (stay.entered_at, stay.key))


def _landing(car: Observation) -> TrainExit | None:
    if car.ended_at is None:
        return None
    return TrainExit(car.ended_at, "PR_MANUALLY_MERGED" if car.status == "skip_merged" else _MERGED)


def _with_exits(stays: Sequence[TrainStay], observations: Sequence[Observation]) -> list[TrainStay]:
    """Assigns each removal note to the stay during which it was written."""
    notes = sorted(
        {one.id: one for one in observations if one.seen is Seen.LEFT}.values(), key=lambda one: one.id
    )
    ended = []
    for stay, following in zip_longest(stays, stays[1:]):
        until = following.entered_at if following else _END_OF_TIME
        fitting = [note for note in notes if stay.entered_at - _SKEW <= note.at < until]
        if stay.exit is None and fitting:
            notes.remove(fitting[0])
            ended.append(stay._replace(exit=TrainExit(fitting[0].at, _exit_reason(fitting[0].reason))))
        else:
            ended.append(stay)
    return ended


def _exit_reason(text: str | None) -> str:
    """The exit reason for the words of a note; without any, a person removed the merge request.

    >>> _exit_reason("the pipeline did not succeed")
    'CHECKS_FAILED'
    """
    if text is None:
        return "PR_MANUALLY_DEQUEUED"
    lowered = text.lower()
    return next((reason for words, reason in _REASONS if words in lowered), _UNKNOWN)


def _close_missed(stays: Sequence[TrainStay], observations: Sequence[Observation]) -> list[TrainStay]:
    """Close a stay that must have ended unobserved, at the instant it was last seen."""
    absences = [one for one in observations if one.seen is Seen.ABSENT]
    seen = [one.ended_at or one.at for one in observations if one.seen is Seen.PIPELINE]
    seen += [one.last_seen_at for one in absences if one.last_seen_at is not None]
    closed = []
    for stay, following in zip_longest(stays, stays[1:]):
        ends = [one.at for one in absences if one.at > stay.entered_at]
        if following is not None:
            ends.append(following.entered_at)
        if stay.exit is None and ends:
            last = max([stay.entered_at, *(instant for instant in seen if instant < min(ends))])
            closed.append(stay._replace(exit=TrainExit(last, _UNKNOWN)))
        else:
            closed.append(stay)
    return closed


def _with_pipelines(stays: Sequence[TrainStay], observations: Sequence[Observation]) -> list[TrainStay]:
    best: dict[int, Observation] = {}
    for one in observations:
        if one.seen is Seen.PIPELINE:
            best[one.id] = max(one, best.get(one.id, one), key=_how_much_it_says)
    running = sorted(best.values(), key=lambda one: (one.at, one.id))
    owned = list(stays)
    for pipeline in running:
        index = _index_of_stay(pipeline, stays)
        if index is not None:
            owned[index] = owned[index]._replace(pipelines=(*owned[index].pipelines, pipeline))
    return owned


def _index_of_stay(pipeline: Observation, stays: Sequence[TrainStay]) -> int | None:
    """The stay during which a pipeline began, or that began shortly after, if clocks differ."""
    fitting = [
        (stay.entered_at <= pipeline.at, index)
        for index, stay in enumerate(stays)
        if stay.entered_at - _SKEW <= pipeline.at <= (stay.exit.at if stay.exit else _END_OF_TIME)
    ]
    return max(fitting)[1] if fitting else None


def _how_much_it_says(pipeline: Observation) -> tuple[bool, int, str]:
    """A finished pipeline says more than a running one; its first verdict counts, not a repetition."""
    is_final = pipeline.status in _OUTCOMES or pipeline.status in _CANCELLED
    changed_at = pipeline.ended_at or 0
    return is_final, -changed_at if is_final else changed_at, pipeline.status or ""


def _events(number: int, stay: TrainStay, around: TrainAround) -> Iterator[Event]:
    session = f"{SOURCE}:!{number}/{stay.key}"
    event = Event("", "", 0, stay.base_ref, QUEUE, None, SOURCE, session_id=session, pull_request=number)
    yield event._replace(id=f"{session}/entered", type=QUEUE_ENTERED, happened_at=stay.entered_at)
    for pipeline, following in zip_longest(stay.pipelines, stay.pipelines[1:]):
        yield from _check_events(event, stay, pipeline, following, around)
    if stay.exit is not None:
        yield event._replace(
            id=f"{session}/left",
            type=QUEUE_LEFT,
            happened_at=stay.exit.at,
            reason=stay.exit.reason,
            batch_id=str(stay.pipelines[-1].id) if stay.pipelines else None,
            schedule_wait=0,
            freeze_wait=0,
        )


def _check_events(
    event: Event, stay: TrainStay, pipeline: Observation, following: Observation | None, around: TrainAround
) -> Iterator[Event]:
    members = dict.fromkeys((*around.members.get(pipeline.id, ()), pipeline.number))
    run = event._replace(batch_id=str(pipeline.id), attempt=1)
    id = f"{event.session_id}/{pipeline.id}"
    yield run._replace(
        id=f"{id}/started",
        type=CHECKS_STARTED,
        happened_at=pipeline.at,
        batch_pull_requests=",".join(map(str, members)),
    )
    ending = _ending(stay, pipeline, following, around)
    if ending is not None:
        at = max(ending.at, pipeline.at)
        yield run._replace(id=f"{id}/ended", type=CHECKS_ENDED, happened_at=at, outcome=ending.reason)


def _ending(
    stay: TrainStay, pipeline: Observation, following: Observation | None, around: TrainAround
) -> TrainExit | None:
    """When and how a pipeline ended; None while it runs.

    A person may repeat its jobs afterwards: that changes its status, but no longer concerns the train.
    """
    until = following.at if following is not None else stay.exit.at if stay.exit is not None else _END_OF_TIME
    if pipeline.status in _OUTCOMES and pipeline.ended_at is not None and pipeline.ended_at <= until + _SKEW:
        return TrainExit(min(pipeline.ended_at, until), _OUTCOMES[pipeline.status])
    if following is not None:
        at = min(pipeline.ended_at or following.at, following.at)
        return TrainExit(at, _interruption(at, around))
    if stay.exit is not None:
        at = min(pipeline.ended_at or stay.exit.at, stay.exit.at)
        if stay.exit.reason in MERGED_REASONS:
            return TrainExit(at, "SUCCESS")
        return TrainExit(at, stay.exit.reason if stay.exit.reason in CHECK_OUTCOMES else "CHECKS_INTERRUPTED")
    if pipeline.status in _CANCELLED and pipeline.ended_at is not None:
        return TrainExit(pipeline.ended_at, _interruption(pipeline.ended_at, around))
    return None


def _interruption(at: int, around: TrainAround) -> str:
    """Why the train rebuilt a pipeline: the reason of the last removal shortly before."""
    before = [(when, why) for when, why in around.removals if at - _SHORTLY_BEFORE <= when <= at + _SKEW]
    if before and max(before)[1] in ("CHECKS_FAILED", "CHECKS_TIMEOUT"):
        return "BATCH_AHEAD_FAILED"
    return "PR_AHEAD_DEQUEUED"
