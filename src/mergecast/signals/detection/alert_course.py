"""When alerts begin and end."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from mergecast.queues.model.baseline import MEASURES, NO_DATA, RECOVERED, Alert, Baseline, stored_name
from mergecast.queues.model.instant import DAY, format_instant
from mergecast.signals.detection.baseline_comparison import LONGEST_USUAL, Comparison, Ratio


def follow(baseline: Baseline, current: Sequence[Alert], comparison: Comparison) -> list[Alert]:
    """The alerts of a baseline after a comparison: those that go on, that end, and that begin.

    `current` has those that have not ended; there is at most one for each measure.
    """
    known = {alert.measure: alert for alert in current}
    return [
        alert for measure in MEASURES if (alert := _next(baseline, known, measure, comparison)) is not None
    ]


def _next(
    baseline: Baseline, known: Mapping[str, Alert], measure: str, comparison: Comparison
) -> Alert | None:
    ratio: Ratio = getattr(comparison.ratios, measure)
    if measure in known:
        return _continued(known[measure], ratio, comparison)
    return _begun(baseline, measure, ratio, comparison.at) if ratio.is_worse else None


def _begun(baseline: Baseline, measure: str, ratio: Ratio, at: int) -> Alert:
    return Alert(
        id=f"{baseline.name}:{stored_name(measure)}:{format_instant(at)}",
        baseline=baseline.name,
        base_ref=baseline.base_ref,
        queue_name=baseline.queue_name,
        measure=measure,
        began_at=at,
        value=ratio.value or 0.0,
        baseline_value=ratio.baseline_value or 0.0,
        ratio=ratio.ratio,
        limit=ratio.limit,
        seen_at=at,
    )


def _continued(alert: Alert, ratio: Ratio, comparison: Comparison) -> Alert:
    """Ends once the ratio has been low for a whole window, or could not be compared for the longest."""
    at = comparison.at
    if not ratio.can_compare:
        is_over = at - (alert.seen_at or alert.began_at) >= LONGEST_USUAL * DAY
        return replace(alert, ended_at=at, end_reason=NO_DATA) if is_over else alert
    below_since = (alert.below_since or at) if ratio.is_low else None
    alert = replace(alert, below_since=below_since, seen_at=at)
    if below_since is None or at - below_since < comparison.days * DAY:
        return alert
    return replace(alert, ended_at=at, end_reason=RECOVERED)
