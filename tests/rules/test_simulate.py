"""Whole simulations: the same input gives the same result, and unrelated input does not matter."""

import pickle
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from mergecast.language.rules.actions import ACTIONS
from mergecast.language.rules.simulate import simulate
from mergecast.language.rules.simulation import Effect, RuleStatus, Simulation
from mergecast.queues.model.snapshot import (
    BranchProtection,
    QueuePlace,
    ReviewDecision,
    ReviewRequirement,
    ReviewThread,
    Snapshot,
)
from rules.builders import (
    ALL_PRODUCTS,
    BARE,
    COMMIT,
    NOW,
    configuration,
    file,
    review,
    rule,
    run,
    search,
    simulated,
    snapshot,
    with_rules,
)

CONDITIONS = (
    "base = main",
    "base = dev",
    "author = ann",
    "-draft",
    "label = go",
    "label != stop",
    "check-success = ci",
    "-check-failure = ci",
    "#approved-reviews-by >= 1",
    "author = @core",
    "files ~= ^src/",
    "schedule = Mon-Fri 09:00-17:00[UTC]",
    "#commits-behind = 0",
)
leaves = st.sampled_from(CONDITIONS)
groups = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.fixed_dictionaries({"or": st.lists(inner, min_size=1, max_size=3)}),
        st.fixed_dictionaries({"and": st.lists(inner, min_size=1, max_size=3)}),
        st.fixed_dictionaries({"not": leaves}),
    ),
    max_leaves=6,
)
conditions = st.lists(groups, max_size=3)
actions = st.dictionaries(st.sampled_from(sorted(set(ACTIONS) - {"github_actions"})), st.none(), max_size=4)
documents = st.fixed_dictionaries(
    {
        "pull_request_rules": st.lists(
            st.fixed_dictionaries({"conditions": conditions, "actions": actions}), max_size=4
        ),
        "queue_rules": st.lists(st.fixed_dictionaries({"queue_conditions": conditions}), max_size=3),
        "priority_rules": st.lists(st.fixed_dictionaries({"conditions": conditions}), max_size=2),
        "merge_protections": st.lists(
            st.fixed_dictionaries({"if": conditions, "success_conditions": conditions}), max_size=2
        ),
        "merge_protections_settings": st.fixed_dictionaries(
            {"auto_merge_conditions": st.none() | conditions}
        ),
        "commands_restrictions": st.dictionaries(
            st.sampled_from(["queue", "update"]), st.fixed_dictionaries({"conditions": conditions})
        ),
    }
)
PARTS: dict[str, Any] = {
    "files": (file("src/a.py"), file(".mergify.yml")),
    "commits": (COMMIT,),
    "reviews": (review("bob", "APPROVED"),),
    "review_threads": (ReviewThread(is_resolved=False, author="bob"),),
    "check_runs": (run("ci", "success"), run("slow", None)),
    "statuses": (),
    "branch_protection": BranchProtection(("ci", "other"), is_strict=True, reviews=ReviewRequirement(1)),
    "teams": {"acme/core": ("ann",)},
    "permissions": {"ann": "write", "bob": "admin"},
    "dependencies": {"acme/engine#3": "merged"},
    "behind": 2,
    "review_decision": ReviewDecision("APPROVED"),
    "rules": (),
    "queue": QueuePlace(),
    "dequeue_reason": "NONE",
}
pulls = st.fixed_dictionaries(
    {
        "draft": st.booleans(),
        "base": st.sampled_from(["main", "dev"]),
        "labels": st.lists(st.sampled_from(["go", "stop"]), unique=True).map(tuple),
        "mergeable": st.sampled_from([True, False, None]),
        "body": st.sampled_from(["", "Depends-On: #3\nMerge-After: 2026-12-01"]),
        "commits": st.integers(1, 3),
    }
)
snapshots = st.builds(
    lambda pull, kept: snapshot(pull=pull, **{name: PARTS[name] for name in kept}),
    pulls,
    st.sets(st.sampled_from(sorted(PARTS))).map(sorted),
)
products = st.none() | st.frozensets(st.sampled_from(sorted(ALL_PRODUCTS)))


def named(document: dict[str, Any]) -> dict[str, Any]:
    """Every rule with a unique name."""
    result = dict(document)
    for section in ("pull_request_rules", "queue_rules", "priority_rules", "merge_protections"):
        result[section] = [{"name": f"r{index}", **one} for index, one in enumerate(document[section])]
    return result


@settings(max_examples=60, deadline=None)
@given(document=documents, seen=snapshots, enabled=products)
def test_the_same_input_gives_the_same_bytes(
    document: dict[str, Any], seen: Snapshot, enabled: frozenset[str] | None
) -> None:
    first, second = (simulated(named(document), seen, products=enabled) for _ in range(2))

    assert first == second
    assert texts(first) == texts(second)


@settings(max_examples=40, deadline=None)
@given(document=documents, seen=snapshots)
def test_an_unrelated_label_changes_nothing(document: dict[str, Any], seen: Snapshot) -> None:
    labelled = replace(seen, pull=replace(seen.pull, labels=(*seen.pull.labels, "unrelated")))

    assert outline(simulated(named(document), seen)) == outline(simulated(named(document), labelled))


@settings(max_examples=25, deadline=None)
@given(document=documents, seen=snapshots)
def test_a_disabled_rule_never_matches_and_changes_no_other(document: dict[str, Any], seen: Snapshot) -> None:
    enabled = named(document)
    disabled = named(document)
    disabled["pull_request_rules"] = [
        *disabled["pull_request_rules"],
        {"name": "off", "disabled": {"reason": "x"}, "conditions": [], "actions": dict.fromkeys(ACTIONS)},
    ]
    simulation = simulated(disabled, seen)

    off = [result for result in simulation.rules if result.name == "off"]
    assert {(RuleStatus.DISABLED, ())} == {(result.status, result.plans) for result in off}
    others = tuple(result for result in simulation.rules if result.name != "off")
    assert simulated(enabled, seen).rules == others


@settings(max_examples=25, deadline=None)
@given(document=documents, seen=snapshots)
def test_every_matching_action_has_a_plan_that_says_something(
    document: dict[str, Any], seen: Snapshot
) -> None:
    for result in simulated(named(document), seen).rules:
        if result.status is RuleStatus.MATCHING:
            assert result.actions == tuple(plan.action for plan in result.plans)
        assert all(plan.sentences for plan in result.plans)
        assert all(sentence.text for plan in result.plans for sentence in plan.sentences)


def test_the_configuration_and_the_snapshot_are_left_as_they_were() -> None:
    document = configuration(with_rules(rule("a", ["base = main"], label={"add": ["x"]}, queue=None)))
    before = repr(document)
    seen = snapshot(**PARTS)
    copied = pickle.dumps(seen)

    simulate(document, seen, NOW, search)

    assert (before, copied) == (repr(document), pickle.dumps(seen))


def test_an_empty_document_does_nothing() -> None:
    simulation = simulated("")

    assert ((), None, None, None, (), ()) == (
        simulation.rules,
        simulation.queue,
        simulation.protections,
        simulation.auto_merge,
        simulation.commands,
        simulation.notes,
    )


def test_the_instant_is_an_argument() -> None:
    document = with_rules(rule("a", ["current-datetime >= 2026-11-15T12:00Z"]))

    assert [RuleStatus.MATCHING, RuleStatus.POTENTIAL] == [
        simulated(document, BARE, now=now).rules[0].status for now in (NOW, NOW - 1)
    ]


def texts(simulation: Simulation) -> list[str]:
    said = [sentence.text for _, plan in simulation.planned for sentence in plan.sentences]
    return said + [note.text for note in simulation.notes]


def outline(simulation: Simulation) -> Any:
    """Everything except the observed values and the labels that an action may change."""
    plans = [(name, plan.action, plan.effect) for name, plan in simulation.planned if plan.action != "label"]
    assert all(isinstance(effect, Effect) for _, _, effect in plans)
    queue = simulation.queue and (simulation.queue.routing, simulation.queue.priority.value)
    protections = simulation.protections and simulation.protections.outcome
    auto_merge = simulation.auto_merge and simulation.auto_merge.state
    statuses = [(result.name, result.status) for result in simulation.rules]
    allowed = [command.allowed for command in simulation.commands]
    return plans, queue, protections, auto_merge, statuses, allowed, simulation.notes
