"""Documents of real repositories, each simulated on pull requests of every kind."""

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from configuration.documents import SHARED, TODAY
from mergecast.language.configuration.models.configuration import Configuration
from mergecast.language.configuration.read import read_configuration
from mergecast.language.rules.simulate import simulate
from mergecast.language.rules.simulation import Effect, RuleStatus, Simulation
from mergecast.queues.model.instant import DAY
from mergecast.queues.model.snapshot import (
    BranchProtection,
    BranchRule,
    QueuePlace,
    ReviewDecision,
    ReviewRequirement,
    ReviewThread,
    Snapshot,
)
from rules.builders import BARE, COMMIT, NOW, file, review, run, search, snapshot

FOLDER = SHARED / "corpus" / "configs"
EVERYTHING: dict[str, Any] = {
    "files": (file("src/a.py"), file("docs/b.md", "added")),
    "commits": (COMMIT,),
    "reviews": (review("bob", "APPROVED"), review("carl", "CHANGES_REQUESTED")),
    "review_threads": (ReviewThread(is_resolved=False, author="bob"),),
    "check_runs": (run("ci", "success"), run("build", "failure"), run("slow", None)),
    "statuses": (),
    "branch_protection": BranchProtection(("ci", "other"), is_strict=True, reviews=ReviewRequirement(1)),
    "teams": {},
    "permissions": {"ann": "write", "bob": "admin"},
    "dependencies": {"acme/engine#3": "open"},
    "behind": 2,
    "deployments": (),
    "review_decision": ReviewDecision("APPROVED"),
    "rules": (BranchRule("required_linear_history"),),
    "head_history": (),
    "dequeue_reason": "CHECKS_FAILED",
    "queue": QueuePlace(),
}
MERGED = {"merged": True, "closed": True, "merged_by": "bob", "merged_at": NOW - DAY, "closed_at": NOW - DAY}
PULL_REQUESTS = {
    "bare": BARE,
    "known": snapshot(**EVERYTHING),
    "draft": snapshot(pull={"draft": True}, **EVERYTHING),
    "conflict": snapshot(pull={"mergeable": False}, **EVERYTHING),
    "merged": snapshot(pull=MERGED, **EVERYTHING),
    "closed": snapshot(pull={"closed": True}, **EVERYTHING),
    "fork": snapshot(pull={"from_fork": True, "author": "eve"}, **EVERYTHING),
    "bot": snapshot(
        pull={"author": "dependabot[bot]", "labels": ("dependencies", "automerge")}, **EVERYTHING
    ),
    "stacked": snapshot(pull={"base": "feature", "body": "Depends-On: #3"}, **EVERYTHING),
    "queued": replace(snapshot(**EVERYTHING), queue=QueuePlace("default", 1, NOW - DAY, 2000)),
}
pytestmark = pytest.mark.skipif(
    not FOLDER.exists(), reason=f"the documents are not beside the project: {FOLDER}"
)


@cache
def valid_documents() -> dict[str, Configuration]:
    verdicts = {
        each.stem: read_configuration(each.read_bytes().decode("utf-8"), today=TODAY)
        for each in sorted(FOLDER.iterdir())
    }
    valid = {name: verdict.configuration for name, verdict in verdicts.items() if verdict.configuration}
    assert valid
    return valid


def simulations(seen: Snapshot) -> dict[str, Simulation]:
    return {name: simulate(document, seen, NOW, search) for name, document in valid_documents().items()}


@pytest.mark.parametrize("kind", PULL_REQUESTS)
def test_every_document_can_be_simulated(kind: str) -> None:
    for name, simulation in simulations(PULL_REQUESTS[kind]).items():
        rules = valid_documents()[name].pull_request_rules
        assert [rule.name for rule in rules] == list(
            dict.fromkeys(result.name for result in simulation.rules)
        )
        for result in simulation.rules:
            if result.status is RuleStatus.MATCHING:
                assert len(result.actions) == len(result.plans)


def test_a_complete_snapshot_leaves_no_action_unknown() -> None:
    for simulation in simulations(PULL_REQUESTS["known"]).values():
        assert Effect.UNKNOWN not in {plan.effect for _, plan in simulation.planned}


def test_a_merged_pull_request_is_neither_merged_nor_queued() -> None:
    for simulation in simulations(PULL_REQUESTS["merged"]).values():
        effects = {plan.effect for _, plan in simulation.planned if plan.action in {"merge", "queue"}}
        assert Effect.ACTS not in effects
        assert Effect.WAITS not in effects
