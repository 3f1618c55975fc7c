"""Which queue would the pull request enter, and what makes it enter?"""

from mergecast.language.rules.auto_merge import uses_queue
from mergecast.language.rules.branch_protection import queue_obstacle
from mergecast.language.rules.context import Context
from mergecast.language.rules.queues import Priorities, admitting_queue, nearest_queue, with_priority
from mergecast.language.rules.sentence import Name, Piece, Sentence, sentence
from mergecast.language.rules.simulation import (
    AutoMerge,
    AutoMergeResult,
    Effect,
    Entrance,
    QueueResult,
    Routing,
    RuleResult,
)

_EFFECTS = {Entrance.ENTERS: Effect.ACTS, Entrance.WAITS: Effect.WAITS}
_AUTO_MERGE = {Entrance.ENTERS: AutoMerge.QUEUES, Entrance.WAITS: AutoMerge.WAITS}


def find_routing(
    context: Context,
    queues: tuple[QueueResult, ...],
    priorities: Priorities,
    rules: tuple[RuleResult, ...],
    auto_merge: AutoMergeResult | None,
) -> Routing:
    """The most certain answer first: it is queued, it enters, it will enter, a command can queue it."""
    return (
        _already_queued(context)
        or _blocked(context)
        or _by_action(rules, priorities, Entrance.ENTERS)
        or _automatically(context, queues, priorities, auto_merge, Entrance.ENTERS)
        or _by_action(rules, priorities, Entrance.WAITS)
        or _automatically(context, queues, priorities, auto_merge, Entrance.WAITS)
        or _by_command(queues)
        or Routing(Entrance.SHUT, None, None, sentence("No queue admits the pull request"))
    )


def _already_queued(context: Context) -> Routing | None:
    place = context.snapshot.queue
    if place is None or place.name is None:
        return None
    said = sentence("Is in the queue ", Name(place.name), f" at position {place.position}, counted from 0")
    return Routing(Entrance.QUEUED, place.name, None, said)


def _blocked(context: Context) -> Routing | None:
    obstacle = queue_obstacle(context)
    if obstacle is None or context.pull.closed:
        return None
    return Routing(Entrance.BLOCKED, None, None, sentence("Blocked: ", *obstacle.pieces))


def _by_action(rules: tuple[RuleResult, ...], priorities: Priorities, entrance: Entrance) -> Routing | None:
    for rule in rules:
        for plan in rule.plans:
            if plan.queue is not None and plan.effect is _EFFECTS[entrance]:
                cause = (", by the queue action of the rule ", Name(rule.name))
                return Routing(
                    entrance, plan.queue, rule.name, _said(entrance, plan.queue, priorities, cause)
                )
    return None


def _automatically(
    context: Context,
    queues: tuple[QueueResult, ...],
    priorities: Priorities,
    auto_merge: AutoMergeResult | None,
    entrance: Entrance,
) -> Routing | None:
    """By auto-merge."""
    find = admitting_queue if entrance is Entrance.ENTERS else nearest_queue
    queue = find(queues)
    if not (queue and auto_merge and auto_merge.state is _AUTO_MERGE[entrance] and uses_queue(context)):
        return None
    said = _said(entrance, queue, priorities, (", by auto-merge",))
    if entrance is Entrance.WAITS and queue == admitting_queue(queues):
        said = sentence(
            "Would enter the queue ", Name(queue), " by auto-merge once the merge protections pass"
        )
    return Routing(entrance, queue, None, said)


def _by_command(queues: tuple[QueueResult, ...]) -> Routing | None:
    queue = admitting_queue(queues)
    if queue is None:
        return None
    said = sentence("Can be added to the queue ", Name(queue), " with the command `queue`")
    return Routing(Entrance.CAN_ENTER, queue, None, said)


def _said(entrance: Entrance, queue: str, priorities: Priorities, cause: tuple[Piece, ...]) -> Sentence:
    if entrance is Entrance.WAITS:
        return sentence("Would enter the queue ", Name(queue), " once it is admitted", *cause)
    return sentence("Would enter the queue ", Name(queue), *with_priority(priorities.in_queue(queue)), *cause)
