"""What alerts say about the last hours of a queue."""

from typing import Final

from mergecast.queues.model.alert import Alert
from mergecast.queues.model.figures import FIGURES

_WAITING = "Look at what pull requests waited for most: CI, capacity, a schedule or a freeze."
ADVICE: Final = {
    "time_in_queue_p95": _WAITING,
    "time_to_merge_p95": _WAITING,
    "failure_rate": "Look at which checks fail most often, and whether they fail for unrelated changes.",
    "ci_runs_per_merge": "Look at failed batches, retries and batch sizes: each failure costs more CI runs.",
}


def reference_sentence(alert: Alert) -> str:
    """What an alert about a reference period says, with the figures of its beginning."""
    if alert.compared is None:
        raise ValueError(f"the alert {alert.id} is not about a reference period")
    queue, period = f"queue {alert.queue_name} of {alert.base_ref}", alert.compared
    value, before = map(FIGURES[alert.figure].written, (alert.value, period.value))
    compared = "as many as"
    match alert.figure:
        case "time_to_merge_p95":
            told = f"one in 20 pull requests stays longer than {value} in the {queue}"
            compared = "as long as"
        case "failure_rate":
            told = f"{value} of the pull requests that leave the {queue} have failed"
        case _:
            told = f"the {queue} needs {value} CI runs per merge"
    if period.ratio is None:
        return f"{told}; it was zero in the reference period {period.name}"
    return f"{told}, {period.ratio:.1f} times {compared} in the reference period {period.name} ({before})"
