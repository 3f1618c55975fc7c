"""Reports that a pull request left a queue → its exits: GitHub reports the same exit several times."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from msgspec import structs

from mergecast.incoming.sources.github.groups import SKEW, MergeGroup
from mergecast.incoming.sources.github.observation import Observation, Seen
from mergecast.incoming.sources.github.reasons import (
    CONFLICT_WITH_BASE,
    MERGED,
    MERGED_BY_HAND,
    UNKNOWN,
    exit_reason,
    is_unknown,
)
from mergecast.queues.model.instant import SECOND

# Reports this close to each other describe the same thing.
SAME = 120 * SECOND
_CLOSED = "PR_DEQUEUED"
_MAY_BE_A_MERGE_BY_HAND = frozenset({UNKNOWN, MERGED, MERGED_BY_HAND})


@dataclass(frozen=True, slots=True)
class Exit:
    """When and why a pull request left.

    GitHub does not say what a pull request was in conflict with. Here it is the base branch; what was ahead
    of `conflicting_group`, the last group before the exit, decides later.
    """

    at: int
    reason: str
    is_of_queue: bool = True  # False when only a closing was seen that may have nothing to do with the queue
    unknown_reason: str | None = None  # in GitHub's words, if nothing else says why
    conflicting_group: MergeGroup | None = field(default=None, compare=False)


def github_exits(
    observations: Iterable[Observation], entries: Sequence[int], groups: Sequence[MergeGroup]
) -> list[Exit]:
    """One exit per departure: GitHub reports a merge up to five times."""
    reports = [report for report in observations if _is_about_leaving(report)]
    reports = sorted(_with_merges_dated_alike(reports), key=lambda report: (report.instant, report.id))
    departures: list[list[Observation]] = []
    for report in reports:
        if departures and _is_same_departure(departures[-1], report, entries):
            departures[-1].append(report)
        else:
            departures.append([report])
    return [_exit(departure, entries, groups) for departure in departures]


def _is_about_leaving(report: Observation) -> bool:
    return report.seen in (Seen.LEFT, Seen.CLOSED) or _is_landing(report)


def _is_landing(report: Observation) -> bool:
    """Whether the queue merged a group, and its pull request with it."""
    return report.seen is Seen.GROUP_DESTROYED and report.reason == "merged"


def is_merge(report: Observation) -> bool:
    if report.seen is Seen.LEFT:
        return exit_reason(report.reason) == MERGED
    return report.is_merged or _is_landing(report)


def _with_merges_dated_alike(reports: Sequence[Observation]) -> Iterator[Observation]:
    """The reports; those of a merge get the nearest date that GitHub gives for a merge.

    A webhook that says so may come hours after the merge, and would count as another exit.
    """
    merges = [report for report in reports if is_merge(report)]
    left = [report for report in merges if report.seen is Seen.LEFT]
    exact = [report.instant for report in left if report.is_from_timeline]
    landed = [report.instant for report in merges if report.seen is Seen.CLOSED]
    dates = [*exact, *landed] or sorted(report.instant for report in left or merges)[:1]
    for report in reports:
        if is_merge(report):
            at = report.instant
            yield structs.replace(report, at=min(dates, key=lambda date: (abs(date - at), date)))
        else:
            yield report


def _is_same_departure(known: Sequence[Observation], report: Observation, entries: Iterable[int]) -> bool:
    """Whether a report is about a departure of which earlier reports are known."""
    first, last = known[0].instant, report.instant
    if any(first < entry <= last for entry in entries):
        return False
    # A pull request merges once: a later report is late, however often it says the same.
    if any(is_merge(earlier) for earlier in known):
        return True
    return last - first <= SAME and all(_kind(earlier) != _kind(report) for earlier in known)


def _kind(report: Observation) -> tuple[Seen, bool]:
    return report.seen, report.is_from_timeline


def _exit(reports: Sequence[Observation], entries: Sequence[int], groups: Sequence[MergeGroup]) -> Exit:
    """The exit that all these reports are about, dated by the most exact of them."""
    webhooks_first = sorted(reports, key=lambda report: report.is_from_timeline)
    left = [report for report in webhooks_first if report.seen is Seen.LEFT]
    closed = [report for report in reports if report.seen is Seen.CLOSED]
    merged = [report for report in closed if report.is_merged]
    given = next((name for report in left if (name := exit_reason(report.reason)) != UNKNOWN), UNKNOWN)
    has_landed = given in (UNKNOWN, MERGED) and any(map(_is_landing, reports))
    is_by_queue = has_landed or any(report.is_by_queue for report in merged)
    if not is_by_queue and _is_merged_afterwards(given, left, merged):
        merged = []
    reason = MERGED if is_by_queue else _reason_without_queue(given, closed, merged)
    exact = [report.instant for report in left if report.is_from_timeline]
    unknown = [report.reason for report in left if is_unknown(report.reason)] if reason == UNKNOWN else []
    return Exit(
        min(exact or [report.instant for report in merged or left or closed or reports]),
        reason,
        bool(left) or is_by_queue,
        unknown[0] if unknown else None,
        _last_group(groups, entries, reports[-1].instant) if reason == CONFLICT_WITH_BASE else None,
    )


def _is_merged_afterwards(given: str, left: Sequence[Observation], merged: Sequence[Observation]) -> bool:
    """Whether a pull request left for another reason, before someone merged it by hand."""
    if not merged or given in _MAY_BE_A_MERGE_BY_HAND:
        return False
    return min(report.instant for report in left) <= merged[0].instant


def _reason_without_queue(given: str, closed: Sequence[Observation], merged: Sequence[Observation]) -> str:
    """Why a pull request left that the queue did not merge."""
    if merged and given != MERGED:
        return MERGED_BY_HAND
    return _CLOSED if closed and given == UNKNOWN else given


def _last_group(groups: Sequence[MergeGroup], entries: Sequence[int], left_at: int) -> MergeGroup | None:
    """The last group that was built for a stay before it ended; clocks may differ."""
    entered_at = max((entry for entry in entries if entry <= left_at), default=0)
    built_by = min((entry for entry in entries if left_at < entry <= left_at + SKEW), default=left_at + SKEW)
    until = bisect_right(groups, built_by, key=attrgetter("built_at"))
    last = groups[until - 1] if until else None
    return last if last is not None and last.built_at >= entered_at - SKEW else None
