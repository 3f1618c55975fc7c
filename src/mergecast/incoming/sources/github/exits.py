"""Reports that a pull request left a queue → its exits: GitHub reports the same one several times."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

from msgspec import structs

from mergecast.incoming.sources.github.groups import SKEW, MergeGroup, Surroundings
from mergecast.incoming.sources.github.observation import Observation, Seen
from mergecast.incoming.sources.github.reasons import UNKNOWN, exit_reason, is_unknown
from mergecast.queues.model.instant import SECOND

# Reports this close to each other describe the same thing.
SAME = 120 * SECOND
MERGED = "PR_MERGED"
BY_HAND = "PR_MANUALLY_MERGED"
_UNEXPLAINED = frozenset({UNKNOWN, MERGED, BY_HAND})  # a merge by hand may be why it left


class Exit(NamedTuple):
    at: int
    reason: str
    is_of_queue: bool = True  # False when only a closing was seen that may have nothing to do with the queue
    unknown_reason: str | None = None  # in GitHub's words, if nothing else says why


def github_exits(
    observations: Iterable[Observation],
    entries: list[int],
    groups: Sequence[MergeGroup],
    around: Surroundings,
) -> list[Exit]:
    """One exit per departure: GitHub reports a merge up to five times."""
    reports = [one for one in observations if one.seen in (Seen.LEFT, Seen.CLOSED) or _is_landing(one)]
    seen = sorted(_dated_alike(reports), key=lambda one: (one.instant, one.id))
    clusters: list[list[Observation]] = []
    for one in seen:
        if clusters and _is_same_leaving(clusters[-1], one, entries):
            clusters[-1].append(one)
        else:
            clusters.append([one])
    return [
        _exit(
            cluster,
            is_behind_another=_is_behind_another(groups, around, entries, cluster[-1].instant),
        )
        for cluster in clusters
    ]


def _dated_alike(reports: Sequence[Observation]) -> Iterator[Observation]:
    """The reports, all those of a merge at the instant that GitHub gives: webhooks can be hours late."""
    merges = [one for one in reports if is_merge(one)]
    left = [one for one in merges if one.seen is Seen.LEFT]
    exact = [one.instant for one in left if one.is_from_timeline]
    landed = [one.instant for one in merges if one.seen is Seen.CLOSED]
    dated = [*exact, *landed] or sorted(one.instant for one in left or merges)[:1]
    for one in reports:
        near = min(dated, key=lambda at: (abs(at - one.instant), at)) if is_merge(one) else one.at
        yield structs.replace(one, at=near)


def _is_landing(one: Observation) -> bool:
    """Whether the queue merged a group, and its pull request with it."""
    return one.seen is Seen.GROUP_DESTROYED and one.reason == "merged"


def _is_same_leaving(cluster: list[Observation], one: Observation, entries: list[int]) -> bool:
    first, last = cluster[0].instant, one.instant
    is_known_kind = any(_kind(other) == _kind(one) for other in cluster)
    entered_between = any(first < entry <= last for entry in entries)
    # A pull request merges once: a later report is late, however often it says the same.
    is_final = any(is_merge(other) for other in cluster)
    return not entered_between and (is_final or (last - first <= SAME and not is_known_kind))


def is_merge(one: Observation) -> bool:
    if one.seen is Seen.LEFT:
        return exit_reason(one.reason, is_behind_another=False) == MERGED
    return one.is_merged or _is_landing(one)


def _kind(one: Observation) -> tuple[Seen, bool]:
    return one.seen, one.is_from_timeline


def _exit(cluster: list[Observation], *, is_behind_another: bool) -> Exit:
    left = sorted((one for one in cluster if one.seen is Seen.LEFT), key=lambda one: one.is_from_timeline)
    closed = [one for one in cluster if one.seen is Seen.CLOSED]
    reasons = [exit_reason(one.reason, is_behind_another=is_behind_another) for one in left]
    reason = next((name for name in reasons if name != UNKNOWN), UNKNOWN)
    merged = [one for one in closed if one.is_merged]
    has_landed = reason in (UNKNOWN, MERGED) and any(_is_landing(one) for one in cluster)
    is_by_queue = has_landed or any(one.is_by_queue for one in merged)
    if is_by_queue:
        reason = MERGED
    elif merged and reason not in _UNEXPLAINED and min(one.instant for one in left) <= merged[0].instant:
        merged = []  # someone merged it by hand afterwards
    elif merged and reason != MERGED:
        reason = BY_HAND
    elif closed and reason == UNKNOWN:
        reason = "PR_DEQUEUED"
    exact = [one.instant for one in left if one.is_from_timeline]
    landed = [one.instant for one in merged]
    rough = [one.instant for one in left or closed or cluster]
    unknown = [one.reason for one in left if is_unknown(one.reason)] if reason == UNKNOWN else []
    return Exit(
        min(exact or landed or rough), reason, bool(left) or is_by_queue, unknown[0] if unknown else None
    )


def _is_behind_another(
    groups: Sequence[MergeGroup], around: Surroundings, entries: list[int], left_at: int
) -> bool:
    """Whether the last group before an exit was built on the group of another pull request."""
    entered_at = max((entry for entry in entries if entry <= left_at), default=0)
    built_by = min((entry for entry in entries if left_at < entry <= left_at + SKEW), default=left_at + SKEW)
    until = bisect_right(groups, built_by, key=attrgetter("built_at"))
    last = [one for one in groups[max(until - 1, 0) : until] if one.built_at >= entered_at - SKEW]
    return any(_is_built_on_another(one, around) for one in last)


def _is_built_on_another(group: MergeGroup, around: Surroundings) -> bool:
    """Whether a group was built on another one, and not on the base branch after that one had merged."""
    ahead = group.base_sha or ""
    return ahead in around.ahead and around.landed_at.get(ahead, group.built_at + 1) > group.built_at
