"""Which queues admit the pull request, at which priority, and what would a merge still need there?"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from mergecast.language.conditions.errors import NotRecorded
from mergecast.language.conditions.facts.snapshot_view import SnapshotView
from mergecast.language.conditions.result import LeafResult, Outcome, Result, Truth, outcome
from mergecast.language.conditions.tree import All, AnyOf, Condition
from mergecast.language.configuration.models.configuration import (
    Configuration,
    checks_in_place,
    fast_forwards,
    queues_of,
)
from mergecast.language.configuration.models.queue_rules import PRIORITIES, BatchRange, QueueRule
from mergecast.language.configuration.templates.render import CannotRender
from mergecast.language.rules.branch_protection import protection_conditions
from mergecast.language.rules.commit_message import commit_message
from mergecast.language.rules.context import Context
from mergecast.language.rules.injected import before_merging, required
from mergecast.language.rules.rule_status import rule_status
from mergecast.language.rules.sentence import Name, Passage, Pieces, Sentence, sentence
from mergecast.language.rules.simulation import (
    ChecksPlace,
    PriorityResult,
    PriorityRuleResult,
    QueueResult,
    RuleStatus,
)
from mergecast.queues.model.snapshot import QueuePlace

_SECTIONS = ("queue_rules", "priority_rules", "merge_queue", "scopes")
_OPEN = required("queue", "-draft", "-closed", "-conflict")
_MAY_ADMIT = frozenset({RuleStatus.POTENTIAL, RuleStatus.ERROR})


def has_queue(configuration: Configuration) -> bool:
    """Whether the document configures or uses queues."""
    written = configuration.model_fields_set
    has_section = any(section in written and getattr(configuration, section) for section in _SECTIONS)
    return has_section or any(
        "queue" in rule.actions.model_fields_set for rule in configuration.pull_request_rules
    )


def judge_queues(context: Context) -> tuple[QueueResult, ...]:
    return tuple(_judge_queue(rule, context) for rule in queues_of(context.configuration))


def _judge_queue(rule: QueueRule, context: Context) -> QueueResult:
    in_place = checks_in_place(context.configuration)
    admission = context.judge(
        (
            *_OPEN,
            *_protections(rule, context, "queue"),
            *before_merging(context, "queue"),
            *rule.queue_conditions.members,
        )
    )
    merging = context.judge(
        (*_protections(rule, context, "merge"), *rule.merge_conditions.members),
        None if in_place else _without_checks(context),
    )
    return QueueResult(
        name=rule.name,
        is_implicit=not context.configuration.queue_rules,
        is_admitted=admission.truth is Truth.HOLDS,
        admission=admission,
        merging=merging,
        merging_outcome=outcome(merging, when_something_else_is_missing=Outcome.PENDING),
        reads_batch_checks=not in_place,
        commit_message=_commit_message(rule, context),
    )


def _commit_message(rule: QueueRule, context: Context) -> Sentence | None:
    if fast_forwards(rule):
        return None
    try:
        return commit_message(rule.commit_message_template, rule.commit_message_format, context)
    except (CannotRender, NotRecorded) as error:
        return sentence("The commit message cannot be rendered: ", Passage(str(error)))


def queue_requirements(name: str | None, context: Context) -> tuple[Condition, ...]:
    """What the queue action requires: the conditions of the queue that it names, or of any queue."""
    rules = [rule for rule in queues_of(context.configuration) if name in {None, rule.name}]
    groups = tuple(_own_conditions(rule, context) for rule in rules)
    if groups and all(group.members for group in groups):
        chosen: tuple[Condition, ...] = (
            groups if len(groups) == 1 else (AnyOf(groups, "🔀 queue conditions"),)
        )
    else:
        chosen = ()  # a queue admits everything, or the named queue is in a document that could not be read
    return (*_OPEN, *before_merging(context, "queue"), *chosen)


def _own_conditions(rule: QueueRule, context: Context) -> All:
    members = (*_protections(rule, context, "queue"), *rule.queue_conditions.members)
    return All(members, f"🔀 queue conditions of queue {rule.name}")


def _protections(rule: QueueRule, context: Context, mode: str) -> tuple[Condition, ...]:
    """In mode `queue` they are required to enter, and therefore to stay; in mode `merge` only to merge."""
    return protection_conditions(context) if rule.branch_protection_injection_mode == mode else ()


def _without_checks(context: Context) -> SnapshotView:
    """The view of a batch pull request: it does not exist yet, so no check has reported."""
    return SnapshotView(replace(context.snapshot, check_runs=(), statuses=()))


def admitting_queue(queues: Iterable[QueueResult]) -> str | None:
    return next((queue.name for queue in queues if queue.is_admitted), None)


def nearest_queue(queues: Iterable[QueueResult]) -> str | None:
    """The queue that admits the pull request, else the one with the least missing."""
    queues = tuple(queues)
    candidates = [queue for queue in queues if rule_status(queue.admission) in _MAY_ADMIT]
    nearest = min(candidates, key=_distance).name if candidates else None
    return admitting_queue(queues) or nearest


def _distance(queue: QueueResult) -> int:
    """0 if only conditions of the service are missing, 1 if checks or time may be enough, else 2."""
    own = [member for member in queue.admission.members if not _is_injected(member)]
    if all(member.truth is Truth.HOLDS for member in own):
        return 0
    outcomes = [outcome(member, when_something_else_is_missing=Outcome.FAILURE) for member in own]
    return 2 if Outcome.FAILURE in outcomes else 1


def _is_injected(result: Result) -> bool:
    if isinstance(result, LeafResult):
        return result.condition.is_injected
    return bool(result.members) and all(map(_is_injected, result.members))


class Priorities:
    """The priority in each queue: conditions on `queue-name` see the queue being entered."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._found: dict[str | None, PriorityResult] = {}

    def in_queue(self, queue: str | None) -> PriorityResult:
        """The priority in the queue that it is in, else in the given one."""
        if queue not in self._found:
            self._found[queue] = _find_priority(self._context, _entering(self._context, queue))
        return self._found[queue]


def _entering(context: Context, queue: str | None) -> SnapshotView | None:
    place = context.snapshot.queue
    if queue is None or (place is not None and place.name is not None):
        return None
    return SnapshotView(replace(context.snapshot, queue=QueuePlace(queue)))


def _find_priority(context: Context, view: SnapshotView | None) -> PriorityResult:
    """The first matching rule sets the priority; without one it is medium."""
    rules = context.configuration.priority_rules
    judged = [context.judge(rule.conditions.members, view) for rule in rules]
    results = tuple(
        PriorityRuleResult(rule.name, rule.priority, result.truth is Truth.HOLDS, result)
        for rule, result in zip(rules, judged, strict=True)
    )
    for rule, result in zip(rules, results, strict=True):
        if result.matches:
            return PriorityResult(rule.priority, rule.name, rule.allow_checks_interruption, results)
    return PriorityResult(PRIORITIES["medium"], None, False, results)


def with_priority(priority: PriorityResult) -> Pieces:
    """The priority and the rule that set it, as the continuation of a sentence."""
    rule: Pieces = (" (rule ", Name(priority.rule), ")") if priority.rule is not None else ()
    return (f" with priority {priority.word}", *rule)


def find_checks_place(configuration: Configuration) -> ChecksPlace:
    if checks_in_place(configuration):
        reason = "one check at a time, batches of one, no second step and no retries"
        return ChecksPlace(True, (sentence(reason),))
    return ChecksPlace(False, tuple(_reasons_for_batches(configuration)))


def _reasons_for_batches(configuration: Configuration) -> Iterator[Sentence]:
    parallel = configuration.merge_queue.max_parallel_checks
    if parallel > 1:
        yield sentence(f"`max_parallel_checks` is {parallel}")
    for rule in queues_of(configuration):
        queue = Name(rule.name)
        if rule.batch_size != 1:
            yield sentence("the queue ", queue, f" has {batches(rule)}")
        if rule.max_checks_retries:
            yield sentence("the queue ", queue, " retries failed checks")
        if rule.merge_conditions.members and rule.merge_conditions != rule.queue_conditions:
            yield sentence("the queue ", queue, " has its own merge conditions")


def batches(rule: QueueRule) -> str:
    size = rule.batch_size
    if isinstance(size, BatchRange):
        return f"batches of {size.min} to {size.max}"
    return "batches of one" if size == 1 else f"batches of {size}"
