"""Webhooks that came late, after a failure to deliver them: GitHub gives their time only indirectly."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import structs

from mergecast.sources.github.groups import SKEW, MergeGroup
from mergecast.sources.github.observation import Observation, Seen


class Unended(NamedTuple):
    """A stay without a known exit, which must have ended before the next one began."""

    entered_at: int
    next_entered_at: int


def as_changed(webhook: Observation) -> Observation:
    """The webhook, dated to the last change of its pull request instead of its reception."""
    return structs.replace(webhook, at=webhook.changed_at, changed_at=None)


def late_webhooks(
    observations: Sequence[Observation], unended: Sequence[Unended], orphans: Sequence[MergeGroup]
) -> list[Observation]:
    """Entries and exits that cannot have happened when they were received."""
    undated = [one for one in observations if one.changed_at is not None]
    undated.sort(key=lambda one: (one.changed_at or 0, one.id))
    if not undated:
        return []
    merged = [one.instant for one in observations if one.is_merged]
    built = [group.built_at for group in orphans[:1]]
    return _late_entry(undated, [*merged, *built]) or _late_exit(undated, unended)


def _late_entry(undated: Sequence[Observation], proofs: Sequence[int]) -> list[Observation]:
    """The pull request had merged, or had a group that belongs to no other entry.

    An exit that was received after its pull request had changed again was late, too.
    """
    entered = [
        one
        for one in undated
        if one.seen is Seen.ENTERED
        and any((one.changed_at or 0) - SKEW <= proof < one.received_at for proof in proofs)
    ][-1:]
    return entered + [
        one
        for entry in entered
        for one in undated
        if one.seen is Seen.LEFT and (entry.changed_at or 0) < (one.changed_at or 0) < entry.received_at
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
