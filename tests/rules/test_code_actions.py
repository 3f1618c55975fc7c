"""What each action on commits, branches and checks would do, option by option."""

from dataclasses import replace
from typing import Any

import pytest

from mergecast.language.rules.simulation import Effect
from mergecast.queues.model.instant import DAY, parse_instant
from mergecast.queues.model.snapshot import BranchProtection, BranchRule, QueuePlace, Snapshot
from rules.builders import (
    BARE,
    COMMIT,
    NOW,
    only,
    planned,
    review,
    rule,
    said,
    simulated,
    snapshot,
    with_rules,
)

ACTS, NOTHING, WAITS, CANNOT = Effect.ACTS, Effect.NOTHING, Effect.WAITS, Effect.CANNOT
MERGED = {"merged": True, "closed": True, "merged_by": "bob", "merged_at": NOW - DAY, "closed_at": NOW - DAY}
CLOSED = {"closed": True, "closed_at": NOW - DAY}


@pytest.mark.parametrize(
    ("pull", "options", "expected"),
    [
        (
            MERGED,
            {"branches": ["v2", "v1", "v2"]},
            (ACTS, ["Would open a backport to branch 'v1'", "Would open a backport to branch 'v2'"]),
        ),
        ({}, {"branches": ["v1"]}, (WAITS, ["Would backport to 'v1' once merged"])),
        (
            {},
            {"regexes": ["^v", "^r"]},
            (
                WAITS,
                [
                    "Would backport to every branch matching '/^r/' once merged",
                    "Would backport to every branch matching '/^v/' once merged",
                ],
            ),
        ),
        (
            CLOSED,
            {"branches": ["v1"]},
            (CANNOT, ["Would not backport: the pull request was closed without being merged"]),
        ),
        (MERGED, {"regexes": ["^v"]}, (ACTS, ["Would backport to every branch matching '/^v/'"])),
        (MERGED, None, (CANNOT, ["Would fail: No destination branches found"])),
        ({}, None, (CANNOT, ["Would fail: No destination branches found"])),
        (
            MERGED,
            {
                "branches": ["v1"],
                "bot_account": "robot",
                "labels": ["b", "a"],
                "assignees": ["{{ merged_by }}"],
            },
            (
                ACTS,
                [
                    "Would open a backport to branch 'v1' as @robot",
                    "With the labels 'a', 'b'",
                    "Assigned to @bob",
                ],
            ),
        ),
        (
            MERGED,
            {
                "branches": ["v1"],
                "title": "{{ destination_branch }}: {{ title }}",
                "body": "#{{ number }}{{ body }}",
            },
            (
                ACTS,
                [
                    "Would open a backport to branch 'v1'",
                    "With the title: v1: Fix the queue",
                    "With the body: #7",
                ],
            ),
        ),
    ],
)
def test_backport(pull: dict[str, Any], options: Any, expected: Any) -> None:
    assert expected == planned("backport", options, snapshot(pull=pull))


def test_copy_does_not_wait_for_the_merge() -> None:
    assert (ACTS, ["Would open a copy to branch 'v1'"]) == planned("copy", {"branches": ["v1"]})


@pytest.mark.parametrize(
    ("message", "effect"),
    [("Merge branch 'other' into fix", CANNOT), ("Merge branch 'main' into fix", ACTS)],
)
def test_copy_rejects_merge_commits_except_those_of_the_base(message: str, effect: Effect) -> None:
    merge = replace(COMMIT, message=message, parents=("a", "b"))

    assert effect is planned("copy", {"branches": ["v1"]}, snapshot(commits=(COMMIT, merge)))[0]


@pytest.mark.parametrize(
    ("pull", "options", "expected"),
    [
        (MERGED, {"force": True}, (ACTS, ["Would delete the branch 'fix'"])),
        (MERGED, None, (ACTS, ["Would delete the branch 'fix', unless another open pull request uses it"])),
        ({}, {"force": True}, (WAITS, ["Would delete the branch 'fix' once closed"])),
        (MERGED | {"from_fork": True}, None, (NOTHING, ["Would keep the branch 'fix' of a fork"])),
    ],
)
def test_delete_head_branch(pull: dict[str, Any], options: Any, expected: Any) -> None:
    assert expected == planned("delete_head_branch", options, snapshot(pull=pull))


MERGE = "Would merge the pull request into 'main'"
LINEAR = (BranchRule("required_linear_history"),)


@pytest.mark.parametrize(
    ("seen", "options", "expected"),
    [
        (
            BARE,
            None,
            (ACTS, ["Would merge the pull request into 'main' with the first method the repository allows"]),
        ),
        (
            BARE,
            {"method": "squash"},
            (ACTS, ["Would merge the pull request into 'main' with the squash method"]),
        ),
        (
            BARE,
            {"method": "rebase", "merge_bot_account": "robot"},
            (ACTS, ["Would merge the pull request into 'main' with the rebase method as @robot"]),
        ),
        (snapshot(pull={"draft": True}), None, (WAITS, ["Would wait: the pull request is a draft"])),
        (
            snapshot(pull=MERGED),
            None,
            (NOTHING, ["Would not merge: the pull request was already merged by @bob"]),
        ),
        (snapshot(pull=CLOSED), None, (CANNOT, ["Would not merge: the pull request is closed"])),
        (
            snapshot(pull={"mergeable": False}),
            None,
            (CANNOT, ["Would not merge: the pull request conflicts with 'main'"]),
        ),
        (
            snapshot(rules=LINEAR),
            {"method": "merge"},
            (CANNOT, ["Would fail: 'main' requires linear history; use another merge method"]),
        ),
        (
            snapshot(branch_protection=BranchProtection(required_checks=("ci",)), check_runs=()),
            {"method": "squash"},
            (
                WAITS,
                [f"{MERGE} with the squash method once its requirements hold"],
            ),
        ),
        (
            snapshot(behind=3),
            {"method": "fast-forward"},
            (
                WAITS,
                [f"{MERGE} with the fast-forward method once its requirements hold"],
            ),
        ),
    ],
)
def test_merge(seen: Snapshot, options: Any, expected: Any) -> None:
    assert expected == planned("merge", options, seen)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (
            {"commit_message_template": "{{ title }} (#{{ number }})\n\n\nBy {{ author }}"},
            "Fix the queue (#7)\n\nBy ann",
        ),
        ({"commit_message_format": {"title": "pr-title", "body": "empty"}}, "Fix the queue (#7)"),
        (
            {
                "commit_message_format": {
                    "title": "pr-title",
                    "body": "pr-body",
                    "trailers": ["co-authored-by", "approved-by", "merged-by", "approved-by"],
                }
            },
            (
                "Fix the queue (#7)\n\nLong story.\n\nCo-authored-by: Ann <ann@acme.example>\n"
                "Approved-by: bob\nMerged-by: (the account that merges)"
            ),
        ),
        (
            {"commit_message_format": {"body": "empty"}},
            "(title as the repository is set up)",
        ),
    ],
)
def test_merge_shows_the_commit_message(options: Any, expected: str) -> None:
    seen = snapshot(
        pull={"body": "Long story."}, commits=(COMMIT, COMMIT), reviews=(review("bob", "APPROVED"),)
    )

    assert f"With the commit message: {expected}" == planned("merge", options, seen)[1][1]


@pytest.mark.parametrize(
    ("pull", "options"),
    [
        ({}, {"commit_message_format": {}}),
        ({}, {"commit_message_template": "{% if false %}never{% endif %}"}),
        ({"body": "# Commit Message\nx"}, {"method": "fast-forward"}),
    ],
)
def test_merge_leaves_the_commit_message_to_the_repository(pull: dict[str, Any], options: Any) -> None:
    seen = snapshot(pull=pull, behind=0)

    assert 1 == len(planned("merge", options, seen)[1])


def test_merge_uses_the_message_in_the_description() -> None:
    seen = snapshot(pull={"body": "Why\n\n## Commit Message:\nShort by {{ author }}\n\nmore\n## Tests\nnone"})

    assert "With the commit message: Short by ann\n\nmore" == planned("merge", None, seen)[1][1]


@pytest.mark.parametrize(
    ("conditions", "options", "expected"),
    [
        ([], None, "Would post a check with the conclusion success titled ''a' succeeded'"),
        (
            [],
            {"title": "{{ check_status }} {{ check_succeed }}"},
            "Would post a check with the conclusion success titled 'success True'",
        ),
        (
            [],
            {"success_conditions": ["label = x"]},
            "Would post a check with the conclusion failure titled ''a' failed'",
        ),
        (
            [],
            {"success_conditions": ["label = x"], "neutral_conditions": ["base = main"]},
            "Would post a check with the conclusion neutral titled ''a''",
        ),
        (["label = x"], None, "Would post a check with the conclusion failure titled ''a' failed'"),
    ],
)
def test_post_check(conditions: list[str], options: Any, expected: str) -> None:
    result = only(simulated(with_rules(rule("a", conditions, post_check=options))).rules)

    assert [(ACTS, [expected])] == [said(plan) for plan in result.plans]


def test_post_check_shows_the_conditions_in_its_summary() -> None:
    conditions = ["base = main", {"or": ["label = x", {"not": {"and": ["author = @none"]}}]}]
    options = {"summary": "{{ check_conditions }}", "success_conditions": conditions}

    expected = """With the summary: - [X] `base = main`
- [ ] any of:
  - [ ] `label = x`
  - [ ] not:
    - [ ] all of:
      - [ ] `author = @none` ⚠️ Team `@none` does not exist"""
    assert expected == planned("post_check", options, snapshot(teams={}))[1][1]


QUEUES = {"queue_rules": [{"name": "fast", "queue_conditions": ["label = fast"]}, {"name": "default"}]}
PRIORITIES = {"priority_rules": [{"name": "urgent", "conditions": ["label = fast"], "priority": "high"}]}


@pytest.mark.parametrize(
    ("options", "seen", "expected"),
    [
        (None, BARE, (ACTS, ["Would add the pull request to the queue 'default' with priority medium"])),
        (
            None,
            snapshot(pull={"labels": ("fast",)}),
            (ACTS, ["Would add the pull request to the queue 'fast' with priority high (rule 'urgent')"]),
        ),
        (
            {"name": "default"},
            snapshot(pull={"labels": ("fast",)}),
            (ACTS, ["Would add the pull request to the queue 'default' with priority high (rule 'urgent')"]),
        ),
        (
            {"name": "fast"},
            BARE,
            (WAITS, ["Would wait: the conditions of the queue 'fast' do not match yet"]),
        ),
        (None, snapshot(pull={"draft": True}), (WAITS, ["Would wait: no queue's conditions match yet"])),
        (None, snapshot(pull=MERGED), (NOTHING, ["Would not queue: the pull request is already merged"])),
        (None, snapshot(pull=CLOSED), (CANNOT, ["Would not queue: the pull request is closed"])),
        (
            None,
            snapshot(queue=QueuePlace("fast", 2)),
            (NOTHING, ["Would not queue: the pull request is already in the queue 'fast'"]),
        ),
    ],
)
def test_queue(options: Any, seen: Snapshot, expected: Any) -> None:
    assert expected == planned("queue", options, seen, **QUEUES, **PRIORITIES)


def test_a_queue_in_a_document_that_could_not_be_read() -> None:
    text = "extends: other\npull_request_rules: [{name: a, conditions: [], actions: {queue: {name: far}}}]"
    result = only(simulated(text).rules)

    expected = "Not known: the queue 'far' should be in the configuration of 'other'"
    assert [(Effect.UNKNOWN, [expected])] == [said(plan) for plan in result.plans]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (None, "Would rebase the pull request on 'main'"),
        ({"bot_account": "robot"}, "Would rebase the pull request on 'main' as @robot"),
    ],
)
def test_rebase(options: Any, expected: str) -> None:
    assert (ACTS, [expected]) == planned("rebase", options, snapshot(behind=1, commits=(COMMIT,)))


@pytest.mark.parametrize(
    ("options", "pull", "expected"),
    [
        (None, {"commits": 3}, (ACTS, ["Would squash 3 commits into one"])),
        ({"bot_account": "robot"}, {"commits": 3}, (ACTS, ["Would squash 3 commits into one as @robot"])),
        (None, {"commits": 1}, (NOTHING, ["Would not squash: there is only one commit"])),
        (None, CLOSED | {"commits": 3}, (NOTHING, ["Would not squash: the pull request is closed"])),
        (
            {"commit_message": "title+body"},
            {"commits": 2, "body": "Why."},
            (
                ACTS,
                ["Would squash 2 commits into one", "With the commit message: Fix the queue (#7)\n\nWhy."],
            ),
        ),
        (
            {"commit_message": "first-commit"},
            {"commits": 2},
            (ACTS, ["Would squash 2 commits into one", f"With the commit message: {COMMIT.message}"]),
        ),
        (
            {"commit_message": "title+body"},
            {"commits": 2, "body": "# commit message\nMine"},
            (ACTS, ["Would squash 2 commits into one", "With the commit message: Mine"]),
        ),
    ],
)
def test_squash(options: Any, pull: dict[str, Any], expected: Any) -> None:
    assert expected == planned("squash", options, snapshot(pull=pull, commits=(COMMIT,)))


@pytest.mark.parametrize(
    ("behind", "options", "expected"),
    [
        (3, None, "Would merge 'main' into the pull request (3 commits behind)"),
        (1, {"bot_account": "robot"}, "Would merge 'main' into the pull request (1 commit behind) as @robot"),
    ],
)
def test_update(behind: int, options: Any, expected: str) -> None:
    assert (ACTS, [expected]) == planned("update", options, snapshot(behind=behind))


@pytest.mark.parametrize(
    ("message", "effect"),
    [
        ("Merge branch 'topic' into fix", CANNOT),
        ("Merge branch 'main' into fix", ACTS),
        ("Merge remote-tracking branch 'origin/main' into fix", ACTS),
    ],
)
def test_backport_needs_a_squash_if_there_are_merges_of_other_branches(message: str, effect: Effect) -> None:
    """Before and after the merge."""
    commits = (COMMIT, replace(COMMIT, message=message, parents=("a", "b")))
    after, before = (
        planned("backport", {"branches": ["v1"]}, snapshot(pull=pull, commits=commits))
        for pull in (MERGED, {})
    )

    assert (effect, WAITS if effect is ACTS else CANNOT) == (after[0], before[0])
    if effect is CANNOT:
        assert after == before
        reason = "a pull request that contains merge commits cannot be backported unless it is squashed"
        assert [f"Would fail: {reason}"] == after[1]


@pytest.mark.parametrize(
    ("from_fork", "options", "now", "expected"),
    [
        (
            True,
            {"bot_account": "robot"},
            "2026-07-01T00:00:00Z",
            (
                CANNOT,
                ["Would fail: since 2026-07-01, `bot_account` cannot rebase a pull request from a fork"],
            ),
        ),
        (
            True,
            {"bot_account": "robot"},
            "2026-06-30T23:59:59Z",
            (ACTS, ["Would rebase the pull request on 'main' as @robot"]),
        ),
        (True, None, "2026-07-01T00:00:00Z", (ACTS, ["Would rebase the pull request on 'main'"])),
        (
            False,
            {"bot_account": "robot"},
            "2026-07-01T00:00:00Z",
            (ACTS, ["Would rebase the pull request on 'main' as @robot"]),
        ),
    ],
)
def test_rebase_of_a_fork(from_fork: bool, options: Any, now: str, expected: Any) -> None:  # noqa: FBT001
    """An account can no longer rebase it."""
    seen = snapshot(pull={"from_fork": from_fork}, behind=1, commits=(COMMIT,))
    simulation = simulated(with_rules(rule("a", [], rebase=options)), seen, now=parse_instant(now))

    assert expected == said(only(simulation.rules).plans[0])
