"""Turns observations of one pull request in one queue into stays: each entered once, left at most once."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import NamedTuple

from mergecast.model.instant import SECOND
from mergecast.sources.github.groups import MergeGroup, Surroundings
from mergecast.sources.github.observation import Observation, Seen
from mergecast.sources.github.reasons import exit_reason

# A webhook and a timeline item this close to each other describe the same thing.
_SAME = 120 * SECOND
# The clocks of GitHub's hosts differ: an observation this much too early still belongs to a stay.
_SKEW = 60 * SECOND
_UNKNOWN = "UNKNOWN"
_MERGED = "PR_MERGED"


class Exit(NamedTuple):
    at: int
    reason: str
    is_of_queue: bool = True  # False when only the closing of the pull request was seen


class GitHubStay(NamedTuple):
    entered_at: int | None  # None when only the leaving was seen
    exit: Exit | None
    groups: tuple[MergeGroup, ...]


def github_stays(
    observations: Sequence[Observation], groups: Sequence[MergeGroup], around: Surroundings
) -> list[GitHubStay]:
    """The stays of one pull request, oldest first, whatever the order of the observations."""
    entries = _entries(observations)
    exits = _exits(observations, entries, is_behind_another=_is_behind_another(groups, around))
    absences = [one for one in observations if one.seen is Seen.ABSENT]
    while True:
        stays, orphans = _assign(entries, exits, groups)
        if not orphans:
            return [*_exits_without_entry(stays, exits), *_close_missed(stays, absences)]
        # GitHub can build a group without ever reporting that the pull request entered.
        entries = sorted([*entries, orphans[0].built_at])


def _is_behind_another(groups: Sequence[MergeGroup], around: Surroundings) -> bool:
    """Whether the last group was built on the group of another pull request."""
    return bool(groups) and groups[-1].base_sha in around.ahead


def _entries(observations: Sequence[Observation]) -> list[int]:
    """One instant per entry into the queue: from the timeline, else from the webhook, else from the queue."""
    listed = sorted({one.instant for one in observations if one.seen is Seen.QUEUED})
    seen = [one for one in observations if one.seen is Seen.ENTERED]
    exact = sorted({one.instant for one in seen if one.is_from_timeline})
    rough = sorted({one.instant for one in seen if not one.is_from_timeline})
    for instant in exact:
        near = [other for other in rough if abs(other - instant) <= _SAME]
        if near:
            rough.remove(min(near, key=lambda other: (abs(other - instant), other)))
    found = [*exact, *rough]
    for instant in listed:
        if all(abs(instant - other) > _SAME for other in found):
            found.append(instant)
    return sorted(found)


def _exits(observations: Iterable[Observation], entries: list[int], *, is_behind_another: bool) -> list[Exit]:
    """One exit per departure: GitHub reports a merge up to four times."""
    seen = sorted(
        (one for one in observations if one.seen in (Seen.LEFT, Seen.CLOSED)),
        key=lambda one: (one.instant, one.id),
    )
    clusters: list[list[Observation]] = []
    for one in seen:
        if clusters and _is_same_leaving(clusters[-1], one, entries):
            clusters[-1].append(one)
        else:
            clusters.append([one])
    return [_exit(cluster, is_behind_another=is_behind_another) for cluster in clusters]


def _is_same_leaving(cluster: list[Observation], one: Observation, entries: list[int]) -> bool:
    first, last = cluster[0].instant, one.instant
    is_known_kind = any(_kind(other) == _kind(one) for other in cluster)
    entered_between = any(first < entry <= last for entry in entries)
    return last - first <= _SAME and not is_known_kind and not entered_between


def _kind(one: Observation) -> tuple[Seen, bool]:
    return one.seen, one.is_from_timeline


def _exit(cluster: list[Observation], *, is_behind_another: bool) -> Exit:
    left = sorted((one for one in cluster if one.seen is Seen.LEFT), key=lambda one: one.is_from_timeline)
    closed = [one for one in cluster if one.seen is Seen.CLOSED]
    reasons = [exit_reason(one.reason, is_behind_another=is_behind_another) for one in left]
    reason = next((name for name in reasons if name != _UNKNOWN), _UNKNOWN)
    merged = [one for one in closed if one.is_merged]
    if merged and reason != _MERGED:
        reason = _MERGED if any(one.is_by_queue for one in merged) else "PR_MANUALLY_MERGED"
    elif closed and reason == _UNKNOWN:
        reason = "PR_DEQUEUED"
    exact = [one.instant for one in left if one.is_from_timeline]
    landed = [one.instant for one in merged]
    rough = [one.instant for one in left] or [one.instant for one in closed]
    return Exit(min(exact or landed or rough), reason, bool(left))


def _assign(
    entries: list[int], exits: list[Exit], groups: Sequence[MergeGroup]
) -> tuple[list[GitHubStay], list[MergeGroup]]:
    """A stay per entry, with the first exit that fits, and the groups that fit no stay."""
    stays: list[GitHubStay] = []
    free = list(exits)
    for entered_at, next_at in zip_longest(entries, entries[1:]):
        fitting = [
            exit for exit in free if exit.at >= entered_at - _SKEW and (next_at is None or exit.at < next_at)
        ]
        if fitting:
            free.remove(fitting[0])
        stays.append(GitHubStay(entered_at, fitting[0] if fitting else None, ()))
    orphans = []
    for group in groups:
        index = max((i for i, entry in enumerate(entries) if entry - _SKEW <= group.built_at), default=None)
        if index is None or _is_after(stays[index], group):
            orphans.append(group)
        else:
            stay = stays[index]
            stays[index] = stay._replace(groups=(*stay.groups, group))
    return stays, orphans


def _is_after(stay: GitHubStay, group: MergeGroup) -> bool:
    return stay.exit is not None and group.built_at > stay.exit.at + _SKEW


def _exits_without_entry(stays: Sequence[GitHubStay], exits: Iterable[Exit]) -> list[GitHubStay]:
    """Exits from the queue without a known entry; closing a pull request alone is not an exit."""
    used = {stay.exit for stay in stays}
    return [GitHubStay(None, exit, ()) for exit in exits if exit.is_of_queue and exit not in used]


def _close_missed(stays: Sequence[GitHubStay], absences: Sequence[Observation]) -> list[GitHubStay]:
    """Close a stay that must have ended unobserved, at the instant it was last seen."""
    present = [one.last_seen_at for one in absences if one.last_seen_at is not None]
    closed = []
    for stay, following in zip_longest(stays, stays[1:]):
        entered_at = stay.entered_at or 0
        ends = [one.instant for one in absences if one.instant > entered_at]
        if following is not None:
            ends.append(following.entered_at or 0)
        if stay.exit is None and ends:
            seen = [instant for instant in present if instant <= min(ends)]
            last_seen = max([entered_at, *seen, *(group.last_seen_at for group in stay.groups)])
            closed.append(stay._replace(exit=Exit(min(last_seen, *ends), _UNKNOWN)))
        else:
            closed.append(stay)
    return closed
