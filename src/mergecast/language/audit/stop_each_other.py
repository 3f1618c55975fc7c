"""Runs that cancel or replace each other because their keys of concurrency are equal."""

from collections.abc import Iterator, Sequence

from mergecast.language.audit.evaluation import Context, are_equal_texts, rendered, truth
from mergecast.language.audit.events import GROUPS, ON_GROUPS, Group, On, context_of
from mergecast.language.audit.jobs import Jobs, Placed, evaluated
from mergecast.language.audit.setup import Setup, quoted
from mergecast.language.audit.workflows import Concurrency
from mergecast.queues.answers.audit import Certainty, Finding

_ADD_REF = "Add `${{ github.ref }}` to the key: each group has a ref of its own."


def stop_each_other(setup: Setup) -> Iterator[Finding]:
    for workflow in setup.jobs.workflows.values():
        placed = [one for one in setup.jobs.placed if one.workflow is workflow]
        if placed and workflow.concurrency is not None:
            yield from _keys(setup, workflow.path, workflow.concurrency, placed, may_not_run=False)
    told = set()
    for one in setup.jobs.placed:
        key = one.job.concurrency
        if key is None or (one.path, key.line) in told:
            continue
        told.add((one.path, key.line))
        yield from _keys(setup, one.path, key, [one], may_not_run=setup.jobs.is_on_groups(one) is None)


def _keys(
    setup: Setup, path: str, key: Concurrency, placed: Sequence[Placed], *, may_not_run: bool
) -> Iterator[Finding]:
    jobs, first = setup.jobs, placed[0]
    events = [on for on in ON_GROUPS if jobs.reaches(first, on) is not False]
    if not events or all(jobs.is_on_groups(one) is False for one in placed):
        return
    for on in events:
        one, other = (_context(jobs, first, on, group) for group in GROUPS)
        is_equal = are_equal_texts(rendered(key.group.template, one), rendered(key.group.template, other))
        cancels = _cancels(key, one)
        if is_equal is None and cancels is not False:
            text = (
                f"Whether two groups have the same key {quoted(key.group.text)} cannot be told; if they "
                "have, the runs of one cancel those of the other."
            )
            yield Finding("groups-cancel", path, key.line, "cannot_tell", "breaks", text)
            break
        if is_equal:
            yield from _meet(setup, path, key, cancels=cancels, may_not_run=may_not_run)
            break
    if len(events) == len(ON_GROUPS):
        pushed, grouped = (_context(jobs, first, on, GROUPS[0]) for on in ON_GROUPS)
        is_equal = are_equal_texts(
            rendered(key.group.template, pushed), rendered(key.group.template, grouped)
        )
        if is_equal and (_cancels(key, pushed) or _cancels(key, grouped)):
            text = (
                f"Each group starts this twice, by `merge_group` and by `push` to its branch, with the same "
                f"key {quoted(key.group.text)}: one of the two runs cancels the other."
            )
            repair = (
                "Leave the branches of the queue out of `push`: branches-ignore: ['gh-readonly-queue/**']"
            )
            yield Finding(
                "push-cancels-group",
                path,
                key.line,
                "cannot_tell" if may_not_run else "sure",
                "breaks",
                text,
                repair,
            )


def _meet(
    setup: Setup, path: str, key: Concurrency, *, cancels: bool | None, may_not_run: bool
) -> Iterator[Finding]:
    shown = quoted(key.group.text)
    certainty: Certainty = "cannot_tell" if may_not_run or cancels is None else "sure"
    if cancels is not False:
        if setup.may_be_built(2):
            text = (
                f"All groups have the same key {shown}, and a new run cancels the one in progress: groups "
                "cancel each other."
            )
            yield Finding("groups-cancel", path, key.line, certainty, "breaks", text, _ADD_REF)
    elif not key.keeps_waiting and setup.may_be_built(3):
        text = (
            f"All groups have the same key {shown}: one runs, one waits, and a third cancels the one that "
            "waits."
        )
        yield Finding("groups-replace", path, key.line, certainty, "breaks", text, _ADD_REF)


def _cancels(key: Concurrency, context: Context) -> bool | None:
    if key.cancels is None:
        return False
    value = evaluated(key.cancels.template, context)
    return value.strip().lower() == "true" if isinstance(value, str) else truth(value)


def _context(jobs: Jobs, placed: Placed, on: On, group: Group) -> Context:
    return context_of(on, jobs.base_ref, group, jobs.repository, placed.workflow.name)
