"""Turns observations of one pull request in one queue into stays: each entered once, left at most once."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, zip_longest
from operator import attrgetter
from typing import NamedTuple

from mergecast.incoming.sources.github.exits import MERGED, SAME, Exit, github_exits
from mergecast.incoming.sources.github.groups import (
    DEQUEUED,
    SKEW,
    MergeGroup,
    Surroundings,
    is_destroyed_by_leaving,
)
from mergecast.incoming.sources.github.late import (
    Unended,
    Unexplained,
    as_changed,
    as_received,
    borrowed_dates,
    late_webhooks,
    repeated_webhooks,
)
from mergecast.incoming.sources.github.observation import Observation, Seen
from mergecast.incoming.sources.github.reasons import UNKNOWN
from mergecast.queues.model.event import EXIT_REASONS

# Late webhooks and unreported entries of one pull request, each of which takes another pass over all of it.
_MOST_CORRECTIONS = 20


Said = str | int | None  # of a group: an exit reason or a commit, or the instant at which it merged


class GitHubStay(NamedTuple):
    entered_at: int | None  # None when only the leaving was seen
    exit: Exit | None
    groups: tuple[MergeGroup, ...]


def github_stays(
    observations: Sequence[Observation], groups: Sequence[MergeGroup], around: Surroundings
) -> list[GitHubStay]:
    """The stays of one pull request, oldest first, whatever the order of the observations."""
    # Most of them are checks, which are part of the groups.
    observations = [one for one in observations if one.seen is not Seen.CHECK]
    if borrowed := set(borrowed_dates(observations)):
        observations = [as_received(one) if one in borrowed else one for one in observations]
    if repeated := set(repeated_webhooks(observations)):
        observations = [as_changed(one) if one in repeated else one for one in observations]
    unreported: list[int] = []
    corrections = 0
    while True:
        entries = sorted([*_entries(observations), *unreported])
        exits = github_exits(observations, entries, groups, around)
        stays, orphans = _assign(entries, exits, groups)
        unended = [
            Unended(stay.entered_at or 0, following.entered_at or 0)
            for stay, following in pairwise(stays)
            if stay.exit is None
        ]
        unmatched = _exits_without_entry(stays, exits)
        built = [group.built_at for group in orphans]
        unexplained = Unexplained(unended, [exit.at for exit in unmatched], built)
        late = late_webhooks(observations, unexplained) if corrections < _MOST_CORRECTIONS else {}
        if late:
            observations = [late.get(one, one) for one in observations]
        elif orphans and corrections < _MOST_CORRECTIONS:
            # GitHub can build a group without ever reporting that the pull request entered.
            unreported.append(orphans[0].built_at)
        else:
            alone = [GitHubStay(None, exit, ()) for exit in unmatched]
            return [*alone, *_close_missed(_begun_before_groups(stays, observations), observations)]
        corrections += 1


def _begun_before_groups(
    stays: Sequence[GitHubStay], observations: Iterable[Observation]
) -> Iterator[GitHubStay]:
    """The stays; a pull request entered before its first group was built, however late the webhook came."""
    received = {one.instant for one in observations if one.seen is Seen.ENTERED and one.at is None}
    for stay in stays:
        if stay.entered_at in received and stay.groups:
            yield stay._replace(entered_at=min(stay.entered_at, stay.groups[0].built_at))
        else:
            yield stay


def _entries(observations: Sequence[Observation]) -> list[int]:
    """One instant per entry into the queue: from the timeline, else from the webhook, else from the queue."""
    listed = sorted({one.instant for one in observations if one.seen is Seen.QUEUED})
    seen = [one for one in observations if one.seen is Seen.ENTERED]
    exact = sorted({one.instant for one in seen if one.is_from_timeline})
    rough = sorted({one.instant for one in seen if not one.is_from_timeline})
    for instant in exact:
        near = [other for other in rough if abs(other - instant) <= SAME]
        if near:
            rough.remove(min(near, key=lambda other: (abs(other - instant), other)))
    found = [*exact, *rough]
    for instant in listed:
        if all(abs(instant - other) > SAME for other in found):
            found.append(instant)
    return sorted(found)


def _assign(
    entries: list[int], exits: list[Exit], groups: Sequence[MergeGroup]
) -> tuple[list[GitHubStay], list[MergeGroup]]:
    """A stay per entry, with the first exit that fits, and the groups that fit no stay."""
    stays: list[GitHubStay] = []
    free = list(exits)
    for entered_at, next_at in zip_longest(entries, entries[1:]):
        possible = [
            exit for exit in free if exit.at >= entered_at - SKEW and (next_at is None or exit.at < next_at)
        ]
        fitting = [exit for exit in possible if exit.at >= entered_at]
        if possible and not fitting:
            # What seems to be earlier than the entry may be the exit of a stay that was not seen.
            built_at = _last_built(groups, next_at)
            fitting = [exit for exit in possible if built_at <= exit.at]
        if fitting:
            free.remove(fitting[0])
        stays.append(GitHubStay(entered_at, fitting[0] if fitting else None, ()))
    orphans = []
    for group in groups:
        index = _index_of_stay(group, stays)
        if index is None or _is_after(stays[index], group):
            orphans.append(group)
        else:
            stay = stays[index]
            stays[index] = stay._replace(groups=(*stay.groups, group))
    return stays, orphans


def _last_built(groups: Sequence[MergeGroup], before: int | None) -> int:
    until = len(groups) if before is None else bisect_left(groups, before, key=attrgetter("built_at"))
    return groups[until - 1].built_at if until else 0


def _index_of_stay(group: MergeGroup, stays: Sequence[GitHubStay]) -> int | None:
    """The stay during which a group was built, or that began shortly after, if clocks differ."""
    begun = [i for i, stay in enumerate(stays) if (stay.entered_at or 0) - SKEW <= group.built_at]
    if len(begun) > 1 and (stays[begun[-1]].entered_at or 0) > group.built_at:
        left = stays[begun[-2]].exit
        if left is not None and group.built_at <= left.at:
            return begun[-2]
    return begun[-1] if begun else None


def _is_after(stay: GitHubStay, group: MergeGroup) -> bool:
    return stay.exit is not None and group.built_at > stay.exit.at + SKEW


def _exits_without_entry(stays: Sequence[GitHubStay], exits: Iterable[Exit]) -> list[Exit]:
    """Exits from the queue without a known entry; a person who closes a pull request is none.

    Only one can have happened at an instant, and none when a stay began.
    """
    used, entries = {stay.exit for stay in stays}, {stay.entered_at for stay in stays}
    unused = [one for one in exits if one.is_of_queue and one not in used and one.at not in entries]
    return list({one.at: one for one in reversed(unused)}.values())


def _close_missed(stays: Iterable[GitHubStay], observations: Iterable[Observation]) -> list[GitHubStay]:
    """Close a stay that must have ended unobserved, at the instant it was last seen."""
    stays = list(stays)
    absences = [one for one in observations if one.seen is Seen.ABSENT]
    present = [one.last_seen_at for one in absences if one.last_seen_at is not None]
    known = {group.head_sha for stay in stays for group in stay.groups}
    gone = [one.instant for one in observations if is_destroyed_by_leaving(one) and one.head_sha not in known]
    closed = []
    for stay, following in zip_longest(stays, stays[1:]):
        entered_at = stay.entered_at or 0
        left = _ends_of_last_group(stay, gone)
        ends = [*left, *(one.instant for one in absences if one.instant > entered_at)]
        if following is not None:
            ends.append(following.entered_at or 0)
        if stay.exit is None and ends:
            seen = [at for at in (*present, *left) if at <= min(ends)]
            last_seen = max([entered_at, *seen, *(group.last_seen_at for group in stay.groups)])
            closed.append(stay._replace(exit=Exit(min(last_seen, *ends), UNKNOWN)))
        else:
            closed.append(stay)
    return closed


def _ends_of_last_group(stay: GitHubStay, gone: Iterable[int]) -> list[int]:
    """When the pull request left with its last group, which may be one whose beginning was not seen."""
    last = stay.groups[-1:]
    built_at = max((group.built_at for group in last), default=stay.entered_at or 0)
    known = [group.last_seen_at for group in last if group.destroyed_reason == DEQUEUED]
    return [*known, *(at for at in gone if at > built_at)]


def groups_ahead(stays: Iterable[GitHubStay]) -> dict[str, Said]:
    """What other pull requests need to know of each group, by commit.

    When it merged, or why its pull request left with it; otherwise the commit it was built on, where the
    reason may be found.
    """
    found: dict[str, Said] = {}
    for stay in stays:
        for group in stay.groups[:-1]:
            found[group.head_sha] = group.base_sha
        for group in stay.groups[-1:]:
            if stay.exit is None:
                found[group.head_sha] = group.base_sha
            else:
                found[group.head_sha] = stay.exit.at if stay.exit.reason == MERGED else stay.exit.reason
    return found


def surroundings_of(groups: Mapping[str, Said], pushes: Sequence[int]) -> Surroundings:
    """The surroundings in what the stays of others say about their groups."""
    landed_at = {head: said for head, said in groups.items() if isinstance(said, int)}
    reasons = {head: said for head, said in groups.items() if isinstance(said, str) and said in EXIT_REASONS}
    built_on = {
        head: said for head, said in groups.items() if isinstance(said, str) and said not in EXIT_REASONS
    }
    ahead = dict.fromkeys(groups) | reasons | dict.fromkeys(landed_at, MERGED)
    return Surroundings(ahead, built_on, landed_at, tuple(sorted(pushes)))
