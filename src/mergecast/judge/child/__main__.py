"""`python -m mergecast.judge.child`: forks children that read documents."""

from collections.abc import Mapping

from mergecast.judge.limits import DOCUMENT_LIMITS
from mergecast.sandbox.forking import Task, serve


def _tasks() -> Mapping[str, Task]:
    # Imported inside the function so that `serve` can report a failing import to the server.
    from mergecast.judge.child.tasks import TASKS, warm_up  # noqa: PLC0415

    warm_up()
    return TASKS


if __name__ == "__main__":
    serve(_tasks, DOCUMENT_LIMITS)
