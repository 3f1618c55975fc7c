"""Webhooks that concern a queue, and from which nothing can be read: they are counted, with the reason."""

from collections.abc import Callable, Mapping

from mergecast.incoming.sources.github.queue_branch import is_queue_branch
from mergecast.incoming.sources.payload import Payload, member, text

_LONGEST_WORD = 60
_GROUP_ACTIONS = ("checks_requested", "destroyed")
_PULL_ACTIONS = ("enqueued", "dequeued")
# Where each event names the branch that it is about.
_BRANCHES: Mapping[str, Callable[[Payload], str | None]] = {
    "push": lambda payload: text(payload, "ref"),
    "check_run": lambda payload: text(member(member(payload, "check_run"), "check_suite"), "head_branch"),
    "check_suite": lambda payload: text(member(payload, "check_suite"), "head_branch"),
    "workflow_run": lambda payload: text(member(payload, "workflow_run"), "head_branch"),
    "workflow_job": lambda payload: text(member(payload, "workflow_job"), "head_branch"),
}
# A job that has not ended says nothing that its check run does not say.
_JOB_ENDS = "completed"


def why_not_understood(event: str, action: str, payload: Payload) -> str | None:
    """Why a webhook without observations was not understood; None if it concerns no queue."""
    if event == "merge_group":
        is_known = action in _GROUP_ACTIONS
        return "no queue branch for this group" if is_known else _unknown("action of a merge group", action)
    if event.startswith("merge_queue"):
        return _unknown("event", event)
    if event == "pull_request" and "queue" in action:
        is_known = action in _PULL_ACTIONS
        return "no number or base branch for this entry or exit" if is_known else _unknown("action", action)
    branch = _BRANCHES.get(event)
    if branch is None or not is_queue_branch(branch(payload)):
        return None
    is_silent = event == "workflow_job" and action != _JOB_ENDS
    return None if is_silent else "no commit or pull request for this queue branch"


def _unknown(what: str, word: str) -> str:
    return f"unknown {what}: {word[:_LONGEST_WORD]}"
