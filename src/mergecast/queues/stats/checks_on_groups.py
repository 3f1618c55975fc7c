"""What the store knows of the checks that reported on groups of a base branch."""

from mergecast.queues.answers.audit import KeptCheck
from mergecast.queues.model.instant import Window, grid_for
from mergecast.queues.stats.answer import Question
from mergecast.queues.stats.ci_checks import ci_checks
from mergecast.queues.store.reader import Reader


def checks_on_groups(
    reader: Reader, repository_id: int, base_ref: str, window: Window
) -> tuple[dict[str, KeptCheck], int]:
    """The checks by name, and how many CI runs of groups have reports."""
    groups = {id: group for id, group in reader.groups(repository_id).items() if group.base_ref == base_ref}
    question = Question(repository_id, window, window, grid_for(window), groups)
    ((_, covered),) = reader.rows("ci_covered", question.by_window())
    found = {
        check.name: KeptCheck(p95=check.seconds.p95, wait_p95=check.waited_seconds.p95)
        for check in (ci_checks(reader, question) if covered else ())
    }
    return found, covered
