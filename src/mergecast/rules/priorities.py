"""Which priority would the pull request have in the queue?"""

from __future__ import annotations

from mergecast.conditions.result import Truth
from mergecast.configuration.models.queue_rules import PRIORITIES
from mergecast.rules.context import Context
from mergecast.rules.simulation import PriorityResult, PriorityRuleResult


def find_priority(context: Context) -> PriorityResult:
    """The first rule that matches gives it; without one it is medium."""
    rules = context.configuration.priority_rules
    judged = [context.judge(rule.conditions.members) for rule in rules]
    results = tuple(
        PriorityRuleResult(rule.name, rule.priority, result.truth is Truth.HOLDS, result)
        for rule, result in zip(rules, judged, strict=True)
    )
    for rule, result in zip(rules, results, strict=True):
        if result.matches:
            return PriorityResult(rule.priority, rule.name, rule.allow_checks_interruption, results)
    return PriorityResult(PRIORITIES["medium"], None, False, results)
