"""When alerts about a reference period begin and end."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from mergecast.queues.model.alert import CHANGED, NO_DATA, RECOVERED, Alert, Compared
from mergecast.queues.model.hourly_alert import ADVICE, reference_sentence
from mergecast.queues.model.instant import DAY, format_instant
from mergecast.queues.model.reference_period import COMPARED, ReferencePeriod
from mergecast.queues.model.threshold import REFERENCE
from mergecast.signals.thresholds.reference_comparison import LONGEST_USUAL, Comparison, Ratio


def follow(
    period: ReferencePeriod, current: Sequence[Alert], comparison: Comparison, off: Collection[str] = ()
) -> list[Alert]:
    """The alerts of a reference period after a comparison: those that go on, that end, and that begin.

    `current` has those that have not ended; there is at most one for each figure. `off` has the figures that
    are switched off for the queue.
    """
    known = {alert.figure: alert for alert in current}
    found = (_next(period, known, figure, comparison) for figure in COMPARED if figure not in off)
    over = (replace(one, ended_at=comparison.at, end_reason=CHANGED) for one in current if one.figure in off)
    return [*(alert for alert in found if alert is not None), *over]


def _next(
    period: ReferencePeriod, known: Mapping[str, Alert], figure: str, comparison: Comparison
) -> Alert | None:
    ratio: Ratio = getattr(comparison.ratios, figure)
    if figure in known:
        return _continued(known[figure], ratio, comparison)
    return _begun(period, figure, ratio, comparison.at) if ratio.is_worse else None


def _begun(period: ReferencePeriod, figure: str, ratio: Ratio, at: int) -> Alert:
    before = ratio.reference_value or 0.0
    alert = Alert(
        id=f"{period.name}:{figure}:{format_instant(at)}",
        figure=figure,
        origin=REFERENCE,
        base_ref=period.base_ref,
        queue_name=period.queue_name,
        since=at,
        found_at=at,
        value=ratio.value or 0.0,
        threshold=before * ratio.limit,
        sentence="",
        advice=ADVICE[figure],
        compared=Compared(period.name, before, ratio.ratio, ratio.limit),
        seen_at=at,
    )
    return replace(alert, sentence=reference_sentence(alert))


def _continued(alert: Alert, ratio: Ratio, comparison: Comparison) -> Alert:
    """Ends once the ratio has been low for a whole window, or could not be compared for the longest."""
    at = comparison.at
    if not ratio.can_compare:
        is_over = at - (alert.seen_at or alert.since) >= LONGEST_USUAL * DAY
        return replace(alert, ended_at=at, end_reason=NO_DATA) if is_over else alert
    below_since = (alert.below_since or at) if ratio.is_low else None
    alert = replace(alert, below_since=below_since, seen_at=at)
    if below_since is None or at - below_since < comparison.days * DAY:
        return alert
    return replace(alert, ended_at=at, end_reason=RECOVERED)
