"""Merge protections and auto-merge."""

from typing import Any

import pytest

from mergecast.language.conditions.result import Outcome
from mergecast.language.rules.simulation import AutoMerge, AutoMergeResult, ProtectionsResult
from mergecast.queues.model.snapshot import CheckRun, Snapshot
from rules.builders import ALL_PRODUCTS, BARE, NOW, file, notes, review, run, simulated, snapshot, tree

SUCCESS, PENDING, FAILURE = Outcome.SUCCESS, Outcome.PENDING, Outcome.FAILURE
WITHOUT_QUEUE = ALL_PRODUCTS - {"merge_queue"}


def protection(name: str, when: list[Any], success: list[Any]) -> dict[str, Any]:
    return {"name": name, "if": when, "success_conditions": success}


def protections_of(
    *rules: dict[str, Any], seen: Snapshot = BARE, products: frozenset[str] | None = None
) -> ProtectionsResult:
    protections = simulated({"merge_protections": list(rules)}, seen, products=products).protections
    assert protections is not None
    return protections


def checks(conclusion: str | None) -> tuple[CheckRun, ...]:
    return (run("ci", conclusion),)


@pytest.mark.parametrize(
    ("success", "seen", "expected"),
    [
        ([], BARE, SUCCESS),
        (["label = x"], BARE, FAILURE),
        (["check-success = ci"], snapshot(check_runs=()), PENDING),
        (["check-success = ci"], snapshot(check_runs=checks(None)), PENDING),
        (["check-success = ci"], snapshot(check_runs=checks("success")), SUCCESS),
        (["check-success = ci"], snapshot(check_runs=checks("failure")), FAILURE),
        (["schedule = Mon-Fri 09:00-17:00[UTC]"], BARE, PENDING),
        (["schedule = Mon-Fri 09:00-17:00[UTC]", "label = x"], BARE, FAILURE),
    ],
)
def test_an_active_protection(success: list[Any], seen: Snapshot, expected: Outcome) -> None:
    result = protections_of(protection("p", ["base = main"], success), seen=seen)

    assert [(True, expected)] == [(one.is_active, one.outcome) for one in result.protections]
    assert expected is result.outcome


def test_an_inactive_protection_is_listed_but_does_not_count() -> None:
    result = protections_of(protection("p", ["base = dev"], ["label = x"]))

    assert [(False, None)] == [(one.is_active, one.outcome) for one in result.protections]
    assert (SUCCESS, ()) == (result.outcome, result.active)


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ([[], []], SUCCESS),
        ([[], ["check-success = ci"]], PENDING),
        ([["label = x"], ["check-success = ci"]], FAILURE),
    ],
)
def test_the_worst_outcome_decides(conditions: list[list[str]], expected: Outcome) -> None:
    rules = [protection(f"p{number}", [], success) for number, success in enumerate(conditions)]

    assert expected is protections_of(*rules, seen=snapshot(check_runs=())).outcome


def test_a_protection_that_may_be_active_does_not_pass() -> None:
    unknown = protection("p", ["files ~= ^src/"], ["label = x"])

    assert PENDING is protections_of(unknown).outcome
    assert SUCCESS is protections_of(unknown, seen=snapshot(pull={"labels": ("x",)})).outcome
    expected = "It is not known whether the merge protection 'p' is active"
    assert expected in notes(simulated({"merge_protections": [unknown]}))


def test_built_in_protections_come_first() -> None:
    body = "Depends-On: #3\nMerge-After: 2027-01-01"
    seen = snapshot(
        pull={"body": body},
        dependencies={"acme/engine#3": "open"},
        files=(file(".mergify.yml"),),
        check_runs=(),
    )
    result = protections_of(protection("own", [], []), seen=seen)

    assert [
        ("Depends-On", True, FAILURE, {"all": ["depends-on = acme/engine#3 [🔗 Depends-On]"]}),
        (
            "Merge-After",
            True,
            PENDING,
            {"all": ["current-datetime >= 2027-01-01T00:00:00Z [🕒 Merge-After]"]},
        ),
        ("Configuration changed", True, PENDING, {"all": ["check-success = Configuration changed"]}),
        ("own", False, SUCCESS, {"all": []}),
    ] == [(one.name, one.is_built_in, one.outcome, tree(one.success)) for one in result.protections]


def test_no_protections() -> None:
    assert simulated("").protections is None
    document = {"merge_protections": [protection("p", [], [])]}
    assert simulated(document, products=frozenset({"merge_queue"})).protections is None


MAIN_ONLY = protection("main only", ["base = main"], ["check-success = ci"])
ON_DEV = snapshot(pull={"base": "dev"}, check_runs=checks("success"))
ON_MAIN = snapshot(check_runs=checks("success"))


def auto_merge(
    conditions: Any, seen: Snapshot, products: frozenset[str] | None, **sections: Any
) -> AutoMergeResult:
    document = {
        "merge_protections_settings": {"auto_merge_conditions": conditions},
        "merge_protections": [MAIN_ONLY],
        **sections,
    }
    result = simulated(document, seen, products=products).auto_merge
    assert result is not None
    return result


QUEUED = "Would add the pull request to the queue 'default' with priority medium"
ONCE_PASSED = "Would merge the pull request once the merge protections pass"


@pytest.mark.parametrize(
    ("conditions", "seen", "products", "state", "expected"),
    [
        (True, ON_DEV, ALL_PRODUCTS, AutoMerge.QUEUES, QUEUED),
        (["base = dev"], ON_DEV, ALL_PRODUCTS, AutoMerge.QUEUES, QUEUED),
        (
            True,
            snapshot(pull={"draft": True}),
            ALL_PRODUCTS,
            AutoMerge.WAITS,
            "Would queue the pull request once a queue admits it",
        ),
        (
            True,
            ON_DEV,
            WITHOUT_QUEUE,
            AutoMerge.NOTHING,
            "Would do nothing: no merge protection is active for the pull request",
        ),
        (
            True,
            ON_MAIN,
            WITHOUT_QUEUE,
            AutoMerge.MERGES,
            "Would merge the pull request: the merge protections pass",
        ),
        (True, snapshot(check_runs=()), WITHOUT_QUEUE, AutoMerge.WAITS, ONCE_PASSED),
        (True, snapshot(check_runs=checks("failure")), WITHOUT_QUEUE, AutoMerge.WAITS, ONCE_PASSED),
        (
            True,
            snapshot(pull={"draft": True}),
            WITHOUT_QUEUE,
            AutoMerge.WAITS,
            "Would merge the pull request once it is no longer a draft",
        ),
        (
            True,
            snapshot(pull={"mergeable": False}),
            WITHOUT_QUEUE,
            AutoMerge.WAITS,
            "Would merge the pull request once its conflicts are resolved",
        ),
        (
            ["label = x"],
            ON_MAIN,
            ALL_PRODUCTS,
            AutoMerge.NOTHING,
            "Would do nothing: its conditions do not hold",
        ),
        (
            True,
            ON_MAIN,
            frozenset({"merge_queue"}),
            AutoMerge.NOTHING,
            "Would do nothing: the product Merge Protections is not enabled",
        ),
        (
            True,
            snapshot(pull={"closed": True}),
            ALL_PRODUCTS,
            AutoMerge.NOTHING,
            "Would do nothing: the pull request is closed",
        ),
        (
            True,
            snapshot(pull={"closed": True, "merged": True}),
            ALL_PRODUCTS,
            AutoMerge.NOTHING,
            "Would do nothing: the pull request is already merged",
        ),
        (True, ON_MAIN, None, AutoMerge.MERGES, "Would merge the pull request: the merge protections pass"),
    ],
)
def test_auto_merge(
    conditions: Any, seen: Snapshot, products: frozenset[str] | None, state: AutoMerge, expected: str
) -> None:
    result = auto_merge(conditions, seen, products)

    assert (state, expected) == (result.state, result.sentence.text)


def test_without_known_products_a_document_with_queues_uses_them() -> None:
    result = auto_merge(True, ON_DEV, None, queue_rules=[{"name": "default"}])

    assert (AutoMerge.QUEUES, QUEUED) == (result.state, result.sentence.text)


def test_a_built_in_protection_alone_merges_nothing() -> None:
    seen = snapshot(pull={"base": "dev", "body": "Merge-After: 2020-01-01"})

    assert AutoMerge.NOTHING is auto_merge(True, seen, WITHOUT_QUEUE).state


def test_without_conditions_for_auto_merge() -> None:
    assert simulated({"merge_protections_settings": {"post_comment": False}}).auto_merge is None


def test_reviews_before_a_freeze_by_schedule() -> None:
    """Everything is evaluated at the given instant, a Sunday."""
    freeze = protection("freeze", [], ["schedule = Mon-Fri 09:00-17:00[UTC]", "#approved-reviews-by >= 1"])
    seen = snapshot(reviews=(review("bob", "APPROVED", NOW),))

    assert PENDING is protections_of(freeze, seen=seen).outcome
