"""An alert in words."""

from mergecast.queues.model.baseline import Alert
from mergecast.queues.model.figures import FIGURES


def sentence(alert: Alert) -> str:
    """What an alert says, with the figures of its beginning."""
    queue = f"queue {alert.queue_name} of {alert.base_ref}"
    value, before = map(FIGURES[alert.measure].written, (alert.value, alert.baseline_value))
    compared = "as many as"
    match alert.measure:
        case "time_to_merge_p95":
            told = f"one in 20 pull requests stays longer than {value} in the {queue}"
            compared = "as long as"
        case "failure_rate":
            told = f"{value} of the pull requests that leave the {queue} have failed"
        case _:
            told = f"the {queue} needs {value} CI runs per merge"
    if alert.ratio is None:
        return f"{told}, and none in the baseline {alert.baseline}"
    return f"{told}, {alert.ratio:.1f} times {compared} in the baseline {alert.baseline} ({before})"
