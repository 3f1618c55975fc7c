"""`backport`: once merged, the same change is opened on other branches."""

from __future__ import annotations

from mergecast.conditions.tree import Condition
from mergecast.configuration.models.actions import Backport
from mergecast.rules.actions.plan import Case, Deed, cannot
from mergecast.rules.cherry_picks import announce, pick
from mergecast.rules.context import Subject
from mergecast.rules.injected import required
from mergecast.rules.simulation import Effect


def requirements(_: Backport, __: Subject) -> tuple[Condition, ...]:
    return required("backport", "merged")


def plan(options: Backport, case: Case) -> Deed:
    return pick(options, case.subject, "backport")


def plan_waiting(options: Backport, case: Case) -> Deed:
    if case.subject.pull.closed:
        return cannot("Would not backport: the pull request was closed without a merge")
    announced = announce(options, "backport", " once merged")
    return Deed(Effect.WAITS, announced) if announced else plan(options, case)
