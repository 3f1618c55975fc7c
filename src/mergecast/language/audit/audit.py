"""Audits a repository: reads its workflow files, asks every rule, and sorts what was found."""

import msgspec

from mergecast.language.audit.clocks import clocks
from mergecast.language.audit.jobs import Jobs
from mergecast.language.audit.never_reports import never_reports
from mergecast.language.audit.setup import Setup, quoted
from mergecast.language.audit.stop_each_other import stop_each_other
from mergecast.language.audit.twice import twice
from mergecast.language.audit.untested import untested
from mergecast.language.audit.workflows import FOLDER, Unreadable, Workflow, read_workflow
from mergecast.queues.answers.audit import Audit, AuditQuestion, Finding

_RULES = (never_reports, stop_each_other, untested, clocks, twice)
_IF_QUEUE = "If this branch has GitHub's queue"
_CERTAINTIES = ("sure", "if_required", "cannot_tell")
_WEIGHTS = ("breaks", "costs", "note")


def audit(question: AuditQuestion) -> Audit:
    """What is wrong with how these files, and the rules of the branch, let a queue merge."""
    workflows: list[Workflow] = []
    found: list[Finding] = []
    for path in sorted(question.files):
        if not path.startswith(FOLDER) or not path.endswith((".yml", ".yaml")):
            continue
        try:
            workflows.append(read_workflow(path, question.files[path]))
        except Unreadable as error:
            text = f"This file cannot be read, so nothing is known of its jobs: {quoted(str(error))[1:-1]}."
            found.append(Finding("unreadable", path, error.line, "cannot_tell", "breaks", text))
    jobs = Jobs(workflows, question.base_ref, question.repository)
    setup = Setup(jobs, question.rules, question.history, question.groups_kept)
    for rule in _RULES:
        found += rule(setup)
    if question.rules.queue is None:
        found = [
            msgspec.structs.replace(one, text=f"{_IF_QUEUE}, {one.text[0].lower()}{one.text[1:]}")
            for one in found
        ]
    found.sort(key=lambda one: (*_rank(one), one.path, one.line, one.rule))
    return Audit(
        commit=question.commit,
        base_ref=question.base_ref,
        rules_known=question.rules.required is not None,
        groups_kept=question.groups_kept,
        findings=tuple(found),
    )


def _rank(one: Finding) -> tuple[int, int]:
    return _CERTAINTIES.index(one.certainty), _WEIGHTS.index(one.weight)
