"""Would the pull request be queued or merged automatically?"""

from mergecast.language.conditions.result import Outcome, Truth
from mergecast.language.rules.branch_protection import queue_obstacle
from mergecast.language.rules.context import Context
from mergecast.language.rules.queues import Priorities, admitting_queue, has_queue, with_priority
from mergecast.language.rules.sentence import Name, Sentence, sentence
from mergecast.language.rules.simulation import AutoMerge, AutoMergeResult, ProtectionsResult, QueueResult

Decision = tuple[AutoMerge, Sentence]


def uses_queue(context: Context) -> bool:
    """Whether auto-merge goes through the queue. If the products are not known, the document decides."""
    if context.products is not None:
        return "merge_queue" in context.products
    return has_queue(context.configuration)


def judge_auto_merge(
    context: Context,
    queues: tuple[QueueResult, ...],
    priorities: Priorities,
    protections: ProtectionsResult | None,
) -> AutoMergeResult | None:
    conditions = context.configuration.merge_protections_settings.auto_merge_conditions
    if conditions is None:
        return None
    judged = context.judge(conditions.members)
    state, said = _idle(context, matches=judged.truth is Truth.HOLDS) or (
        _queued(context, queues, priorities, protections)
        if uses_queue(context)
        else _merged(context, protections)
    )
    return AutoMergeResult(state, judged, said)


def _idle(context: Context, *, matches: bool) -> Decision | None:
    """Why auto-merge would do nothing; None if it would do something."""
    if context.lacks("merge_protections"):
        return _nothing("the product Merge Protections is not enabled")
    if context.pull.merged:
        return _nothing("the pull request is already merged")
    if context.pull.closed:
        return _nothing("the pull request is closed")
    if not matches:
        return _nothing("its conditions do not hold")
    return None


def _nothing(reason: str) -> Decision:
    return AutoMerge.NOTHING, sentence(f"Would do nothing: {reason}")


def _queued(
    context: Context,
    queues: tuple[QueueResult, ...],
    priorities: Priorities,
    protections: ProtectionsResult | None,
) -> Decision:
    if (obstacle := queue_obstacle(context)) is not None:
        return AutoMerge.NOTHING, sentence("Would not queue: ", *obstacle.pieces)
    queue = admitting_queue(queues)
    if queue is None:
        return AutoMerge.WAITS, sentence("Would queue the pull request once a queue admits it")
    if protections is not None and protections.outcome is not Outcome.SUCCESS:
        return AutoMerge.WAITS, sentence("Would queue the pull request once the merge protections pass")
    priority = with_priority(priorities.in_queue(queue))
    return AutoMerge.QUEUES, sentence("Would add the pull request to the queue ", Name(queue), *priority)


def _merged(context: Context, protections: ProtectionsResult | None) -> Decision:
    active = protections.active if protections else ()
    if protections is None or all(protection.is_built_in for protection in active):
        return _nothing("no merge protection is active for the pull request")
    if context.pull.draft:
        return AutoMerge.WAITS, sentence("Would merge the pull request once it is no longer a draft")
    if context.pull.mergeable is False:
        return AutoMerge.WAITS, sentence("Would merge the pull request once its conflicts are resolved")
    if protections.outcome is Outcome.SUCCESS:
        return AutoMerge.MERGES, sentence("Would merge the pull request: the merge protections pass")
    return AutoMerge.WAITS, sentence("Would merge the pull request once the merge protections pass")
