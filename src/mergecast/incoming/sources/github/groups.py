"""The merge groups of one pull request, put together from what was seen of each commit."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from mergecast.incoming.sources.github.observation import SUITE, Observation, Seen
from mergecast.queues.model.instant import SECOND

# The clocks of GitHub's hosts differ: an observation this much too early still belongs to a stay.
SKEW = 60 * SECOND


# Why a group was destroyed: its own pull request left, or merged.
DEQUEUED, MERGED = "dequeued", "merged"


class MergeGroup(NamedTuple):
    """One commit that GitHub built to test a pull request on top of what is ahead of it."""

    head_sha: str
    base_sha: str | None
    built_at: int
    destroyed_at: int | None
    destroyed_reason: str | None  # merged, invalidated or dequeued
    checks: tuple[Observation, ...]

    @property
    def last_seen_at(self) -> int:
        ends = [check.ended_at for check in self.checks if check.ended_at is not None]
        return max((self.built_at, self.destroyed_at or self.built_at, *ends))


class Surroundings(NamedTuple):
    """What happened around a pull request, which explains why its groups were destroyed."""

    # The groups of other pull requests, by commit: why that pull request left with this group.
    # None while it is queued, and for a group that was rebuilt.
    ahead: Mapping[str, str | None] = {}
    built_on: Mapping[str, str] = {}  # what the groups without a reason were built on
    landed_at: Mapping[str, int] = {}  # when groups merged: their commits are part of the base branch since
    foreign_pushes: Sequence[
        int
    ] = ()  # instants at which someone other than the queue pushed to the base branch


def is_destroyed_by_leaving(one: Observation) -> bool:
    """Whether a group was destroyed because its own pull request left."""
    return one.seen is Seen.GROUP_DESTROYED and one.reason == DEQUEUED


def rebuilt_at(group: MergeGroup, following: MergeGroup) -> int:
    """When a group was destroyed for the sake of the next one; the webhook may have come late."""
    return min(following.built_at, group.destroyed_at or following.built_at)


def is_destroyed_before(group: MergeGroup, left_at: int) -> bool:
    """Whether a group was destroyed, and its pull request was still queued some time later."""
    is_void = group.destroyed_at is not None and group.destroyed_reason not in (DEQUEUED, MERGED)
    return is_void and (group.destroyed_at or 0) + SKEW < left_at


def merge_groups(observations: Iterable[Observation]) -> list[MergeGroup]:
    """The groups in the order in which they were built."""
    by_commit: defaultdict[str, list[Observation]] = defaultdict(list)
    for seen in observations:
        if seen.head_sha is not None:
            by_commit[seen.head_sha].append(seen)
    # Without any observation of its start or its checks, when it was built is unknown.
    groups = [
        _group(head_sha, seen)
        for head_sha, seen in by_commit.items()
        if any(one.seen in (Seen.GROUP_BUILT, Seen.CHECK) for one in seen)
    ]
    return sorted(groups, key=lambda group: (group.built_at, group.head_sha))


def _group(head_sha: str, seen: list[Observation]) -> MergeGroup:
    built = [one for one in seen if one.seen is Seen.GROUP_BUILT]
    destroyed = sorted(
        (one for one in seen if one.seen is Seen.GROUP_DESTROYED),
        # The deletion of the branch gives the instant too, but not the reason.
        key=lambda one: (one.reason is None, one.instant, one.id),
    )
    checks = sorted((one for one in seen if one.seen is Seen.CHECK), key=lambda one: (one.instant, one.id))
    single = [one for one in checks if not (one.check or "").startswith(SUITE)]
    return MergeGroup(
        head_sha,
        min((one.base_sha for one in seen if one.base_sha), default=None),
        _built_at(built, checks, seen),
        min((one.instant for one in destroyed), default=None),
        destroyed[0].reason if destroyed else None,
        tuple(single or checks),
    )


def _built_at(built: list[Observation], checks: list[Observation], seen: list[Observation]) -> int:
    """The commit's own time; without it the first reception, without that the first check."""
    dated = [one.at for one in built if one.at is not None]
    received = [one.received_at for one in built]
    started = [one.started_at for one in checks if one.started_at is not None]
    return min(dated or received or started or [one.instant for one in seen])
