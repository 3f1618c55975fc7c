"""Steps that find webhooks which came too late: what they report cannot have happened when they came.

Each step looks at the draft of the stays and returns the reports with better dates, or None if it finds
nothing to correct. It considers only webhooks about entries and exits that arrived more than a minute after
the last change of their pull request, which may be what they report. Unless a step proves otherwise, they are
dated to their reception.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence

from mergecast.incoming.sources.github.groups import SKEW, is_destroyed_by_leaving
from mergecast.incoming.sources.github.observation import Observation, Seen
from mergecast.incoming.sources.github.stays.draft import Draft, Reports
from mergecast.incoming.sources.github.stays.exits import SAME, is_merge
from mergecast.incoming.sources.github.stays.redating import as_changed, dated_before


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
