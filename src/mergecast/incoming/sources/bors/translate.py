"""Stays of one pull request, and the runs around them → events."""

from collections.abc import Iterator, Mapping, Sequence

from mergecast.incoming.sources.bors import NAME
from mergecast.incoming.sources.bors.bors_stays import OUTCOMES, BorsStay
from mergecast.incoming.sources.bors.replies import Reply
from mergecast.incoming.sources.bors.runs import Run
from mergecast.queues.model.event import (
    BISECTION_STARTED,
    CHECKS_ENDED,
    CHECKS_STARTED,
    QUEUE_ENTERED,
    QUEUE_LEFT,
    Event,
)
from mergecast.queues.model.instant import format_instant

QUEUE = "default"  # a branch has one queue, which has no name
_SPLIT = (Reply.SPLIT, Reply.TIMED_OUT_SPLIT)


def events_of(number: int, stays: Sequence[BorsStay], runs: Mapping[str, Sequence[Run]]) -> Iterator[Event]:
    """The events of the stays, given the runs on each base branch."""
    for stay in stays:
        yield from _events(number, stay, runs.get(stay.base_ref, ()))


def _events(number: int, stay: BorsStay, runs: Sequence[Run]) -> Iterator[Event]:
    session = f"{NAME}:#{number}/{stay.key}"
    rule = f"p={stay.priority}" if stay.priority else None
    event = Event("", "", 0, stay.base_ref, QUEUE, rule, NAME, session_id=session, pull_request=number)
    yield event._replace(id=f"{session}/entered", type=QUEUE_ENTERED, happened_at=stay.entered_at)
    batch = None
    for reply, run in _own_runs(number, stay, runs):
        batch = _batch(run)
        yield from _check_events(event, reply, run, batch)
        if reply in _SPLIT and number == min(run.numbers):
            yield _bisection(event, run, batch)
    if stay.exit is not None:
        yield event._replace(
            id=f"{session}/left",
            type=QUEUE_LEFT,
            happened_at=stay.exit.at,
            reason=stay.exit.reason,
            batch_id=batch,
            schedule_wait=0,
            freeze_wait=0,
        )


def _own_runs(number: int, stay: BorsStay, runs: Sequence[Run]) -> Iterator[tuple[Reply, Run]]:
    for run in runs:
        for member in run.members:
            if (member.number, member.entered_at) == (number, stay.entered_at):
                yield member.end.reply, run


def _batch(run: Run) -> str:
    """Named by the first reply about it, so that all members give it the same name."""
    return f"{format_instant(run.ended_at)}#{run.members[0].number}"


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


def _bisection(event: Event, run: Run, batch: str) -> Event:
    """A batch that has failed is halved; one member reports it for all."""
    return event._replace(
        id=f"{NAME}:{event.base_ref}/{batch}/bisection"[-200:],
        type=BISECTION_STARTED,
        happened_at=run.ended_at,
        batch_id=batch,
        depth=0,
        batch_pull_requests=",".join(map(str, run.numbers)),
        session_id=None,
        pull_request=None,
    )
