"""What would a configuration do to a pull request now? The same question always has the same answer."""

from __future__ import annotations

from dataclasses import replace

from mergecast.conditions.compare import Search
from mergecast.conditions.evaluate import Evaluator
from mergecast.conditions.facts.snapshot_view import SnapshotView
from mergecast.configuration.models.configuration import Configuration
from mergecast.model.snapshot import NEVER_QUEUED, Snapshot
from mergecast.rules.auto_merge import audience, judge_auto_merge, uses_queue
from mergecast.rules.commands import judge_commands
from mergecast.rules.context import Context
from mergecast.rules.notes import find_notes
from mergecast.rules.protections import judge_protections
from mergecast.rules.pull_request_rules import judge_rules
from mergecast.rules.queue_routing import find_routing
from mergecast.rules.queues import find_checks_place, find_priority, has_queue, judge_queues
from mergecast.rules.scopes import find_scopes, with_scopes
from mergecast.rules.simulation import MergeQueueResult, ScopesResult, Simulation


def simulate(
    configuration: Configuration,
    snapshot: Snapshot,
    now: int,
    search: Search,
    products: frozenset[str] | None = None,
) -> Simulation:
    """Everything that the document configures for this pull request.

    `now` is in microseconds since the epoch; `search` finds patterns, and stops those that run too long;
    `products` are those enabled, None when that is not determined.
    """
    scopes = find_scopes(configuration, snapshot)
    evaluator = Evaluator(SnapshotView(with_scopes(snapshot, scopes)), now, search)
    context = Context(configuration, evaluator, products)
    simulation = _judge(context, scopes)
    return replace(simulation, notes=find_notes(simulation, context))


def _judge(context: Context, scopes: ScopesResult | None) -> Simulation:
    queues, priority = judge_queues(context), find_priority(context)
    rules = judge_rules(context, queues, priority)
    protections = judge_protections(context)
    auto_merge = judge_auto_merge(context, queues, priority, protections)
    queue = None
    if _queue_takes_part(context):
        place, reason = context.snapshot.queue, context.snapshot.dequeue_reason
        queue = MergeQueueResult(
            queues=queues,
            routing=find_routing(context, queues, priority, rules, auto_merge),
            priority=priority,
            scopes=scopes,
            checks=find_checks_place(context.configuration),
            place=place if place and place.name else None,
            dequeue_reason=None if reason == NEVER_QUEUED else reason,
        )
    return Simulation(
        pull=context.pull,
        rules=rules,
        queue=queue,
        protections=protections,
        auto_merge=auto_merge,
        commands=judge_commands(context),
        notes=(),
    )


def _queue_takes_part(context: Context) -> bool:
    """Whether the document, or where the pull request stands, gives the queue something to do."""
    if context.lacks("merge_queue"):
        return False
    configuration, place = context.configuration, context.snapshot.queue
    is_automatic = audience(configuration.merge_protections_settings) is not None and uses_queue(context)
    return has_queue(configuration) or is_automatic or bool(place and place.name)
