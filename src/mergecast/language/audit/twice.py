"""What runs twice: for the same group, or for a commit that was tested as a group before it landed."""

from collections.abc import Iterator

from mergecast.language.audit.events import On, reaches
from mergecast.language.audit.setup import Setup, quoted_list
from mergecast.language.audit.workflows import Workflow
from mergecast.queues.answers.audit import Finding

_IGNORE = "    push:\n+     branches-ignore: ['gh-readonly-queue/**']"
_PATHS = ("paths", "paths-ignore")


def twice(setup: Setup) -> Iterator[Finding]:
    workflows = setup.jobs.workflows.values()
    has_group = any(reaches(one, On.GROUP, setup.jobs.base_ref) for one in workflows)
    for workflow in workflows:
        grouped = workflow.events.get("merge_group")
        if grouped and any(name in grouped.filters for name in _PATHS):
            text = "Every group starts this workflow: GitHub does not look at path filters of `merge_group`."
            yield Finding("group-paths", workflow.path, grouped.line, "sure", "note", text)
        pushed = workflow.events.get("push")
        if pushed is None:
            continue
        is_on_queue = reaches(workflow, On.GROUP_PUSH, setup.jobs.base_ref)
        is_grouped = bool(reaches(workflow, On.GROUP, setup.jobs.base_ref))
        if is_on_queue is not False and is_grouped:
            which = "each group" if is_on_queue else "each group that changes the files of its path filter"
            text = f"`push` also reaches the branches of the queue, so {which} starts this workflow twice."
            yield Finding("push-and-group", workflow.path, pushed.line, "sure", "costs", text, _IGNORE)
        elif is_on_queue and has_group and not is_grouped:
            text = "This workflow runs on each group, because its `push` reaches the branches of the queue."
            yield Finding("push-on-queue-branch", workflow.path, pushed.line, "sure", "note", text, _IGNORE)
        elif is_on_queue is False and is_grouped and reaches(workflow, On.PUSH, setup.jobs.base_ref):
            yield from _again(setup, workflow, pushed.line)


def _again(setup: Setup, workflow: Workflow, line: int) -> Iterator[Finding]:
    gates = {gate.job.id for gate in setup.gates() if gate.workflow is workflow}
    again = [
        placed.shown
        for placed in setup.jobs.placed
        if placed.workflow is workflow
        and placed.job.id not in gates
        and not placed.job.has_outputs
        and setup.jobs.runs(placed, On.GROUP)
        and setup.jobs.runs(placed, On.PUSH)
    ]
    if again:
        text = (
            f"{quoted_list(again)} {'runs' if len(again) == 1 else 'run'} on each group, and again on the "
            "base branch after the group has landed."
        )
        yield Finding("same-commit-again", workflow.path, line, "sure", "note", text)
