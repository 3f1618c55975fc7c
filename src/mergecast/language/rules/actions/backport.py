"""`backport`: once the pull request is merged, open the same change on other branches."""

from mergecast.language.conditions.tree import Condition
from mergecast.language.configuration.models.actions import Backport
from mergecast.language.rules.actions.plan import Action, Case, Plan, cannot
from mergecast.language.rules.cherry_picks import announce, describe_targets, has_foreign_merges, pick
from mergecast.language.rules.context import Context
from mergecast.language.rules.injected import required
from mergecast.language.rules.sentence import Pieces
from mergecast.language.rules.simulation import Effect
from mergecast.queues.model.snapshot import Part


def _requirements(_: Backport, __: Context) -> tuple[Condition, ...]:
    return required("backport", "merged")


def _plan(options: Backport, case: Case) -> Plan:
    return _obstacle(case) or pick(options, case.context, "backport")


def _plan_waiting(options: Backport, case: Case) -> Plan:
    if case.context.pull.closed:
        return cannot("Would not backport: the pull request was closed without being merged")
    if obstacle := _obstacle(case):
        return obstacle
    announced = announce(options, "backport", " once merged")
    return Plan(Effect.WAITS, announced) if announced else _plan(options, case)


def _obstacle(case: Case) -> Plan | None:
    """Snapshots do not record whether a merged pull request was squashed."""
    if not has_foreign_merges(case.context):
        return None
    reason = "a pull request that contains merge commits cannot be backported unless it is squashed"
    return cannot(f"Would fail: {reason}")


def _describe(options: Backport) -> Pieces:
    return ("backports it to ", *describe_targets(options), " once it is merged")


ACTION = Action(_plan, _describe, _requirements, _plan_waiting, needs=frozenset({Part.COMMITS}))
