"""An alert in words."""

from mergecast.queues.model.baseline import Alert
from mergecast.queues.model.instant import duration


def sentence(alert: Alert) -> str:
    """What an alert says, with the figures of its beginning."""
    queue = f"queue {alert.queue_name} of {alert.base_ref}"
    match alert.measure:
        case "p95":
            told = f"one in 20 pull requests stays longer than {duration(alert.value)} in the {queue}"
            compared, before = "as long as", duration(alert.baseline_value)
        case "failure_rate":
            told = f"{alert.value:.1%} of the pull requests that leave the {queue} have failed"
            compared, before = "as many as", f"{alert.baseline_value:.1%}"
        case _:
            told = f"the {queue} needs {alert.value:.2f} CI runs per merge"
            compared, before = "as many as", f"{alert.baseline_value:.2f}"
    if alert.ratio is None:
        return f"{told}, and none in the baseline {alert.baseline}"
    return f"{told}, {alert.ratio:.1f} times {compared} in the baseline {alert.baseline} ({before})"
