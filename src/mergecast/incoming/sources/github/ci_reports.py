"""What CI reports about the commit of a group, in webhooks and in lists.

Each function completes an observation that says which commit was tested, and for which pull request.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import structs

from mergecast.incoming.sources.ci_check_parts import link, runner_of
from mergecast.incoming.sources.github.observation import (
    CheckRunName,
    Observation,
    Seen,
    status_text,
    suite_text,
)
from mergecast.incoming.sources.github.queue_branch import read_queue_branch
from mergecast.incoming.sources.payload import Payload, instant, is_number, member, text

# The states of a commit status that end it, and the conclusion that each of them is.
_FINAL_STATES = {"success": "success", "failure": "failure", "error": "failure"}
# Check runs with one of these have been requested, and no machine has begun with them.
_WAITING = frozenset({"queued", "requested", "waiting", "pending"})
_LONGEST_WORKFLOW = 200


def on_queue_branch(ref: str | None, head_sha: str | None, **common: Any) -> Iterator[Observation]:
    """A report about the head of a queue branch; nothing if it is another branch."""
    branch = read_queue_branch(ref)
    if branch is not None and head_sha is not None:
        yield Observation(
            seen=Seen.CHECK,
            base_ref=branch.base_ref,
            number=branch.number,
            head_sha=head_sha,
            base_sha=branch.built_on,
            **common,
        )


def check_run(run: Payload, report: Observation) -> Observation:
    app, suite = text(member(run, "app"), "slug") or "", member(run, "check_suite").get("id")
    conclusion = text(run, "conclusion")
    return structs.replace(
        report,
        check=CheckRunName(app, text(run, "name") or "", str(suite)).text,
        check_id=str(run.get("id")),
        started_at=instant(run, "started_at"),
        ended_at=instant(run, "completed_at"),
        conclusion=conclusion,
        is_waiting=text(run, "status") in _WAITING,
        # A link takes more space than the rest, so it is stored once for each run.
        url=link(text(run, "details_url") or text(run, "html_url")) if conclusion else None,
    )


def job(job: Payload, report: Observation) -> Observation | None:
    """A job of a workflow that has ended, which is a check run with the same id.

    Only its end is read: that repeats when the job was queued and began, and on which machine.
    """
    ended_at, conclusion = instant(job, "completed_at"), text(job, "conclusion")
    if conclusion is None or ended_at is None:
        return None
    # Should the ids differ, this URL ends with the id of the check run.
    _, _, check_id = (text(job, "check_run_url") or "").rpartition("/")
    return structs.replace(
        report,
        seen=Seen.JOB,
        check=text(job, "name") or "",
        check_id=check_id if check_id.isdecimal() else str(job.get("id")),
        queued_at=instant(job, "created_at"),
        started_at=instant(job, "started_at"),
        ended_at=ended_at,
        conclusion=conclusion,
        url=link(text(job, "html_url")),
        runner=runner_of(job.get("labels")),
        workflow=_workflow(job, "workflow_name"),
    )


def _workflow(payload: Payload, name: str) -> str | None:
    return (text(payload, name) or "")[:_LONGEST_WORKFLOW] or None


def check_suite(suite: Payload, report: Observation) -> Observation:
    is_completed = suite.get("status") == "completed"
    return structs.replace(
        report,
        check=suite_text(suite.get("id")),
        check_id=str(suite.get("id")),
        started_at=instant(suite, "created_at"),
        ended_at=instant(suite, "updated_at") if is_completed else None,
        conclusion=text(suite, "conclusion") if is_completed else None,
    )


def commit_status(status: Payload, report: Observation) -> Observation:
    conclusion, at = _FINAL_STATES.get(text(status, "state") or ""), instant(status, "created_at")
    return structs.replace(
        report,
        check=status_text(text(status, "context") or ""),
        check_id=str(status.get("id")) if conclusion else None,
        started_at=None if conclusion else at,
        ended_at=at if conclusion else None,
        conclusion=conclusion,
        url=link(text(status, "target_url")) if conclusion else None,
    )


def workflow_run(run: Payload, id: str, received_at: int) -> Iterator[Observation]:
    """The attempt, and the first one if this is another: lists contain only the newest attempt."""
    given, created_at = run.get("run_attempt"), instant(run, "created_at")
    attempt = given if is_number(given) else None
    is_completed = run.get("status") == "completed"
    ref, head_sha = text(run, "head_branch"), text(run, "head_sha")
    for report in on_queue_branch(ref, head_sha, id=id, received_at=received_at):
        workflow = structs.replace(
            report,
            check=f"workflow {run.get('workflow_id')}",
            workflow=_workflow(run, "name"),
            suite=suite if is_number(suite := run.get("check_suite_id")) else None,
        )
        yield structs.replace(
            workflow,
            check_id=f"{run.get('id')}/{attempt}",
            attempt=attempt,
            started_at=instant(run, "run_started_at") or created_at,
            ended_at=instant(run, "updated_at") if is_completed else None,
            conclusion=text(run, "conclusion") if is_completed else None,
        )
        if attempt is not None and attempt > 1 and created_at is not None:
            yield structs.replace(
                workflow, id=f"{id}/first", check_id=f"{run.get('id')}/1", attempt=1, started_at=created_at
            )
