"""Build snapshots with the parts that a test names, and evaluate conditions on them."""

import re
from dataclasses import replace
from typing import Any

from mergecast.language.conditions.attribute import AllowedIn, Section
from mergecast.language.conditions.attributes import ATTRIBUTES
from mergecast.language.conditions.evaluate import Evaluator
from mergecast.language.conditions.facts.snapshot_view import SnapshotView
from mergecast.language.conditions.parser import parse_condition
from mergecast.language.conditions.result import LeafResult, Truth
from mergecast.language.conditions.tree import Condition, Leaf
from mergecast.queues.model.instant import DAY, parse_instant
from mergecast.queues.model.snapshot import (
    BranchProtection,
    ChangedFile,
    CheckRun,
    Commit,
    PullRequest,
    QueuePlace,
    Review,
    ReviewDecision,
    Snapshot,
)

NOW = parse_instant("2026-11-15T12:00:00Z")  # a Sunday

PULL = PullRequest(
    number=7,
    title="Fix the queue",
    body="",
    author="ann",
    base="main",
    head="fix",
    head_sha="c0ffee",
    head_repository="acme/engine",
    from_fork=False,
    owner="acme",
    repository="engine",
    default_branch="main",
    milestone=None,
    labels=(),
    assignees=(),
    requested_reviewers=(),
    requested_teams=(),
    locked=False,
    draft=False,
    closed=False,
    merged=False,
    merged_by=None,
    merge_commit_sha="beef",
    mergeable=True,
    changed_files=1,
    additions=10,
    deletions=5,
    commits=1,
    created_at=NOW - 2 * DAY,
    updated_at=NOW - DAY,
    closed_at=None,
    merged_at=None,
)
COMMIT = Commit(
    sha="c0ffee",
    message="Fix the queue\n\nAll of it.",
    parents=("beef",),
    is_verified=True,
    author="Ann",
    author_email="ann@acme.example",
    authored_at=NOW - 2 * DAY,
    committer="GitHub",
    committer_email="noreply@github.example",
    committed_at=NOW - 2 * DAY,
    author_login="ann",
)


def snapshot(*, pull: dict[str, Any] | None = None, **parts: Any) -> Snapshot:
    return Snapshot(replace(PULL, **(pull or {})), recorded_at=NOW, **parts)


def run(
    name: str, conclusion: str | None, *, app: str = "github-actions", completed_at: int = NOW
) -> CheckRun:
    return CheckRun(name, app, conclusion, None if conclusion is None else completed_at)


def review(author: str | None, state: str, at: int = NOW, *, is_by_bot: bool = False) -> Review:
    return Review(author, is_by_bot, state, at)


def file(path: str, status: str = "modified", previous_path: str | None = None) -> ChangedFile:
    return ChangedFile(path, status, previous_path)


_INJECTED = tuple(row.name for row in ATTRIBUTES.values() if row.allowed_in is AllowedIn.INJECTED)


def leaf(text: str) -> Leaf:
    """A condition from a list in which its attribute is allowed."""
    is_injected = text.lstrip("-").startswith(_INJECTED)
    return parse_condition(text, Section.INJECTED if is_injected else Section.COMMANDS)


def search(pattern: re.Pattern[str], text: str) -> bool:
    return pattern.search(text) is not None


def judge(text: str, seen: Snapshot, now: int = NOW) -> LeafResult:
    result = Evaluator(SnapshotView(seen), now, search).evaluate(leaf(text))
    assert isinstance(result, LeafResult)
    return result


def holds(condition: str | Condition, seen: Snapshot, now: int = NOW) -> bool:
    condition = leaf(condition) if isinstance(condition, str) else condition
    return Evaluator(SnapshotView(seen), now, search).evaluate(condition).truth is Truth.HOLDS


BARE = snapshot()
FULL = snapshot(
    files=(file("src/a.py"),),
    commits=(COMMIT,),
    reviews=(review("bob", "APPROVED"),),
    review_threads=(),
    check_runs=(run("ci", "success"),),
    statuses=(),
    branch_protection=BranchProtection(),
    teams={"acme/core": ("ann",)},
    permissions={"bob": "write"},
    dependencies={},
    behind=0,
    deployments=(),
    review_decision=ReviewDecision("APPROVED"),
    rules=(),
    head_history=(),
    scopes=(),
    dequeue_reason="NONE",
    queue=QueuePlace(),
    sender="ann",
)
