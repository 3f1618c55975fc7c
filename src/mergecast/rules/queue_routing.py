"""Which queue would the pull request enter, and what brings it there?"""

from __future__ import annotations

from mergecast.conditions.outcome import Outcome, outcome
from mergecast.conditions.result import LeafResult, Result, Truth
from mergecast.configuration.queues import queues_of
from mergecast.rules.actions.queue import priority as said_priority
from mergecast.rules.auto_merge import uses_queue
from mergecast.rules.context import Context
from mergecast.rules.rule_status import rule_status
from mergecast.rules.sentence import Name, Piece, Sentence, sentence
from mergecast.rules.simulation import (
    AutoMerge,
    AutoMergeResult,
    Effect,
    Entrance,
    PriorityResult,
    QueueResult,
    Routing,
    RuleResult,
    RuleStatus,
)

_HOPEFUL = frozenset({RuleStatus.POTENTIAL, RuleStatus.ERROR})


def find_routing(
    context: Context,
    queues: tuple[QueueResult, ...],
    priority: PriorityResult,
    rules: tuple[RuleResult, ...],
    auto_merge: AutoMergeResult | None,
) -> Routing:
    """What is certain comes first: where it is, what brings it in, what would, what a command could."""
    return (
        _already_queued(context)
        or _by_action(context, queues, priority, rules, Effect.ACTS)
        or _by_itself(context, queues, priority, auto_merge, Entrance.ENTERS)
        or _by_action(context, queues, priority, rules, Effect.WAITS)
        or _by_itself(context, queues, priority, auto_merge, Entrance.WAITS)
        or _by_command(queues)
        or Routing(Entrance.SHUT, None, None, sentence("No queue admits the pull request"))
    )


def _already_queued(context: Context) -> Routing | None:
    place = context.snapshot.queue
    if place is None or place.name is None:
        return None
    said = sentence("Is in the queue ", Name(place.name), f" at position {place.position}, counted from 0")
    return Routing(Entrance.QUEUED, place.name, None, said)


def _by_action(
    context: Context,
    queues: tuple[QueueResult, ...],
    priority: PriorityResult,
    rules: tuple[RuleResult, ...],
    effect: Effect,
) -> Routing | None:
    for rule in rules:
        if any(plan.action == "queue" and plan.effect is effect for plan in rule.plans):
            entrance = Entrance.ENTERS if effect is Effect.ACTS else Entrance.WAITS
            queue = _named_queue(context, rule.name) or _first(queues, entrance)
            if queue is not None:
                cause = (", by the queue action of the rule ", Name(rule.name))
                said = _said(entrance, queue, priority, cause)
                return Routing(entrance, queue, rule.name, said)
    return None


def _named_queue(context: Context, rule_name: str) -> str | None:
    rules = context.configuration.pull_request_rules
    rule = next(rule for rule in rules if rule.name == rule_name)
    return rule.actions.queue.name if rule.actions.queue else None


def _by_itself(
    context: Context,
    queues: tuple[QueueResult, ...],
    priority: PriorityResult,
    auto_merge: AutoMergeResult | None,
    entrance: Entrance,
) -> Routing | None:
    """By auto-merge, or by the older option of a queue."""
    wanted = {Entrance.ENTERS: AutoMerge.QUEUES, Entrance.WAITS: AutoMerge.WAITS}[entrance]
    queue = _first(queues, entrance)
    if queue and auto_merge and auto_merge.state is wanted and uses_queue(context):
        said = _said(entrance, queue, priority, (", by auto-merge",))
        return Routing(entrance, queue, None, said)
    autoqueues = {rule.name for rule in queues_of(context.configuration) if rule.autoqueue}
    queue = _first(tuple(queue for queue in queues if queue.name in autoqueues), entrance)
    if queue is None or context.pull.closed:
        return None
    said = _said(entrance, queue, priority, (", by its option autoqueue",))
    return Routing(entrance, queue, None, said)


def _by_command(queues: tuple[QueueResult, ...]) -> Routing | None:
    queue = _first(queues, Entrance.ENTERS)
    if queue is None:
        return None
    said = sentence("Can be added to the queue ", Name(queue), " with the command `queue`")
    return Routing(Entrance.CAN_ENTER, queue, None, said)


def _first(queues: tuple[QueueResult, ...], entrance: Entrance) -> str | None:
    """The first queue that admits it, or the one that is nearest to it."""
    admitting = [queue for queue in queues if queue.is_admitted]
    if admitting or entrance is not Entrance.WAITS:
        return admitting[0].name if admitting else None
    hopeful = [queue for queue in queues if rule_status(queue.admission) in _HOPEFUL]
    return min(hopeful, key=_distance).name if hopeful else None


def _distance(queue: QueueResult) -> int:
    """Do its own conditions hold already, may checks or time bring them, or does more have to happen?"""
    own = [member for member in queue.admission.members if not _is_injected(member)]
    if all(member.truth is Truth.HOLDS for member in own):
        return 0
    outcomes = [outcome(member, when_something_else_is_missing=Outcome.FAILURE) for member in own]
    return 2 if Outcome.FAILURE in outcomes else 1


def _is_injected(result: Result) -> bool:
    if isinstance(result, LeafResult):
        return result.condition.is_injected
    return bool(result.members) and all(map(_is_injected, result.members))


def _said(entrance: Entrance, queue: str, priority: PriorityResult, cause: tuple[Piece, ...]) -> Sentence:
    if entrance is Entrance.WAITS:
        return sentence("Would enter the queue ", Name(queue), " once it is admitted", *cause)
    return sentence("Would enter the queue ", Name(queue), *said_priority(priority), *cause)
