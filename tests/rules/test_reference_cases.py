"""The tricky cases of the language's reference that need a pull request."""

from dataclasses import replace

import pytest

from mergecast.language.conditions.result import LeafResult, Outcome, Truth, leaf_results, outcome
from mergecast.language.rules.simulation import AutoMerge, Effect, RuleStatus
from mergecast.queues.model.instant import DAY
from mergecast.queues.model.snapshot import BranchProtection, Snapshot
from rules.builders import (
    ALL_PRODUCTS,
    BARE,
    COMMIT,
    NOW,
    file,
    notes,
    review,
    rule,
    run,
    said,
    simulated,
    snapshot,
    tree,
    with_rules,
)


def matching(seen: Snapshot, **rules: list[str]) -> set[str]:
    document = with_rules(*(rule(name, conditions) for name, conditions in rules.items()))
    return {one.name for one in simulated(document, seen).rules if one.status is RuleStatus.MATCHING}


CLOSED = "This pull request has been automatically closed by Mergify."
TWO_APPS = (run("lint", "success", app="other-ci"), run("lint", "failure"))


@pytest.mark.parametrize(
    ("seen", "rules", "expected"),
    [
        pytest.param(
            snapshot(pull={"labels": ("bug", "wip")}),
            {"a": ["label != wip"], "b": ["-label ~= ^w"], "c": ["label != doc"]},
            {"c"},
            id="C17 != on a list is none",
        ),
        pytest.param(BARE, {"a": ["label != wip"]}, {"a"}, id="C18 != on an empty list"),
        pytest.param(BARE, {"a": ["merged-at < 2 days 3 hours ago"]}, set(), id="C19 longest name wins"),
        pytest.param(
            snapshot(files=(file("src/a/b.py"),)),
            {"one": ["files *= src/*.py"], "two": ["files *= src/**/*.{py,pyi}"]},
            {"two"},
            id="C22 a star does not cross directories",
        ),
        pytest.param(
            snapshot(check_runs=TWO_APPS),
            {"bare": ["check-success = lint"], "pinned": ["check-success = @github-actions/lint"]},
            {"bare"},
            id="C25 app-qualified check",
        ),
        pytest.param(
            snapshot(check_runs=(run("test", "cancelled"),)),
            {"a": ["check-failure = test"], "b": ["check-failure = test", "-check-cancelled = test"]},
            {"a"},
            id="C26 cancelled is a failure too",
        ),
        pytest.param(
            snapshot(commits=(replace(COMMIT, author="ann"),)),
            {"a": ["commits[*].author = {{ author }}"]},
            {"a"},
            id="C29 placeholder of the author",
        ),
        pytest.param(
            snapshot(pull={"created_at": NOW - 2 * DAY}, reviews=(review("ann", "APPROVED"),)),
            {"a": ["created-at<=24h ago", "approved-reviews-by>=1"]},
            {"a"},
            id="C56 abbreviated unit, ordering without #",
        ),
        pytest.param(
            BARE,
            {"a": ["#approved-reviews-by >= 1"], "b": ["-#approved-reviews-by >= 1"]},
            set(),
            id="C58 a part that was not recorded",
        ),
    ],
)
def test_which_rules_match(seen: Snapshot, rules: dict[str, list[str]], expected: set[str]) -> None:
    assert expected == matching(seen, **rules)


def test_c24_a_rename_out_of_a_guarded_folder_fails() -> None:
    guard = {"name": "guard", "if": ["files ~= ^critical/"], "success_conditions": ["label = reviewed"]}
    seen = snapshot(files=(file("b.txt", "renamed", "critical/a.txt"),))
    protections = simulated({"merge_protections": [guard]}, seen).protections

    assert protections is not None
    assert [(True, Outcome.FAILURE)] == [(one.is_active, one.outcome) for one in protections.protections]
    assert {"count", "list"} == matching(
        seen, count=["#files = 1"], list=["files = b.txt", "files = critical/a.txt"]
    )


def test_c27_a_required_check_that_was_not_reported_is_awaited() -> None:
    seen = snapshot(
        branch_protection=BranchProtection(required_checks=("build",)), check_runs=(), statuses=()
    )
    queue = simulated({"queue_rules": [{"name": "default"}]}, seen).queue

    assert queue is not None
    (default,) = queue.queues
    awaited = outcome(default.admission, when_something_else_is_missing=Outcome.FAILURE)
    assert (False, Outcome.PENDING) == (default.is_admitted, awaited)
    expected = ["check-success = build", "check-neutral = build", "check-skipped = build"]
    assert {"any [🛡 branch protection]": expected} == tree(default.admission.members[3])
    assert {"a"} == matching(seen, a=["check-pending = build"])


def test_c41_auto_merge_without_an_active_protection() -> None:
    document = {
        "merge_protections_settings": {"auto_merge_conditions": True},
        "merge_protections": [
            {"name": "main only", "if": ["base = main"], "success_conditions": ["check-success = ci"]}
        ],
    }
    on_dev = snapshot(pull={"base": "dev"})
    without = simulated(document, on_dev, products=ALL_PRODUCTS - {"merge_queue"})
    with_queue = simulated(document, on_dev, products=ALL_PRODUCTS)

    assert without.auto_merge is not None
    assert with_queue.auto_merge is not None
    assert (AutoMerge.NOTHING, AutoMerge.QUEUES) == (without.auto_merge.state, with_queue.auto_merge.state)


def test_c42_defaults_are_shallow_and_explicit_null_wins() -> None:
    document = with_rules(
        rule("a", [], comment={"message": "hi"}),
        rule("b", [], comment={"message": "hi", "bot_account": None}),
        rule("c", [], close=None),
        defaults={"actions": {"comment": {"bot_account": "robot"}}},
    )

    assert [
        ("a", "comment", ["Would post the comment as @robot: hi"]),
        ("b", "comment", ["Would post the comment: hi"]),
        (
            "c",
            "close",
            [f"Would close the pull request with the message: {CLOSED}"],
        ),
    ] == [(name, plan.action, said(plan)[1]) for name, plan in simulated(document).planned]


def test_c43_a_toggled_label_of_a_rule_that_does_not_match() -> None:
    document = with_rules(rule("wip", ["title ~= ^WIP"], label={"toggle": ["WIP"]}))
    simulation = simulated(document, snapshot(pull={"title": "Fix", "labels": ("WIP",)}))

    assert 1 == simulation.count(RuleStatus.POTENTIAL)
    ((name, plan),) = simulation.planned
    assert ("wip", (Effect.ACTS, ["Would remove the label 'WIP' (toggle)"])) == (name, said(plan))


@pytest.mark.parametrize("message", ["ping @{{ assignee | join(', @') }}", "ping {{ assignees }}"])
def test_c55_both_dialects_give_the_same_text(message: str) -> None:
    document = with_rules(rule("a", ["-closed"], comment={"message": message}))
    ((_, plan),) = simulated(document, snapshot(pull={"assignees": ("ann", "bob")})).planned

    assert ["Would post the comment: ping @ann, @bob"] == said(plan)[1]


def test_c56_a_slip_is_noted() -> None:
    document = with_rules(rule("a", ["approved-reviews-by>=1"]))

    assert any("did you mean #approved-reviews-by?" in note for note in notes(simulated(document)))


def test_c58_the_leaves_say_what_was_not_recorded() -> None:
    document = with_rules(rule("a", ["#approved-reviews-by >= 1"]), rule("b", ["-#approved-reviews-by >= 1"]))
    rules = simulated(document).rules
    judged: list[LeafResult] = [leaf for rule in rules for leaf in leaf_results(rule.conditions)]

    assert [(Truth.UNKNOWN, "no reviews were recorded")] * 2 == [
        (leaf.truth, leaf.missing) for leaf in judged
    ]
