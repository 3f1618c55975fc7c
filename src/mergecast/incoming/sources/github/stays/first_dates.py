"""Steps that date webhooks by other webhooks, before anything is known about stays.

A webhook about an entry or exit has no date of its own. It gives the last change of its pull request, which
counts as its date if the webhook arrives within a minute (`webhook.py`).
"""

from collections.abc import Iterable, Iterator, Sequence

from mergecast.incoming.sources.github.observation import Observation, Seen
from mergecast.incoming.sources.github.stays.exits import SAME
from mergecast.incoming.sources.github.stays.redating import as_changed, as_received, with_later_exits
from mergecast.queues.model.instant import HOUR

# Webhooks that report what happened this close to each other may have failed for the same reason.
_SAME_FAILURE = HOUR


def without_borrowed_dates(observations: Sequence[Observation]) -> Sequence[Observation]:
    """Date an entry to its reception if it has the date of an earlier exit, and an exit likewise.

    Assumes that GitHub need not update a pull request when it enters or leaves a queue, so that the last
    change can be the previous exit or entry.

    Without this step, a pull request that enters again within a minute after it left would enter at the
    instant of that exit, and the exit would count for the new stay.
    """
    webhooks = [report for report in observations if report.at is not None and not report.is_from_timeline]
    entered = [webhook for webhook in webhooks if webhook.seen is Seen.ENTERED]
    left = [webhook for webhook in webhooks if webhook.seen is Seen.LEFT]
    borrowed = {*_dated_like_earlier(entered, left), *_dated_like_earlier(left, entered)}
    if not borrowed:
        return observations
    return [as_received(report) if report in borrowed else report for report in observations]


def _dated_like_earlier(
    webhooks: Iterable[Observation], others: Iterable[Observation]
) -> Iterator[Observation]:
    """The webhooks with the date of another one that was received before them."""
    first: dict[int | None, int] = {}
    for other in others:
        first[other.at] = min(other.received_at, first.get(other.at, other.received_at))
    for webhook in webhooks:
        if webhook.at in first and first[webhook.at] < webhook.received_at:
            yield webhook


def dated_with_redelivered(observations: Sequence[Observation]) -> Sequence[Observation]:
    """Date entries and exits to the last change if they came together with webhooks that are certainly late.

    Assumes that someone who has failed webhooks delivered again does so for all of an outage at once. Groups
    and closings have dates of their own, which show that they are late. A webhook is not late if a timeline
    confirms that it came in time.

    Without this step, a pull request that entered or left during an outage would do so when the webhooks
    were delivered again.
    """
    late = [report for report in observations if _is_certainly_late(report)]
    if not late:
        return observations
    undated = [report for report in observations if report.changed_at is not None]
    timeline = [report for report in observations if report.is_from_timeline]
    together = [
        webhook for webhook in undated if _came_with(webhook, late) and not _is_confirmed(webhook, timeline)
    ]
    redelivered = set(with_later_exits(together, undated))
    return [as_changed(report) if report in redelivered else report for report in observations]


def _is_certainly_late(report: Observation) -> bool:
    is_dated = report.seen in (Seen.GROUP_BUILT, Seen.CLOSED) and not report.is_from_timeline
    return is_dated and report.at is not None and report.received_at - report.at > SAME


def _came_with(webhook: Observation, late: Iterable[Observation]) -> bool:
    return any(
        abs(webhook.received_at - other.received_at) <= SAME
        and abs((webhook.changed_at or 0) - other.instant) <= _SAME_FAILURE
        for other in late
    )


def _is_confirmed(webhook: Observation, timeline: Iterable[Observation]) -> bool:
    """Whether the timeline says that it happened when the webhook was received."""
    return any(
        entry.seen is webhook.seen and abs(entry.instant - webhook.received_at) <= SAME for entry in timeline
    )
