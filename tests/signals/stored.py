"""Alerts as they are stored, for tests that need one without its history."""

from mergecast.queues.model.alert import Alert, alert_id
from mergecast.queues.model.threshold import LEARNED


def begun_alert(figure: str, queue_name: str, at: int) -> Alert:
    """An alert about a queue of `main` that begins now."""
    return Alert(
        id=alert_id(at, "main", queue_name, figure),
        figure=figure,
        origin=LEARNED,
        base_ref="main",
        queue_name=queue_name,
        since=at,
        found_at=at,
        value=2.0,
        threshold=1.0,
        sentence="something is wrong",
        advice="Look at it.",
    )
