"""The merge groups of one pull request, put together from what was seen of each commit."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mergecast.incoming.sources.github.observation import Observation, Seen
from mergecast.queues.model.instant import SECOND

# The clocks of GitHub's hosts differ: an observation this much too early still belongs to a stay.
SKEW = 60 * SECOND
# Why a group was destroyed: its own pull request left, or merged.
DEQUEUED, MERGED = "dequeued", "merged"
INVALIDATED = "invalidated"  # what was ahead left, and the pull request of the group did not


class MergeGroup(NamedTuple):
    """One commit that GitHub built to test a pull request on top of what is ahead of it."""

    head_sha: str
    base_sha: str | None
    built_at: int
    destroyed_at: int | None
    destroyed_reason: str | None  # merged, invalidated or dequeued
    checks: tuple[Observation, ...]
    is_early: bool = False  # only a run from before the imported window shows it: its stay may be over

    @property
    def last_seen_at(self) -> int:
        ends = [check.ended_at for check in self.checks if check.ended_at is not None]
        return max((self.built_at, self.destroyed_at or self.built_at, *ends))


def is_destroyed_by_leaving(report: Observation) -> bool:
    """Whether a group was destroyed because its own pull request left."""
    return report.seen is Seen.GROUP_DESTROYED and report.reason == DEQUEUED


def rebuilt_at(group: MergeGroup, following: MergeGroup) -> int:
    """When a group was destroyed for the sake of the next one; the webhook may have come late."""
    return min(following.built_at, group.destroyed_at or following.built_at)


def is_void(group: MergeGroup) -> bool:
    """Whether a group was destroyed, and not because its pull request left.

    The reason may be one that this version does not know, or missing.
    """
    return group.destroyed_at is not None and group.destroyed_reason not in (DEQUEUED, MERGED)


def is_destroyed_before(group: MergeGroup, left_at: int) -> bool:
    """Whether a group was destroyed, and its pull request was still queued some time later."""
    return is_void(group) and (group.destroyed_at or 0) + SKEW < left_at


def merge_groups(observations: Iterable[Observation]) -> list[MergeGroup]:
    """The groups in the order in which they were built."""
    by_commit: defaultdict[str, list[Observation]] = defaultdict(list)
    for report in observations:
        if report.head_sha is not None:
            by_commit[report.head_sha].append(report)
    # Without any observation of its start or its checks, when it was built is unknown.
    groups = [
        _group(head_sha, reports)
        for head_sha, reports in by_commit.items()
        if any(report.seen in (Seen.GROUP_BUILT, Seen.CHECK) for report in reports)
    ]
    return sorted(groups, key=lambda group: (group.built_at, group.head_sha))


def _group(head_sha: str, reports: Sequence[Observation]) -> MergeGroup:
    built = [report for report in reports if report.seen is Seen.GROUP_BUILT]
    destroyed = sorted(
        (report for report in reports if report.seen is Seen.GROUP_DESTROYED),
        # The deletion of the branch gives the instant too, but not the reason.
        key=lambda report: (report.reason is None, report.instant, report.id),
    )
    checks = sorted(
        (report for report in reports if report.seen is Seen.CHECK),
        key=lambda report: (report.instant, report.id),
    )
    single = [check for check in checks if not check.is_suite]
    return MergeGroup(
        head_sha,
        min((report.base_sha for report in reports if report.base_sha), default=None),
        _built_at(built, checks, reports),
        min((report.instant for report in destroyed), default=None),
        destroyed[0].reason if destroyed else None,
        tuple(single or checks),
        all(report.is_early for report in (*built, *checks)),
    )


def _built_at(
    built: Sequence[Observation], checks: Sequence[Observation], reports: Sequence[Observation]
) -> int:
    """The commit's own time; without it the first reception, without that the first check."""
    dated = [report.at for report in built if report.at is not None]
    received = [report.received_at for report in built]
    started = [check.started_at for check in checks if check.started_at is not None]
    return min(dated or received or started or [report.instant for report in reports])
