"""Steps that find webhooks which came too late: what they report cannot have happened when they came.

Each step looks at the draft of the stays and returns the reports with better dates, or None if it finds
nothing to correct. It considers only webhooks about entries and exits that arrived more than a minute after
the last change of their pull request, which may be what they report. Unless a step proves otherwise, they are
dated to their reception.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence

from msgspec import structs

from mergecast.incoming.sources.github.groups import SKEW, is_destroyed_by_leaving
from mergecast.incoming.sources.github.observation import Observation, Seen
from mergecast.incoming.sources.github.server_clock import MOST_SKEW
from mergecast.incoming.sources.github.stays.draft import Draft, Reports
from mergecast.incoming.sources.github.stays.exits import SAME, is_merge
from mergecast.incoming.sources.github.stays.redating import as_changed, with_later_exits


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
    not know of a change that others report was written before that change.

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
    return _dated_to_last_change(
        draft, [webhook for webhook in draft.undated if _is_outdated(webhook, changes)]
    )


def _is_webhook_about_pull_request(report: Observation) -> bool:
    return report.seen in (Seen.ENTERED, Seen.LEFT, Seen.CLOSED) and not report.is_from_timeline


def _is_outdated(webhook: Observation, changes: Sequence[int]) -> bool:
    later = bisect_right(changes, webhook.changed_at or 0)
    return later < len(changes) and changes[later] < webhook.received_at - SKEW


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
        *_closings(draft),
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
    return draft.reports.redated(
        {webhook: _before_first(webhook, proofs) for webhook in with_later_exits(late[-1:], draft.undated)}
    )


def _before_first(webhook: Observation, proofs: Iterable[int]) -> Observation:
    """The webhook, dated to the last change of its pull request, or to the first proof that it had entered.

    GitHub does not promise that a pull request changes when it enters a queue. If the last change was long
    ago and the proof was not, the webhook came a little late rather than very late.
    """
    changed_at, received_at = webhook.changed_at or 0, webhook.received_at
    first = min((at for at in proofs if changed_at <= at < received_at), default=changed_at)
    is_a_little_late = received_at - first <= MOST_SKEW < received_at - changed_at
    if webhook.seen is Seen.ENTERED and is_a_little_late:
        return structs.replace(webhook, at=first, changed_at=None)
    return as_changed(webhook)


def left_before_closing(draft: Draft) -> Reports | None:
    """Date exits without a merge to the last change if the pull request was closed before they came.

    Assumes that a closed pull request is in no queue, so that it left before.

    Without this step, a pull request that failed and was then merged by hand would seem to have left by the
    merge. Webhooks about closings are dated, so `outdated_at_reception` finds most such exits; this step is
    for closings that only a timeline reports.
    """
    closings = _closings(draft)
    return _dated_to_last_change(
        draft, [webhook for webhook in draft.undated if _is_exit_before(webhook, closings)]
    )


def _closings(draft: Draft) -> list[int]:
    return [report.instant for report in draft.reports.observations if report.seen is Seen.CLOSED]


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
