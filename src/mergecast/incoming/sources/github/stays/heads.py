"""The last commit of a pull request when a stay began and when it ended.

A report about an entry or exit names the commit as of then, however late it comes. A push names the commits
before and after it. What no report says stays unknown: an outage that hides an entry may hide a push, too.
"""

from collections.abc import Iterable, Sequence

from mergecast.incoming.sources.github.observation import Observation, Seen
from mergecast.incoming.sources.github.stays.draft import GitHubStay
from mergecast.incoming.sources.github.stays.exits import SAME

_END_OF_TIME = 1 << 62
_ENTRIES = (Seen.ENTERED, Seen.QUEUED)


def with_heads(stays: Sequence[GitHubStay], reports: Iterable[Observation]) -> list[GitHubStay]:
    """The stays, oldest first, with the commits that these reports name."""
    telling = [report for report in reports if report.pull_sha or report.pull_sha_before]
    if not telling:
        return list(stays)
    return [
        stay._replace(
            entered_sha=_entered_sha(stay, left_before, telling),
            left_sha=_left_sha(stay, (left_before, entered_next), telling),
        )
        for left_before, stay, entered_next in zip(
            (0, *map(_left_at, stays)), stays, (*map(_entered_at, stays[1:]), _END_OF_TIME), strict=False
        )
    ]


def with_head_at_exit(stay: GitHubStay, reports: Iterable[Observation]) -> GitHubStay:
    """A stay of which only the exit was seen, with the commit that these reports name."""
    around = (_left_at(stay) - 2 * SAME, _left_at(stay) + SAME)
    return stay._replace(left_sha=_left_sha(stay, around, reports))


def _entered_sha(stay: GitHubStay, left_before: int, reports: Iterable[Observation]) -> str | None:
    entered_at = _entered_at(stay)
    begin, end = max(entered_at - SAME, left_before), _left_at(stay)
    own = [
        report
        for report in reports
        if report.seen in _ENTRIES and report.pull_sha and begin <= report.instant <= end
    ]
    if own:
        return min(own, key=lambda report: (report.seen is Seen.QUEUED, *_rank(report, entered_at))).pull_sha
    pushes = _pushes(stay, reports)
    return pushes[0].pull_sha_before or None if pushes else None


def _left_sha(stay: GitHubStay, around: tuple[int, int], reports: Iterable[Observation]) -> str | None:
    """The commit at the exit; `around` are the exit before and the next entry."""
    if stay.exit is None:
        return None
    left_at = stay.exit.at
    own = [
        report
        for report in reports
        if report.pull_sha and (_is_exit(report, stay, around) or _is_closing(report, left_at))
    ]
    if own:
        return min(own, key=lambda report: (report.seen is Seen.CLOSED, *_rank(report, left_at))).pull_sha
    pushes = _pushes(stay, reports)
    return pushes[-1].pull_sha or None if pushes else None


def _rank(report: Observation, at: int) -> tuple[bool, int, str]:
    """A timeline does not say which commit was the last one: that is derived from when commits were made."""
    return report.is_from_timeline, abs(report.instant - at), report.id


def _is_exit(report: Observation, stay: GitHubStay, around: tuple[int, int]) -> bool:
    """Whether a report is about the exit of this stay, and not about the one before."""
    left_before, entered_next = around
    begin = max(_entered_at(stay) - SAME, left_before)
    is_nearer = abs(report.instant - _left_at(stay)) <= abs(report.instant - left_before)
    return report.seen is Seen.LEFT and begin < report.instant < entered_next and is_nearer


def _is_closing(report: Observation, left_at: int) -> bool:
    """Whether the pull request was closed when it left: until a later closing, someone may push."""
    return report.seen is Seen.CLOSED and abs(report.instant - left_at) <= SAME


def _pushes(stay: GitHubStay, reports: Iterable[Observation]) -> list[Observation]:
    """The pushes during a stay, in their order."""
    if stay.entered_at is None:
        return []
    begin, end = stay.entered_at, _left_at(stay)
    found = [report for report in reports if report.seen is Seen.PUSHED and begin < report.instant <= end]
    return sorted(found, key=lambda report: (report.instant, report.id))


def _entered_at(stay: GitHubStay) -> int:
    return stay.entered_at or 0


def _left_at(stay: GitHubStay) -> int:
    return _END_OF_TIME if stay.exit is None else stay.exit.at
