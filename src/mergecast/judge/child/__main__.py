"""`python -m mergecast.judge.child`: serve the parent process that started this one."""

from collections.abc import Mapping

from mergecast.judge.child.loop import Task, serve
from mergecast.judge.limits import DOCUMENT_LIMITS


def _tasks() -> Mapping[str, Task]:
    # Imported inside the function so that `serve` can report a failing import to the parent.
    from mergecast.judge.child.tasks import TASKS, warm_up  # noqa: PLC0415

    warm_up()
    return TASKS


if __name__ == "__main__":
    serve(_tasks, DOCUMENT_LIMITS)
