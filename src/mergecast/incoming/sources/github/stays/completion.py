"""Steps that complete the stays when all reports have their final dates."""

from collections.abc import Collection, Iterable, Sequence
from itertools import zip_longest

from mergecast.incoming.sources.github.groups import DEQUEUED, is_destroyed_by_leaving
from mergecast.incoming.sources.github.observation import Observation, Seen
from mergecast.incoming.sources.github.reasons import UNKNOWN
from mergecast.incoming.sources.github.stays.draft import Draft, GitHubStay
from mergecast.incoming.sources.github.stays.exits import Exit


def entered_before_first_group(draft: Draft) -> Draft:
    """Let a stay begin when its first group was built, if the webhook of its entry was received later.

    Assumes that a pull request enters before GitHub builds a group for it, and that commits are dated.

    Without this step, the first tests of a stay would begin before the stay itself.
    """
    received = {
        report.instant
        for report in draft.reports.observations
        if report.seen is Seen.ENTERED and report.at is None
    }
    return draft._replace(stays=[_entered_before_group(stay, received) for stay in draft.stays])


def _entered_before_group(stay: GitHubStay, received: Collection[int]) -> GitHubStay:
    entered_at = stay.entered_at
    if entered_at is None or entered_at not in received or not stay.groups:
        return stay
    return stay._replace(entered_at=min(entered_at, stay.groups[0].built_at))


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
