"""The title of a report."""

from dataclasses import replace

import pytest

from mergecast.language.conditions.result import GroupResult, Outcome, Truth
from mergecast.language.conditions.tree import All
from mergecast.language.report.pull_request import title
from mergecast.language.rules.sentence import sentence
from mergecast.language.rules.simulation import (
    ActionPlan,
    Effect,
    Entrance,
    ProtectionResult,
    ProtectionsResult,
    RuleResult,
    RuleStatus,
    Simulation,
)
from report.scenarios import scenario

NOTHING = GroupResult(All(()), Truth.HOLDS, ())
QUEUED = scenario("already-queued").simulation
EMPTY = scenario("no-rules").simulation

ERROR, MATCHING, POTENTIAL = RuleStatus.ERROR, RuleStatus.MATCHING, RuleStatus.POTENTIAL
IGNORED, NOT_APPLICABLE, DISABLED = RuleStatus.IGNORED, RuleStatus.NOT_APPLICABLE, RuleStatus.DISABLED


def _rules(*statuses: RuleStatus, plans: tuple[ActionPlan, ...] = ()) -> Simulation:
    rules = (
        RuleResult(f"rule {place}", None, None, ("label",), status, NOTHING, plans)
        for place, status in enumerate(statuses)
    )
    return replace(EMPTY, rules=tuple(rules))


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [
        ([], "no rules configured, just listening for commands"),
        ([MATCHING], "1 rule matches"),
        ([MATCHING, MATCHING], "2 rules match"),
        ([POTENTIAL], "1 potential rule"),
        ([POTENTIAL, POTENTIAL], "2 potential rules"),
        ([ERROR], "1 rule with errors"),
        ([ERROR, ERROR], "2 rules with errors"),
        ([POTENTIAL, MATCHING, POTENTIAL], "1 rule matches and 2 potential rules"),
        ([POTENTIAL, MATCHING, ERROR], "1 rule with errors and 1 rule matches and 1 potential rule"),
        ([IGNORED, NOT_APPLICABLE, DISABLED], "no rules match, no planned actions"),
    ],
)
def test_rules(statuses: list[RuleStatus], expected: str) -> None:
    """Rules are counted by status in a fixed order; rules that cannot run are not counted."""
    assert expected == title(_rules(*statuses))


def test_a_rule_that_does_not_match_can_act() -> None:
    """A label that is toggled off is a planned action."""
    plan = ActionPlan("label", Effect.ACTS, (sentence("Would remove the label"),))

    assert title(_rules(NOT_APPLICABLE, plans=(plan,))) == "no rules match, 1 planned action"


@pytest.mark.parametrize(
    ("entrance", "queue", "expected"),
    [
        (Entrance.ENTERS, "default", ' — would enter queue "default"'),
        (Entrance.WAITS, "default", ' — waiting to enter queue "default"'),
        (Entrance.QUEUED, "default", ' — is in queue "default"'),
        (Entrance.WAITS, None, ' — waiting to enter queue "default"'),
        (Entrance.CAN_ENTER, "default", ""),
        (Entrance.SHUT, None, ""),
        (Entrance.ENTERS, "a\nb\u202e", ' — would enter queue "a b⟨U+202E⟩"'),
        (Entrance.ENTERS, "q" * 200, f' — would enter queue "{"q" * 100}…"'),
    ],
)
def test_queue(entrance: Entrance, queue: str | None, expected: str) -> None:
    """Only what would happen automatically is mentioned."""
    assert QUEUED.queue is not None
    routing = replace(QUEUED.queue.routing, entrance=entrance, queue=queue)

    assert title(replace(QUEUED, queue=replace(QUEUED.queue, routing=routing))) == f"1 rule matches{expected}"


def test_no_queue_in_particular() -> None:
    """With several queues and none that admits it, none is named."""
    assert QUEUED.queue is not None
    routing = replace(QUEUED.queue.routing, entrance=Entrance.WAITS, queue=None)
    queues = QUEUED.queue.queues * 2
    found = replace(QUEUED, queue=replace(QUEUED.queue, routing=routing, queues=queues))

    assert title(found) == "1 rule matches — waiting to enter a queue"


@pytest.mark.parametrize(
    ("outcome", "is_active", "expected"),
    [
        (Outcome.SUCCESS, True, " — merge protections pass"),
        (Outcome.PENDING, True, " — merge protections pending"),
        (Outcome.FAILURE, True, " — merge protections fail"),
        (Outcome.PENDING, False, " — merge protections pending"),
        (Outcome.SUCCESS, False, ""),
    ],
)
def test_protections(outcome: Outcome, is_active: bool, expected: str) -> None:  # noqa: FBT001
    """Protections that are not about the pull request are left out."""
    one = ProtectionResult("p", None, False, is_active, NOTHING, NOTHING, outcome if is_active else None)
    found = replace(_rules(MATCHING), protections=ProtectionsResult((one,), outcome))

    assert title(found) == f"1 rule matches{expected}"


def test_queue_and_protections() -> None:
    """Both are mentioned, the queue first."""
    expected = '1 potential rule — waiting to enter queue "default", merge protections fail'

    assert expected == title(scenario("stacked-pull-requests").simulation)


def test_rules_without_their_product() -> None:
    """Rules do nothing if Workflow Automation is off, even if they match."""
    simulation = replace(_rules(MATCHING, POTENTIAL), products=frozenset({"merge_queue"}))

    assert "rules are ignored, Workflow Automation is not enabled" == title(simulation)


def test_the_queue_action_without_its_product() -> None:
    """The title does not hide that nothing would be queued."""
    plan = ActionPlan("queue", Effect.CANNOT, (sentence("Would not queue"),))
    simulation = replace(_rules(MATCHING, plans=(plan,)), products=frozenset({"workflow_automation"}))

    assert "1 rule matches — would not be queued, Merge Queue is not enabled" == title(simulation)
