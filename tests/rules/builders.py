"""Simulates a document on a snapshot, and reads parts of the result."""

from datetime import date
from typing import Any

import yaml

from conditions.builders import COMMIT, NOW, PULL, file, review, run, search, snapshot
from mergecast.language.conditions.result import GroupResult, LeafResult, Result
from mergecast.language.conditions.tree import All, Not
from mergecast.language.configuration.models.configuration import Configuration
from mergecast.language.configuration.read import read_configuration
from mergecast.language.rules.simulate import simulate
from mergecast.language.rules.simulation import ActionPlan, Effect, RuleResult, Simulation
from mergecast.queues.model.snapshot import Snapshot

__all__ = ["COMMIT", "NOW", "PULL", "file", "review", "run", "search", "snapshot"]

BARE = snapshot()
ALL_PRODUCTS = frozenset({"workflow_automation", "merge_queue", "merge_protections"})
Tree = str | dict[str, "list[Tree]"]


def configuration(document: str | dict[str, Any]) -> Configuration:
    text = (
        document
        if isinstance(document, str)
        else yaml.dump(document, Dumper=yaml.CSafeDumper, sort_keys=False)
    )
    verdict = read_configuration(text, today=date(2026, 11, 15))
    assert not verdict.errors, [error.text for error in verdict.errors]
    assert verdict.configuration is not None
    return verdict.configuration


def simulated(
    document: str | dict[str, Any],
    seen: Snapshot = BARE,
    *,
    now: int = NOW,
    products: frozenset[str] | None = None,
) -> Simulation:
    return simulate(configuration(document), seen, now, search, products)


def rule(name: str, conditions: list[Any], **actions: Any) -> dict[str, Any]:
    return {"name": name, "conditions": conditions, "actions": actions}


def with_rules(*rules: dict[str, Any], **sections: Any) -> dict[str, Any]:
    return {"pull_request_rules": list(rules), **sections}


def only(results: tuple[RuleResult, ...]) -> RuleResult:
    (result,) = results
    return result


def plan_of(action: str, options: Any, seen: Snapshot = BARE, **sections: Any) -> ActionPlan:
    """The plan of the only action of a rule that always matches."""
    result = only(simulated(with_rules(rule("a", [], **{action: options}), **sections), seen).rules)
    (plan,) = result.plans
    assert plan.action == action
    return plan


def said(plan: ActionPlan) -> tuple[Effect, list[str]]:
    return plan.effect, [sentence.text for sentence in plan.sentences]


def planned(action: str, options: Any, seen: Snapshot = BARE, **sections: Any) -> tuple[Effect, list[str]]:
    return said(plan_of(action, options, seen, **sections))


def tree(result: Result) -> Tree:
    """The conditions of an evaluated tree, with their descriptions."""
    if isinstance(result, LeafResult):
        leaf = result.condition
        return f"{leaf.text} [{leaf.description}]" if leaf.description else leaf.text
    name = (
        "not" if isinstance(result.condition, Not) else "all" if isinstance(result.condition, All) else "any"
    )
    described = f"{name} [{result.condition.description}]" if result.condition.description else name
    return {described: [tree(member) for member in result.members]}


def injected(result: GroupResult) -> list[Tree]:
    """The top-level members that the service added."""
    return [tree(member) for member in result.members if _is_injected(member)]


def _is_injected(result: Result) -> bool:
    if isinstance(result, LeafResult):
        return result.condition.is_injected
    return result.condition.description is not None


def notes(simulation: Simulation) -> list[str]:
    return [note.text for note in simulation.notes]
