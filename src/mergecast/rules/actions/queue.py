"""`queue`: the pull request is put into the merge queue."""

from __future__ import annotations

from mergecast.conditions.tree import Condition
from mergecast.configuration.models.actions import Queue
from mergecast.rules.actions.plan import Case, Plan, acts, cannot, nothing, unknown, waits
from mergecast.rules.context import Context
from mergecast.rules.queues import queue_requirements
from mergecast.rules.sentence import Name, Piece, sentence
from mergecast.rules.simulation import PriorityResult


def requirements(options: Queue, context: Context) -> tuple[Condition, ...]:
    return queue_requirements(options.name, context)


def plan(options: Queue, case: Case) -> Plan:
    hindered = _hindered(options, case)
    if hindered is not None:
        return hindered
    admitting = (queue.name for queue in case.queues if queue.is_admitted)
    queue = next(name for name in admitting if options.name in {None, name})
    return acts(sentence("Would add the pull request to the queue ", Name(queue), *priority(case.priority)))


def plan_waiting(options: Queue, case: Case) -> Plan:
    hindered = _hindered(options, case)
    if hindered is not None:
        return hindered
    if options.name is None:
        return waits("Would wait: no queue condition matches yet")
    return waits("Would wait: the conditions of the queue ", Name(options.name), " do not match yet")


def _elsewhere(name: str, context: Context) -> Plan:
    """A valid document names a queue of others only while it extends one that could not be read."""
    remote = context.configuration.extends or ""
    return unknown(
        "Cannot be known: the queue ", Name(name), " would be in the configuration of ", Name(remote)
    )


def priority(found: PriorityResult) -> tuple[Piece, ...]:
    """The priority and the rule that gave it."""
    rule: tuple[Piece, ...] = (" (rule ", Name(found.rule), ")") if found.rule is not None else ()
    return (f" with priority {found.word}", *rule)


def _hindered(options: Queue, case: Case) -> Plan | None:
    """What makes queueing pointless, whatever the conditions say."""
    context = case.context
    place = context.snapshot.queue
    if context.lacks("merge_queue"):
        return cannot("Would not queue: the product Merge Queue is not enabled")
    if context.pull.merged:
        return nothing("Would not queue: the pull request is already merged")
    if context.pull.closed:
        return cannot("Would not queue: the pull request is closed")
    if place is not None and place.name is not None:
        return nothing("Would not queue: the pull request is already in the queue ", Name(place.name))
    if options.name is not None and options.name not in {queue.name for queue in case.queues}:
        return _elsewhere(options.name, context)
    return None
