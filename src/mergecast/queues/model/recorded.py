"""Reads a snapshot from a record, which consists of the platform's own answers."""

import re
from collections.abc import Callable
from typing import Any, TypeVar

from mergecast.errors import MOST_ERRORS, FieldError, InvalidInput
from mergecast.queues.model.nearest import nearest
from mergecast.queues.model.plain_data import Node, pointer
from mergecast.queues.model.recorded_pull import read_commit, read_file, read_pull
from mergecast.queues.model.recorded_state import (
    read_check_run,
    read_deployment,
    read_head_change,
    read_protection,
    read_queue,
    read_review,
    read_rule,
    read_status,
    read_thread,
)
from mergecast.queues.model.snapshot import (
    NEVER_QUEUED,
    PERMISSIONS,
    RECORD_KEYS,
    Part,
    ReviewDecision,
    Snapshot,
)

DECISIONS = ("APPROVED", "CHANGES_REQUESTED", "REVIEW_REQUIRED")
DEPENDENCY_STATES = ("open", "merged", "closed")

_TEAM = re.compile(r"[^/\s]+/[^/\s]+")
_REFERENCE = re.compile(r"[^/\s]+/[^/#\s]+#[0-9]+")
_LONGEST_SHOWN = 60

T = TypeVar("T")


def read_snapshot(document: Any, *, number: int, now: int) -> Snapshot:
    """The snapshot of pull request `number`; raises InvalidInput with all errors and their JSON pointers."""
    errors: list[FieldError] = []
    root = Node(document, errors)
    if not isinstance(document, dict):
        root.wrong("an object")
        raise InvalidInput(errors)
    unknown = [key for key in document if key not in RECORD_KEYS]
    # No more are listed, and it takes long to find out which key was meant.
    errors += map(_unknown, unknown[:MOST_ERRORS])
    pull = root.member("pull")
    snapshot = Snapshot(
        pull=read_pull(pull),
        recorded_at=now if root.member("recorded_at").is_null else root.member("recorded_at").instant(),
        **{key: read(root.member(key)) for key, read in _READERS.items() if not root.member(key).is_absent},
    )
    if not errors and snapshot.pull.number != number:
        pull.member("number").error(f"must be {number}, the number in the path, not {snapshot.pull.number}")
    if errors:
        raise InvalidInput(errors, more=len(unknown[MOST_ERRORS:]))
    return snapshot


def _unknown(key: str) -> FieldError:
    near = nearest(key, RECORD_KEYS)
    advice = f"did you mean `{near}`?" if near else "known keys are " + ", ".join(RECORD_KEYS)
    return FieldError("body", pointer(key[:_LONGEST_SHOWN]), f"is not a known key; {advice}")


def _list_of(read: Callable[[Node], T]) -> Callable[[Node], tuple[T, ...]]:
    return lambda node: tuple([read(item) for item in node.items()])


def _mapping_of(
    read: Callable[[Node], T], key: re.Pattern[str] | None = None, example: str = ""
) -> Callable[[Node], dict[str, T]]:
    def read_mapping(node: Node) -> dict[str, T]:
        members = node.members()
        for name, member in members:
            if key and not key.fullmatch(name):
                member.error(f"is not a valid key; an example is {example}")
        return {name: read(member) for name, member in members}

    return read_mapping


def _review_decision(node: Node) -> ReviewDecision:
    return ReviewDecision(None if node.is_null else node.choice(DECISIONS))


def _dequeue_reason(node: Node) -> str:
    return NEVER_QUEUED if node.is_null else node.text().upper().replace("-", "_")


_READERS: dict[str, Callable[[Node], Any]] = {
    Part.FILES.key: _list_of(read_file),
    Part.COMMITS.key: _list_of(read_commit),
    Part.REVIEWS.key: _list_of(read_review),
    Part.REVIEW_THREADS.key: _list_of(read_thread),
    Part.CHECK_RUNS.key: _list_of(read_check_run),
    Part.STATUSES.key: _list_of(read_status),
    Part.BRANCH_PROTECTION.key: read_protection,
    Part.TEAMS.key: _mapping_of(_list_of(Node.text), _TEAM, "acme/core"),
    Part.PERMISSIONS.key: _mapping_of(lambda node: node.choice(PERMISSIONS)),
    Part.DEPENDENCIES.key: _mapping_of(
        lambda node: node.choice(DEPENDENCY_STATES), _REFERENCE, "acme/engine#12"
    ),
    Part.BEHIND.key: Node.integer,
    Part.DEPLOYMENTS.key: _list_of(read_deployment),
    Part.REVIEW_DECISION.key: _review_decision,
    Part.RULES.key: _list_of(read_rule),
    Part.HEAD_HISTORY.key: _list_of(read_head_change),
    Part.SCOPES.key: _list_of(Node.text),
    Part.DEQUEUE_REASON.key: _dequeue_reason,
    Part.EXTENDS.key: _mapping_of(Node.text, _TEAM, "acme/engine"),
    Part.QUEUE.key: read_queue,
}
