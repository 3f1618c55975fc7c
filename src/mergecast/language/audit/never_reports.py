"""Checks that never report on groups: the group waits until the queue gives up."""

from collections.abc import Iterator

from mergecast.language.audit.events import ON_GROUPS, ON_PULL_REQUESTS, On, passes
from mergecast.language.audit.jobs import Placed, is_name, shown_name
from mergecast.language.audit.setup import ENOUGH_GROUPS, Setup, condition_line, quoted, quoted_list
from mergecast.queues.answers.audit import RULES_OF_BRANCH, Finding

_ADD_TRIGGER = "  on:\n+   merge_group:"


def never_reports(setup: Setup) -> Iterator[Finding]:
    yield from _unreached_events(setup)
    if setup.rules.required is None:
        yield from _no_trigger(setup)
        return
    for name in setup.rules.required:
        yield from _required(setup, name)


def _wait(setup: Setup) -> str:
    minutes = setup.rules.queue.check_response_timeout_minutes if setup.rules.queue else None
    return (
        f"each group waits {minutes} minutes and is removed"
        if minutes
        else "each group waits for it and is removed"
    )


def _required(setup: Setup, name: str) -> Iterator[Finding]:
    jobs = setup.jobs
    named = jobs.called(name)
    reaching = [(placed, on) for placed in named for on in ON_GROUPS if jobs.reaches(placed, on) is not False]
    if not reaching:
        on_pulls = [placed for placed in named if jobs.runs_on_any(placed, ON_PULL_REQUESTS) is not False]
        if not on_pulls:
            yield from _elsewhere(setup, name)
            return
        text = f"{quoted(name)} is required, but no job reports it on a group: {_wait(setup)}."
        others = tuple(f"{placed.path}:{placed.job.line}" for placed in on_pulls[1:])
        yield Finding(
            "required-never",
            on_pulls[0].path,
            on_pulls[0].job.line,
            "sure",
            "breaks",
            text,
            _ADD_TRIGGER,
            others,
        )
        return
    answers = [jobs.runs(placed, on) if jobs.reaches(placed, on) else None for placed, on in reaching]
    if True in answers:
        return
    first = reaching[0][0]
    if None in answers or any(_skipped_caller(setup, placed, on) for placed, on in reaching):
        text = (
            f"{quoted(name)} is required, and whether its job runs on a group depends on what "
            "only a run knows, such as the output of another job."
        )
        yield Finding("required-unsure", first.path, first.job.line, "cannot_tell", "breaks", text)
        return
    plain = [placed for placed, _ in reaching if not placed.has_matrix]
    if plain:
        text = (
            f"{quoted(name)} is required, but its job is skipped on every group, which GitHub counts as "
            "passed: groups merge untested."
        )
        repair = "Let the job run on `merge_group`, or take the check out of the required ones."
        yield Finding(
            "required-skipped", plain[0].path, condition_line(plain[0]), "sure", "breaks", text, repair
        )
        return
    text = (
        f"The job of {quoted(name)} is skipped on groups before its matrix is expanded. It then reports as "
        f"{quoted(shown_name(first.bare))}, so {quoted(name)} never reports: {_wait(setup)}."
    )
    repair = "Put the condition on the steps of the job, or require a job that waits for this one."
    yield Finding("matrix-name", first.path, condition_line(first), "sure", "breaks", text, repair)


def _skipped_caller(setup: Setup, placed: Placed, on: On) -> bool:
    """Whether a job that calls this one is skipped: then only the caller's own name is reported."""
    return any(setup.jobs.runs(caller, on) is False for caller in placed.callers)


def _elsewhere(setup: Setup, name: str) -> Iterator[Finding]:
    of_matrix = [placed for placed in setup.jobs.placed if placed.has_matrix and is_name(placed.bare, name)]
    why = (
        "no job of this repository has this name on pull requests or groups, so something else must report it"
    )
    if of_matrix:
        why = (
            f"its job has a matrix and reports as {quoted(of_matrix[0].shown)}; the bare name reports only "
            "when it is skipped"
        )
    if setup.groups_kept >= ENOUGH_GROUPS:
        if name not in (setup.history or {}):
            text = (
                f"{quoted(name)} is required, and it reported on 0 of {setup.groups_kept} groups: "
                f"{_wait(setup)}."
            )
            yield Finding("required-elsewhere", RULES_OF_BRANCH, 0, "sure", "breaks", text)
        return
    text = f"{quoted(name)} is required: {why}. Whether it reports on groups cannot be told from the files."
    place = (of_matrix[0].path, of_matrix[0].job.line) if of_matrix else (RULES_OF_BRANCH, 0)
    yield Finding("required-elsewhere", *place, "cannot_tell", "breaks", text)


def _unreached_events(setup: Setup) -> Iterator[Finding]:
    for workflow in setup.jobs.workflows.values():
        event = workflow.events.get("merge_group")
        if event is None:
            continue
        types = event.filters.get("types")
        if types is not None and "checks_requested" not in types and "destroyed" not in types:
            text = (
                "No group starts this workflow: a group sends `checks_requested`, and `types` has "
                f"{quoted_list(types) if types else 'nothing'}."
            )
            repair = "-     types: …\n+     types: [checks_requested]"
            yield Finding("group-type", workflow.path, event.line, "sure", "breaks", text, repair)
        elif not passes(event.filters, setup.jobs.base_ref):
            text = (
                f"No group of {quoted(setup.jobs.base_ref)} starts this workflow: its branch filter leaves "
                "this branch out."
            )
            yield Finding("group-branches", workflow.path, event.line, "sure", "breaks", text)


def _no_trigger(setup: Setup) -> Iterator[Finding]:
    """One line for the repository: which files run on pull requests, and not on groups."""
    jobs = setup.jobs
    on_groups = {
        name for placed in jobs.placed if jobs.is_on_groups(placed) is not False for name in placed.names
    }
    found = []
    for workflow in jobs.workflows.values():
        own = [placed for placed in jobs.placed if placed.workflow is workflow]
        if any(jobs.reaches(placed, on) is not False for placed in own for on in ON_GROUPS):
            continue
        if "merge_group" in workflow.events:  # told by another rule, or meant for groups that are gone
            continue
        missing = [
            name
            for placed in own
            if jobs.runs_on_any(placed, (On.PULL_REQUEST,)) is not False
            for name in placed.names
            if name not in on_groups
        ]
        if missing:
            found.append((workflow, missing))
    if not found:
        return
    first, missing = found[0]
    if len(found) == 1:
        names = quoted_list([shown_name(name) for name in missing])
        text = (
            f"This workflow runs on pull requests and not on groups: if {names} must pass, each group waits "
            "for it and is removed."
        )
    else:
        text = (
            f"{len(found)} workflows run on pull requests and not on groups: if one of their checks is "
            "required, each group waits for it and is removed."
        )
    evidence = tuple(f"{workflow.path}:{workflow.line}" for workflow, _ in found[1:])
    yield Finding("no-trigger", first.path, first.line, "if_required", "breaks", text, _ADD_TRIGGER, evidence)
