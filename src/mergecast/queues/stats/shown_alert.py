"""An alert as answers and notices show it."""

from msgspec import structs

from mergecast.queues.answers import alerts as answers
from mergecast.queues.model.alert import Alert, Compared
from mergecast.queues.model.figures import FIGURES
from mergecast.queues.model.instant import format_instant, format_optional


def shown_alert(alert: Alert) -> answers.Alert:
    return answers.Alert(
        id=alert.id,
        figure=alert.figure,
        origin=alert.origin,
        base_ref=alert.base_ref,
        queue_name=alert.queue_name,
        since=format_instant(alert.since),
        found_at=format_instant(alert.found_at),
        ended_at=format_optional(alert.ended_at),
        end_reason=alert.end_reason,
        value=alert.value,
        threshold=alert.threshold,
        unit=alert.unit or FIGURES[alert.figure].unit_words,
        sentence=alert.sentence,
        advice=alert.advice,
        evidence=alert.evidence,
        reference=_reference(alert.compared),
    )


def dated_alert(alert: Alert, change: answers.AlertChange | None) -> answers.DatedAlert:
    """The same with the change of its figure that it began with, if that is known."""
    return answers.DatedAlert(**structs.asdict(shown_alert(alert)), change=change)


def _reference(compared: Compared | None) -> answers.AlertReference | None:
    if compared is None:
        return None
    return answers.AlertReference(compared.name, compared.value, compared.ratio, compared.limit)
