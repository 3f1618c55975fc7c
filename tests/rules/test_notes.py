"""The notes of a simulation."""

from typing import Any

import pytest

from mergecast.queues.model.snapshot import (
    BranchProtection,
    BranchRule,
    ChangedFile,
    ReviewRequirement,
    Snapshot,
)
from rules.builders import ALL_PRODUCTS, BARE, file, notes, review, rule, run, simulated, snapshot, with_rules

KNOWN = snapshot(
    files=(file("a"),), branch_protection=BranchProtection(), rules=(), check_runs=(), statuses=(), reviews=()
)


def of_conditions(*conditions: str, seen: Snapshot = BARE) -> list[str]:
    return notes(simulated(with_rules(rule("a", [*conditions])), seen))


def test_nothing_to_note() -> None:
    document = with_rules(rule("a", ["base = main"], queue=None), queue_rules=[{"name": "q"}])

    assert [] == notes(simulated(document, KNOWN))


def test_each_part_that_was_not_recorded_is_named_once() -> None:
    assert ["No commits were recorded", "No reviews were recorded"] == of_conditions(
        "#approved-reviews-by >= 1", "#changes-requested-reviews-by = 0", "linear-history"
    )


def test_a_partly_recorded_part_is_noted() -> None:
    seen = snapshot(check_runs=(run("ci", "success"),), reviews=(review("bob", "APPROVED"),))

    assert [
        "No commit statuses were recorded",
        "No permissions were recorded: every reviewer counts",
    ] == of_conditions("check-success = ci", "#approved-reviews-by >= 1", seen=seen)


def test_conditions_that_could_not_be_injected() -> None:
    expected = [
        "No branch protection was recorded, so none is added as a condition",
        "No rulesets were recorded, so none is added as a condition",
        "No files were recorded, so a change of the configuration is not noticed",
    ]

    assert expected == notes(simulated(with_rules(rule("a", [], merge=None))))
    assert expected == notes(simulated({"queue_rules": [{"name": "q"}]}))


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("status-success = ci", ["`status-success` is deprecated, write `check-success`"]),
        (
            "approved-reviews-by >= 1",
            [
                "No permissions were recorded: every reviewer counts",
                (
                    "In the condition 'approved-reviews-by >= 1': did you mean #approved-reviews-by? "
                    "Without `#` the value is compared with the text `1`"
                ),
            ],
        ),
    ],
)
def test_spellings(condition: str, expected: list[str]) -> None:
    assert expected == of_conditions(condition, condition, seen=KNOWN)


def test_sections_whose_product_is_off() -> None:
    document = with_rules(rule("a", []), queue_rules=[{"name": "q"}], merge_queue={"mode": "serial"})

    assert [
        "The section `queue_rules` is ignored: the product Merge Queue is not enabled",
        "The section `merge_queue` is ignored: the product Merge Queue is not enabled",
    ] == notes(simulated(document, KNOWN, products=ALL_PRODUCTS - {"merge_queue"}))


@pytest.mark.parametrize(
    ("second", "base", "is_noted"),
    [
        (file(".mergify.yaml", "added"), "main", True),
        (file(".mergify.yaml", "removed"), "main", False),
        (file(".mergify.yaml", "added"), "dev", False),
        (file("mergify.yaml", "added"), "main", False),
    ],
)
def test_a_pull_request_with_several_documents(second: ChangedFile, base: str, *, is_noted: bool) -> None:
    seen = snapshot(pull={"base": base}, files=(second, file(".mergify.yml")))

    note = (
        "The hosted service would not evaluate the pull request: several configuration documents are in "
        "place: `.mergify.yml` and `.mergify.yaml`; only `.mergify.yml` is read, so remove the other one"
    )
    assert is_noted is (note in notes(simulated({"queue_rules": [{"name": "a"}]}, seen)))


@pytest.mark.parametrize(
    ("sections", "state"),
    [({}, "not enabled"), ({"queue_rules": [{"name": "q"}]}, "enabled, as the document has queues")],
)
def test_unknown_products_matter_to_auto_merge(sections: Any, state: str) -> None:
    document = {"merge_protections_settings": {"auto_merge_conditions": True}, **sections}

    expected = (
        "The products of the repository were never set; "
        f"auto-merge is simulated as if Merge Queue were {state}"
    )
    assert [expected] == notes(simulated(document, KNOWN))


@pytest.mark.parametrize(
    ("protection", "rules", "document", "expected"),
    [
        (
            BranchProtection(is_strict=True),
            (),
            {"queue_rules": [{"name": "q"}], "merge_queue": {"max_parallel_checks": 1}},
            [],
        ),
        (
            BranchProtection(),
            (BranchRule("merge_queue"),),
            {"queue_rules": [{"name": "q"}]},
            ["'main' has a merge queue of the platform itself, which prevents this queue from merging"],
        ),
        (
            BranchProtection(),
            (BranchRule("required_linear_history"),),
            {
                "queue_rules": [
                    {"name": "q", "merge_method": "merge"},
                    {"name": "r", "merge_method": "squash"},
                ]
            },
            ["'main' requires linear history; the merge method of the queue 'q' breaks it"],
        ),
        (
            BranchProtection(reviews=ReviewRequirement(1)),
            (),
            {"queue_rules": [{"name": "q", "merge_method": "fast-forward"}]},
            ["'main' requires reviews; the fast-forward of the queue 'q' cannot have them"],
        ),
    ],
)
def test_incompatibilities_with_the_base_branch(
    protection: Any, rules: Any, document: Any, expected: list[str]
) -> None:
    seen = snapshot(
        files=(),
        branch_protection=protection,
        rules=rules,
        check_runs=(),
        statuses=(),
        reviews=(),
        permissions={},
    )

    assert expected == notes(simulated(document, seen))


def test_unknown_scopes_and_stacks() -> None:
    pull = {"base": "feature", "body": "Depends-On: #3"}
    seen = snapshot(
        pull=pull, dependencies={"acme/engine#3": "open"}, branch_protection=BranchProtection(), rules=()
    )
    document = {"queue_rules": [{"name": "q"}], "scopes": {"source": {"manual": None}}}

    assert [
        "The scopes of the pull request are not known: no scopes were recorded",
        "The snapshot does not say whether 'acme/engine#3' is queued ahead",
    ] == notes(simulated(document, seen))
