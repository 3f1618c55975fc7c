"""Stays of one pull request, and the runs around them → events."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from mergecast.incoming.sources.bors import NAME
from mergecast.incoming.sources.bors.bors_stays import OUTCOMES, BorsExit, BorsStay
from mergecast.incoming.sources.bors.replies import Reply
from mergecast.incoming.sources.bors.runs import Run, batch_of
from mergecast.queues.model.event import (
    BISECTION_ENDED,
    BISECTION_STARTED,
    CHECKS_ENDED,
    CHECKS_STARTED,
    QUEUE_ENTERED,
    QUEUE_LEFT,
    Event,
)

QUEUE = "default"  # a branch has one queue, which has no name
_SPLIT = (Reply.SPLIT, Reply.TIMED_OUT_SPLIT)
_CULPRIT = ("CHECKS_FAILED", "CHECKS_TIMEOUT")

Exits = Mapping[tuple[int, int], BorsExit]  # by number and entry


class Around(NamedTuple):
    """What happened in the queue during the stays of a pull request."""

    runs: Mapping[str, Sequence[Run]]  # by base branch
    exits: Exits


def events_of(number: int, stays: Sequence[BorsStay], around: Around) -> Iterator[Event]:
    for stay in stays:
        yield from _events(number, stay, around.runs.get(stay.base_ref, ()), around.exits)


def _events(number: int, stay: BorsStay, runs: Sequence[Run], exits: Exits) -> Iterator[Event]:
    session = f"{NAME}:#{number}/{stay.key}"
    rule = f"p={stay.priority}" if stay.priority else None
    event = Event("", "", 0, stay.base_ref, QUEUE, rule, NAME, session_id=session, pull_request=number)
    yield event._replace(
        id=f"{session}/entered", type=QUEUE_ENTERED, happened_at=stay.entered_at, head_sha=stay.head_sha
    )
    batch = None
    for reply, run in _own_runs(number, stay, runs):
        batch = batch_of(run)
        yield from _check_events(event, reply, run, batch)
        if reply in _SPLIT and number == min(run.numbers):
            yield from _bisection(event, run, batch, exits)
    if stay.exit is not None:
        yield event._replace(
            id=f"{session}/left",
            type=QUEUE_LEFT,
            happened_at=stay.exit.at,
            reason=stay.exit.reason,
            batch_id=batch,
            schedule_wait=0,
            freeze_wait=0,
            head_sha=stay.exit.head_sha,
        )


def _own_runs(number: int, stay: BorsStay, runs: Sequence[Run]) -> Iterator[tuple[Reply, Run]]:
    for run in runs:
        for member in run.members:
            if (member.number, member.entered_at) == (number, stay.entered_at):
                yield member.end.reply, run


def _check_events(event: Event, reply: Reply, run: Run, batch: str) -> Iterator[Event]:
    checks = event._replace(batch_id=batch, attempt=1)
    name = f"{event.session_id}/{batch}"
    # Readers tell from the id that the start was not reported.
    yield checks._replace(
        id=f"{name}/{'started-derived' if run.is_start_derived else 'started'}",
        type=CHECKS_STARTED,
        happened_at=run.started_at,
        batch_pull_requests=",".join(map(str, run.numbers)),
    )
    yield checks._replace(
        id=f"{name}/ended", type=CHECKS_ENDED, happened_at=run.ended_at, outcome=OUTCOMES[reply]
    )


def _bisection(event: Event, run: Run, batch: str, exits: Exits) -> Iterator[Event]:
    """A batch that has failed is halved; one member reports it for all.

    The bot does not write when the search has ended. It has when every member has left the queue, and a
    member that failed alone is the culprit.
    """
    name = f"{NAME}:{event.base_ref}/{batch}/bisection"
    split = event._replace(batch_id=batch, session_id=None, pull_request=None)
    yield split._replace(
        id=name[-200:],
        type=BISECTION_STARTED,
        happened_at=run.ended_at,
        depth=0,
        batch_pull_requests=",".join(map(str, run.numbers)),
    )
    left = [exits.get((member.number, member.entered_at)) for member in run.members]
    known = [exit for exit in left if exit is not None]
    if len(known) == len(left):
        yield split._replace(
            id=f"{name}-ended"[-200:],
            type=BISECTION_ENDED,
            happened_at=max(run.ended_at, *(exit.at for exit in known)),
            culprit_found=any(exit.reason in _CULPRIT for exit in known),
            max_failures_reached=False,
        )
