"""Exits from a queue that were just stored become causes of notices, unless they are merges.

If the verdict about one changes what to do after its notice was made, a correction is a cause of its own.
"""

from collections.abc import Iterable, Mapping

import msgspec

from mergecast.queues.model.cause import CORRECTION, ONCE, Cause
from mergecast.queues.model.event import MERGED_REASONS, QUEUE_LEFT, Event
from mergecast.queues.model.instant import MINUTE, SECOND
from mergecast.queues.model.notification import REMOVED
from mergecast.queues.store.held_repository import HeldRepository, NamedEvent, SubjectName
from mergecast.queues.store.outbox import add_causes, mark_as_done
from mergecast.queues.store.rows import CauseRow, VerdictRow
from mergecast.queues.store.stored_rows import stored_rows

# Sources often say a moment later why a pull request left, or that it was merged after all.
DELAY = 15 * SECOND
# What is said about a removal is corrected if it changes within this time.
_CORRECTED_FOR = 10 * MINUTE
NOT_REMOVED = (*MERGED_REASONS, "PR_MANUALLY_MERGED")


class Removal(msgspec.Struct, frozen=True):
    """Which stay ended. The rest is read when the notice is made, because more may be known by then."""

    stay: int
    pull_request: int


def is_removal_event(event: Event) -> bool:
    """Whether a pull request left its queue without having been merged."""
    return event.type == QUEUE_LEFT and event.reason not in NOT_REMOVED


def add_removals(
    held: HeldRepository, events: Iterable[NamedEvent], numbers: Mapping[SubjectName, int]
) -> None:
    """Store a cause for each new exit that is not a merge; `numbers` has the stays of these events."""
    causes = [
        Cause(
            REMOVED,
            event.session_id,
            ONCE,
            event.happened_at,
            event.base_ref,
            event.queue_name,
            msgspec.json.encode(Removal(numbers[stay], event.pull_request)).decode(),
        )
        for event, stay, _ in events
        if is_removal_event(event)
        and stay is not None
        and event.session_id is not None
        and event.pull_request is not None
    ]
    add_causes(held, causes, DELAY)


class Correction(msgspec.Struct, frozen=True):
    """Which stay ended, and what its notice advised."""

    stay: int
    pull_request: int
    said: str


def correct_removals(held: HeldRepository, changed: Iterable[tuple[VerdictRow, str]]) -> None:
    """Store a cause for each removal whose notice was made and advised something else.

    `changed` has verdicts, and the act that each said before.
    """
    recent = {
        row.session_id: (row, said)
        for row, said in changed
        if said != row.act and row.judged_at <= row.left_at + _CORRECTED_FOR
    }
    told = {
        row.key
        for row in stored_rows(held.rows, CauseRow, key=list(recent))
        if row.name == (REMOVED, row.key, ONCE) and row.done_at is not None
    }
    add_causes(held, [_correction(*one) for key, one in recent.items() if key in told])


def _correction(verdict: VerdictRow, said: str) -> Cause:
    document = Correction(verdict.stay, verdict.pull_request, said)
    return Cause(
        REMOVED,
        verdict.session_id,
        CORRECTION,
        verdict.left_at,
        verdict.base_ref,
        verdict.queue_name,
        msgspec.json.encode(document).decode(),
    )


def mark_as_told(held: HeldRepository, told: Mapping[str, str | None], *, is_burst: bool) -> None:
    """The notices of these removals are made; `told` has, by session, the act that each advised.

    A verdict that has changed since it was read is corrected at once. Removals that were told together with
    many others are never corrected.
    """
    rows = stored_rows(held.rows, VerdictRow, session_id=list(told))
    said = [(row, told[row.session_id] or row.act) for row in rows]
    causes = [_correction(row, act) for row, act in said if is_burst or act != row.act]
    add_causes(held, causes, are_done=is_burst)
    mark_as_done(held, [(REMOVED, key, ONCE) for key in told])
