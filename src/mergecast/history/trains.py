"""Whether the queues of a base branch share one train or have one each."""

from mergecast.history.detection import Tally
from mergecast.history.failures import resolved_at
from mergecast.history.lines import Line
from mergecast.history.structure import History
from mergecast.history.train import LAG


def one_train_per_queue(history: History) -> Tally:
    """Whether a failure in one queue leaves later runs of another queue alone."""
    alone = together = 0
    if len(history.queue_names) == 1:
        return Tally(0, 0)
    whole = Line(history)
    for name in history.queue_names:
        part = Line(history.of_queues([name]))
        for run in part.history.runs:
            if run.outcome != "CHECKS_FAILED" or run.ended is None:
                continue
            moment = resolved_at(part, run)
            if moment is None:
                continue
            for other in whole.running_at(moment):
                if other.queue_name != name and other.started > run.started + LAG:
                    was_stopped = other.ended is not None and other.ended <= moment + LAG
                    together += was_stopped and other.outcome == "BATCH_AHEAD_FAILED"
                    alone += not was_stopped
    return Tally(against=alone, agreeing=together)
