"""Groups that pass although something was not tested, and the reverse: what runs on groups and should not."""

import re
from collections.abc import Iterator

from mergecast.language.audit.evaluation import evaluate
from mergecast.language.audit.events import GROUPS, On
from mergecast.language.audit.expressions import Node, Template
from mergecast.language.audit.jobs import Placed, ancestors, calls
from mergecast.language.audit.setup import (
    Setup,
    condition_line,
    paths_named,
    quoted,
    quoted_list,
    texts_named,
)
from mergecast.language.audit.workflows import Step, Text
from mergecast.queues.answers.audit import RULES_OF_BRANCH, Finding

_PUBLISHES = re.compile(
    r"deploy|publish|push[ -]image|push-to-registry|cosign|gh-pages|upload-pages|docker push|npm publish"
    r"|cargo publish|twine",
    re.IGNORECASE,
)
_EVENT = (
    "github.event_name",
    "github.ref",
    "github.ref_name",
    "github.head_ref",
    "github.base_ref",
    "github.event",
)
_AFTER_FAILURES = {"always", "cancelled", "failure"}


def untested(setup: Setup) -> Iterator[Finding]:
    if setup.rules.required == ():
        text = "No check is required on this branch: its queue merges without waiting for any CI run."
        yield Finding("nothing-required", RULES_OF_BRANCH, 0, "sure", "breaks", text)
    yield from _gates(setup)
    yield from _gates_over_nothing(setup)
    yield from _wrong_negations(setup)
    if setup.rules.required is None:
        yield from _skipped(setup)
    for placed in setup.jobs.placed:
        if setup.jobs.is_on_groups(placed) is not False:
            yield from _publications(setup, placed)
            yield from _empty_values(setup, placed)


def _gates(setup: Setup) -> Iterator[Finding]:
    for gate in setup.gates():
        twins = [one for one in setup.jobs.placed if one.names == gate.names]
        if any(calls(one.job.condition.template) & _AFTER_FAILURES for one in twins if one.job.condition):
            continue
        needs = quoted_list(gate.job.needs)
        text = (
            f"{quoted(gate.shown)} is skipped when {needs.replace(' and ', ' or ')} fails, and GitHub "
            "counts a skipped check as passed."
        )
        repair = "+     if: always()\n  and a step that fails unless every job in `needs` succeeded"
        is_known = setup.rules.required is not None
        yield Finding(
            "gate-skipped",
            gate.path,
            gate.job.line,
            "sure" if is_known else "if_required",
            "breaks",
            text,
            repair,
        )
    if setup.rules.required is not None:
        yield from _omitted(setup)


def _omitted(setup: Setup) -> Iterator[Finding]:
    for gate in setup.gates():
        waited = ancestors(gate.job, gate.jobs)
        left_out = [
            one.job.id
            for one in setup.jobs.placed
            if one.path == gate.path
            and one.workflow is gate.workflow
            and one.job.id not in {gate.job.id, *waited}
            and not setup.is_required(one)
            and setup.jobs.is_on_groups(one)
        ]
        if left_out:
            text = (
                f"{quoted(gate.shown)} is required and does not wait for {quoted_list(left_out)}, which can "
                "fail without holding a group up."
            )
            yield Finding("gate-omits", gate.path, gate.job.line, "sure", "note", text)


def _gates_over_nothing(setup: Setup) -> Iterator[Finding]:
    for placed in setup.jobs.placed:
        condition = placed.job.condition
        if condition is None or "always" not in calls(condition.template) or not placed.job.needs:
            continue
        if setup.is_required(placed) is False or not setup.jobs.runs(placed, On.GROUP):
            continue
        if setup.jobs.reaches(placed, On.GROUP) and all(
            id in placed.jobs and setup.jobs.runs(setup.jobs.sibling(placed, id), On.GROUP) is False
            for id in placed.job.needs
        ):
            text = (
                f"{quoted(placed.shown)} runs on groups, while everything that it waits for is skipped "
                "there: if it is required, groups merge untested."
            )
            yield Finding(
                "gate-over-nothing", placed.path, condition_line(placed), "if_required", "breaks", text
            )


def _wrong_negations(setup: Setup) -> Iterator[Finding]:
    told = set()
    for placed in setup.jobs.placed:
        conditions = [placed.job.condition, *(step.condition for step in placed.job.steps)]
        for text in conditions:
            if text is None or (placed.path, text.line) in told or not _negates_first(text.template):
                continue
            told.add((placed.path, text.line))
            sentence = (
                f"{quoted(text.text)} is never true: `!` binds first, and its result never equals a text. "
                "Write `!=`."
            )
            weight = "breaks" if setup.is_required(placed) else "note"
            yield Finding("not-binds-first", placed.path, text.line, "sure", weight, sentence)  # type: ignore[arg-type]


def _negates_first(template: Template) -> bool:
    """Whether a condition is, or needs, `!a == 'b'`, with a text that is neither empty nor a number."""
    if len(template) != 1 or not isinstance(template[0], Node):
        return False
    needed = [template[0]]
    for node in needed:
        if node.kind == "&&":
            needed += node.parts
        if node.kind == "compare" and node.value == "==":
            left, right = node.parts
            text = right.value if right.kind == "literal" else None
            if left.kind == "!" and isinstance(text, str) and _is_no_number(text):
                return True
    return False


def _is_no_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return bool(text.strip())
    return False


def _skipped(setup: Setup) -> Iterator[Finding]:
    """Jobs that run on pull requests and not on groups, where it is not known what is required."""
    jobs, by_file = setup.jobs, dict[str, list[Placed]]()
    on_groups = {name for one in jobs.placed if jobs.is_on_groups(one) is not False for name in one.names}
    for placed in jobs.placed:
        condition = placed.job.condition
        if (
            condition is None
            or "merge_group" in texts_named(condition.template)
            or on_groups & {*placed.names}
        ):
            continue
        if "github.event.merge_group" in {path[:24] for path in paths_named(condition.template)}:
            continue
        is_run = jobs.runs_on_any(placed, (On.PULL_REQUEST,)) is not False
        needs = [
            jobs.runs(jobs.sibling(placed, id), On.GROUP) for id in placed.job.needs if id in placed.jobs
        ]
        if (
            is_run
            and jobs.reaches(placed, On.GROUP)
            and False not in needs
            and jobs.runs(placed, On.GROUP) is False
        ):
            by_file.setdefault(placed.path, []).append(placed)
    for path, found in by_file.items():
        names = quoted_list([placed.shown for placed in found])
        text = (
            f"{names} {'runs' if len(found) == 1 else 'run'} on pull requests and "
            f"{'is' if len(found) == 1 else 'are'} skipped on groups, which GitHub counts as passed."
        )
        is_meant = all(
            any(named.startswith(_EVENT) for named in paths_named(one.job.condition.template))
            for one in found
            if one.job.condition
        )
        certainty, weight = ("sure", "note") if is_meant else ("if_required", "breaks")
        yield Finding("skipped-on-groups", path, condition_line(found[0]), certainty, weight, text)  # type: ignore[arg-type]


def _publications(setup: Setup, placed: Placed) -> Iterator[Finding]:
    job = placed.job
    if job.condition and _is_kept_off_pulls(setup, placed, job.condition):
        texts = [
            job.id,
            job.uses,
            job.environment,
            placed.shown,
            *(text for step in job.steps for text in _texts(step)),
        ]
        if any(map(_PUBLISHES.search, texts)) or _pushes(job.steps):
            yield _publication(placed, job.condition, f"The job {quoted(placed.shown)}")
            return
    for step in job.steps:
        publishes = any(map(_PUBLISHES.search, _texts(step))) or _pushes((step,))
        if publishes and step.condition and _is_kept_off_pulls(setup, placed, step.condition):
            shown = quoted(step.name or step.uses or "run")
            yield _publication(placed, step.condition, f"The step {shown}")


def _publication(placed: Placed, condition: Text, what: str) -> Finding:
    text = (
        f"{what} seems to publish and is kept off pull requests, but runs on groups, before anything is "
        "merged. Whether that is meant cannot be told."
    )
    repair = "Ask for what should publish: github.event_name == 'push'"
    return Finding("publishes-on-groups", placed.path, condition.line, "cannot_tell", "breaks", text, repair)


def _texts(step: Step) -> list[str]:
    return [
        step.name,
        step.uses,
        *(text.text for key, text in step.texts if key == "run" or key.startswith("with.")),
    ]


def _pushes(steps: tuple[Step, ...]) -> bool:
    return any(
        key == "with.push" and text.text.strip() == "true" for step in steps for key, text in step.texts
    )


def _is_kept_off_pulls(setup: Setup, placed: Placed, condition: Text) -> bool:
    named = texts_named(condition.template)
    if not any(text.startswith("pull_request") for text in named) or "merge_group" in named:
        return False
    on = On.GROUP if setup.jobs.reaches(placed, On.GROUP) is not False else On.GROUP_PUSH
    return (
        setup.jobs.holds(placed, condition, On.PULL_REQUEST) is False
        and setup.jobs.holds(placed, condition, on) is True
    )


def _empty_values(setup: Setup, placed: Placed) -> Iterator[Finding]:
    """Values that are empty on groups, in steps that run there."""
    if setup.jobs.reaches(placed, On.GROUP) is False or _asks_for_event(placed.job.condition):
        return
    on_group = setup.jobs.context(placed, On.GROUP, GROUPS[0])
    on_pull = setup.jobs.context(placed, On.PULL_REQUEST, GROUPS[0])
    for step in placed.job.steps:
        if _asks_for_event(step.condition) or (
            step.condition and setup.jobs.holds(placed, step.condition, On.GROUP) is False
        ):
            continue
        for key, text in step.texts:
            # Without a ref, this action takes the commit that the event is about.
            if step.uses.startswith("actions/checkout@") and key in ("with.ref", "with.repository"):
                continue
            empty = [
                path
                for node in text.template
                if isinstance(node, Node) and node.kind == "index" and (path := _shown_path(node))
                if evaluate(node, on_group) in (None, "") and evaluate(node, on_pull) not in (None, "")
            ]
            if empty:
                sentence = (
                    f"This step uses {quoted_list(sorted(set(empty)))}, which is empty on groups. Whether "
                    "that matters cannot be told."
                )
                yield Finding("empty-on-groups", placed.path, text.line, "cannot_tell", "note", sentence)
                break


def _shown_path(node: Node) -> str:
    paths = sorted(paths_named((node,)), key=len)
    return paths[-1] if paths and paths[-1].startswith("github.") else ""


def _asks_for_event(condition: Text | None) -> bool:
    return condition is not None and any(path.startswith(_EVENT) for path in paths_named(condition.template))
