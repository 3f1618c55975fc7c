"""The status of rules, and how a rule is split by the requirements of its actions."""

from typing import Any

import pytest

from mergecast.language.rules.simulation import Effect, RuleResult, RuleStatus
from mergecast.queues.model.snapshot import Snapshot
from rules.builders import ALL_PRODUCTS, BARE, only, rule, said, simulated, snapshot, with_rules


def judged(conditions: list[Any], seen: Snapshot = BARE) -> RuleResult:
    return only(simulated(with_rules(rule("a", conditions)), seen).rules)


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ([], RuleStatus.MATCHING),
        (["base = main", "author = ann"], RuleStatus.MATCHING),
        (["label = x"], RuleStatus.POTENTIAL),
        (["closed"], RuleStatus.POTENTIAL),
        (["label = x", "author = bob"], RuleStatus.IGNORED),
        (["head = other"], RuleStatus.IGNORED),
        (["-head = fix"], RuleStatus.IGNORED),
        (["merged-by = bob"], RuleStatus.IGNORED),
        ([{"or": ["author = bob", "label = x"]}], RuleStatus.POTENTIAL),
        (["base = dev"], RuleStatus.NOT_APPLICABLE),
        (["base = dev", "author = bob"], RuleStatus.NOT_APPLICABLE),
        (["base = dev", "author = @none"], RuleStatus.NOT_APPLICABLE),
        (["author = @none"], RuleStatus.ERROR),
        (["author = @none", "label = x"], RuleStatus.ERROR),
        (["author = @none", "head = other"], RuleStatus.IGNORED),
        ([{"not": {"or": ["base = main", "label = x"]}}], RuleStatus.NOT_APPLICABLE),
    ],
)
def test_status(conditions: list[Any], expected: RuleStatus) -> None:
    assert expected is judged(conditions, snapshot(teams={})).status


def test_a_negated_condition_may_still_fail() -> None:
    """If every leaf were assumed to hold, `not` could never hold."""
    labelled = snapshot(pull={"labels": ("wip",)})

    assert RuleStatus.POTENTIAL is judged([{"not": {"or": ["label = wip"]}}], labelled).status


def test_a_part_that_was_not_recorded_makes_a_rule_potential() -> None:
    assert RuleStatus.POTENTIAL is judged(["#approved-reviews-by >= 1"]).status
    assert RuleStatus.POTENTIAL is judged(["author = @core"]).status


def test_a_disabled_rule_is_shown_and_never_runs() -> None:
    disabled = rule("a", [], comment={"message": "hi"}) | {"disabled": {"reason": "broken"}}
    result = only(simulated(with_rules(disabled)).rules)

    assert (RuleStatus.DISABLED, "broken", ()) == (result.status, result.disabled, result.plans)
    assert result.conditions.truth.name == "HOLDS"


def test_rules_keep_their_order_and_are_counted_by_status() -> None:
    document = with_rules(rule("b", ["label = x"]), rule("a", []), rule("c", ["base = dev"]))
    simulation = simulated(document)

    assert ["b", "a", "c"] == [result.name for result in simulation.rules]
    assert [1, 1, 1, 0] == [
        simulation.count(status)
        for status in (RuleStatus.MATCHING, RuleStatus.POTENTIAL, RuleStatus.NOT_APPLICABLE, RuleStatus.ERROR)
    ]


def test_a_rule_is_split_by_requirements() -> None:
    document = with_rules(
        rule(
            "a", [], label={"add": ["x"]}, comment={"message": "m"}, backport={"branches": ["v"]}, queue=None
        )
    )
    results = simulated(document).rules

    assert [
        (("comment", "label"), RuleStatus.MATCHING),
        (("backport",), RuleStatus.POTENTIAL),
        (("queue",), RuleStatus.MATCHING),
    ] == [(result.actions, result.status) for result in results]


def test_a_rule_without_actions_is_one_block() -> None:
    assert () == judged([]).actions


def test_toggled_labels_come_off_while_the_rule_does_not_match() -> None:
    document = with_rules(rule("a", ["base = dev"], label={"toggle": ["WIP", "new"], "add": ["x"]}))
    result = only(simulated(document, snapshot(pull={"labels": ("wip",)})).rules)

    assert [(Effect.ACTS, ["Would remove the label 'wip' (toggle)"])] == [said(plan) for plan in result.plans]


def test_nothing_is_toggled_if_it_is_unknown_whether_the_rule_matches() -> None:
    document = with_rules(rule("a", ["#approved-reviews-by >= 1"], label={"toggle": ["wip"]}))

    assert () == only(simulated(document, snapshot(pull={"labels": ("wip",)})).rules).plans


@pytest.mark.parametrize("action", ["close", "merge", "queue", "squash"])
def test_some_actions_run_only_once(action: str) -> None:
    document = with_rules(rule("a", [], **{action: None}), rule("b", [], **{action: None}))
    first, second = simulated(document, snapshot(pull={"commits": 2})).planned

    assert Effect.ACTS is first[1].effect
    assert (Effect.NOTHING, [f"Another {action} action already ran (rule 'a')"]) == said(second[1])


def test_an_action_that_does_not_run_leaves_the_next_rule_free_to_act() -> None:
    document = with_rules(rule("a", ["label = x"], close=None), rule("b", [], close=None))
    (planned,) = simulated(document).planned

    assert ("b", Effect.ACTS) == (planned[0], planned[1].effect)


def test_comments_of_two_rules_are_both_posted() -> None:
    document = with_rules(rule("a", [], comment={"message": "1"}), rule("b", [], comment={"message": "2"}))

    assert [Effect.ACTS, Effect.ACTS] == [plan.effect for _, plan in simulated(document).planned]


def test_without_the_product_rules_are_evaluated_but_do_nothing() -> None:
    document = with_rules(rule("a", [], comment={"message": "1"}))
    simulation = simulated(document, products=ALL_PRODUCTS - {"workflow_automation"})

    assert (RuleStatus.MATCHING, ()) == (simulation.rules[0].status, simulation.planned)
