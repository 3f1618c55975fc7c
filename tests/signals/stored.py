"""Problems as the diagnosis stores them, for tests that need one without its history."""

from mergecast.queues.store.problems import StoredProblem
from mergecast.signals.detection.queue_problem import UNITS, Evidence, Level, QueueName, QueueProblem
from mergecast.signals.diagnosis.documents import stored


def stored_problem(name: str, queue_name: str, at: int) -> StoredProblem:
    """A problem of a queue of `main` that begins now."""
    problem = QueueProblem(
        QueueName("main", queue_name),
        name,
        at,
        "something is wrong",
        Evidence(2.0),
        "Look at it.",
        Level(1.0, UNITS[name]),
        found_at=at,
    )
    return stored(problem)
