"""Which queues admit the pull request, and what would its merge still need there?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mergecast.conditions.errors import NotRecorded
from mergecast.conditions.facts.snapshot_view import SnapshotView
from mergecast.conditions.outcome import Outcome, outcome
from mergecast.conditions.result import GroupResult, Truth
from mergecast.conditions.tree import All, AnyOf, Condition
from mergecast.configuration.cross_field import fast_forwards
from mergecast.configuration.models.configuration import Configuration
from mergecast.configuration.models.queue_rules import PRIORITIES, BatchRange, QueueRule
from mergecast.configuration.queues import checks_in_place, queues_of
from mergecast.configuration.templates.render import CannotRender
from mergecast.rules.branch_protection import protection_conditions
from mergecast.rules.commit_message import commit_message
from mergecast.rules.context import Context
from mergecast.rules.injected import before_merging, required
from mergecast.rules.sentence import Name, Passage, Sentence, sentence
from mergecast.rules.simulation import ChecksPlace, PriorityResult, PriorityRuleResult, QueueResult

_SECTIONS = ("queue_rules", "priority_rules", "merge_queue", "scopes")
_OPEN = required("queue", "-draft", "-closed", "-conflict")


def has_queue(configuration: Configuration) -> bool:
    """Whether the document says anything about queues."""
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
        None if in_place else _unchecked(context),
    )
    return QueueResult(
        name=rule.name,
        is_implicit=not context.configuration.queue_rules,
        is_admitted=admission.truth is Truth.HOLDS,
        admission=admission,
        merging=merging,
        merging_outcome=_outcome(merging),
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
    """What the queue action requires: everything of the queue that it names, or of any."""
    rules = [rule for rule in queues_of(context.configuration) if name in {None, rule.name}]
    groups = tuple(_own_conditions(rule, context) for rule in rules)
    if groups and all(group.members for group in groups):
        chosen: tuple[Condition, ...] = (
            groups if len(groups) == 1 else (AnyOf(groups, "🔀 queue conditions"),)
        )
    else:
        chosen = ()  # some queue takes everything, or the one named is not known here
    return (*_OPEN, *before_merging(context, "queue"), *chosen)


def _own_conditions(rule: QueueRule, context: Context) -> All:
    members = (*_protections(rule, context, "queue"), *rule.queue_conditions.members)
    return All(members, f"🔀 queue conditions of queue {rule.name}")


def _protections(rule: QueueRule, context: Context, mode: str) -> tuple[Condition, ...]:
    """In mode `queue` they are needed for both, and what was needed to enter is needed to stay."""
    return protection_conditions(context) if rule.branch_protection_injection_mode == mode else ()


def _unchecked(context: Context) -> SnapshotView:
    """The checks of a batch pull request: it does not exist yet, and so nothing has reported."""
    return SnapshotView(replace(context.snapshot, check_runs=(), statuses=()))


def _outcome(result: GroupResult) -> Outcome:
    return outcome(result, when_something_else_is_missing=Outcome.PENDING)


def find_priority(context: Context) -> PriorityResult:
    """The first rule that matches gives it; without one it is medium."""
    rules = context.configuration.priority_rules
    judged = [context.judge(rule.conditions.members) for rule in rules]
    results = tuple(
        PriorityRuleResult(rule.name, rule.priority, result.truth is Truth.HOLDS, result)
        for rule, result in zip(rules, judged, strict=True)
    )
    for rule, result in zip(rules, results, strict=True):
        if result.matches:
            return PriorityResult(rule.priority, rule.name, rule.allow_checks_interruption, results)
    return PriorityResult(PRIORITIES["medium"], None, False, results)


def find_checks_place(configuration: Configuration) -> ChecksPlace:
    if checks_in_place(configuration):
        alone = "one check at a time, batches of one, no second step and no retries"
        return ChecksPlace(True, (sentence(alone),))
    return ChecksPlace(False, tuple(_obstacles(configuration)))


def _obstacles(configuration: Configuration) -> Iterator[Sentence]:
    """Everything that asks for a branch of its own, not only the first."""
    parallel = configuration.merge_queue.max_parallel_checks
    if parallel > 1:
        yield sentence(f"`max_parallel_checks` is {parallel}")
    for rule in queues_of(configuration):
        yield from _of_queue(rule)


def _of_queue(rule: QueueRule) -> Iterator[Sentence]:
    queue = Name(rule.name)
    if rule.batch_size != 1:
        yield sentence("the queue ", queue, f" has {batches(rule)}")
    if rule.max_checks_retries:
        yield sentence("the queue ", queue, " runs failed checks again")
    if rule.merge_conditions.members and rule.merge_conditions != rule.queue_conditions:
        yield sentence("the queue ", queue, " has merge conditions of its own")


def batches(rule: QueueRule) -> str:
    size = rule.batch_size
    if isinstance(size, BatchRange):
        return f"batches of {size.min} to {size.max}"
    return "batches of one" if size == 1 else f"batches of {size}"
