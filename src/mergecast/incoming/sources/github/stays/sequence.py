"""Turns observations of one pull request in one queue into stays: each entered once, left at most once.

GitHub's webhooks can be late, lost, repeated and out of order, and those about entries and exits have no date
of their own. Steps correct what contradicts itself, in this order; the docstring of each says what it assumes
and what would be wrong without it.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest

from mergecast.incoming.sources.github.groups import DEQUEUED, SKEW, MergeGroup, is_destroyed_by_leaving
from mergecast.incoming.sources.github.observation import Observation, Seen
from mergecast.incoming.sources.github.reasons import UNKNOWN
from mergecast.incoming.sources.github.stays.draft import Draft, GitHubStay, Reports, drafted
from mergecast.incoming.sources.github.stays.exits import Exit
from mergecast.incoming.sources.github.stays.first_dates import dated_with_redelivered, without_borrowed_dates
from mergecast.incoming.sources.github.stays.heads import with_head_at_exit, with_heads
from mergecast.incoming.sources.github.stays.late_webhooks import (
    left_before_closing,
    left_before_next_entry,
    outdated_at_reception,
    reported_elsewhere,
)
from mergecast.incoming.sources.github.stays.redating import dated_before, with_later_exits

_OF_NO_STAY = frozenset({Seen.CHECK, Seen.PUSHED})
# Each is applied once, to all other observations.
FIRST_DATES: tuple[Callable[[Sequence[Observation]], Sequence[Observation]], ...] = (
    without_borrowed_dates,
    dated_with_redelivered,
)
# Each correction takes another pass over all reports of a pull request, which may be hostile.
_MOST_CORRECTIONS = 20


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


def entered_before_proof(draft: Draft) -> Reports | None:
    """Date the newest entry that came after proof that the pull request had entered.

    Assumes that a pull request is queued when it leaves or a group is built for it, and enters no queue after
    it was closed. Only the first group without a stay is a proof, because the entry that explains it may
    explain the others. Exits that were reported before this entry are late, too.

    Without this step, the next one would find an entry. It would prefer a later entry that explains the proof
    only if clocks differ, and a group would count for the wrong stay.
    """
    return _entered_before_proof(draft, skew=0)


def entered_before_proof_by_another_clock(draft: Draft) -> Reports | None:
    """The same, with proofs that are up to a minute earlier than the last change.

    Assumes that the clocks of GitHub's hosts differ: the commit of a group can seem older than the entry.

    Without this step, such a group would begin a stay of its own, and the entry another one when its webhook
    came.
    """
    return _entered_before_proof(draft, skew=SKEW)


def _entered_before_proof(draft: Draft, *, skew: int) -> Reports | None:
    entries = [webhook for webhook in draft.undated if webhook.seen is Seen.ENTERED]
    if not entries:
        return None
    proofs = [
        *draft.reports.closings,
        *(exit.at for exit in draft.exits_without_entry),
        *(group.built_at for group in draft.groups_without_stay[:1]),
    ]
    late = [
        entry
        for entry in entries
        if any((entry.changed_at or 0) - skew <= proof < entry.received_at for proof in proofs)
    ]
    if not late:
        return None
    together = with_later_exits(late[-1:], draft.undated)
    return draft.reports.redated({webhook: dated_before(webhook, proofs, draft) for webhook in together})


def entered_before_first_group(draft: Draft) -> Draft:
    """Let a stay begin when its first group was built, if its entry has a later date.

    Assumes that a pull request enters before GitHub builds a group for it, and that commits are dated. The
    entry may be dated to a reception, to a proof such as the merge, or by the clock of another host.

    Without this step, the first tests of a stay would begin before the stay itself.
    """
    return draft._replace(stays=[_entered_before_group(stay) for stay in draft.stays])


def _entered_before_group(stay: GitHubStay) -> GitHubStay:
    if stay.entered_at is None or not stay.groups:
        return stay
    return stay._replace(entered_at=min(stay.entered_at, stay.groups[0].built_at))


# The first that finds something to correct is applied, and the stays are drafted again: with other dates,
# other webhooks may be contradictory. The surest come first.
CORRECTIONS: tuple[Callable[[Draft], Reports | None], ...] = (
    reported_elsewhere,
    outdated_at_reception,
    entered_before_proof,
    entered_before_proof_by_another_clock,
    left_before_closing,
    left_before_next_entry,
    entered_unreported,
)
# Each is applied once, to the last draft.
COMPLETION: tuple[Callable[[Draft], Draft], ...] = (entered_before_first_group, ended_unreported)


def github_stays(observations: Sequence[Observation], groups: Sequence[MergeGroup]) -> list[GitHubStay]:
    """The stays of one pull request, whatever the order of the observations.

    Stays of which only the exit was seen come first, then the others, oldest first.
    """
    # Most observations are checks, which are part of the groups. Pushes change no stay.
    dated: Sequence[Observation] = [report for report in observations if report.seen not in _OF_NO_STAY]
    for step in FIRST_DATES:
        dated = step(dated)
    draft = _corrected(Reports(dated), groups)
    for complete in COMPLETION:
        draft = complete(draft)
    reports = [*draft.reports.observations, *(one for one in observations if one.seen is Seen.PUSHED)]
    only_left = [GitHubStay(None, exit, ()) for exit in draft.exits_without_entry]
    return [
        *(with_head_at_exit(stay, reports) for stay in only_left),
        *with_heads(draft.stays, reports),
    ]


def _corrected(reports: Reports, groups: Sequence[MergeGroup]) -> Draft:
    draft = drafted(reports, groups)
    for _ in range(_MOST_CORRECTIONS):
        corrected = _first_correction(draft)
        if corrected is None:
            break
        draft = drafted(corrected, groups)
    return draft


def _first_correction(draft: Draft) -> Reports | None:
    for correct in CORRECTIONS:
        corrected = correct(draft)
        if corrected is not None:
            return corrected
    return None
