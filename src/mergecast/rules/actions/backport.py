"""`backport`: once merged, the same change is opened on other branches."""

from __future__ import annotations

from mergecast.conditions.tree import Condition
from mergecast.configuration.models.actions import Backport
from mergecast.rules.actions.plan import Case, Plan, cannot
from mergecast.rules.cherry_picks import announce, pick
from mergecast.rules.context import Context
from mergecast.rules.injected import required
from mergecast.rules.simulation import Effect


def requirements(_: Backport, __: Context) -> tuple[Condition, ...]:
    return required("backport", "merged")


def plan(options: Backport, case: Case) -> Plan:
    return pick(options, case.context, "backport")


def plan_waiting(options: Backport, case: Case) -> Plan:
    if case.context.pull.closed:
        return cannot("Would not backport: the pull request was closed without a merge")
    announced = announce(options, "backport", " once merged")
    return Plan(Effect.WAITS, announced) if announced else plan(options, case)
