"""Observations of one merge request → the events of its stays on merge trains."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

from mergecast.incoming.sources.gitlab import NAME
from mergecast.incoming.sources.gitlab.ci_checks import ci_checks
from mergecast.incoming.sources.gitlab.observation import Observation, Seen
from mergecast.incoming.sources.gitlab.train_stays import (
    CANCELLED,
    END_OF_TIME,
    OUTCOMES,
    SKEW,
    UNKNOWN,
    TrainExit,
    TrainStay,
    exit_reason,
    train_stays,
)
from mergecast.incoming.sources.translation import Translation, Untranslated, unknown_reason
from mergecast.queues.model.ci_check import CiCheckReport
from mergecast.queues.model.event import (
    CHECK_OUTCOMES,
    CHECKS_ENDED,
    CHECKS_STARTED,
    MERGED_REASONS,
    QUEUE_ENTERED,
    QUEUE_LEFT,
    Event,
)
from mergecast.queues.model.instant import MINUTE

QUEUE = "default"  # a branch has one train, which has no name
_SHORTLY_BEFORE = 5 * MINUTE


class TrainAround(NamedTuple):
    """What happened on the train around a merge request."""

    members: Mapping[int, Sequence[int]] = {}  # of each pipeline: the merge requests ahead of it, in order
    removals: Sequence[tuple[int, str]] = ()  # when others ahead of it were removed, and why


def translate(number: int, observations: Sequence[Observation], around: TrainAround) -> Translation:
    """The events of every stay and its CI checks, whatever the order of the observations."""
    stays = train_stays(observations)
    events = tuple(event for stay in stays for event in _events(number, stay, around))
    said = list(ci_checks(QUEUE, stays, observations))
    return Translation(
        events,
        (*_unknown_reasons(observations), *(one for one in said if isinstance(one, Untranslated))),
        tuple(one for one in said if isinstance(one, CiCheckReport)),
    )


def _unknown_reasons(observations: Sequence[Observation]) -> Iterator[Untranslated]:
    """Removals whose reason this version does not know."""
    notes = {observation.id: observation for observation in observations if observation.seen is Seen.LEFT}
    for note in sorted(notes.values(), key=lambda note: note.id):
        if note.reason is not None and exit_reason(note.reason) == UNKNOWN:
            yield unknown_reason(note.reason, note.at)


def _events(number: int, stay: TrainStay, around: TrainAround) -> Iterator[Event]:
    session = f"{NAME}:!{number}/{stay.key}"
    event = Event("", "", 0, stay.base_ref, QUEUE, None, NAME, session_id=session, pull_request=number)
    yield event._replace(
        id=f"{session}/entered",
        type=QUEUE_ENTERED,
        happened_at=stay.entered_at,
        head_sha=stay.entered_sha,
    )
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
            head_sha=stay.left_sha,
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
    until = following.at if following is not None else stay.exit.at if stay.exit is not None else END_OF_TIME
    if pipeline.status in OUTCOMES and pipeline.ended_at is not None and pipeline.ended_at <= until + SKEW:
        return TrainExit(min(pipeline.ended_at, until), OUTCOMES[pipeline.status])
    if following is not None:
        at = min(pipeline.ended_at or following.at, following.at)
        return TrainExit(at, _interruption(at, around))
    if stay.exit is not None:
        at = min(pipeline.ended_at or stay.exit.at, stay.exit.at)
        if stay.exit.reason in MERGED_REASONS:
            return TrainExit(at, "SUCCESS")
        return TrainExit(at, stay.exit.reason if stay.exit.reason in CHECK_OUTCOMES else "CHECKS_INTERRUPTED")
    if pipeline.status in CANCELLED and pipeline.ended_at is not None:
        return TrainExit(pipeline.ended_at, _interruption(pipeline.ended_at, around))
    return None


def _interruption(at: int, around: TrainAround) -> str:
    """Why the train rebuilt a pipeline: the reason of the last removal shortly before."""
    before = [(when, why) for when, why in around.removals if at - _SHORTLY_BEFORE <= when <= at + SKEW]
    if before and max(before)[1] in ("CHECKS_FAILED", "CHECKS_TIMEOUT"):
        return "BATCH_AHEAD_FAILED"
    return "PR_AHEAD_DEQUEUED"
