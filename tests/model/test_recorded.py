"""Recorded pull requests: the platform's answers become a snapshot or a list of errors."""

import copy
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergecast.errors import InvalidInput
from mergecast.queues.model.instant import parse_instant
from mergecast.queues.model.recorded import read_snapshot
from mergecast.queues.model.snapshot import (
    BranchProtection,
    BranchRule,
    ChangedFile,
    CheckRun,
    Commit,
    CommitStatus,
    Deployment,
    HeadChange,
    PullRequest,
    QueuePlace,
    RequiredReviewer,
    Review,
    ReviewDecision,
    ReviewRequirement,
    ReviewThread,
    Snapshot,
)

AT = "2026-11-15T12:00:00Z"
NOW = parse_instant(AT)

PULL: dict[str, Any] = {
    "number": 7,
    "node_id": "ignored",
    "title": "Fix",
    "body": None,
    "user": {"login": "ann", "type": "User"},
    "state": "open",
    "locked": False,
    "draft": True,
    "merged": False,
    "mergeable": None,
    "merged_by": None,
    "merge_commit_sha": "beef",
    "base": {
        "ref": "main",
        "repo": {
            "id": 1,
            "name": "engine",
            "full_name": "acme/engine",
            "default_branch": "main",
            "owner": {"login": "acme"},
        },
    },
    "head": {"ref": "fix", "sha": "c0ffee", "repo": {"id": 2, "full_name": "ann/engine"}},
    "milestone": {"title": "v 1"},
    "labels": [{"name": "bug"}],
    "assignees": [{"login": "bob"}],
    "requested_reviewers": [{"login": "cat"}],
    "requested_teams": [{"slug": "core"}],
    "changed_files": 3,
    "additions": 10,
    "deletions": 5,
    "commits": 2,
    "created_at": AT,
    "updated_at": AT,
    "closed_at": None,
    "merged_at": None,
}
RECORD: dict[str, Any] = {
    "pull": PULL,
    "files": [{"filename": "b", "status": "renamed", "previous_filename": "a", "sha": "x"}],
    "commits": [
        {
            "sha": "c0ffee",
            "commit": {
                "message": "Fix",
                "author": {"name": "Ann", "email": "ann@x", "date": AT},
                "committer": {"name": "GitHub", "email": "noreply@x", "date": AT},
                "verification": {"verified": True, "reason": "valid"},
            },
            "author": {},
            "parents": [{"sha": "beef"}],
        }
    ],
    "reviews": [
        {"user": {"login": "bot[bot]", "type": "Bot"}, "state": "APPROVED", "submitted_at": AT},
        {"user": None, "state": "COMMENTED", "submitted_at": AT},
    ],
    "review_threads": [{"is_resolved": True, "author": "cat"}],
    "check_runs": [
        {
            "name": "ci",
            "app": {"slug": "actions"},
            "status": "completed",
            "conclusion": "success",
            "completed_at": AT,
        },
        {"name": "e2e", "app": None, "status": "in_progress", "conclusion": None, "completed_at": None},
    ],
    "statuses": [{"context": "build", "state": "pending", "updated_at": AT}],
    "branch_protection": {
        "required_status_checks": {
            "strict": True,
            "contexts": ["ci", "old"],
            "checks": [{"context": "ci", "app_id": 1}],
        },
        "required_pull_request_reviews": {
            "required_approving_review_count": 2,
            "require_code_owner_reviews": True,
        },
        "required_conversation_resolution": {"enabled": True},
    },
    "teams": {"acme/core": ["ann"]},
    "permissions": {"ann": "admin"},
    "dependencies": {"acme/engine#3": "merged"},
    "behind": 4,
    "deployments": [{"environment": "prod", "state": "success", "created_at": AT}],
    "review_decision": "APPROVED",
    "rules": [
        {"type": "deletion"},
        {
            "type": "required_status_checks",
            "parameters": {
                "strict_required_status_checks_policy": True,
                "required_status_checks": [{"context": "lint"}],
            },
        },
        {
            "type": "pull_request",
            "parameters": {
                "required_approving_review_count": 1,
                "require_code_owner_review": False,
                "require_last_push_approval": True,
                "required_review_thread_resolution": True,
                "required_reviewers": [
                    {
                        "minimum_approvals": 1,
                        "file_patterns": ["*.js"],
                        "reviewer": {"id": 5, "type": "Team"},
                    }
                ],
            },
        },
    ],
    "head_history": [{"sha": "beef", "at": AT}],
    "scopes": ["api"],
    "dequeue_reason": "checks-failed",
    "extends": {"acme/shared": "queue_rules: []"},
    "queue": {"name": "default", "position": 0, "queued_at": AT, "priority": 2000},
    "recorded_at": "2026-11-14T12:00:00Z",
}


def test_a_full_record_becomes_a_snapshot() -> None:
    """Every part is read; further fields of the platform are ignored."""
    expected = Snapshot(
        pull=PullRequest(
            number=7,
            title="Fix",
            body="",
            author="ann",
            base="main",
            head="fix",
            head_sha="c0ffee",
            head_repository="ann/engine",
            from_fork=True,
            owner="acme",
            repository="engine",
            default_branch="main",
            milestone="v 1",
            labels=("bug",),
            assignees=("bob",),
            requested_reviewers=("cat",),
            requested_teams=("core",),
            locked=False,
            draft=True,
            closed=False,
            merged=False,
            merged_by=None,
            merge_commit_sha="beef",
            mergeable=None,
            changed_files=3,
            additions=10,
            deletions=5,
            commits=2,
            created_at=NOW,
            updated_at=NOW,
            closed_at=None,
            merged_at=None,
        ),
        recorded_at=parse_instant("2026-11-14T12:00:00Z"),
        files=(ChangedFile("b", "renamed", "a"),),
        commits=(
            Commit(
                sha="c0ffee",
                message="Fix",
                parents=("beef",),
                is_verified=True,
                author="Ann",
                author_email="ann@x",
                authored_at=NOW,
                committer="GitHub",
                committer_email="noreply@x",
                committed_at=NOW,
                author_login=None,
            ),
        ),
        reviews=(
            Review("bot[bot]", is_by_bot=True, state="APPROVED", submitted_at=NOW),
            Review(None, is_by_bot=False, state="COMMENTED", submitted_at=NOW),
        ),
        review_threads=(ReviewThread(is_resolved=True, author="cat"),),
        check_runs=(CheckRun("ci", "actions", "success", NOW), CheckRun("e2e", None, None, None)),
        statuses=(CommitStatus("build", "pending", NOW),),
        branch_protection=BranchProtection(
            required_checks=("ci", "old"),
            is_strict=True,
            reviews=ReviewRequirement(approvals=2, from_code_owners=True),
            needs_resolved_threads=True,
        ),
        teams={"acme/core": ("ann",)},
        permissions={"ann": "admin"},
        dependencies={"acme/engine#3": "merged"},
        behind=4,
        deployments=(Deployment("prod", "success", NOW),),
        review_decision=ReviewDecision("APPROVED"),
        rules=(
            BranchRule("deletion"),
            BranchRule("required_status_checks", required_checks=("lint",), is_strict=True),
            BranchRule(
                "pull_request",
                reviews=ReviewRequirement(approvals=1, of_last_push=True),
                needs_resolved_threads=True,
                required_reviewers=(RequiredReviewer("Team 5", 1, ("*.js",)),),
            ),
        ),
        head_history=(HeadChange("beef", NOW),),
        scopes=("api",),
        dequeue_reason="CHECKS_FAILED",
        extends={"acme/shared": "queue_rules: []"},
        queue=QueuePlace("default", 0, NOW, 2000),
    )

    assert expected == read_snapshot(RECORD, number=7, now=NOW)


def test_missing_parts_stay_missing() -> None:
    """The time of recording defaults to now."""
    found = read_snapshot({"pull": PULL}, number=7, now=NOW)

    assert Snapshot(found.pull, recorded_at=NOW) == found


def test_a_meaningful_null_is_a_value() -> None:
    """No branch protection, not in a queue, no review decision, never dequeued."""
    nulls = dict.fromkeys(("branch_protection", "queue", "review_decision", "dequeue_reason"))

    found = read_snapshot({"pull": PULL, **nulls}, number=7, now=NOW)

    assert BranchProtection() == found.branch_protection
    assert QueuePlace() == found.queue
    assert ReviewDecision(None) == found.review_decision
    assert "NONE" == found.dequeue_reason


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ({"id": 1, "full_name": "acme/engine"}, ("acme/engine", False)),
        ({"id": 2, "full_name": "ann/engine"}, ("ann/engine", True)),
        (None, (None, True)),
    ],
)
def test_the_head_repository(head: Any, expected: tuple[str | None, bool]) -> None:
    """A deleted head repository counts as a fork."""
    pull = PULL | {"head": PULL["head"] | {"repo": head}}

    found = read_snapshot({"pull": pull}, number=7, now=NOW).pull

    assert expected == (found.head_repository, found.from_fork)


def test_a_merged_pull_request_is_closed() -> None:
    """This holds whatever its state is."""
    assert read_snapshot({"pull": PULL | {"merged": True}}, number=7, now=NOW).pull.closed


def _without(path: list[Any], document: Any = RECORD) -> Any:
    broken = copy.deepcopy(document)
    inner = broken
    for step in path[:-1]:
        inner = inner[step]
    del inner[path[-1]]
    return broken


def _with(path: list[Any], value: Any, document: Any = RECORD) -> Any:
    broken = copy.deepcopy(document)
    inner = broken
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return broken


KEYS = (
    "pull, files, commits, reviews, review_threads, check_runs, statuses, branch_protection, teams, "
    "permissions, dependencies, behind, deployments, review_decision, rules, head_history, scopes, "
    "dequeue_reason, extends, queue, recorded_at"
)
ERRORS: list[tuple[Any, list[tuple[str, str]]]] = [
    ([], [("", "must be an object, not a list")]),
    (None, [("", "must be an object, not null")]),
    (_without(["pull"]), [("/pull", "is missing; it is an object")]),
    (_with(["pull"], []), [("/pull", "must be an object, not a list")]),
    (_with(["pul"], 1), [("/pul", "is not a known key; did you mean `pull`?")]),
    (_with(["checkruns"], []), [("/checkruns", "is not a known key; did you mean `check_runs`?")]),
    (_with(["labels"], "x"), [("/labels", f"is not a known key; known keys are {KEYS}")]),
    (_without(["pull", "title"]), [("/pull/title", "is missing; it is a text")]),
    (_with(["pull", "number"], 8), [("/pull/number", "must be 7, the number in the path, not 8")]),
    (
        _with(["pull", "number"], True),
        [("/pull/number", "must be a whole number of at least 1, not a boolean")],
    ),
    (_with(["pull", "base"], "main"), [("/pull/base", "must be an object, not `main`")]),
    (_with(["pull", "state"], "merged"), [("/pull/state", "must be one of open, closed, not `merged`")]),
    (
        _with(["pull", "created_at"], "2026-11-15"),
        [
            (
                "/pull/created_at",
                "a date without a time is not accepted; write a date-time such as 2026-01-31T09:00:00Z",
            )
        ],
    ),
    (
        _with(["pull", "created_at"], 5),
        [("/pull/created_at", "must be a date-time such as 2026-01-31T09:00:00Z, not 5")],
    ),
    (_with(["files"], None), [("/files", "must be a list, not null")]),
    (_with(["files", 0], 3), [("/files/0", "must be an object, not 3")]),
    (_without(["files", 0, "filename"]), [("/files/0/filename", "is missing; it is a text")]),
    (_with(["behind"], -1), [("/behind", "must be a whole number of at least 0, not -1")]),
    (
        _with(["permissions", "ann"], "owner"),
        [("/permissions/ann", "must be one of admin, maintain, write, triage, read, none, not `owner`")],
    ),
    (
        _with(["teams", "core"], []),
        [("/teams/core", "is not a valid key; an example is acme/core")],
    ),
    (_with(["teams", "acme/core"], "ann"), [("/teams/acme~1core", "must be a list, not `ann`")]),
    (
        _with(["dependencies", "#3"], "open"),
        [("/dependencies/#3", "is not a valid key; an example is acme/engine#12")],
    ),
    (
        _with(["review_decision"], "yes"),
        [("/review_decision", "must be one of APPROVED, CHANGES_REQUESTED, REVIEW_REQUIRED, not `yes`")],
    ),
    (
        _with(["queue", "queued_at"], None),
        [("/queue/queued_at", "must be a date-time such as 2026-01-31T09:00:00Z, not null")],
    ),
    (_with(["extends"], ["x"]), [("/extends", "must be an object, not a list")]),
    (
        _with(["scopes"], [1, 2]),
        [("/scopes/0", "must be a text, not 1"), ("/scopes/1", "must be a text, not 2")],
    ),
]


@pytest.mark.parametrize(("document", "errors"), ERRORS, ids=[str(error[1][0]) for error in ERRORS])
def test_every_error_is_reported_with_its_path(document: Any, errors: list[tuple[str, str]]) -> None:
    """The paths are JSON pointers, and all errors are reported together."""
    with pytest.raises(InvalidInput) as caught:
        read_snapshot(document, number=7, now=NOW)

    assert errors == [(error.name, error.message) for error in caught.value.errors]


def test_very_many_unknown_keys() -> None:
    """The first hundred are listed, and the others are counted without looking for the key that was meant."""
    _, of_a_hundred = _refused_keys(100)
    refusal, of_all = _refused_keys(200_000)

    names = [error.name for error in refusal.errors]
    assert ([f"/x{number}" for number in range(100)], 199_900) == (names, refusal.more)
    assert of_all < 200 * of_a_hundred  # one by one, it would take 2,000 times as long


def _refused_keys(number: int) -> tuple[InvalidInput, float]:
    """The refusal of a record with so many unknown keys, and its CPU time."""
    record = RECORD | {f"x{place}": 0 for place in range(number)}
    begun = time.thread_time()
    with pytest.raises(InvalidInput) as caught:
        read_snapshot(record, number=7, now=NOW)
    return caught.value, time.thread_time() - begun


_JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)


def _paths(document: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    steps = (
        document.items()
        if isinstance(document, dict)
        else enumerate(document)
        if isinstance(document, list)
        else ()
    )
    return [found for key, inner in steps for found in ((*path, key), *_paths(inner, (*path, key)))]


@given(st.sampled_from(_paths(RECORD)), _JSON)
def test_any_value_anywhere_is_read_or_rejected(path: tuple[Any, ...], value: Any) -> None:
    """The only exception is InvalidInput, and its errors are near the changed value."""
    try:
        read_snapshot(_with(list(path), value), number=7, now=NOW)
    except InvalidInput as error:
        names = [error.name for error in error.errors]
    else:
        names = []

    assert all(name.startswith(f"/{path[0]}") for name in names)
