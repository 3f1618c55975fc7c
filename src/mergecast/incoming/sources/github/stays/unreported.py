"""Steps for entries and exits that must have happened although no report says so."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from mergecast.incoming.sources.github.groups import DEQUEUED, is_destroyed_by_leaving
from mergecast.incoming.sources.github.observation import Observation, Seen
from mergecast.incoming.sources.github.reasons import UNKNOWN
from mergecast.incoming.sources.github.stays.draft import Draft, GitHubStay, Reports
from mergecast.incoming.sources.github.stays.exits import Exit


def entered_unreported(draft: Draft) -> Reports | None:
    """Let an entry that was not reported begin with the first group that belongs to no stay.

    Assumes that GitHub builds groups only for queued pull requests, and that the webhook or the timeline of
    the entry can be missing.

    Without this step, the group and its checks would be lost.
    """
    if not draft.groups_without_stay:
        return None
    first = draft.groups_without_stay[0].built_at
    return draft.reports._replace(unreported_entries=(*draft.reports.unreported_entries, first))


def ended_unreported(draft: Draft) -> Draft:
    """End a stay that must have ended without a report, for an unknown reason, when it was last seen.

    Assumes that a pull request has left when it enters again, when the queue is read and does not contain it,
    and when its last group is destroyed because its pull request left.

    Without this step, the pull request would seem to be queued for ever.
    """
    if all(stay.exit is not None for stay in draft.stays):
        return draft
    absences = [report for report in draft.reports.observations if report.seen is Seen.ABSENT]
    gone = _ends_of_unknown_groups(draft)
    return draft._replace(
        stays=[
            _ended(stay, following, absences, gone) if stay.exit is None else stay
            for stay, following in zip_longest(draft.stays, draft.stays[1:])
        ]
    )


def _ends_of_unknown_groups(draft: Draft) -> list[int]:
    """When a pull request left with a group whose beginning was not seen."""
    known = {group.head_sha for stay in draft.stays for group in stay.groups}
    return [
        report.instant
        for report in draft.reports.observations
        if is_destroyed_by_leaving(report) and report.head_sha not in known
    ]


def _ended(
    stay: GitHubStay, following: GitHubStay | None, absences: Sequence[Observation], gone: Iterable[int]
) -> GitHubStay:
    """The stay with an exit, if there is evidence that it has ended."""
    entered_at = stay.entered_at or 0
    left = _left_with_last_group(stay, gone)
    ends = [*left, *(absence.instant for absence in absences if absence.instant > entered_at)]
    if following is not None:
        ends.append(following.entered_at or 0)
    if not ends:
        return stay
    present = [absence.last_seen_at for absence in absences if absence.last_seen_at is not None]
    seen = [at for at in (*present, *left) if at <= min(ends)]
    last_seen = max([entered_at, *seen, *(group.last_seen_at for group in stay.groups)])
    return stay._replace(exit=Exit(min(last_seen, *ends), UNKNOWN))


def _left_with_last_group(stay: GitHubStay, gone: Iterable[int]) -> list[int]:
    """When the pull request left with its last group, which may be one whose beginning was not seen."""
    if not stay.groups:
        return [at for at in gone if at > (stay.entered_at or 0)]
    last = stay.groups[-1]
    own = [last.last_seen_at] if last.destroyed_reason == DEQUEUED else []
    return [*own, *(at for at in gone if at > last.built_at)]
