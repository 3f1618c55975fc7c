"""Webhooks that came late, after a failure to deliver them: GitHub gives their time only indirectly."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import structs

from mergecast.incoming.sources.github.exits import SAME, is_merge
from mergecast.incoming.sources.github.groups import SKEW, is_destroyed_by_leaving
from mergecast.incoming.sources.github.observation import Observation, Seen
from mergecast.incoming.sources.github.server_clock import MOST_SKEW
from mergecast.queues.model.instant import HOUR

# Webhooks that report what happened this close to each other may have failed for the same reason.
_SAME_FAILURE = HOUR


class Unended(NamedTuple):
    """A stay without a known exit, which must have ended before the next one began."""

    entered_at: int
    next_entered_at: int


class Unexplained(NamedTuple):
    """What the webhooks do not explain, as they are dated so far."""

    unended: Sequence[Unended]
    exits: Sequence[int]  # without an entry
    groups: Sequence[int]  # when the groups were built that belong to no stay


def as_changed(webhook: Observation) -> Observation:
    """The webhook, dated to the last change of its pull request instead of its reception."""
    return structs.replace(webhook, at=webhook.changed_at, changed_at=None)


def borrowed_dates(observations: Sequence[Observation]) -> list[Observation]:
    """Entries and exits with the date of an earlier exit or entry.

    GitHub does not promise that a pull request changes when it enters or leaves a queue.
    """
    webhooks = [one for one in observations if one.at is not None and not one.is_from_timeline]
    entered = [one for one in webhooks if one.seen is Seen.ENTERED]
    left = [one for one in webhooks if one.seen is Seen.LEFT]
    return [*_dated_like(entered, left), *_dated_like(left, entered)]


def _dated_like(webhooks: Sequence[Observation], others: Sequence[Observation]) -> Iterator[Observation]:
    first: dict[int | None, int] = {}
    for one in others:
        first[one.at] = min(one.received_at, first.get(one.at, one.received_at))
    for one in webhooks:
        if one.at in first and first[one.at] < one.received_at:
            yield one


def as_received(webhook: Observation) -> Observation:
    """The webhook, dated to its reception."""
    return structs.replace(webhook, at=None)


def repeated_webhooks(observations: Sequence[Observation]) -> list[Observation]:
    """Entries and exits that came together with webhooks whose dates show that they are late.

    GitHub repeats failed deliveries together, when someone requests it.
    """
    late = [one for one in observations if _is_certainly_late(one)]
    if not late:
        return []
    undated = [one for one in observations if one.changed_at is not None]
    confirmed = [one for one in observations if one.is_from_timeline]
    return _with_exits(
        [one for one in undated if _came_with(one, late) and not _is_confirmed(one, confirmed)], undated
    )


def _is_certainly_late(one: Observation) -> bool:
    is_dated = one.seen in (Seen.GROUP_BUILT, Seen.CLOSED) and not one.is_from_timeline
    return is_dated and one.at is not None and one.received_at - one.at > SAME


def _came_with(webhook: Observation, late: Sequence[Observation]) -> bool:
    return any(
        abs(webhook.received_at - one.received_at) <= SAME
        and abs((webhook.changed_at or 0) - one.instant) <= _SAME_FAILURE
        for one in late
    )


def _is_confirmed(webhook: Observation, timeline: Sequence[Observation]) -> bool:
    """Whether the timeline says that it happened when the webhook was received."""
    return any(
        one.seen is webhook.seen and abs(one.instant - webhook.received_at) <= SAME for one in timeline
    )


def late_webhooks(
    observations: Sequence[Observation], unexplained: Unexplained
) -> dict[Observation, Observation]:
    """Entries and exits that cannot have happened when they were received, and the same with their dates."""
    undated = [one for one in observations if one.changed_at is not None]
    undated.sort(key=lambda one: (one.changed_at or 0, one.id))
    if not undated:
        return {}
    elsewhere = {seen: _reported_elsewhere(seen, observations) for seen in (Seen.ENTERED, Seen.LEFT)}
    # Whatever a webhook says about an open pull request was written before the pull request was closed.
    closed = [one.instant for one in observations if one.seen is Seen.CLOSED]
    changes = sorted({one.at for one in observations if one.at is not None and _is_about_pull_request(one)})
    changed = [one for one in undated if _is_at_its_change(one, elsewhere[one.seen])] or [
        one for one in undated if _is_outdated(one, changes)
    ]
    if changed:
        return {one: as_changed(one) for one in changed}
    proofs = [*closed, *unexplained.exits, *unexplained.groups[:1]]
    late = (
        _with_exits(_late_entry(undated, proofs), undated)
        or [one for one in undated if _is_exit_before(one, closed)]
        or _late_exit(undated, unexplained.unended)
    )
    return {one: _before_first(one, proofs) for one in late}


def _before_first(webhook: Observation, proofs: Sequence[int]) -> Observation:
    """The webhook, dated to the last change of its pull request, or to the first proof that it had entered.

    GitHub does not promise that a pull request changes when it enters a queue. If the last change was long
    ago and the proof was not, the webhook came a little late rather than very late.
    """
    changed_at, received_at = webhook.changed_at or 0, webhook.received_at
    first = min((at for at in proofs if changed_at <= at < received_at), default=changed_at)
    is_a_little_late = received_at - first <= MOST_SKEW < received_at - changed_at
    if webhook.seen is Seen.ENTERED and is_a_little_late:
        return structs.replace(webhook, at=first, changed_at=None)
    return as_changed(webhook)


def _reported_elsewhere(seen: Seen, observations: Sequence[Observation]) -> list[int]:
    """When timelines say that the same happened; without them, when groups were destroyed by leaving."""
    timeline = [one.instant for one in observations if one.is_from_timeline and one.seen is seen]
    if timeline or seen is not Seen.LEFT:
        return timeline
    return [one.instant for one in observations if is_destroyed_by_leaving(one)]


def _is_at_its_change(webhook: Observation, reported: Sequence[int]) -> bool:
    """Whether the same happened when the pull request last changed, and not when the webhook came."""
    if not reported:
        return False
    after_change = min(abs(at - (webhook.changed_at or 0)) for at in reported)
    return after_change <= SAME and after_change < min(abs(at - webhook.received_at) for at in reported)


def _is_exit_before(webhook: Observation, closed: Sequence[int]) -> bool:
    """Whether a webhook says that a pull request left without merging, before it was closed."""
    if webhook.seen is not Seen.LEFT or is_merge(webhook):
        return False
    return any((webhook.changed_at or 0) <= at < webhook.received_at - SKEW for at in closed)


def _is_about_pull_request(one: Observation) -> bool:
    return one.seen in (Seen.ENTERED, Seen.LEFT, Seen.CLOSED) and not one.is_from_timeline


def _is_outdated(webhook: Observation, changes: Sequence[int]) -> bool:
    """Whether the pull request had changed again before the webhook came, unknown to the webhook."""
    later = bisect_right(changes, webhook.changed_at or 0)
    return later < len(changes) and changes[later] < webhook.received_at - SKEW


def _late_entry(undated: Sequence[Observation], proofs: Sequence[int]) -> list[Observation]:
    """The pull request was closed, had left, or had a group that belongs to no other entry."""
    entries = [one for one in undated if one.seen is Seen.ENTERED]
    return _before_proof(entries, proofs, 0)[-1:] or _before_proof(entries, proofs, SKEW)[-1:]


def _with_exits(late: Sequence[Observation], undated: Sequence[Observation]) -> list[Observation]:
    """Late webhooks, and exits that happened after a late entry, but before that was received."""
    entries, found = [one for one in late if one.seen is Seen.ENTERED], set(late)
    return [
        one
        for one in undated
        if one in found
        or (
            one.seen is Seen.LEFT
            and any((entry.changed_at or 0) < (one.changed_at or 0) < entry.received_at for entry in entries)
        )
    ]


def _before_proof(entries: Sequence[Observation], proofs: Sequence[int], skew: int) -> list[Observation]:
    return [
        one
        for one in entries
        if any((one.changed_at or 0) - skew <= proof < one.received_at for proof in proofs)
    ]


def _late_exit(undated: Sequence[Observation], unended: Sequence[Unended]) -> list[Observation]:
    for stay in unended:
        left = [
            one
            for one in undated
            if one.seen is Seen.LEFT
            and stay.entered_at - SKEW <= (one.changed_at or 0) <= stay.next_entered_at <= one.received_at
        ]
        if left:
            return left[:1]
    return []
