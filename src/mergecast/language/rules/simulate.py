"""What would a configuration do to a pull request? A pure function: the same input gives the same result."""

from dataclasses import replace

from mergecast.language.conditions.compare import Search
from mergecast.language.conditions.evaluate import Evaluator
from mergecast.language.conditions.facts.snapshot_view import SnapshotView
from mergecast.language.configuration.models.configuration import Configuration
from mergecast.language.configuration.models.scopes import BarrierFiles, FileFilter, FilesSource
from mergecast.language.rules.auto_merge import judge_auto_merge, uses_queue
from mergecast.language.rules.commands import judge_commands
from mergecast.language.rules.conflict_resolvers import judge_conflict_resolvers
from mergecast.language.rules.context import Context
from mergecast.language.rules.notes import find_notes
from mergecast.language.rules.protections import judge_protections
from mergecast.language.rules.pull_request_rules import judge_rules
from mergecast.language.rules.queue_routing import find_routing
from mergecast.language.rules.queues import Priorities, find_checks_place, has_queue, judge_queues
from mergecast.language.rules.simulation import MergeQueueResult, ScopesResult, Simulation
from mergecast.queues.model.snapshot import NEVER_QUEUED, Part, Snapshot


def simulate(
    configuration: Configuration,
    snapshot: Snapshot,
    now: int,
    search: Search,
    products: frozenset[str] | None = None,
) -> Simulation:
    """Everything that the document configures for this pull request.

    `now` is in microseconds since the epoch. `search` looks for a pattern in a text and stops if that takes
    too long. `products` are the enabled products, None if they were never set.
    """
    scopes = find_scopes(configuration, snapshot)
    evaluator = Evaluator(SnapshotView(with_scopes(snapshot, scopes)), now, search)
    context = Context(configuration, evaluator, products)
    simulation = _judge(context, scopes)
    return replace(simulation, notes=find_notes(simulation, context))


def _judge(context: Context, scopes: ScopesResult | None) -> Simulation:
    queues, priorities = judge_queues(context), Priorities(context)
    rules = judge_rules(context, queues, priorities)
    protections = judge_protections(context)
    auto_merge = judge_auto_merge(context, queues, priorities, protections)
    queue = None
    if _has_queue_result(context):
        place, reason = context.snapshot.queue, context.snapshot.dequeue_reason
        routing = find_routing(context, queues, priorities, rules, auto_merge)
        queue = MergeQueueResult(
            queues=queues,
            routing=routing,
            priority=priorities.in_queue(routing.queue),
            scopes=scopes,
            checks=find_checks_place(context.configuration),
            place=place if place and place.name else None,
            dequeue_reason=None if reason == NEVER_QUEUED else reason,
        )
    return Simulation(
        pull=context.pull,
        products=context.products,
        rules=rules,
        queue=queue,
        protections=protections,
        auto_merge=auto_merge,
        conflicts=judge_conflict_resolvers(context),
        commands=judge_commands(context),
        notes=(),
    )


def _has_queue_result(context: Context) -> bool:
    """Whether the document uses queues, or the pull request is in one."""
    if context.lacks("merge_queue"):
        return False
    configuration, place = context.configuration, context.snapshot.queue
    has_auto_merge = configuration.merge_protections_settings.auto_merge_conditions is not None
    return has_queue(configuration) or (has_auto_merge and uses_queue(context)) or bool(place and place.name)


def find_scopes(configuration: Configuration, snapshot: Snapshot) -> ScopesResult | None:
    """The scopes of the changed files, or the uploaded ones; None if the document configures no scopes."""
    source = configuration.scopes.source
    if source is None:
        return None
    if not isinstance(source, FilesSource):
        missing = Part.SCOPES.absent if snapshot.scopes is None else None
        return ScopesResult(tuple(sorted(snapshot.scopes or ())), False, (), missing)
    if snapshot.files is None:
        return ScopesResult((), False, (), Part.FILES.absent)
    paths = SnapshotView(snapshot).paths
    names = (name for name, files in source.files.items() if any(_has(files, path) for path in paths))
    barrier = configuration.scopes.barrier_files
    barrier_files = tuple(sorted(path for path in paths if barrier and _has(barrier, path)))
    return ScopesResult(tuple(sorted(names)), bool(barrier_files), barrier_files)


def with_scopes(snapshot: Snapshot, scopes: ScopesResult | None) -> Snapshot:
    """The snapshot with these scopes, for conditions on scopes."""
    if scopes is None:
        return replace(snapshot, scopes=())
    return replace(snapshot, scopes=None if scopes.missing else scopes.names)


def _has(files: FileFilter | BarrierFiles, path: str) -> bool:
    """Without `include` patterns, every file is included."""
    included = not files.include or any(glob.matches(path) for glob in files.include)
    return included and not any(glob.matches(path) for glob in files.exclude)
