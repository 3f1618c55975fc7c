"""`queue`: add the pull request to a merge queue."""

from dataclasses import replace

from mergecast.language.conditions.tree import Condition
from mergecast.language.configuration.models.actions import Queue
from mergecast.language.rules.actions.plan import Action, Case, Plan, acts, cannot, nothing, unknown, waits
from mergecast.language.rules.branch_protection import queue_obstacle
from mergecast.language.rules.context import Context
from mergecast.language.rules.queues import admitting_queue, nearest_queue, queue_requirements, with_priority
from mergecast.language.rules.sentence import Name, Pieces, sentence
from mergecast.queues.model.snapshot import MERGE_PARTS


def _requirements(options: Queue, context: Context) -> tuple[Condition, ...]:
    return queue_requirements(options.name, context)


def _plan(options: Queue, case: Case) -> Plan:
    obstacle = _obstacle(options, case)
    if obstacle is not None:
        return obstacle
    queue = admitting_queue(queue for queue in case.queues if options.name in {None, queue.name})
    assert queue is not None  # noqa: S101 -- the requirements of this action hold
    priority = with_priority(case.priorities.in_queue(queue))
    added = sentence("Would add the pull request to the queue ", Name(queue), *priority)
    return replace(acts(added), queue=queue)


def _plan_waiting(options: Queue, case: Case) -> Plan:
    obstacle = _obstacle(options, case)
    if obstacle is not None:
        return obstacle
    if options.name is None:
        plan = waits("Would wait: no queue's conditions match yet")
        return replace(plan, queue=nearest_queue(case.queues))
    plan = waits("Would wait: the conditions of the queue ", Name(options.name), " do not match yet")
    return replace(plan, queue=options.name)


def _obstacle(options: Queue, case: Case) -> Plan | None:
    """What prevents queueing regardless of the conditions."""
    context = case.context
    if (state := _state_obstacle(context)) is not None:
        return state
    if (strict := queue_obstacle(context)) is not None:
        return cannot("Would not queue: ", *strict.pieces)
    if options.name is not None and options.name not in {queue.name for queue in case.queues}:
        return _in_remote_document(options.name, context)
    return None


def _state_obstacle(context: Context) -> Plan | None:
    place = context.snapshot.queue
    if context.lacks("merge_queue"):
        return cannot("Would not queue: the product Merge Queue is not enabled")
    if context.pull.merged:
        return nothing("Would not queue: the pull request is already merged")
    if context.pull.closed:
        return cannot("Would not queue: the pull request is closed")
    if place is not None and place.name is not None:
        return nothing("Would not queue: the pull request is already in the queue ", Name(place.name))
    return None


def _in_remote_document(name: str, context: Context) -> Plan:
    """A valid document names an unknown queue only if the document that it extends could not be read."""
    remote = context.configuration.extends or ""
    return unknown("Not known: the queue ", Name(name), " should be in the configuration of ", Name(remote))


def _describe(options: Queue) -> Pieces:
    if options.name is None:
        return ("queues it in the first queue that admits it",)
    return ("queues it in ", Name(options.name))


ACTION = Action(_plan, _describe, _requirements, _plan_waiting, is_once=True, needs=MERGE_PARTS)
