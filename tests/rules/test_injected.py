"""The conditions that the service adds."""

from typing import Any

import pytest

from mergecast.language.conditions.result import GroupResult
from mergecast.language.conditions.times.timestamps import parse_timestamp
from mergecast.queues.model.snapshot import (
    BranchProtection,
    BranchRule,
    RequiredReviewer,
    ReviewRequirement,
    Snapshot,
)
from rules.builders import BARE, file, injected, only, rule, simulated, snapshot, tree, with_rules

SHIELD = "[🛡 branch protection]"
OPEN = [f"{text} [📌 queue requirement]" for text in ("-draft", "-closed", "-conflict")]


def of_action(action: str, options: Any = None, seen: Snapshot = BARE, **sections: Any) -> list[Any]:
    result = only(
        simulated(with_rules(rule("a", ["base = main"], **{action: options}), **sections), seen).rules
    )
    assert tree(result.conditions.members[0]) == "base = main"
    return injected(result.conditions)


def of_queue(seen: Snapshot, **options: Any) -> GroupResult:
    queue = simulated({"queue_rules": [{"name": "q", **options}]}, seen).queue
    assert queue is not None
    return queue.queues[0].admission


@pytest.mark.parametrize(
    ("action", "options", "expected"),
    [
        ("backport", {"branches": ["v"]}, ["merged [📌 backport requirement]"]),
        ("delete_head_branch", None, ["closed [📌 delete_head_branch requirement]"]),
        (
            "update",
            None,
            ["-closed [📌 update requirement]", "#commits-behind > 0 [📌 update requirement]"],
        ),
        (
            "rebase",
            None,
            [
                "-closed [📌 rebase requirement]",
                {"any [📌 rebase requirement]": ["#commits-behind > 0", "-linear-history"]},
            ],
        ),
        ("merge", None, []),
        ("merge", {"method": "fast-forward"}, ["#commits-behind = 0 [📌 merge requirement]"]),
        ("comment", {"message": "hi"}, []),
        ("squash", None, []),
        ("queue", None, OPEN),
    ],
)
def test_requirements_of_actions(action: str, options: Any, expected: list[Any]) -> None:
    assert expected == of_action(action, options)


CHECK = {f"any {SHIELD}": ["check-success = build", "check-neutral = build", "check-skipped = build"]}
NO_CHANGE_REQUESTS = f"#changes-requested-reviews-by = 0 {SHIELD}"
PROTECTIONS = [
    (None, (BranchRule("pull_request", reviews=ReviewRequirement(0)),), [NO_CHANGE_REQUESTS]),
    (
        None,
        (BranchRule("pull_request", reviews=ReviewRequirement(0, from_code_owners=True)),),
        [NO_CHANGE_REQUESTS, f"github-review-decision = APPROVED {SHIELD}"],
    ),
    (BranchProtection(reviews=ReviewRequirement(0, from_code_owners=True)), None, []),
    (BranchProtection(), None, []),
    (BranchProtection(required_checks=("build",)), None, [CHECK]),
    (
        BranchProtection(reviews=ReviewRequirement(2)),
        None,
        [f"#approved-reviews-by >= 2 {SHIELD}", f"#changes-requested-reviews-by = 0 {SHIELD}"],
    ),
    (BranchProtection(reviews=ReviewRequirement(0, from_code_owners=True, of_last_push=True)), None, []),
    (
        BranchProtection(reviews=ReviewRequirement(1, from_code_owners=True, of_last_push=True)),
        None,
        [
            f"#approved-reviews-by >= 1 {SHIELD}",
            f"#changes-requested-reviews-by = 0 {SHIELD}",
            f"github-review-decision = APPROVED {SHIELD}",
            f"github-require-last-push-approval {SHIELD}",
        ],
    ),
    (BranchProtection(needs_resolved_threads=True), None, [f"#review-threads-unresolved = 0 {SHIELD}"]),
    (
        BranchProtection(required_checks=("build",)),
        (
            BranchRule("required_status_checks", required_checks=("build",)),
            BranchRule("pull_request", required_reviewers=(RequiredReviewer("7", 1, ()),)),
            BranchRule("required_linear_history"),
        ),
        [CHECK, f"github-require-review-from-specific-teams {SHIELD}"],
    ),
]


@pytest.mark.parametrize(("protection", "rules", "expected"), PROTECTIONS)
def test_protections_count_for_merging_and_queueing(
    protection: BranchProtection, rules: tuple[BranchRule, ...] | None, expected: list[Any]
) -> None:
    seen = snapshot(branch_protection=protection, rules=rules)

    assert expected == of_action("merge", None, seen)
    assert [*OPEN, *expected] == injected(of_queue(seen))


def test_only_merges_require_an_up_to_date_branch() -> None:
    strict = snapshot(branch_protection=BranchProtection(is_strict=True), behind=0)
    up_to_date = f"#commits-behind = 0 {SHIELD}"

    assert [up_to_date] == of_action("merge", {"method": "fast-forward"}, strict)
    assert OPEN == injected(of_queue(strict))


@pytest.mark.parametrize(
    ("mode", "entering", "merging"),
    [("queue", [CHECK], []), ("merge", [], [CHECK]), ("none", [], [])],
)
def test_the_injection_mode_decides_when_protections_count(
    mode: str, entering: list[Any], merging: list[Any]
) -> None:
    options = {"branch_protection_injection_mode": mode, "merge_bot_account": "robot"}
    seen = snapshot(branch_protection=BranchProtection(required_checks=("build",)))
    queue = simulated({"queue_rules": [{"name": "q", **options}]}, seen).queue

    assert queue is not None
    assert [*OPEN, *entering] == injected(queue.queues[0].admission)
    assert merging == injected(queue.queues[0].merging)


def test_the_queue_action_requires_the_conditions_of_any_queue() -> None:
    queues = [
        {"name": "one", "queue_conditions": ["label = 1"]},
        {"name": "two", "queue_conditions": ["label = 2"]},
    ]
    of_any = {
        "any [🔀 queue conditions]": [
            {"all [🔀 queue conditions of queue one]": ["label = 1"]},
            {"all [🔀 queue conditions of queue two]": ["label = 2"]},
        ]
    }

    assert [*OPEN, of_any] == of_action("queue", None, queue_rules=queues)
    assert [*OPEN, {"all [🔀 queue conditions of queue two]": ["label = 2"]}] == of_action(
        "queue", {"name": "two"}, queue_rules=queues
    )


def test_a_changed_configuration_must_have_passed_its_check() -> None:
    changed = {
        "any [📌 merge requirement]": [
            "-mergify-configuration-changed",
            "check-success = Configuration changed",
        ]
    }

    assert [changed] == of_action("merge", None, snapshot(files=(file("a"),)))
    elsewhere = snapshot(pull={"default_branch": "trunk"}, files=(file("a"),))
    assert [] == of_action("merge", None, elsewhere)


def test_dependencies_and_times_of_the_description() -> None:
    body = "Depends-On: #3\nDepends-On: acme/other#4\nDepends-On: #5\nMerge-After: 2026-12-01 10:00"
    states = {"acme/engine#3": "merged", "acme/other#4": "closed"}
    expected = [
        "depends-on = acme/engine#3 [🔗 Depends-On]",
        "depends-on = acme/other#4 [🔗 Depends-On, closed without a merge]",
        "depends-on = acme/engine#5 [🔗 Depends-On, not found]",
        "current-datetime >= 2026-12-01T10:00:00Z [🕒 Merge-After]",
    ]

    assert expected == of_action("merge", None, snapshot(pull={"body": body}, dependencies=states))
    assert parse_timestamp("2026-12-01 10:00").at > BARE.recorded_at


def test_a_dependency_that_may_be_a_stack_says_so() -> None:
    pull = {"body": "Depends-On: #3\nDepends-On: acme/other#4", "base": "feature"}
    seen = snapshot(pull=pull, dependencies={"acme/engine#3": "open", "acme/other#4": "open"})

    assert [
        *OPEN,
        "depends-on = acme/engine#3 [🔗 Depends-On; in a stack, being queued behind it is enough]",
        "depends-on = acme/other#4 [🔗 Depends-On]",
    ] == injected(of_queue(seen))


@pytest.mark.parametrize("name", ["@odd", '"quoted"', "a = b", "üñï 🚀", "{{ author }}"])
def test_names_of_checks_are_never_parsed_as_conditions(name: str) -> None:
    seen = snapshot(branch_protection=BranchProtection(required_checks=(name,)), check_runs=())
    group = of_queue(seen).members[3]

    assert isinstance(group, GroupResult)
    assert ["check-success", "check-neutral", "check-skipped"] == [
        member.condition.attribute.name for member in group.members if not isinstance(member, GroupResult)
    ]
    assert all(name in str(tree(member)) for member in group.members)
