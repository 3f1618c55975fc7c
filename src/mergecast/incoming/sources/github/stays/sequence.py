"""Turns observations of one pull request in one queue into stays: each entered once, left at most once.

GitHub's webhooks can be late, lost, repeated and out of order, and those about entries and exits have no date
of their own. Steps correct what contradicts itself, in this order; the docstring of each says what it assumes
and what would be wrong without it.
"""

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import zip_longest

from mergecast.incoming.sources.github.groups import DEQUEUED, SKEW, MergeGroup, is_destroyed_by_leaving
from mergecast.incoming.sources.github.observation import Observation, Seen
from mergecast.incoming.sources.github.reasons import UNKNOWN
from mergecast.incoming.sources.github.stays.draft import Draft, GitHubStay, Reports, drafted
from mergecast.incoming.sources.github.stays.exits import SAME, Exit, is_merge
from mergecast.incoming.sources.github.stays.first_dates import dated_with_redelivered, without_borrowed_dates
from mergecast.incoming.sources.github.stays.redating import as_changed, dated_before, with_later_exits

_END_OF_TIME = 1 << 62
_ENTRIES = (Seen.ENTERED, Seen.QUEUED)


# The last commit of a pull request when a stay began and when it ended.
#
# A report about an entry or exit names the commit as of then, however late it comes. A push names the commits
# before and after it. What no report says stays unknown: an outage that hides an entry may hide a push, too.


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


# Webhooks that came too late: what they report cannot have happened when they came.
#
# Each step looks at the draft of the stays and returns the reports with better dates, or None if it finds
# nothing to correct. It considers only webhooks about entries and exits that arrived more than a minute after
# the last change of their pull request, which may be what they report. Unless a step proves otherwise, they
# are dated to their reception.


def reported_elsewhere(draft: Draft) -> Reports | None:
    """Date webhooks to the last change if something else reports the same entry or exit at that instant.

    Assumes that timelines date entries and exits exactly. Without a timeline, a group that was destroyed
    because its pull request left is taken to be destroyed when it left.

    Without this step, an entry or exit would count twice: when the timeline says, and when the webhook came.
    """
    if not draft.undated:
        return None
    reported = {seen: _instants_elsewhere(seen, draft) for seen in (Seen.ENTERED, Seen.LEFT)}
    return _dated_to_last_change(
        draft, [webhook for webhook in draft.undated if _is_at_last_change(webhook, reported[webhook.seen])]
    )


def _instants_elsewhere(seen: Seen, draft: Draft) -> list[int]:
    observations = draft.reports.observations
    timeline = [entry.instant for entry in observations if entry.is_from_timeline and entry.seen is seen]
    if timeline or seen is not Seen.LEFT:
        return timeline
    return [report.instant for report in observations if is_destroyed_by_leaving(report)]


def _is_at_last_change(webhook: Observation, reported: Sequence[int]) -> bool:
    """Whether the same is reported near the last change, and not nearer to the reception."""
    if not reported:
        return False
    after_change = min(abs(at - (webhook.changed_at or 0)) for at in reported)
    return after_change <= SAME and after_change < min(abs(at - webhook.received_at) for at in reported)


def outdated_at_reception(draft: Draft) -> Reports | None:
    """Date webhooks to the last change if the pull request had changed again before they came.

    Assumes that GitHub writes a webhook when it happens, with the last change as of then. A webhook that does
    not know of a change that others report was written before that change. If the pull request had not
    changed for long, an entry is dated to that change or its first group: it need not change anything.

    Without this step, a late entry would count when its webhook came, and the pull request would seem to be
    queued although it had left.
    """
    if not draft.undated:
        return None
    changes = sorted(
        {
            report.at
            for report in draft.reports.observations
            if report.at is not None and _is_webhook_about_pull_request(report)
        }
    )
    outdated = [webhook for webhook in draft.undated if _is_outdated(webhook, changes)]
    if not outdated:
        return None
    return draft.reports.redated({webhook: dated_before(webhook, changes, draft) for webhook in outdated})


def _is_webhook_about_pull_request(report: Observation) -> bool:
    return report.seen in (Seen.ENTERED, Seen.LEFT, Seen.CLOSED) and not report.is_from_timeline


def _is_outdated(webhook: Observation, changes: Sequence[int]) -> bool:
    later = bisect_right(changes, webhook.changed_at or 0)
    return later < len(changes) and changes[later] < webhook.received_at - SKEW


def left_before_closing(draft: Draft) -> Reports | None:
    """Date exits without a merge to the last change if the pull request was closed before they came.

    Assumes that a closed pull request is in no queue, so that it left before.

    Without this step, a pull request that failed and was then merged by hand would seem to have left by the
    merge. `outdated_at_reception` finds many such exits, but not if only a timeline reports the closing, or
    if the closing was the last change.
    """
    closings = draft.reports.closings
    return _dated_to_last_change(
        draft, [webhook for webhook in draft.undated if _is_exit_before(webhook, closings)]
    )


def _is_exit_before(webhook: Observation, closings: Iterable[int]) -> bool:
    if webhook.seen is not Seen.LEFT or is_merge(webhook):
        return False
    return any((webhook.changed_at or 0) <= at < webhook.received_at - SKEW for at in closings)


def left_before_next_entry(draft: Draft) -> Reports | None:
    """Date the first exit that came after the next stay began and can explain how the one before ended.

    Assumes that a pull request leaves a queue before it enters again.

    Without this step, the exit would end the next stay, and the one before would end for no known reason.
    """
    exits = [webhook for webhook in draft.undated if webhook.seen is Seen.LEFT]
    for stay in draft.unended if exits else ():
        for webhook in exits:
            changed_at = webhook.changed_at or 0
            is_during_stay = stay.entered_at - SKEW <= changed_at <= stay.next_entered_at
            if is_during_stay and stay.next_entered_at <= webhook.received_at:
                return _dated_to_last_change(draft, [webhook])
    return None


def _dated_to_last_change(draft: Draft, late: Collection[Observation]) -> Reports | None:
    if not late:
        return None
    return draft.reports.redated({webhook: as_changed(webhook) for webhook in late})


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
