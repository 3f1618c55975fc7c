"""What came of removals, and what that proves about their causes."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from mergecast.queues.model.event import MERGED_REASONS
from mergecast.queues.model.instant import DAY
from mergecast.queues.model.verdict import (
    CHANGED,
    EVERYBODY,
    FAILED_AGAIN,
    FIX,
    FLAKE,
    JUDGED_BY_RUNS,
    MERGED,
    NEVER_RETURNED,
    OTHER,
    OWN,
)
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.verdicts import StayOfPull, stays_of_pulls, verdicts_of_stays

# A pull request that comes back later than this does not answer the verdict any more.
RETURNS_WITHIN: Final = 14 * DAY
_PUSHED: Final = "PULL_REQUEST_UPDATED"


class Removed(NamedTuple):
    """A removal, as far as what came of it depends on it."""

    stay: int
    pull_request: int
    base_ref: str
    queue_name: str
    left_at: int
    reason: str
    head_sha: str | None


class Later(NamedTuple):
    """What happened after a removal; `outcome` is None while that is open or cannot be known."""

    outcome: str | None
    answered_by: int | None = None  # the stay that is the outcome
    in_queue_since: int | None = None  # it has come back, and waits now
    is_own: bool = False  # it failed again, and that was surely its own fault

    def proven_cause(self, said: str, reason: str) -> str | None:
        """What later runs proved about the cause of a removal; None if they proved nothing."""
        if reason not in JUDGED_BY_RUNS:
            return None
        if self.outcome == MERGED:
            return said if said in {OTHER, FLAKE, EVERYBODY} else FLAKE
        return OWN if self.is_own else None


def read_later(reader: Reader, repository_id: int, removed: Sequence[Removed], now: int) -> dict[int, Later]:
    """What came of each of these removals, by its stay."""
    if not removed:
        return {}
    pulls = {one.pull_request for one in removed}
    stays: dict[int, list[StayOfPull]] = {}
    for stay in stays_of_pulls(reader, repository_id, pulls, min(one.left_at for one in removed)):
        stays.setdefault(stay.pull_request, []).append(stay)
    found = {one.stay: later_of(one, stays.get(one.pull_request, ()), now) for one in removed}
    again = {one.answered_by for one in found.values() if one.outcome == FAILED_AGAIN}
    rows = verdicts_of_stays(reader, repository_id, [stay for stay in again if stay is not None])
    own = {stay for stay, row in rows.items() if row.cause == OWN and row.act == FIX}
    return {stay: one._replace(is_own=one.answered_by in own) for stay, one in found.items()}


def later_of(removed: Removed, stays: Iterable[StayOfPull], now: int) -> Later:
    """What came of a removal, from the stays of its pull request.

    A return that ends for another reason, such as a reset of the queue, leaves it to the next one. One to
    another queue is no answer, and neither is one that may have begun at any time.
    """
    last = removed.left_at + RETURNS_WITHIN
    returns = [
        stay
        for stay in stays
        if stay.stay != removed.stay
        and (stay.entered_at is None or removed.left_at <= stay.entered_at <= last)
        and (stay.left_at is None or removed.left_at <= stay.left_at)
    ]
    waiting = next((stay.entered_at for stay in returns if stay.left_at is None), None)
    for stay in returns:
        if stay.entered_at is None or not stay.is_in(removed.base_ref, removed.queue_name):
            continue
        if removed.head_sha is None or stay.head_sha is None:
            return Later(None, None, waiting)
        if stay.head_sha != removed.head_sha or stay.reason == _PUSHED:
            return Later(CHANGED, stay.stay, waiting)
        if stay.reason in MERGED_REASONS:
            return Later(MERGED, stay.stay, waiting)
        if stay.reason in JUDGED_BY_RUNS:
            return Later(FAILED_AGAIN, stay.stay, waiting)
        if stay.left_at is None:
            return Later(None, None, waiting)
    return Later(None if returns or now <= last else NEVER_RETURNED, None, waiting)
