"""What holds, what does not, and what cannot be known."""

import re
from dataclasses import replace

import pytest

from conditions.builders import COMMIT, NOW, file, holds, judge, leaf, review, run, search, snapshot
from mergecast.language.conditions.errors import PatternTooSlow
from mergecast.language.conditions.evaluate import Evaluator
from mergecast.language.conditions.facts.snapshot_view import SnapshotView
from mergecast.language.conditions.result import GroupResult, LeafResult, Truth
from mergecast.language.conditions.tree import All, AnyOf, Not
from mergecast.queues.model.instant import DAY, HOUR
from mergecast.queues.model.snapshot import (
    NEVER_QUEUED,
    BranchRule,
    CommitStatus,
    Deployment,
    HeadChange,
    QueuePlace,
    RequiredReviewer,
    ReviewDecision,
    ReviewThread,
    Snapshot,
)

LABELLED = snapshot(pull={"labels": ("bug", "wip")})
BARE = snapshot()
UNRESOLVED = "the members of a ruleset's required reviewers are not recorded"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("label = wip", True),
        ("label != wip", False),
        ("-label = wip", False),
        ("-label ~= ^w", False),
        ("label != doc", True),
        ("label ~= ^b", True),
        ("label *= w*", True),
        ("label > v", True),
        ("label >= wip", True),
        ("label > wip", False),
        ("#label = 2", True),
        ("-#label = 2", False),
        ("#label != 2", False),
        ("title = Fix the queue", True),
        ("title = fix the queue", False),
        ("title ~= (?i)^fix", True),
        ("title ~=", True),
        ("#title > 12", True),
        ("#title > 13", False),
        ("author = {{ author }}", True),
        ("title ~= {{ author }}", False),
        ("milestone = v1", False),
        ("milestone != v1", True),
        ("milestone ~=", False),
        ("milestone >= v1", False),
        ("#milestone = 0", True),
        ("merged-by *= **", False),
        ("number = 7", True),
        ("number > 6", True),
        ("draft", False),
        ("-draft", True),
        ("conflict", False),
        ("head-repo-full-name = acme/engine", True),
        ("repository-name = engine", True),
        ("repository-full-name = acme/engine", True),
        ("#files = 1", True),
        ("#added-lines = 10", True),
        ("#deleted-lines = 5", True),
        ("#modified-lines = 15", True),
        ("#commits = 1", True),
        ("#review-requested = 0", True),
    ],
)
def test_one_condition(text: str, expected: bool) -> None:  # noqa: FBT001
    """Operators on lists, text, numbers, null and booleans."""
    assert expected is holds(text, LABELLED)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("label = wip", False),
        ("label != wip", True),
        ("label ~=", False),
        ("label *= **", False),
        ("label > a", False),
        ("-label ~=", True),
        ("#label = 0", True),
    ],
)
def test_an_empty_list_differs_from_everything(text: str, expected: bool) -> None:  # noqa: FBT001
    """No item matches, and `!=` needs none."""
    assert expected is holds(text, BARE)


def test_a_deleted_account_equals_only_a_deleted_author() -> None:
    """The placeholder of a deleted author stands for null."""
    gone = snapshot(pull={"author": None})

    assert holds("merged-by = {{ author }}", gone)
    assert not holds("author ~= {{ author }}", gone)
    assert not holds("author >= {{ author }}", gone)
    assert not holds("author = ", gone)


def test_a_group_depends_on_its_members() -> None:
    """All, any and none, with empty groups: all of nothing holds, any of nothing does not."""
    true, false = leaf("-draft"), leaf("draft")

    assert holds(All(()), BARE)
    assert not holds(AnyOf(()), BARE)
    assert holds(All((true, AnyOf((false, true)), Not(false))), BARE)
    assert not holds(All((true, Not(All(())))), BARE)


def test_every_leaf_is_evaluated_even_if_the_result_is_known() -> None:
    """A report shows a box for each condition."""
    result = Evaluator(SnapshotView(BARE), NOW, search).evaluate(All((leaf("draft"), leaf("-draft"))))

    assert isinstance(result, GroupResult)
    assert [Truth.FAILS, Truth.HOLDS] == [member.truth for member in result.members]


MISSING = [
    ("files = x", "no files were recorded"),
    ("-files = x", "no files were recorded"),
    ("mergify-configuration-changed", "no files were recorded"),
    ("commits = x", "no commits were recorded"),
    ("commits[0].author = x", "no commits were recorded"),
    ("linear-history", "no commits were recorded"),
    ("dependabot-update-type != x", "no commits were recorded"),
    ("#approved-reviews-by >= 1", "no reviews were recorded"),
    ("-#approved-reviews-by >= 1", "no reviews were recorded"),
    ("#review-threads-unresolved = 0", "no review threads were recorded"),
    ("review-threads-unresolved = x", "review threads are not recorded by name"),
    ("check-success = ci", "no checks were recorded"),
    ("check-success != ci", "no checks were recorded"),
    ("author = @core", "no teams were recorded"),
    ("#commits-behind = 0", "the distance to the base branch was not recorded"),
    ("deployment-success = prod", "no deployments were recorded"),
    ("github-review-decision != APPROVED", "no review decision was recorded"),
    ("github-require-review-from-specific-teams", "no rulesets were recorded"),
    ("#updates > 0", "no head history was recorded"),
    ("scope = api", "no scopes were recorded"),
    ("queue-dequeue-reason = none", "no dequeue reason was recorded"),
    ("queue-position >= 0", "no place in a queue was recorded"),
    ("queued-at < 1 day ago", "no place in a queue was recorded"),
    ("sender = ann", "no sender of a command is known"),
]


@pytest.mark.parametrize(("text", "reason"), MISSING)
def test_a_condition_on_an_unrecorded_part_is_unknown(text: str, reason: str) -> None:
    """Neither the condition nor its negation holds, and the result names the missing part."""
    result = judge(text, BARE)
    opposite = Evaluator(SnapshotView(BARE), NOW, search).evaluate(Not(leaf(text)))

    assert (Truth.UNKNOWN, reason) == (result.truth, result.missing)
    assert Truth.UNKNOWN is opposite.truth
    assert result.next_change is None


def test_dependencies_are_needed_only_if_there_are_any() -> None:
    """A pull request without `Depends-On` depends on nothing, recorded or not."""
    dependent = {"body": "Depends-On: #3"}

    assert holds("#depends-on = 0", BARE)
    assert "no dependencies were recorded" == judge("depends-on = #3", snapshot(pull=dependent)).missing


TEAMS = snapshot(
    pull={"author": "ann", "assignees": ("bob",)}, teams={"acme/core": ("ann", "zoe"), "acme/empty": ()}
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("author = @core", True),
        ("author = @acme/core", True),
        ("author = @ACME/Core", True),
        ("author != @core", False),
        ("assignee = @core", False),
        ("assignee != @core", True),
        ("author = @empty", False),
        ("author != @empty", True),
    ],
)
def test_a_team_means_its_members(text: str, expected: bool) -> None:  # noqa: FBT001
    """Any member matches; an empty team has no members."""
    assert expected is holds(text, TEAMS)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("author = @missing", "Team `@missing` does not exist"),
        ("author = @other/core", "Team `@other/core` is not part of the organization `acme`"),
    ],
)
def test_a_team_that_cannot_be_found_is_an_error(text: str, error: str) -> None:
    """The condition is unknown."""
    for condition in (text, f"-{text}"):
        result = judge(condition, TEAMS)

        assert (Truth.UNKNOWN, error) == (result.truth, result.error)


def test_review_requests_name_teams_in_both_spellings_and_count_them_once() -> None:
    """Reviewers without write access are ignored; those with unknown permission count."""
    requested = snapshot(
        pull={"requested_reviewers": ("bob", "eve", "new"), "requested_teams": ("core",)},
        permissions={"bob": "write", "eve": "read"},
    )

    assert ("bob", "new", "@core", "@acme/core") == judge("review-requested = bob", requested).observed
    assert holds("review-requested = @core", requested)
    assert holds("review-requested = @acme/core", requested)
    assert not holds("review-requested = eve", requested)
    assert holds("#review-requested = 3", requested)


def test_a_pattern_that_runs_too_long_makes_its_leaf_unknown() -> None:
    """Other conditions are still evaluated."""

    def stopped(_: re.Pattern[str], __: str) -> bool:
        raise PatternTooSlow

    for text in ("title ~= (a+)+$", "check-success ~= (a+)+$"):
        seen = snapshot(check_runs=(run("ci", "success"),))
        result = Evaluator(SnapshotView(seen), NOW, stopped).evaluate(leaf(text))

        assert isinstance(result, LeafResult)
        assert (Truth.UNKNOWN, "Regular expression took too long") == (result.truth, result.error)


def test_a_condition_shared_by_several_rules_is_evaluated_once() -> None:
    """A pattern that is slow must not run once per rule."""
    asked: list[str] = []

    def counted(_: re.Pattern[str], text: str) -> bool:
        asked.append(text)
        return True

    shared, view = leaf("title ~= x"), SnapshotView(BARE)
    evaluator = Evaluator(view, NOW, counted)
    evaluator.evaluate(All((shared, Not(shared))))
    evaluator.evaluate(shared)

    assert 1 == len(asked)
    Evaluator(view, NOW + 1, counted).evaluate(shared)
    assert 2 == len(asked)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("created-at <= 24h ago", True),
        ("created-at < 2 days ago", False),
        ("created-at <= 2 days ago", True),
        ("created-at >= 2 days ago", True),
        ("updated-at > 7 days ago", True),
        ("merged-at < 2 days 3 hours ago", False),
        ("merged-at >= 2020-01-01", False),
        ("created-at > 2026-11-13T11:59:59Z", True),
        ("created-at >= 2026-11-13T13:00[Europe/Paris]", True),
        ("created-at > 2026-11-13T13:00[Europe/Paris]", False),
        ("current-datetime >= 2026-11-15T12:00", True),
        ("current-datetime < 2026-11-15T12:00", False),
        ("current-datetime = 2026-11-15T10:00/2026-11-15T12:00", True),
        ("current-datetime != 2026-11-15T10:00/2026-11-15T12:00", False),
        ("schedule = Sun-Sun", True),
        ("schedule != Mon-Sat", True),
    ],
)
def test_times(text: str, expected: bool) -> None:  # noqa: FBT001
    """`<` means earlier, `ago` counts back from now, a null time is neither."""
    assert expected is holds(text, BARE)


COMMITS = snapshot(
    commits=(
        COMMIT,
        COMMIT.__class__(
            "2", "Second", ("1",), False, "Bob", "b@x", NOW - HOUR, "Bob", "b@x", NOW - HOUR, "bob"
        ),
    )
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("commits = Second", True),
        ("commits ~= ^Fix", True),
        ("commits[0].author = Ann", True),
        ("commits[-1].author = Bob", True),
        ("commits[-2].author = Ann", True),
        ("commits[1].committer = Bob", True),
        ("commits[2].author = Bob", False),
        ("commits[2].author != Bob", True),
        ("commits[-3].author = Bob", False),
        ("commits[*].author = Ann", True),
        ("commits[*].author != Ann", True),
        ("commits[*].author != Zoe", True),
        ("-commits[*].author = Ann", False),
        ("-commits[*].author = Zoe", True),
        ("-commits[*].author != Ann", False),
        ("commits[0].author != Ann", False),
        ("commits != Second", False),
        ("commits[0].commit_verification_verified", True),
        ("commits[1].commit_verification_verified", False),
        ("-commits[1].commit_verification_verified", True),
        ("commits[*].date_committer < 1 days ago", True),
        ("commits[-1].date_author > 2 hours ago", True),
        ("commits[0].email_author *= *@acme.example", True),
        ("commits[0].commit_message ~= All of it", True),
        ("#commits-unverified = 1", True),
        ("commits-unverified = Second", True),
        ("linear-history", True),
    ],
)
def test_commits(text: str, expected: bool) -> None:  # noqa: FBT001
    """By index from both ends, or all of them; an index out of range selects none."""
    assert expected is holds(text, COMMITS)


@pytest.mark.parametrize(
    ("authors", "expected"),
    [((), False), (("Bob",), False), (("Bob", "Bob"), False), (("Ann",), True), (("Bob", "Ann"), True)],
)
def test_different_from_at_least_one_commit(authors: tuple[str, ...], *, expected: bool) -> None:
    """Not from all of them, as for a list; the negation requires that all are equal."""
    commits = tuple(replace(COMMIT, author=name) for name in authors)

    assert expected is holds("commits[*].author != Bob", snapshot(commits=commits))
    assert expected is not holds("-commits[*].author != Bob", snapshot(commits=commits))


def test_the_author_can_be_compared_with_commits() -> None:
    """One commit authored under the login's name."""
    seen = snapshot(pull={"author": "Ann"}, commits=(COMMIT,))

    assert holds("commits[*].author = {{ author }}", seen)


RENAME = snapshot(
    pull={"changed_files": 1}, files=(file("ignored/guard.txt", "renamed", "critical/guard.txt"),)
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("files ~= ^critical/", True),
        ("files = ignored/guard.txt", True),
        ("removed-files = critical/guard.txt", True),
        ("removed-files = ignored/guard.txt", False),
        ("added-files = ignored/guard.txt", True),
        ("#modified-files = 0", True),
        ("#files = 1", True),
    ],
)
def test_a_rename_removes_and_adds(text: str, expected: bool) -> None:  # noqa: FBT001
    """Guards on a folder see what leaves it."""
    assert expected is holds(text, RENAME)


@pytest.mark.parametrize(
    ("path", "base", "expected"),
    [
        (".mergify.yml", "main", True),
        (".github/mergify.yml", "main", True),
        (".mergify.yaml", "main", True),
        (".mergify/config.yaml", "main", True),
        (".github/mergify.yaml", "main", True),
        (".mergify/config.yml", "dev", False),
        ("mergify.yml", "main", False),
    ],
)
def test_a_configuration_change_counts_on_the_default_branch_only(
    path: str,
    base: str,
    expected: bool,  # noqa: FBT001
) -> None:
    """Moving the document away counts too."""
    changed = snapshot(pull={"base": base}, files=(file(path),))
    moved = snapshot(pull={"base": base}, files=(file("elsewhere", "renamed", path),))

    assert expected is holds("mergify-configuration-changed", changed)
    assert expected is holds("mergify-configuration-changed", moved)


def test_html_comments_in_the_description_are_ignored() -> None:
    """Across lines; an unclosed comment stays."""
    body = "a <!-- b\r\n--> c <!----> d <!-- e"
    seen = snapshot(pull={"body": body})

    assert "a  c  d <!-- e" == judge("body = x", seen).observed
    assert "a <!-- b\n--> c <!----> d <!-- e" == judge("body-raw = x", seen).observed


OTHER: list[tuple[str, Snapshot, bool]] = [
    (
        "#review-threads-resolved = 1",
        snapshot(review_threads=(ReviewThread(True, "a"), ReviewThread(False, "b"))),
        True,
    ),
    ("#commits-behind = 3", snapshot(behind=3), True),
    ("#commits-behind = 0", snapshot(pull={"merged": True}), True),
    ("github-review-decision = APPROVED", snapshot(review_decision=ReviewDecision("APPROVED")), True),
    ("github-review-decision != APPROVED", snapshot(review_decision=ReviewDecision(None)), True),
    ("github-review-decision ~=", snapshot(review_decision=ReviewDecision(None)), False),
    ("#updates = 1", snapshot(head_history=(HeadChange("a", NOW),)), True),
    ("updates = a", snapshot(head_history=(HeadChange("a", NOW),)), True),
    ("scope = api", snapshot(scopes=("api",)), True),
    ("queue-dequeue-reason = none", snapshot(dequeue_reason=NEVER_QUEUED), True),
    ("queue-dequeue-reason != none", snapshot(dequeue_reason="CHECKS_FAILED"), True),
    ("queue-dequeue-reason = checks-failed", snapshot(dequeue_reason="CHECKS_FAILED"), True),
    ("queue-dequeue-reason ~= ^checks-", snapshot(dequeue_reason="CHECKS_FAILED"), True),
    ("queue-dequeue-reason ~= ^CHECKS_", snapshot(dequeue_reason="CHECKS_FAILED"), True),
    ("queue-position = -1", snapshot(queue=QueuePlace()), True),
    ("queue-name != default", snapshot(queue=QueuePlace()), True),
    ("queue-merge-started-at < 1 hour ago", snapshot(queue=QueuePlace()), False),
    ("queue-name = default", snapshot(queue=QueuePlace("default", 0, NOW - DAY, 2000)), True),
    ("queued-at <= 1 day ago", snapshot(queue=QueuePlace("default", 0, NOW - DAY, 2000)), True),
    ("sender = @core", snapshot(sender="ann", teams={"acme/core": ("ann",)}), True),
    ("sender-permission >= write", snapshot(sender="ann", permissions={"ann": "admin"}), True),
    ("sender-permission >= write", snapshot(sender="ann", permissions={"ann": "triage"}), False),
    ("sender-permission < read", snapshot(sender="ann", permissions={}), True),
    ("sender-permission = admin", snapshot(sender="ann", permissions={"ann": "admin"}), True),
    ("sender-permission > none", snapshot(sender="ann", permissions={"ann": "auditor"}), False),
    ("deployment-success = prod", snapshot(deployments=(Deployment("prod", "success", NOW),)), True),
    (
        "deployment-success = prod",
        snapshot(deployments=(Deployment("prod", "failure", NOW), Deployment("prod", "success", NOW - 1))),
        False,
    ),
    ("deployment-failure = prod", snapshot(deployments=(Deployment("prod", "error", NOW),)), True),
    ("from-fork", snapshot(pull={"from_fork": True}), True),
    ("conflict", snapshot(pull={"mergeable": False}), True),
    ("conflict", snapshot(pull={"mergeable": None}), False),
    (
        "depends-on = #3",
        snapshot(pull={"body": "Depends-On: #3"}, dependencies={"acme/engine#3": "merged"}),
        True,
    ),
    (
        "depends-on = #3",
        snapshot(pull={"body": "Depends-On: #3"}, dependencies={"acme/engine#3": "open"}),
        False,
    ),
    ("depends-on = #3", snapshot(pull={"body": "Depends-On: #3"}, dependencies={}), False),
    ("github-require-review-from-specific-teams", snapshot(rules=()), True),
    ("approved-reviews-by>=1", snapshot(reviews=(review("ann", "APPROVED"),)), True),
    ("check-success = ci", snapshot(statuses=(CommitStatus("ci", "success", NOW),)), True),
]


@pytest.mark.parametrize(("text", "seen", "expected"), OTHER, ids=[f"{row[0]} {row[2]}" for row in OTHER])
def test_attributes_of_other_parts(text: str, seen: Snapshot, expected: bool) -> None:  # noqa: FBT001
    """Each part of the record is read by the attributes that need it."""
    assert expected is holds(text, seen)


def test_the_start_of_a_queues_checks_is_not_recorded() -> None:
    """Outside one it is null."""
    queued = snapshot(queue=QueuePlace("default", 0, NOW, 2000))

    reason = judge("queue-merge-started-at < 1 hour ago", queued).missing

    assert "the start of the queue's checks is not recorded" == reason


@pytest.mark.parametrize(
    ("patterns", "approvals", "expected"),
    [
        ((), 0, None),
        ((), 1, UNRESOLVED),
        (("docs/**",), 1, None),
        (("src/**",), 1, UNRESOLVED),
        (("src/{",), 1, UNRESOLVED),
    ],
)
def test_required_reviewers_of_rulesets(
    patterns: tuple[str, ...], approvals: int, expected: str | None
) -> None:
    """True if no reviewer is required; otherwise unknown, because members are not recorded."""
    rule = BranchRule("pull_request", required_reviewers=(RequiredReviewer("Team 5", approvals, patterns),))
    seen = snapshot(files=(file("src/a.py"),), rules=(rule,))

    result = judge("github-require-review-from-specific-teams", seen)

    assert expected == result.missing
    assert (expected is None) is (result.truth is Truth.HOLDS)


def test_a_group_changes_with_the_first_of_its_members() -> None:
    """Conditions that time does not change do not count."""
    group = All((leaf("created-at < 5 days ago"), AnyOf((leaf("created-at > 3 days ago"), leaf("draft")))))

    assert NOW + DAY == Evaluator(SnapshotView(BARE), NOW, search).evaluate(group).next_change
    assert Evaluator(SnapshotView(BARE), NOW, search).evaluate(Not(leaf("draft"))).next_change is None
