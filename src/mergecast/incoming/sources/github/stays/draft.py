"""Reports about one pull request → a draft of its stays, and what that draft leaves unexplained."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, zip_longest
from operator import attrgetter
from typing import NamedTuple

from mergecast.incoming.sources.github.groups import SKEW, MergeGroup
from mergecast.incoming.sources.github.observation import Observation, Seen
from mergecast.incoming.sources.github.stays.exits import SAME, Exit, github_exits


class GitHubStay(NamedTuple):
    entered_at: int | None  # None when only the exit was seen
    exit: Exit | None
    groups: tuple[MergeGroup, ...]
    # The last commit of the pull request when it entered and when it left, if that was reported.
    entered_sha: str | None = None
    left_sha: str | None = None


class Reports(NamedTuple):
    """What is known about the entries and exits of a pull request, with the dates that it has so far."""

    observations: Sequence[Observation]
    unreported_entries: tuple[int, ...] = ()

    @property
    def closings(self) -> list[int]:
        return [report.instant for report in self.observations if report.seen is Seen.CLOSED]

    def redated(self, dated: Mapping[Observation, Observation]) -> "Reports":
        """The reports with some observations replaced by the same with another date."""
        return self._replace(observations=[dated.get(report, report) for report in self.observations])


class UnendedStay(NamedTuple):
    """A stay without a known exit, which must have ended before the next one began."""

    entered_at: int
    next_entered_at: int


class Draft(NamedTuple):
    """The stays that follow from the reports as they are dated so far, oldest first."""

    reports: Reports
    undated: Sequence[Observation]  # webhooks that may have come late, in the order of the last changes
    stays: Sequence[GitHubStay]
    unended: Sequence[UnendedStay]
    exits_without_entry: Sequence[Exit]
    groups_without_stay: Sequence[MergeGroup]


def drafted(reports: Reports, groups: Sequence[MergeGroup]) -> Draft:
    """The draft; the groups are in the order in which they were built."""
    undated = [report for report in reports.observations if report.changed_at is not None]
    undated.sort(key=lambda report: (report.changed_at or 0, report.id))
    entries = sorted([*_entries(reports.observations), *reports.unreported_entries])
    exits = github_exits(reports.observations, entries, groups)
    ended = _with_exits(entries, exits, groups)
    unended = [
        UnendedStay(*span) for span, stay in zip(pairwise(entries), ended, strict=False) if stay.exit is None
    ]
    stays, others = _with_groups(entries, ended, groups)
    return Draft(reports, undated, stays, unended, _exits_without_entry(stays, exits), others)


def _entries(observations: Iterable[Observation]) -> list[int]:
    """One instant per entry into the queue: from the timeline, else from the webhook, else from the queue."""
    exact, rough, listed = set[int](), set[int](), set[int]()
    for report in observations:
        if report.seen is Seen.ENTERED:
            (exact if report.is_from_timeline else rough).add(report.instant)
        elif report.seen is Seen.QUEUED:
            listed.add(report.instant)
    for instant in sorted(exact):
        near = [other for other in rough if abs(other - instant) <= SAME]
        if near:
            rough.remove(min(near, key=lambda other: (abs(other - instant), other)))
    found = [*exact, *rough]
    for instant in sorted(listed):
        if all(abs(instant - other) > SAME for other in found):
            found.append(instant)
    return found


def _with_exits(
    entries: Sequence[int], exits: Iterable[Exit], groups: Sequence[MergeGroup]
) -> list[GitHubStay]:
    """A stay per entry, with the first exit that fits."""
    stays, free = [], list(exits)
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
    return stays


def _last_built(groups: Sequence[MergeGroup], before: int | None) -> int:
    until = len(groups) if before is None else bisect_left(groups, before, key=attrgetter("built_at"))
    return groups[until - 1].built_at if until else 0


def _with_groups(
    entries: Sequence[int], ended: Iterable[GitHubStay], groups: Iterable[MergeGroup]
) -> tuple[list[GitHubStay], list[MergeGroup]]:
    """The stays with the groups that were built during each, and the groups that show another stay."""
    stays, others = list(ended), []
    for group in groups:
        index = _index_of_stay(group, entries, stays)
        if index is None or _has_ended_before(stays[index], group):
            others += [] if group.is_early else [group]
        else:
            stay = stays[index]
            stays[index] = stay._replace(groups=(*stay.groups, group))
    return stays, others


def _index_of_stay(group: MergeGroup, entries: Sequence[int], stays: Sequence[GitHubStay]) -> int | None:
    """The stay during which a group was built, or that began shortly after, if clocks differ."""
    index = bisect_right(entries, group.built_at + SKEW) - 1
    if index > 0 and entries[index] > group.built_at:
        previous = stays[index - 1].exit
        if previous is not None and group.built_at <= previous.at:
            return index - 1
    return index if index >= 0 else None


def _has_ended_before(stay: GitHubStay, group: MergeGroup) -> bool:
    return stay.exit is not None and group.built_at > stay.exit.at + SKEW


def _exits_without_entry(stays: Sequence[GitHubStay], exits: Iterable[Exit]) -> list[Exit]:
    """Exits from the queue without a known entry; a person who closes a pull request is none.

    Only one can have happened at an instant, and none when a stay began.
    """
    used, entries = {stay.exit for stay in stays}, {stay.entered_at for stay in stays}
    unused = [exit for exit in exits if exit.is_of_queue and exit not in used and exit.at not in entries]
    return list({exit.at: exit for exit in reversed(unused)}.values())
