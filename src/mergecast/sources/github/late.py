"""Webhooks that came late, after a failure to deliver them: GitHub gives their time only indirectly."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import structs

from mergecast.sources.github.exits import SAME, is_merge
from mergecast.sources.github.groups import SKEW, is_destroyed_by_leaving
from mergecast.sources.github.observation import Observation, Seen


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


def late_webhooks(observations: Sequence[Observation], unexplained: Unexplained) -> list[Observation]:
    """Entries and exits that cannot have happened when they were received."""
    undated = [one for one in observations if one.changed_at is not None]
    undated.sort(key=lambda one: (one.changed_at or 0, one.id))
    if not undated:
        return []
    elsewhere = {seen: _reported_elsewhere(seen, observations) for seen in (Seen.ENTERED, Seen.LEFT)}
    # Whatever a webhook says about an open pull request was written before the pull request was closed.
    closed = [one.instant for one in observations if one.seen is Seen.CLOSED]
    return (
        [one for one in undated if _is_at_its_change(one, elsewhere[one.seen])]
        or _late_entry(undated, [*closed, *unexplained.exits, *unexplained.groups[:1]])
        or [
            one for one in undated if _is_exit_before(one, closed) or _is_exit_before_entry(one, observations)
        ]
        or _late_exit(undated, unexplained.unended)
    )


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


def _is_exit_before_entry(webhook: Observation, observations: Sequence[Observation]) -> bool:
    """Whether a pull request entered again before the webhook came, with a later change than it reports."""
    return webhook.seen is Seen.LEFT and any(
        (webhook.changed_at or 0) < one.at <= webhook.received_at
        for one in observations
        if one.seen is Seen.ENTERED and one.at is not None and not one.is_from_timeline
    )


def _late_entry(undated: Sequence[Observation], proofs: Sequence[int]) -> list[Observation]:
    """The pull request was closed, had left, or had a group that belongs to no other entry.

    An exit that was received after its pull request had changed again was late, too.
    """
    entries = [one for one in undated if one.seen is Seen.ENTERED]
    entered = _before_proof(entries, proofs, 0)[-1:] or _before_proof(entries, proofs, SKEW)[-1:]
    return entered + [
        one
        for entry in entered
        for one in undated
        if one.seen is Seen.LEFT and (entry.changed_at or 0) < (one.changed_at or 0) < entry.received_at
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
